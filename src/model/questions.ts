import type { RefKind } from "./vocabulary.ts";
import type { VersionScheme } from "./versions.ts";

/** What the stack wants observed. Derive says it, the observer reads it; here both can see it. */

/** A thread that the stack names somewhere. */
export interface NamedThread {
  /** `owner/repo#n`, under the repository's present name. */
  ref: string;
  /** What the row takes it for. */
  kind: RefKind | undefined;
  /** Accounts whose answer a condition waits for, with the first day that counts. */
  replies: { by: string; since: string }[];
}

/** What is to be found out in one repository's history. Commits are full or short hashes, or tags. */
export interface HistoryQuestions {
  repo: string;
  /** The repository's present and former names. */
  names: string[];
  /** Branches where landing counts. */
  branches: string[];
  versions: VersionScheme;
  /** Where it can be cloned from, when that is not the GitHub that upstreams are read from. */
  url: string | undefined;
  /** Commits whose subject, date and branches matter. */
  commits: string[];
  /** Commits whose reverts and twins on release branches matter: landings. */
  landings: string[];
  tags: string[];
  /** What may contain them: source commits of pins, tags. */
  targets: string[];
  /** Pairs that were never answered. */
  open: { commit: string; inside: string }[];
  /** Pull requests closed without a merge, and without anything that closed them: does a commit carry the number? */
  pulls: number[];
}

/** An image, a package or an asset, by its key in `observed/registry/`. */
export interface ArtifactQuestion {
  key: string;
  /** Its tag moves: digests that were seen are kept. */
  floating: boolean;
  /** Repositories whose commits it may be built from. */
  sourceRepos: string[];
}

export interface Questions {
  histories: HistoryQuestions[];
  artifacts: ArtifactQuestion[];
}
