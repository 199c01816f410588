import type { Version } from "../../model/source.ts";

/** The change with which something went away, as a reader can follow it. */
export interface Loss {
  commit: string;
  at: string;
  subject: string;
  /** The pull request the subject names; null when it names none. */
  pr: number | null;
  /** "walk": every version since was looked at. "bisect": some were skipped, so it may have come back and gone again since. */
  by: "walk" | "bisect";
}

export type LossSearch =
  | { state: "found"; loss: Loss }
  /** No version of the history has it. */
  | { state: "never" }
  /** Older changes than the history holds would have to be read. */
  | { state: "older" }
  /** A version on the way could not be read. */
  | { state: "unread" }
  /** Blobs to look at next. */
  | { state: "need"; blobs: string[] };

/** Whether a version has it; undefined: not looked at yet; "unread": it cannot be looked at. */
export type Presence = boolean | "unread" | undefined;

/** Versions that are walked at most; what lies behind them is bisected. */
export const WALK = 4000;

/**
 * The last change from present to absent, given that the newest version is absent.
 *
 * Presence over a file's versions is not monotonic: anchors are lost, come back with a revert, and are lost again. Bisection
 * finds *a* loss, not the last one, so the versions are walked from the newest back, in growing batches, until one has it: the
 * change after that one is the answer, and the cost is the distance to it. Only when the walk has gone past `walk` versions
 * without finding one, the rest is bisected, and the answer says so.
 *
 * @param versions newest first
 * @param has whether a blob has it
 */
export function lastLoss(
  history: { versions: readonly Version[]; whole: boolean },
  has: (blob: string) => Presence,
  walk = WALK,
): LossSearch {
  const { versions } = history;
  const state = (index: number): Presence => {
    const blob = versions[index]?.blob;
    return blob === null || blob === undefined ? false : has(blob);
  };
  let index = 0;
  while (index < versions.length && state(index) === false) index += 1;
  if (index === versions.length) return history.whole ? { state: "never" } : { state: "older" };
  if (state(index) === "unread") return { state: "unread" };
  if (state(index) === true) return found(versions[index - 1], "walk");
  const unknown = [...new Set(versions.slice(index).map(({ blob }) => blob))].filter(
    (blob): blob is string => blob !== null && has(blob) === undefined,
  );
  if (index < walk) return { state: "need", blobs: unknown.slice(0, Math.max(32, 2 * index)) };
  return bisect(versions, walk, state);
}

/** From the first version behind the walk: doubles its stride until one has it, then halves the gap. */
function bisect(versions: readonly Version[], from: number, state: (index: number) => Presence): LossSearch {
  let absent = from - 1;
  let present = -1;
  for (let stride = 1; present === -1; stride *= 2) {
    const probe = Math.min(from - 1 + stride, versions.length - 1);
    const answer = state(probe);
    if (answer === undefined) return need(versions, probe);
    if (answer === "unread") return { state: "unread" };
    if (answer) present = probe;
    else if (probe === versions.length - 1) return { state: "older" };
    else absent = probe;
  }
  while (present - absent > 1) {
    const probe = absent + Math.floor((present - absent) / 2);
    const answer = state(probe);
    if (answer === undefined) return need(versions, probe);
    if (answer === "unread") return { state: "unread" };
    if (answer) present = probe;
    else absent = probe;
  }
  return found(versions[absent], "bisect");
}

const need = (versions: readonly Version[], index: number): LossSearch => ({ state: "need", blobs: [versions[index]?.blob ?? ""] });

const found = (version: Version | undefined, by: Loss["by"]): LossSearch =>
  version ? { state: "found", loss: { ...lossOf(version), by } } : { state: "never" };

/** A change of a file as the loss it caused. */
export const lossOf = ({ commit, at, subject }: Version): Loss => ({ commit, at, subject, pr: pullOf(subject), by: "walk" });

/** The change that took a file away, when its newest change did. */
export function removal(versions: readonly Version[]): Loss | undefined {
  const index = versions.findIndex(({ blob }) => blob !== null);
  const gone = index === -1 ? undefined : versions[index - 1];
  return gone && lossOf(gone);
}

/** The pull request that a commit's subject names, by how projects land changes: squash, merge, bors. */
export function pullOf(subject: string): number | null {
  const match =
    /\(#(\d+)\)\s*$/.exec(subject) ??
    /^Merge pull request #(\d+)\b/.exec(subject) ??
    /^Auto merge of #(\d+)\b/.exec(subject) ??
    /^Merge (?:PR )?#(\d+)\b/.exec(subject);
  return match ? Number(match[1]) : null;
}
