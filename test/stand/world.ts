import type { Thread, ThreadRef } from "./thread-types.ts";

/**
 * The world that the mini-GitHub shows: plain data, so that a test can change it between two requests, compare with it,
 * and keep it in a JSON file. Times are ISO 8601 in UTC to the second; `clock` is the world's now.
 */
export type World = {
  /** Milliseconds since the epoch. Nothing in the stand reads the wall clock. */
  clock: number;
  nextId: number;
  /** By lower-case `owner/name`, the current name. */
  repos: Record<string, Repo>;
  /** Lower-case former `owner/name` -> repository id. A new repository under that name wins, as on GitHub. */
  formerNames: Record<string, number>;
  tokens: Record<string, Token>;
  /** What writes of the tool made others see: the issue tracker of an upstream, or a person's inbox. */
  noise: Noise[];
};

export type Repo = {
  id: number;
  owner: string;
  name: string;
  description: string | null;
  private: boolean;
  archived: boolean;
  fork: boolean;
  /** Answers 451 to everything. */
  blocked?: { reason: string; url: string; at: string };
  /** An organization that refuses tokens it has not approved; reading without a token still works. */
  sso?: { organization: string };
  defaultBranch: string;
  createdAt: string;
  updatedAt: string;
  nextNumber: number;
  /** Folder of a bare repository: commits, refs and files are read from it. */
  git?: string;
  /** Commits of a repository without `git`, by sha. */
  commits: Record<string, Commit>;
  /** Branches and tags (full ref names) of a repository without `git`. */
  refs: Record<string, string>;
  threads: Record<number, Thread>;
  releases: Release[];
  labels: Record<string, Label>;
  protections: Record<string, Protection>;
  /** The setting "Allow GitHub Actions to create and approve pull requests". */
  actionsMayOpenPulls: boolean;
  /** Shas of commits that GitHub signed. */
  verified: string[];
};

export type Commit = { sha: string; parents: string[]; message: string; date: string; author: string | null };
export type Label = { id: number; name: string; color: string; description: string | null };
export type Protection = { rule: "pull-request" | "signatures" | "locked"; status: 403 | 422; approvals?: number };
export type Noise = { kind: "cross-reference" | "mention" | "closing-keyword"; target: string; where: string };

export type Token = {
  login: string;
  kind: "classic" | "fine-grained" | "app" | "actions";
  /** May it write at all. */
  write: boolean;
  /** Classic scopes; `workflow` also decides for the other kinds. */
  scopes: string[];
  /** Lower-case names of private repositories it may read. */
  sees: string[];
  /** Organizations that have approved it (single sign-on). */
  approvedBy: string[];
  expires?: string;
};

export type Release = {
  id: number;
  tag: string;
  name: string | null;
  body: string;
  draft: boolean;
  prerelease: boolean;
  createdAt: string;
  publishedAt: string | null;
  author: string;
  target: string;
  assets: { id: number; name: string; size: number }[];
};

/** @param now ISO 8601, the world's first instant */
export function createWorld(now = "2026-05-16T00:00:00Z"): World {
  return { clock: Date.parse(now), nextId: 1000, repos: {}, formerNames: {}, tokens: {}, noise: [] };
}

export const instant = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
export const nowOf = (world: World): string => instant(world.clock);
export const newId = (world: World): number => world.nextId++;
/** Moves the world's clock to an instant; going back is an error of the test. */
export function advanceTo(world: World, at: string): void {
  if (Date.parse(at) < world.clock) throw new Error(`the world is already at ${nowOf(world)}`);
  world.clock = Date.parse(at);
}

export const fullName = (repo: Repo): string => `${repo.owner}/${repo.name}`;
export const refTo = (repo: Repo, thread: { number: number }): ThreadRef => ({ repo: repo.id, number: thread.number });

export function addRepo(world: World, name: string, options: Partial<Omit<Repo, "id" | "owner" | "name">> = {}): Repo {
  const [owner = "", short = ""] = name.split("/");
  const repo: Repo = {
    id: newId(world),
    owner,
    name: short,
    description: null,
    private: false,
    archived: false,
    fork: false,
    defaultBranch: "main",
    createdAt: "2023-01-01T00:00:00Z",
    updatedAt: nowOf(world),
    nextNumber: 1,
    commits: {},
    refs: {},
    threads: {},
    releases: [],
    labels: {},
    protections: {},
    actionsMayOpenPulls: true,
    verified: [],
    ...options,
  };
  world.repos[name.toLowerCase()] = repo;
  return repo;
}

/** The repository under a name, current or former; undefined when there is none. */
export function findRepo(world: World, name: string): Repo | undefined {
  const key = name.toLowerCase();
  const formerId = world.formerNames[key];
  return world.repos[key] ?? (formerId === undefined ? undefined : repoById(world, formerId));
}

export function repoById(world: World, id: number): Repo | undefined {
  for (const repo of Object.values(world.repos)) if (repo.id === id) return repo;
  return undefined;
}

/** Renames or transfers a repository; the old name redirects until a new repository takes it. */
export function renameRepo(world: World, repo: Repo, name: string): void {
  const old = fullName(repo).toLowerCase();
  delete world.repos[old];
  world.formerNames[old] = repo.id;
  [repo.owner = "", repo.name = ""] = name.split("/");
  world.repos[name.toLowerCase()] = repo;
  delete world.formerNames[name.toLowerCase()];
}

/** The repository is gone: 404, and its former names with it. */
export function deleteRepo(world: World, repo: Repo): void {
  delete world.repos[fullName(repo).toLowerCase()];
  for (const [name, id] of Object.entries(world.formerNames)) if (id === repo.id) delete world.formerNames[name];
}

export function addToken(world: World, token: string, options: Partial<Token> = {}): Token {
  const made: Token = { login: "tester", kind: "classic", write: false, scopes: [], sees: [], approvedBy: [], ...options };
  world.tokens[token] = made;
  return made;
}

export function addRelease(world: World, repo: Repo, tag: string, options: Partial<Release> = {}): Release {
  const at = nowOf(world);
  const release: Release = {
    id: newId(world),
    tag,
    name: tag,
    body: "",
    draft: false,
    prerelease: false,
    createdAt: at,
    publishedAt: at,
    author: repo.owner,
    target: repo.defaultBranch,
    assets: [],
    ...options,
  };
  repo.releases.push(release);
  return release;
}

/** A commit of a repository without git; a made-up sha unless given. */
export function addCommit(world: World, repo: Repo, options: Partial<Commit> = {}): Commit {
  const sha = options.sha ?? fakeSha(newId(world));
  const commit: Commit = { sha, parents: [], message: `Commit ${sha.slice(0, 7)}`, date: nowOf(world), author: "committer", ...options };
  repo.commits[sha] = commit;
  return commit;
}

/** 40 hex digits that differ from number to number early on. */
export function fakeSha(seed: number): string {
  let [state, out] = [seed >>> 0, ""];
  while (out.length < 40) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    out += ((state ^ (state >>> 13)) >>> 0).toString(16).padStart(8, "0");
  }
  return out.slice(0, 40);
}
