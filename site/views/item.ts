import type { Contradiction } from "../../src/derive/contradictions.ts";
import type { Change } from "../../src/derive/changes.ts";
import { changesOf } from "../../src/derive/changes.ts";
import { evaluate, inWords } from "../../src/derive/condition.ts";
import type { Derived } from "../../src/derive/derive.ts";
import type { ItemOnPin } from "../../src/derive/pins.ts";
import type { Evidence, Never } from "../../src/derive/proof.ts";
import type { Decision } from "../../src/derive/status.ts";
import { threadOf } from "../../src/model/ref.ts";
import type { Item, ItemRef } from "../../src/model/shapes/item.ts";
import type { Note } from "../../src/model/shapes/common.ts";
import type { Thread } from "../../src/model/shapes/observed.ts";
import type { Truth } from "../../src/model/vocabulary.ts";
import { refState } from "../../src/report/json.ts";
import type { Event } from "../../src/report/events.ts";

export interface RefView extends ItemRef {
  state: string;
  /** What it is called upstream, when that is known. */
  upstreamTitle: string | undefined;
  seen: string | null | undefined;
  thread: Thread | undefined;
}

export interface TimelineEntry {
  at: string;
  /** Who or what speaks. */
  who: "upstream" | "status" | "note" | "claim";
  by?: string | undefined;
  text: string;
  ref?: string | undefined;
  url?: string | undefined;
  event?: Event | undefined;
}

export interface ItemView {
  item: Item;
  decision: Decision;
  refs: RefView[];
  pins: (ItemOnPin & { pin: string })[];
  changes: Change[];
  contradiction: Contradiction | undefined;
  drop: { words: string; truth: Truth; evidence: Evidence[]; never?: Never } | undefined;
  patches: { id: string; why: "carries" | "covers" }[];
  triggers: string[];
  followUps: string[];
  cliffs: string[];
  variants: { id: string; patches: string[] }[];
  timeline: TimelineEntry[];
  undated: Note[];
}

/** Everything one row's page shows. @param events the row's events, newest first */
export function itemView(derived: Derived, id: string, events: readonly Event[]): ItemView | undefined {
  const { model } = derived.world;
  const item = model.item[id];
  const decision = derived.items[id];
  if (!item || !decision) return undefined;
  const patches = patchesOf(derived, item);
  return {
    item,
    decision,
    refs: item.refs.map((ref) => refView(derived, ref)),
    pins: Object.values(derived.pins).flatMap((pin) =>
      pin.verdicts.filter((entry) => entry.item === id).map((entry) => ({ ...entry, pin: pin.id })),
    ),
    changes: changesOf(derived.world, item, decision),
    contradiction: derived.contradictions.find((found) => found.item === id),
    drop: item.workaround?.drop && { words: inWords(item.workaround.drop), ...evaluate(derived.world, item.workaround.drop) },
    patches,
    triggers: idsWhere(model.trigger, (row) => row.items.includes(id)),
    followUps: idsWhere(model.followUp, (row) => row.items.includes(id)),
    cliffs: [...new Set([...item.cliffs, ...idsWhere(model.cliff, (row) => row.items.includes(id))])],
    variants: Object.entries(model.variant).flatMap(([name, variant]) => {
      const carried = patches.filter((patch) => variant.patches.includes(patch.id)).map((patch) => patch.id);
      return carried.length > 0 ? [{ id: name, patches: carried }] : [];
    }),
    timeline: timeline(item, events),
    undated: item.notes.filter(({ on }) => on === undefined),
  };
}

function refView(derived: Derived, ref: ItemRef): RefView {
  const thread = derived.world.facts.thread(ref.ref);
  return { ...ref, state: refState(derived, ref.ref), upstreamTitle: thread?.title, seen: thread?.asOf, thread };
}

const idsWhere = <T>(rows: Record<string, T>, fits: (row: T) => boolean): string[] => Object.keys(rows).filter((id) => fits(rows[id] as T));

/** Patches the row names, then those that say they stand in for one of its references. */
function patchesOf(derived: Derived, item: Item): ItemView["patches"] {
  const named = item.workaround?.patches ?? [];
  const refs = new Set(item.refs.filter(({ role }) => role !== "context").map(({ ref }) => threadOf(ref)));
  const covering = idsWhere(derived.world.model.patch, (patch) => patch.covers.some((ref) => refs.has(threadOf(ref))));
  return [
    ...named.map((id) => ({ id, why: "carries" as const })),
    ...covering.filter((id) => !named.includes(id)).map((id) => ({ id, why: "covers" as const })),
  ];
}

/** What happened and what people wrote, oldest first; on one day upstream comes before the words about it. */
function timeline(item: Item, events: readonly Event[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...events.map(
      (event): TimelineEntry => ({
        at: event.at,
        who: event.kind === "status" ? "status" : "upstream",
        text: event.text,
        ref: event.ref,
        url: event.url,
        event,
      }),
    ),
    ...(item.claim
      ? [{ at: item.claim.on, who: "claim" as const, text: `Believed ${item.claim.says}.${item.claim.note ? ` ${item.claim.note}` : ""}` }]
      : []),
    ...item.notes.flatMap((note) =>
      note.on === undefined ? [] : [{ at: note.on, who: "note" as const, by: note.by, text: note.text, ref: note.ref }],
    ),
  ];
  const order = ["upstream", "status", "claim", "note"];
  return entries.sort((a, b) =>
    a.at.slice(0, 10) < b.at.slice(0, 10) ? -1 : a.at.slice(0, 10) > b.at.slice(0, 10) ? 1 : order.indexOf(a.who) - order.indexOf(b.who),
  );
}
