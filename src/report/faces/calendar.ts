import ical from "ical-generator";
import type { Derived } from "../../derive/derive.ts";
import { day } from "../../derive/proof.ts";
import type { DerivedTrigger } from "../../derive/triggers.ts";
import type { Condition } from "../../model/shapes/condition.ts";
import type { FollowUp, Trigger } from "../../model/shapes/trigger.ts";

export interface Due {
  id: string;
  /** A day of the stack's zone. */
  on: string;
  title: string;
  text: string;
  kind: "trigger" | "followUp" | "item";
}

/** Days that a condition waits for, the first one first. */
export function daysIn(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const inner = [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])];
  return [...(condition.after === undefined ? [] : [condition.after]), ...inner.flatMap(daysIn)].sort();
}

/**
 * What is due and when: follow-ups and triggers that wait for a day, those that fired and were not taken up (due on the day of the
 * facts), and hand-set statuses on the day they end.
 */
export function duesOf(derived: Derived): Due[] {
  const { model } = derived.world;
  const rows = (kind: "trigger" | "followUp", authored: Record<string, Trigger | FollowUp>, found: Record<string, DerivedTrigger>): Due[] =>
    Object.entries(authored).flatMap(([id, row]): Due[] => {
      if (row.done || row.acknowledged !== undefined) return [];
      const text = "decide" in row ? row.decide : row.rerun.join(" ");
      const on = found[id]?.life === "fired" ? day(derived.asOf) : daysIn(row.when)[0];
      return on === undefined ? [] : [{ id, kind, on, title: row.title, text: text.trim() }];
    });
  const overrides = Object.entries(model.item).flatMap(([id, { title, override }]): Due[] =>
    typeof override?.until === "string" && override.until !== "never"
      ? [{ id, kind: "item", on: override.until, title: `The status set by hand ends: ${title}`, text: override.because.trim() }]
      : [],
  );
  return [...rows("followUp", model.followUp, derived.followUps), ...rows("trigger", model.trigger, derived.triggers), ...overrides].sort(
    (a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : a.id < b.id ? -1 : 1),
  );
}

/** {@link duesOf} as an iCalendar of whole-day events. The same facts give the same text, to the byte. */
export function calendarOf(derived: Derived, about: { title: string; link: (due: Due) => string }): string {
  const calendar = ical({ name: about.title, prodId: { company: "Landfall", product: "follow-ups", language: "EN" } });
  for (const due of duesOf(derived)) {
    calendar.createEvent({
      id: `${due.kind}-${due.id}@landfall`,
      stamp: new Date(derived.asOf),
      start: new Date(`${due.on}T00:00:00Z`),
      allDay: true,
      summary: due.title,
      description: due.text,
      url: about.link(due),
    });
  }
  return calendar.toString();
}
