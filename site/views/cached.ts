import type { Bump } from "../../src/derive/bump.ts";
import { nextBumps } from "../../src/derive/bump/next.ts";
import type { PinCheck } from "../../src/derive/pin-check.ts";
import { checkPins } from "../../src/derive/pin-check.ts";
import { ageInDays, sinceOf } from "../../src/derive/since.ts";
import { recordedJudgements } from "../../src/derive/survival/recorded.ts";
import type { Transition } from "../../src/model/shapes/observed.ts";
import type { Event } from "../../src/report/events.ts";
import { eventsOf } from "../../src/report/events.ts";
import type { PatchRow } from "../../src/report/survival.ts";
import { patchRows } from "../../src/report/survival.ts";
import { stack } from "../stack.ts";

let rows: PatchRow[] | undefined;
const checks = new Map<string, PinCheck>();

/** Carried patches on their live pins, from what was recorded of the upstreams' sources. */
export function survivals(): PatchRow[] {
  const { derived } = stack();
  rows ??= patchRows(derived, recordedJudgements(derived.world));
  return rows;
}

/** The answer before a bump, of one pin or of all live ones; the same that the terminal gives. */
export function pinCheck(pin?: string): PinCheck {
  const { derived } = stack();
  const known =
    checks.get(pin ?? "") ??
    checkPins(
      derived,
      pin,
      survivals().flatMap(({ judgement }) => (judgement ? [judgement] : [])),
    );
  checks.set(pin ?? "", known);
  return known;
}

/** What moving a pin to the newest known build of its upstream would bring. Undefined when it is on it, or none is known. */
export function nextBump(pin: string): Bump | undefined {
  return nextBumps(stack().derived).find(({ pins }) => pins.some((one) => one.pin === pin));
}

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
