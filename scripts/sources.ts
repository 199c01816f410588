import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import lockfile from "proper-lockfile";
import { withAncestry } from "../src/derive/containment.ts";
import type { World } from "../src/derive/facts.ts";
import { outside } from "../src/derive/survival/paths.ts";
import type { Known } from "../src/derive/survival/sources.ts";
import { nothingKnown } from "../src/derive/survival/sources.ts";
import type { Case } from "../src/derive/survival/cases.ts";
import type { Survey } from "../src/derive/survival/survey.ts";
import { survey } from "../src/derive/survival/survey.ts";
import type { Observed } from "../src/model/shapes/observed.ts";
import type { Answer, ContainsAnswer, OwnAnswer, Question } from "../src/model/source.ts";
import { keyOf } from "../src/model/source.ts";
import type { SourceHost } from "../src/observe/git/source-mirror.ts";
import { gitSource } from "../src/observe/git/source.ts";
import { githubClient } from "../src/observe/github/client.ts";
import { siteOf, upstreamAccess } from "../src/observe/github/endpoint.ts";
import type { SourceCache } from "../src/observe/github/sources.ts";
import { githubSource } from "../src/observe/github/sources.ts";
import type { SourceProvider } from "../src/observe/source.ts";
import { answerSources } from "../src/observe/source.ts";
import { progress } from "./cli.ts";
import { gitEnvironment } from "./git-host.ts";
import { sha256 } from "./hash.ts";
import { gitLogin } from "./outside.ts";

/** Answers questions to source trees on this machine, and fetches what is missing unless offline. */
export type Reader = (questions: readonly Question[]) => Promise<Map<string, Answer>>;

/** Reads through a git mirror first, then through GitHub's API when there is a token; files of the stack from its own folder. */
export function sourceReader(root: string, world: World, { offline }: { offline: boolean }): Reader {
  const { api, token } = upstreamAccess(process.env);
  const base = process.env.LANDFALL_GIT_URL ?? siteOf(api);
  const client = offline || token === undefined ? undefined : githubClient({ fetch, now: () => new Date(), token, api, say: progress });
  const folder = join(resolve(root), ".landfall");
  const providers: SourceProvider[] = [
    gitSource(sourceHost(join(folder, "source"), base, gitLogin(process.env, siteOf(api))?.headers), { offline }),
    githubSource(client, fileCache(join(folder, "cache", "source"))),
  ];
  return (questions) => answerSources(providers, (path) => readOwn(root, world, providers, path), questions);
}

/**
 * Judges cases, asking until nothing is open.
 * @param known what was answered before; filled further
 */
export async function surveyed(world: World, reader: Reader, cases: readonly Case[], known: Known = nothingKnown(sha256)): Promise<Survey> {
  const judgements: Survey["judgements"] = [];
  let open = cases;
  for (;;) {
    const round = survey(world, known, open);
    judgements.push(...round.judgements);
    if (round.open.length === 0) return { judgements: inOrder(judgements, cases), open: [], questions: [] };
    for (const [key, answer] of await reader(round.questions)) known.answers.set(key, answer);
    open = round.open;
  }
}

/** Has a git history answer which commits contain which, where the observed facts do not tell. */
export async function ancestry(
  observed: Observed,
  reader: Reader,
  asked: readonly Extract<Question, { ask: "contains" }>[],
): Promise<Observed> {
  if (asked.length === 0) return observed;
  const answers = await reader(asked);
  return withAncestry(
    observed,
    asked.map((question) => ({ question, answer: answers.get(keyOf(question)) as ContainsAnswer | undefined })),
  );
}

function inOrder(judgements: Survey["judgements"], cases: readonly Case[]): Survey["judgements"] {
  const place = new Map(cases.map(({ patch, place: { commit } }, index) => [`${patch} ${commit}`, index]));
  const at = ({ patch, commit }: { patch: string; commit: string }) => place.get(`${patch} ${commit}`) ?? 0;
  return judgements.sort((a, b) => at(a) - at(b));
}

/** A file of the stack: beside `data/` when the tracker lives in the stack, else from the commit that was scanned. */
async function readOwn(root: string, world: World, providers: readonly SourceProvider[], path: string): Promise<OwnAnswer> {
  const bad = outside(path);
  if (bad !== undefined) return { state: "failed", why: `${path} is no file of the stack: ${bad}` };
  const full = join(root, path);
  if (existsSync(full) && (await stat(full)).isFile()) {
    const inside = (await realpath(full)).startsWith(`${await realpath(root)}${sep}`);
    if (!inside) return { state: "failed", why: `${path} is a symbolic link that leads out of the stack` };
    return { state: "text", text: await readFile(full, "utf8") };
  }
  const tree = world.facts.inventory?.tree;
  const besideData = world.facts.inventory?.files.some((file) => existsSync(join(root, file))) ?? false;
  if (besideData) return { state: "absent" };
  if (!tree?.commit)
    return { state: "failed", why: `${path} is not in this folder, and which commit of the stack was scanned is not known` };
  const question: Question = { ask: "file", repo: tree.repo, commit: tree.commit, path };
  const answer = (await answerSources(providers, async () => ({ state: "absent" }), [question])).get(keyOf(question));
  if (answer?.state === "text") return { state: "text", text: answer.text };
  if (answer?.state === "absent") return { state: "absent" };
  return { state: "failed", why: answer?.state === "failed" ? answer.why : `${path} is no text file` };
}

function fileCache(folder: string): SourceCache {
  const place = (key: string) => {
    const name = sha256(key);
    return join(folder, name.slice(0, 2), name.slice(2));
  };
  return {
    get: (key) => readFile(place(key), "utf8").catch(() => undefined),
    set: async (key, text) => {
      const path = place(key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.${process.pid}`, text);
      await rename(`${path}.${process.pid}`, path);
    },
  };
}

/** The machine as source mirrors use it. */
export function sourceHost(cache: string, base: string, headers: Record<string, string> = {}): SourceHost {
  return {
    git: bytesRunner(headers),
    cache,
    base,
    say: progress,
    lock: (folder) =>
      lockfile.lock(folder, { realpath: false, stale: 30_000, retries: { retries: 600, minTimeout: 100, maxTimeout: 500 } }),
    files: {
      exists: async (path) => existsSync(path),
      makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
      rename,
      remove: (path) => rm(path, { recursive: true, force: true }),
      write: (path, text) => writeFile(path, text),
    },
  };
}

/** Runs the git of this machine, never through a shell, and hands over bytes. */
function bytesRunner(headers: Record<string, string>): SourceHost["git"] {
  const env = { ...process.env, ...gitEnvironment(headers) };
  return (args, { input, timeoutMs } = {}) =>
    new Promise((done) => {
      const child = spawn("git", [...args], { env, timeout: timeoutMs, stdio: ["pipe", "pipe", "pipe"] });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (part: Buffer) => out.push(part));
      child.stderr.on("data", (part: Buffer) => err.push(part));
      // A git that ends early closes its input; its exit code says why.
      child.stdin.on("error", () => undefined);
      child.on("error", (error) => done({ code: -1, stdout: new Uint8Array(), stderr: error.message }));
      child.on("close", (code) => {
        const stderr = Buffer.concat(err).toString("utf8");
        done({
          code: code ?? -1,
          stdout: Buffer.concat(out),
          stderr: code === null ? `git gave no answer within ${timeoutMs} ms` : stderr,
        });
      });
      child.stdin.end(input ?? "");
    });
}
