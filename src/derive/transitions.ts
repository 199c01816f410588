import type { Transition } from "../model/shapes/observed.ts";
import type { Derived } from "./derive.ts";
import { sinceOf } from "./since.ts";
import type { Decision } from "./status.ts";

/**
 * Rows whose status is another one than before, in row order. `at` is the day of the upstream event where one is known,
 * and never later than the observation; else the moment the facts were observed.
 * @param log what was told already. A row's last entry counts as its status before: it differs from the derived one when somebody
 * moved a pin or edited the row since, and agrees with the new one when a run was killed after it wrote the log
 * @param now when a change that no fact explains is told
 */
export function transitionsBetween(before: Derived, after: Derived, log: readonly Transition[] = [], now = after.asOf): Transition[] {
  const told = new Map(log.map(({ item, to }) => [item, to]));
  return Object.entries(after.items).flatMap(([item, decision]) => {
    const was = before.items[item]?.status ?? null;
    const from = told.get(item) ?? was;
    if (from === decision.status) return [];
    const at = was === decision.status ? now : eventOf(decision, before, after);
    return [{ item, from, to: decision.status, at, because: decision.because }];
  });
}

/**
 * The event behind a new status. One from before the last observation was known then, and cannot be what changed it: then it is what
 * else became known, or that time went by, and its moment is that of the observation.
 */
function eventOf(decision: Decision, before: Derived, after: Derived): string {
  const event = sinceOf(decision, undefined);
  const isNews = event !== undefined && Date.parse(event) > Date.parse(before.asOf) && Date.parse(event) <= Date.parse(after.asOf);
  return isNews ? event : after.asOf;
}

/** What is derived, without the words: two are the same when no status, trigger, retirement or attention differs. */
export function outlineOf(derived: Derived): string {
  return JSON.stringify([
    Object.entries(derived.items).map(([id, { status, rule, facets, pins }]) => [
      id,
      status,
      rule,
      facets,
      pins.map(({ pin, verdict }) => [pin, verdict]),
    ]),
    Object.entries(derived.pins).map(([id, { availability, retirement, live }]) => [id, availability.state, retirement.ready, live]),
    Object.entries(derived.patches).map(([id, { droppable, carried }]) => [id, droppable, carried]),
    [...Object.entries(derived.triggers), ...Object.entries(derived.followUps)].map(([id, { fired, life }]) => [id, fired, life]),
    derived.contradictions.map(({ item, kind }) => [item, kind]),
    derived.attention.map(({ kind, about }) => [kind, about.id]),
  ]);
}
