import type { Thread } from "../../model/shapes/observed.ts";

/** What GitHub can say about a thread. Where and when it was read, and whether it could be, is kept beside it. */
export type Facts = Omit<Thread, "source" | "asOf" | "since" | "stale" | "gone" | "nodeMismatch">;

/** One look at a thread: what it says, and about what it can speak at all. */
export interface Reading {
  facts: Facts;
  /** Fields about which the look is complete: absent in `facts` means absent upstream. Of all others nothing was learnt. */
  covers: ReadonlySet<keyof Facts>;
  /** Where it was read, for the fact's provenance. */
  source: string;
  /** When the thread last moved in any way. Decides whether a longer look is due; never stored as a fact. */
  updatedAt: string | undefined;
}

/** The repository as it answered. */
export interface RepositoryReading {
  nodeId: string | undefined;
  archived: boolean;
  /** `owner/name` it has now, in GitHub's own spelling. */
  name: string;
  source: string;
}

/** What came of asking for one thread. Only `seen`, `same`, `moved` and `gone: deleted` are answers about it. */
export type Outcome =
  | { state: "seen"; reading: Reading }
  /** Asked, and nothing that matters has moved since the last look. */
  | { state: "same"; updatedAt: string | undefined }
  | { state: "moved"; to: string; source: string; reading: Reading }
  | { state: "gone"; how: "deleted" | "unreachable" | "blocked"; why: string }
  | { state: "failed"; why: string }
  /** Not asked, or not to the end, for a reason that is not the thread's: a rate limit, the run's own limits. */
  | { state: "not-checked"; why: string };

/** What the stack wants to know of a thread beyond its state. */
export interface Wanted {
  /** `owner/repo#n`, the repository under the name that facts use. */
  ref: string;
  /** The last known facts. */
  known: Thread | undefined;
  /** What the row takes it for; a discussion is asked for in another way. */
  kind: Thread["kind"] | undefined;
  /** Accounts whose answer a condition waits for, with the first day that counts. */
  replies: readonly { by: string; since: string }[];
  /** When it last moved, as remembered from the last look; undefined when not remembered. */
  seenUpdatedAt: string | undefined;
  /** Validator of the last REST answer. */
  etag: string | undefined;
}

/** What a mapper has to know of the stack. */
export interface Eyes {
  /** Accounts of the stack, lower case: their comments are no upstream activity, and no answer (A44). */
  own: ReadonlySet<string>;
  /** The stack's repository: what refers to a thread from there is no fix (A38). */
  ownRepo: string;
  /** The name under which facts keep a repository that GitHub calls so. */
  localName: (name: string) => string;
}
