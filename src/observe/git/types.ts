import type { GitFile } from "../../model/shapes/observed.ts";
import type { VersionScheme } from "../../model/versions.ts";
import type { Look } from "../look.ts";

export interface GitResult {
  /** Exit code of git; -1 when it could not be started, was killed or ran out of time (the reason is in stderr). */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs git with an argument array, never through a shell. Made in `scripts/`. Resolves for every exit code. */
export type Git = (args: readonly string[], options?: { cwd?: string; input?: string; timeoutMs?: number }) => Promise<GitResult>;

/** What a mirror needs of the machine. Made in `scripts/`. */
export interface MirrorHost {
  git: Git;
  /** Absolute folder that holds one mirror per upstream; may be deleted at any time. */
  cache: string;
  /** Takes the lock of a mirror and returns what releases it; waits for another run, throws when that takes too long. */
  lock: (folder: string) => Promise<() => Promise<void>>;
  files: {
    exists: (path: string) => Promise<boolean>;
    makeFolder: (path: string) => Promise<void>;
    rename: (from: string, to: string) => Promise<void>;
    /** Removes a file or a folder with all it holds; fine when it is not there. */
    remove: (path: string) => Promise<void>;
  };
  /** Progress, one line; never a credential. */
  say?: (line: string) => void;
}

export interface Mirror {
  /** The upstream's URL, without credentials. */
  url: string;
  dir: string;
  git: (args: readonly string[], input?: string) => Promise<GitResult>;
  /**
   * Why the mirror could not be brought up to date; absent: it was. Ancestry between commits it has stays true for ever,
   * but from a stale mirror nothing is absent, and no tag moved or vanished.
   */
  stale?: string | undefined;
}

/**
 * Clones a commits-only mirror, or brings the one there is up to date.
 * `commits`: full hashes wanted even when no branch has them any more, such as source commits of pins.
 */
export type OpenMirror = (
  host: MirrorHost,
  url: string,
  options?: { offline?: boolean; commits?: readonly string[] },
) => Promise<Look<Mirror>>;

/** Is `commit` the same as `inside`, or an ancestor of it? Both may be short hashes or tags. */
export interface Question {
  commit: string;
  inside: string;
}

export interface Containment extends Question {
  answer: "yes" | "no" | "unknown";
  /** Why it is unknown: not found, ambiguous, unrelated histories. */
  why?: string | undefined;
  /** What the two names resolved to; a "yes" or "no" for these two never changes. */
  resolved?: { commit: string; inside: string } | undefined;
}

/** What a name means in a repository. */
export type Resolved =
  | { state: "commit"; sha: string; by: "hash" | "tag" | "branch" }
  /** A short hash of several commits, or a hash that is also a tag's name; `candidates` says which (field case B30). */
  | { state: "ambiguous"; candidates: string[]; why: string }
  | { state: "absent"; why: string };

/** Everything one upstream is asked in one go. Every field may be empty. */
export interface GitQuestions {
  /** `owner/name` as facts call it, or the URL for another host; also recognised in "Reverts owner/name#12". */
  repository: string;
  /** Branches where landing counts. */
  branches: readonly string[];
  /** Patterns (`*` within a name) of release branches; default: names that start with release, releases, stable or a version. */
  releaseBranches?: readonly string[];
  /** How the project's versions are ordered, for the first tag that contains a commit. */
  versions: VersionScheme;
  /** Commits, short hashes or tags to describe: landings, named commits, source commits of pins. */
  commits: readonly string[];
  /** Pairs not answered before. */
  pairs: readonly Question[];
  /** Pull requests that were closed without a merge, or by a bot: is there a commit that carries the number? */
  pulls?: readonly number[];
}

export interface GitAnswers {
  /** All tags, and the tip of each counted branch, peeled to commits. Empty only if the repository has none. */
  tags: Record<string, { commit: string; date: string }>;
  /** By the name that was asked. */
  resolved: Record<string, Resolved>;
  /** By full hash. `on` and `notOn` speak of the counted branches; neither branch nor tag: `loose` (field case B06). */
  commits: Record<string, DescribedCommit>;
  picks: GitFile["picks"];
  reverts: GitFile["reverts"];
  containment: Containment[];
  landings: LandingEvidence[];
}

export interface DescribedCommit {
  subject: string;
  committedAt: string;
  on: string[];
  notOn: string[];
  /** It resolves, but no branch and no tag of the upstream has it: a fork, or history that was rewritten. */
  loose?: boolean;
  firstTag?: string;
  /** The first tag that is no pre-release in the upstream's scheme. */
  firstRelease?: string;
}

/** A commit on a counted branch that carries a pull request's number. */
export interface LandingEvidence {
  pull: number;
  commit: string;
  on: string;
  at: string;
  /** The line that says so, and which rule read it. */
  evidence: string;
  rule: "squash" | "merge" | "pytorch" | "copybara" | "bors" | "pr-url" | "closes";
}

export type AskGit = (mirror: Mirror, questions: GitQuestions) => Promise<Look<GitAnswers>>;

/** A tag that means another commit than before, or is not there any more (field cases B12, B14). */
export interface TagChange {
  tag: string;
  was: string;
  now: string | undefined;
}

/** Octokit-like: resolves for success, throws an error with `status` and `response.data` otherwise. */
export type Request = (
  route: string,
  parameters: Record<string, string | number>,
) => Promise<{ status: number; data: unknown; headers: Record<string, string | number | undefined> }>;

/** Containment without git, one request a pair. */
export type CompareCommits = (request: Request, repository: string, question: Question) => Promise<Look<"yes" | "no">>;
