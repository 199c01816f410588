import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Octokit } from "@octokit/rest";
import { publish } from "../../src/publish/pull-request/publish.ts";
import { blobHash } from "../../src/publish/pull-request/trees.ts";
import type { Outcome, Overlay, Plan, Proposal, Stacks } from "../../src/publish/pull-request/types.ts";
import type { Git } from "../stand/git-repository.ts";
import { createGit } from "../stand/git-repository.ts";
import type { Github, GithubOptions } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import type { Pull } from "../stand/thread-types.ts";
import type { Repo, World } from "../stand/world.ts";
import { addRepo, addToken, createWorld, nowOf } from "../stand/world.ts";

/** A stack so small that its render fits on a page of paper: authored texts, one file of facts, one generated page. */

/** Hundreds of small repositories are made and removed: in memory where the system has a folder for that. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export const TOKEN = "bot-token";
export const BRANCH = "landfall/upstream";
export const FACTS = "data/observed/facts.json";
export const PAGE = "content/PAGE.md";

export type Facts = Record<string, { value: string; asOf: string }>;
export type Files = Map<string, string>;

export const isOwned = (path: string): boolean => path.startsWith("data/observed/") || path === PAGE;
const factsIn = (files: Files): Facts => JSON.parse(files.get(FACTS) ?? "{}") as Facts;
const factsText = (facts: Facts): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1))), undefined, 1)}\n`;

/** The page of a stack: its authored texts and what is known, in order. */
export function render(files: Files): string {
  const authored = [...files].filter(([path]) => path.startsWith("data/") && !isOwned(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const facts = Object.entries(factsIn(files)).map(([name, { value }]) => `${name}=${value}`);
  return `${[...authored.map(([path, text]) => `${path}: ${text.trim()}`), ...facts].join("\n")}\n`;
}

function merged(...all: Facts[]): Facts {
  const found: Facts = {};
  for (const facts of all) {
    for (const [name, fact] of Object.entries(facts)) {
      const known = found[name];
      if (!known || (known.value !== fact.value) === Date.parse(fact.asOf) > Date.parse(known.asOf)) found[name] = fact;
    }
  }
  return found;
}

const laid = (local: Files, overlay: Overlay): Files => {
  const files = new Map(local);
  for (const [path, text] of overlay) {
    if (text === undefined) files.delete(path);
    else files.set(path, text);
  }
  return files;
};

/** The toy's planner, over the files of a checkout whose facts were just synced. */
export function planner(local: Files): (stacks: Stacks) => Plan {
  return ({ base, head, proposed, news }) => {
    const [before, files] = [laid(local, base), laid(local, head)];
    const all = [factsIn(before), factsIn(files), factsIn(laid(local, proposed))];
    const facts = merged(...all, ...(news ? [factsIn(local)] : []));
    files.set(FACTS, factsText(facts));
    const known = factsIn(before);
    const changed = Object.entries(facts)
      .filter(([name, { value }]) => known[name]?.value !== value)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const urgent = changed.filter(([name]) => name.startsWith("blocks")).map(([name, { value }]) => `${name} ${value}`);
    const body = `${changed.map(([name, { value }]) => `- [ ] ${name} is ${value}`).join("\n")}\n`;
    return {
      files: [
        { path: FACTS, content: factsText(facts) },
        { path: PAGE, content: render(files) },
      ],
      title: `Upstream changes: ${changed.length}`,
      body,
      identity: body,
      message: "Upstream changes",
      urgent,
      reopens: urgent,
    };
  };
}

export interface Stage {
  world: World;
  repo: Repo;
  git: Git;
  github: Github;
  /** What is true upstream now. */
  truth: Record<string, string>;
  close: () => Promise<void>;
}

export async function stage(options: GithubOptions & { repo?: Partial<Repo> } = {}): Promise<Stage> {
  const folder = mkdtempSync(join(MEMORY, "publish-"));
  const world = createWorld("2026-05-16T00:00:00Z");
  addToken(world, TOKEN, { login: "bot", write: true, kind: "app" });
  const git = createGit(join(folder, "stack.git"));
  const start: Files = new Map([
    ["README.md", "A stack\n"],
    ["data/row.txt", "a row\n"],
    [FACTS, factsText({})],
  ]);
  start.set(PAGE, render(start));
  git.commit({ message: "Start", files: Object.fromEntries(start) });
  const repo = addRepo(world, "we/stack", { git: git.dir, ...options.repo });
  const github = await startGithub(world, options);
  return {
    world,
    repo,
    git,
    github,
    truth: {},
    close: async () => {
      await github.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every file of a commit, by path. */
export function filesAt(git: Git, revision: string): Files {
  return new Map(git.files(revision).map((path) => [path, git.file(revision, path) ?? ""]));
}

/** A fresh checkout of the base that took over what was proposed last, and in which a sync learnt what is true now. */
export function checkout(on: Stage): Files {
  const { git, truth, world } = on;
  const files = filesAt(git, "main");
  const last = pullsOf(on).at(-1);
  const facts = merged(factsIn(files), last && last.mergedAt === null ? factsIn(filesAt(git, last.headSha)) : {});
  for (const [name, value] of Object.entries(truth)) if (facts[name]?.value !== value) facts[name] = { value, asOf: nowOf(world) };
  files.set(FACTS, factsText(facts));
  return files;
}

export interface RunOptions {
  token?: string;
  local?: Files;
  fetch?: typeof fetch;
  more?: Partial<Proposal>;
}

/** One run of a bot. */
export function run(on: Stage, { token = TOKEN, local = checkout(on), fetch: via, more }: RunOptions = {}): Promise<Outcome> {
  const silent = () => {};
  const octokit = new Octokit({
    auth: token,
    baseUrl: on.github.url,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...(via ? { request: { fetch: via } } : {}),
  });
  return publish(octokit, {
    owner: "we",
    repo: "stack",
    branch: BRANCH,
    folder: "",
    local: new Map([...local].filter(([path]) => path.startsWith("data/")).map(([path, text]) => [path, blobHash(text)])),
    plan: planner(local),
    owns: isOwned,
    everyDays: 7,
    snoozeLabel: "landfall:snooze",
    now: nowOf(on.world),
    ...more,
  });
}

export const pullsOf = ({ repo }: Stage): Pull[] => Object.values(repo.threads).filter((thread): thread is Pull => thread.kind === "pull");
export const openPulls = (on: Stage): Pull[] => pullsOf(on).filter(({ state }) => state === "open");
export const days = (count: number): number => count * 86_400_000;

/** A person puts the label that keeps a closed pull request closed. */
export function snooze({ world, repo }: Stage, pull: Pull): void {
  const name = "landfall:snooze";
  repo.labels[name] = { id: world.nextId++, name, color: "ededed", description: "Not now" };
  pull.labels.push(name);
}
