import { ageInDays, sinceOf } from "../../src/derive/since.ts";
import type { Transition } from "../../src/model/shapes/observed.ts";
import type { Event } from "../../src/report/events.ts";
import { eventsOf } from "../../src/report/events.ts";
import { stack } from "../stack.ts";

/** What several pages need and is worth computing once a build. */
let events: Event[] | undefined;
let byItem: Map<string, Event[]> | undefined;
let last: Map<string, Transition> | undefined;

export function allEvents(): Event[] {
  const { derived, loaded } = stack();
  events ??= eventsOf(derived, loaded.observed.transitions);
  return events;
}

/** Events of a row, newest first. */
export function itemEvents(id: string): Event[] {
  if (!byItem) {
    byItem = new Map();
    for (const event of allEvents()) for (const item of event.items) byItem.set(item, [...(byItem.get(item) ?? []), event]);
  }
  return byItem.get(id) ?? [];
}

/** Since when a row is as it is, and for how many days. Undefined: not known. */
export function since(id: string): { at: string; days: number } | undefined {
  const { derived, loaded } = stack();
  last ??= new Map(loaded.observed.transitions.map((transition) => [transition.item, transition]));
  const decision = derived.items[id];
  const at = decision && sinceOf(decision, last.get(id));
  const days = ageInDays(derived.world, at);
  return at === undefined || days === undefined ? undefined : { at, days };
}
