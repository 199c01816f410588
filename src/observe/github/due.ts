import { REST } from "./from-rest.ts";
import type { Reading, Wanted } from "./reading.ts";
import { differs } from "./same.ts";

/** Read to the end before, so that a glance can tell whether to look again. REST does not show everything that GraphQL does. */
export function isSettled(one: Wanted): boolean {
  const { known, replies } = one;
  if (known === undefined) return false;
  if (isAway(one)) return true;
  const complete = known.nodeId !== undefined && known.source !== REST && (replies.length === 0 || known.replies !== undefined);
  return complete && known.stale === undefined;
}

/** Moved away or deleted, as is known: nothing answers under its name any more, and that needs no second proof. */
export const isAway = ({ known, ref }: Wanted): boolean =>
  known?.gone === "deleted" || (known?.movedTo !== undefined && known.movedTo.split("#")[0] !== ref.split("#")[0]);

export const isKnownDiscussion = ({ known, kind }: Wanted): boolean => (known?.kind ?? kind) === "discussion";

/** A day: clocks of two machines differ, but not by that. */
const MARGIN = 86_400_000;

/**
 * Is a longer look due? When a glanced field differs, or the thread moved since the last look. Without the memory of the last look
 * (a fresh clone), anything that moved after its facts were last written may be news.
 */
export function hasMoved(
  { known, seenUpdatedAt }: Wanted,
  ...[facts, covers, updatedAt]: [Reading["facts"], Reading["covers"], string | undefined]
): boolean {
  if (!known || differs(known, facts, covers)) return true;
  if (updatedAt === undefined) return true;
  if (seenUpdatedAt !== undefined) return updatedAt !== seenUpdatedAt;
  return known.asOf === null || Date.parse(updatedAt) > Date.parse(known.asOf) - MARGIN;
}
