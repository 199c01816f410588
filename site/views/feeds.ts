import type { Event } from "../../src/report/events.ts";
import { feedsOf } from "../../src/report/faces/feed.ts";
import { rowPath } from "../links.ts";
import { answer, fullUrl, siteUrl } from "../origin.ts";
import { stack } from "../stack.ts";
import { allEvents } from "./cached.ts";

export type Format = "atom" | "json";
export const FORMATS: readonly Format[] = ["atom", "json"];

/** Events of everything, of one upstream, or of the rows that wait for one pin. */
export function eventsFor(of: { upstream?: string; pin?: string }): Event[] {
  const { derived } = stack();
  const { model } = derived.world;
  const onPin = new Set(
    of.pin === undefined ? [] : (derived.pins[of.pin]?.verdicts ?? []).filter(({ waits }) => waits).map(({ item }) => item),
  );
  return allEvents().filter(({ items }) =>
    items.some((id) => (of.upstream === undefined || model.item[id]?.upstream === of.upstream) && (of.pin === undefined || onPin.has(id))),
  );
}

export function feedAnswer(format: Format, of: { upstream?: string; pin?: string }): Response {
  const { derived } = stack();
  const { model } = derived.world;
  const [path, name] =
    of.upstream !== undefined
      ? [`changes/upstream/${of.upstream}`, model.upstream[of.upstream]?.title ?? of.upstream]
      : of.pin !== undefined
        ? [`changes/pin/${of.pin}`, `rows that wait for ${of.pin}`]
        : ["changes", "everything"];
  const feeds = feedsOf(
    eventsFor(of),
    { title: `${model.tracker.title} upstream: ${name}`, path, site: siteUrl(), asOf: derived.asOf },
    ({ items }) => fullUrl(items[0] === undefined ? "changes/" : rowPath("item", items[0])),
  );
  return format === "atom"
    ? answer(feeds.atom, "application/atom+xml; charset=utf-8")
    : answer(feeds.json, "application/feed+json; charset=utf-8");
}
