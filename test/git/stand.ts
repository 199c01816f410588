import { mirrorHost } from "../../scripts/git-host.ts";
import { askGit } from "../../src/observe/git/ask.ts";
import { openMirror } from "../../src/observe/git/mirror.ts";
import type { GitAnswers, GitQuestions, Mirror, MirrorHost, OpenOptions } from "../../src/observe/git/types.ts";
import type { Look } from "../../src/observe/look.ts";
import type { Plan } from "./repository.ts";
import { temporaryFolder, writeRepository } from "./repository.ts";

/** A planned upstream, a cache beside it, and what a test asks of them. */
export interface Stand {
  folder: string;
  upstream: string;
  url: string;
  host: MirrorHost;
  /** Hash of each planned commit. */
  at: Record<string, string>;
  open: (options?: OpenOptions) => Promise<Mirror>;
  look: (options?: OpenOptions) => Promise<Look<Mirror>>;
  ask: (questions: Partial<GitQuestions>, options?: OpenOptions) => Promise<GitAnswers>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export async function stand(plan: Plan): Promise<Stand> {
  const { folder, remove } = await temporaryFolder();
  const upstream = `${folder}/upstream.git`;
  const at = await writeRepository(upstream, plan);
  const host = mirrorHost(`${folder}/cache`, { waitMs: 20_000 });
  const url = `file://${upstream}`;
  const look = (options?: OpenOptions) => openMirror(host, url, options);
  const open = async (options?: OpenOptions) => sightOf(await look(options));
  const ask: Stand["ask"] = async (questions, options) =>
    sightOf(
      await askGit(await open(options), {
        names: ["org/repo"],
        branches: ["main"],
        versions: "semver",
        commits: [],
        targets: [],
        ...questions,
      }),
    );
  return { folder, upstream, url, host, at, open, look, ask, [Symbol.asyncDispose]: remove };
}

/** What a look saw; any other answer fails the test and says why. */
export function sightOf<T>(look: Look<T>): T {
  if (look.state === "seen") return look.value;
  throw new Error(`The look should have seen something, and was ${look.state}${"why" in look ? `: ${look.why}` : ""}`);
}

/** A host that writes down the commands it runs. */
export function watched(host: MirrorHost): { host: MirrorHost; ran: string[] } {
  const ran: string[] = [];
  const git: MirrorHost["git"] = (args, options) => {
    ran.push(args.join(" "));
    return host.git(args, options);
  };
  return { host: { ...host, git }, ran };
}

/** The verdict about one pair, by the names of the plan. */
export function verdict({ at }: Pick<Stand, "at">, answers: GitAnswers, commit: string, inside: string): string | undefined {
  return answers.containment.find((pair) => pair.commit === at[commit] && pair.inside === at[inside])?.answer;
}
