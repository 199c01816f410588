import { noMemory } from "../../src/observe/memory.ts";
import type { Memory } from "../../src/observe/memory.ts";
import { githubClient } from "../../src/observe/github/client.ts";
import { newBudget } from "../../src/observe/github/budget.ts";
import type { ClientOptions } from "../../src/observe/github/client.ts";
import type { Budget } from "../../src/observe/github/budget.ts";
import { threadReader } from "../../src/observe/github/reader.ts";
import type { Eyes } from "../../src/observe/github/reading.ts";
import type { AskHistory } from "../../src/observe/histories.ts";
import { sync } from "../../src/observe/sync.ts";
import type { SyncResult } from "../../src/observe/sync.ts";
import type { NamedThread } from "../../src/model/questions.ts";
import type { Observed, Thread } from "../../src/model/shapes/observed.ts";
import { githubFile } from "../../src/model/shapes/observed.ts";
import type { Github, GithubOptions } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import { nowOf } from "../stand/world.ts";
import type { World } from "../stand/world.ts";

export const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

export const nothingObserved = (): Observed => ({
  asOf: "1970-01-01",
  github: {},
  git: {},
  containment: {},
  registry: {},
  inventory: undefined,
  transitions: [],
});

export interface LookOptions {
  known?: Observed | undefined;
  memory?: Memory | undefined;
  /** null: no token. */
  token?: string | null;
  own?: string[];
  history?: AskHistory;
  client?: Partial<ClientOptions>;
  budget?: Budget;
  only?: string;
  /** False: the facts are not held against their shape, where a thousand runs would do it again and again. */
  checked?: boolean;
  urgency?: (ref: string) => number;
}

export interface Looked extends SyncResult {
  budget: Budget;
  said: string[];
}

/** Looks at threads of a stand that is running, as `sync` does: nothing waits, and the clock is the world's. */
export async function lookAt(github: Github, refs: readonly (string | NamedThread)[], options: LookOptions = {}): Promise<Looked> {
  const { world } = github;
  const budget = options.budget ?? newBudget();
  const said: string[] = [];
  const client = githubClient({
    fetch,
    now: () => new Date(world.clock),
    token: options.token === null ? undefined : (options.token ?? TOKEN),
    api: github.url,
    secondMs: 0,
    timeoutMs: 20_000,
    budget,
    say: (line) => said.push(line),
    ...options.client,
  });
  const eyes: Eyes = { own: new Set(options.own ?? ["we"]), ownRepo: "we/stack", localName: (name) => name };
  const reader = threadReader(client, eyes);
  const named = refs.map((ref): NamedThread => (typeof ref === "string" ? { ref, kind: undefined, replies: [] } : ref));
  const result = await sync({
    observed: options.known ?? nothingObserved(),
    memory: options.memory ?? noMemory(),
    now: nowOf(world),
    named,
    questions: (observed) => ({ artifacts: [], histories: options.history ? questionsAbout(observed) : [] }),
    urgency: options.urgency ?? (() => 0),
    sources: { threads: reader, history: options.history },
    scope: { only: options.only },
    say: (line) => said.push(line),
  });
  if (options.checked !== false) for (const file of Object.values(result.observed.github)) githubFile.parse(file);
  return { ...result, budget, notes: [...reader.notes, ...result.notes], said };
}

/** Closed pull requests alone: what a merge bot landed. */
const questionsAbout = (observed: Observed) =>
  Object.entries(observed.github).map(([repo, file]) => ({
    repo,
    names: [repo],
    branches: ["main"],
    versions: "none" as const,
    url: undefined,
    commits: [],
    landings: [],
    tags: [],
    targets: [],
    open: [],
    pulls: Object.entries(file.threads)
      .filter(([, { kind, state, merged, closer }]) => kind === "pull-request" && state === "closed" && merged === false && !closer)
      .map(([number]) => Number(number)),
  }));

/** Starts a stand, looks once, and stops it. */
export async function lookOnce(
  world: World,
  refs: readonly (string | NamedThread)[],
  options: LookOptions & GithubOptions = {},
): Promise<Looked> {
  const github = await startGithub(world, options);
  try {
    return await lookAt(github, refs, options);
  } finally {
    await github.close();
  }
}

export function factOf(observed: Observed, ref: string): Thread | undefined {
  const [repo = "", number = ""] = ref.split("#");
  return observed.github[repo]?.threads[number];
}
