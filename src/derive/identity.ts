import type { ItemRef } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import { REF_KINDS } from "../model/vocabulary.ts";

/** Words that say nothing about what a thread is about. */
const EMPTY = new Set(
  "a an and the of for to in on with from by is are be as at or not no fix fixes fixed bug bugfix feature model core support add adds pr issue when via use using into request".split(
    " ",
  ),
);

function words(title: string): string[] {
  return title
    .toLowerCase()
    .replace(/^\[merged by bors\]\s*-\s*/, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !EMPTY.has(word));
}

/** A title is about another thing when it shares no telling word with what the row calls it. */
function aboutSame(remembered: string, upstream: string): boolean {
  const theirs = new Set(words(upstream));
  const ours = words(remembered);
  return ours.length === 0 || ours.some((word) => theirs.has(word) || [...theirs].some((other) => sameStem(word, other)));
}

const sameStem = (a: string, b: string) => a.length > 4 && b.length > 4 && (a.startsWith(b.slice(0, 5)) || b.startsWith(a.slice(0, 5)));

/**
 * Why the observed thread is not the one the row means, or undefined.
 * A number can be mistyped, re-used after a rename, or turn out to be a pull request (field cases A34, A36; pain A2, A6).
 */
export function mismatch(ref: ItemRef, thread: Thread): string | undefined {
  if (ref.confirmed !== undefined) return undefined;
  if (ref.kind !== undefined && ref.kind !== thread.kind) {
    return `the row takes ${ref.ref} for ${named(ref.kind)}${ref.title ? ` about "${ref.title}"` : ""}; upstream it is ${named(thread.kind)}, "${thread.title}"`;
  }
  const titles = [thread.title, ...(thread.previousTitle === undefined ? [] : [thread.previousTitle])];
  const remembered = ref.title;
  if (remembered !== undefined && !titles.some((title) => aboutSame(remembered, title)))
    return `the row calls ${ref.ref} "${remembered}"; upstream it is "${thread.title}"`;
  return undefined;
}

const named = (kind: Thread["kind"]) => (kind === "issue" ? "an issue" : `a ${REF_KINDS[kind].replace("GitHub ", "")}`);

/** The thread was renamed since the row was written. */
export const drifted = (thread: Thread): boolean => thread.previousTitle !== undefined;
