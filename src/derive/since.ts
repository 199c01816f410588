import type { Transition } from "../model/shapes/observed.ts";
import type { World } from "./facts.ts";
import { daysBetween } from "./proof.ts";
import type { Decision } from "./status.ts";

/**
 * When a row came into its present status: the recorded transition, else the upstream event that the status rests on.
 * Undefined: not known. The day a fact was seen is never taken for the day something happened.
 */
export function sinceOf(decision: Decision, last: Transition | undefined): string | undefined {
  if (last?.to === decision.status) return last.at;
  if (decision.rule.startsWith("5")) return latest(decision.landings.map(({ at }) => at));
  const threads = decision.deciding.flatMap(({ thread }) => (thread ? [thread] : []));
  switch (decision.rule) {
    case "6":
    case "7":
      return latest(threads.filter(({ state }) => state === "open").map((thread) => thread.reopenedAt ?? thread.createdAt));
    case "8":
      return latest(threads.map(({ closedAt }) => closedAt));
    default:
      return undefined;
  }
}

/** Whole days from {@link sinceOf} to the moment the facts were observed. */
export const ageInDays = (world: World, since: string | undefined): number | undefined =>
  since === undefined ? undefined : Math.max(0, daysBetween(since, world.asOf));

/** Undefined as soon as one is not known: a later one could be the last. */
function latest(days: (string | undefined)[]): string | undefined {
  const known = days.filter((at) => at !== undefined);
  return known.length === days.length ? known.sort().at(-1) : undefined;
}
