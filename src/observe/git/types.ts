import type { GitFile } from "../../model/shapes/observed.ts";
import type { VersionScheme } from "../../model/versions.ts";
import type { Graph } from "./graph.ts";

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
  /** Milliseconds without a byte until a host counts as dead; default 30,000. */
  stallMs?: number;
}

export interface Mirror {
  /** The upstream's URL, without credentials. */
  url: string;
  dir: string;
  /** The history as it was when the mirror was opened. */
  graph: Graph;
  /** Runs git on the mirror. Never reaches the network. */
  git: (args: readonly string[], input?: string) => Promise<GitResult>;
  /** Changes when a branch or tag was added, moved or removed; the same text: nothing new to ask. */
  fingerprint: string;
  /**
   * Why the mirror could not be brought up to date; absent: it was. Ancestry between commits it has stays true for ever,
   * but from a stale mirror nothing is absent, and no tag moved or vanished.
   */
  stale?: string | undefined;
  /** Wanted commits that the upstream would not give, with the reason. */
  missing: Readonly<Record<string, string>>;
}

export interface OpenOptions {
  /** Read what is there, without the network. */
  offline?: boolean;
  /** Full hashes wanted even when no branch has them any more, such as source commits of pins. */
  commits?: readonly string[];
}

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

/** Everything one upstream is asked in one go. Every list may be empty. */
export interface GitQuestions {
  /** `owner/name` as facts call it, and former names: recognised in "Reverts owner/name#12". */
  names: readonly string[];
  /** Branches where landing counts; those the repository does not have are passed over. */
  branches: readonly string[];
  /** Release branches, `*` for any text; default: names that start with release, stable or a version. */
  releaseBranches?: readonly string[];
  /** How the project's versions are ordered, for the first tag that contains a commit. */
  versions: VersionScheme;
  /** Commits, short hashes or tags whose way upstream matters: landings and named commits. */
  commits: readonly string[];
  /**
   * Source commits of pins, named tags and candidates: what may contain the commits. Every commit, and every revert, reland
   * and cherry-pick found for it, is looked for in every target.
   */
  targets: readonly string[];
  /** Pull requests that were closed without a merge: is there a commit that carries the number? */
  pulls?: readonly number[];
}

export interface GitAnswers {
  /** All tags, peeled to commits. */
  tags: Record<string, { commit: string; date: string }>;
  /** Tips of the counted branches that there are. */
  branches: Record<string, { commit: string; date: string }>;
  /** By the name that was asked, commits and targets alike. */
  resolved: Record<string, Resolved>;
  /** By full hash: what was asked, and the reverts, relands, picks and landings found. */
  commits: Record<string, DescribedCommit>;
  picks: GitFile["picks"];
  reverts: GitFile["reverts"];
  /** Of full hashes only, every found commit with every target. */
  containment: Containment[];
  landings: LandingEvidence[];
}

/** `on` and `notOn` speak of the counted branches. */
export interface DescribedCommit {
  subject: string;
  committedAt: string;
  on: string[];
  notOn: string[];
  /** It resolves, but no branch and no tag of the upstream has it: a fork, or history that was rewritten (field case B06). */
  loose?: boolean;
  firstTag?: string;
  /** The first tag that is no pre-release in the upstream's scheme. */
  firstRelease?: string;
}

/** A commit on a counted branch that carries a pull request's number (field cases A01, A02, A04, A05). */
export interface LandingEvidence {
  pull: number;
  commit: string;
  on: string;
  at: string;
  /** The line that says so. */
  evidence: string;
  rule: LandingRule;
}

/**
 * | rule | the line |
 * |---|---|
 * | squash | subject that ends in `(#12)`, or starts with `PR #12:` |
 * | merge | `Merge pull request #12`, `Merge owner/repo#12`, `Auto merge of #12` |
 * | trailer | `Pull Request resolved: …/pull/12` (pytorch), `PR-URL:` (node), `COPYBARA_INTEGRATE_REVIEW=…` |
 * | closes | `Closes #12` of a commit that belongs to no other pull request (Homebrew, Spark) |
 */
export type LandingRule = "squash" | "merge" | "trailer" | "closes";
