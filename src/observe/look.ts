/**
 * What a look at a source gave. Four answers, and only `seen` and `gone` say something about the world:
 * a failed look never becomes "no", "none" or an empty list (design, section 1, sentence 3).
 */
export type Look<T> = Seen<T> | Unchanged | Gone | Failed;

export interface Seen<T> {
  state: "seen";
  value: T;
  /** Where it was read, in words a person understands, for the fact's provenance. */
  source: string;
  /** Validator of the answer, verbatim (quotes and `W/` are part of it, field case C07); hand it in again next time. */
  etag?: string | undefined;
}

/** The validator or digest that was handed in still holds: the facts stay as they are, and no body was read. */
export interface Unchanged {
  state: "unchanged";
  source: string;
}

/** The source answered, and what was asked for is not there any more, or never was. */
export interface Gone {
  state: "gone";
  what: Missing;
  /** A sentence for the row: what is missing, where. */
  why: string;
  source: string;
}

export type Missing = "repository" | "tag" | "manifest" | "platform" | "package" | "version" | "revision" | "commit";

/** Nothing was learnt. The last known fact stays, marked stale with `why`. */
export interface Failed {
  state: "failed";
  /** What, where, why, and what to do, in one sentence; never a token, never raw HTML. */
  why: string;
  /** Status of the HTTP answer, when there was one. */
  status?: number | undefined;
  /** ISO instant before which asking again is useless (rate limits). */
  notBefore?: string | undefined;
}
