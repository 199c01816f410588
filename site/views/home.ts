import type { Attention, AttentionKind } from "../../src/derive/attention.ts";
import { ATTENTION, isMissing, isTakenBack } from "../../src/derive/attention.ts";
import type { Derived } from "../../src/derive/derive.ts";
import { groupBy } from "../../src/model/group.ts";
import type { Status } from "../../src/model/vocabulary.ts";
import { STATUSES } from "../../src/model/vocabulary.ts";

export const STATUS_ORDER = Object.keys(STATUSES) as Status[];

/** What needs a person, by kind, the most urgent kind first. */
export function attentionGroups(derived: Derived): { kind: AttentionKind; title: string; entries: Attention[] }[] {
  return [...groupBy(derived.attention, ({ kind }) => kind)].map(([kind, entries]) => ({ kind, title: ATTENTION[kind], entries }));
}

export interface PinSummary {
  id: string;
  title: string;
  /** Undefined: no inventory was taken. */
  users: number | undefined;
  /** Changes that a row waits for, and that landed upstream. */
  has: number;
  lacks: number;
  untold: number;
  /** Missing changes that block and that nothing here carries, and reverted ones. */
  trouble: number;
  availability: "yes" | "gone" | "unknown";
}

/** Live pins, those in trouble first. */
export function pinSummaries(derived: Derived): PinSummary[] {
  return Object.values(derived.pins)
    .filter(({ live }) => live)
    .map((pin) => {
      const waits = pin.verdicts.filter((entry) => entry.waits);
      const count = (judge: (entry: (typeof waits)[number]) => boolean) => waits.filter(judge).length;
      return {
        id: pin.id,
        title: derived.world.model.pin[pin.id]?.title ?? pin.id,
        users: pin.users?.filter(({ archived }) => !archived).length,
        has: count(({ verdict, reverted }) => verdict === "contained" && !reverted),
        lacks: count(({ verdict }) => verdict === "not-contained" || verdict === "partial"),
        untold: count(({ verdict }) => verdict === "unknown"),
        trouble: count((entry) => isMissing(entry) || isTakenBack(entry)),
        availability: pin.availability.state,
      };
    })
    .sort((a, b) => b.trouble - a.trouble || b.lacks - a.lacks || (a.id < b.id ? -1 : 1));
}

export interface UpstreamPicture {
  id: string;
  title: string;
  total: number;
  counts: Record<Status, number>;
}

/** Statuses by upstream, in the order of the upstream page; upstreams without a row are left out. */
export function picture(derived: Derived): UpstreamPicture[] {
  const { model } = derived.world;
  const rows = groupBy(Object.entries(derived.items), ([id]) => model.item[id]?.upstream ?? "");
  return [...rows]
    .map(([id, entries]) => ({
      id,
      title: model.upstream[id]?.title ?? id,
      order: model.upstream[id]?.order ?? 0,
      total: entries.length,
      counts: Object.fromEntries(
        STATUS_ORDER.map((status) => [status, entries.filter(([, decision]) => decision.status === status).length]),
      ) as Record<Status, number>,
    }))
    .sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
    .map(({ order: _, ...row }) => row);
}

export const AGES = [
  { title: "Up to 1 month", from: 0, to: 31 },
  { title: "1 to 3 months", from: 31, to: 92 },
  { title: "3 to 6 months", from: 92, to: 183 },
  { title: "Over 6 months", from: 183, to: Number.POSITIVE_INFINITY },
] as const;

/** How long rows have been in their status. @param age days, undefined when not known */
export function ages(derived: Derived, age: (id: string) => number | undefined): { status: Status; counts: number[]; untold: number }[] {
  return STATUS_ORDER.filter((status) => derived.counts[status] > 0).map((status) => {
    const days = Object.entries(derived.items)
      .filter(([, decision]) => decision.status === status)
      .map(([id]) => age(id));
    return {
      status,
      counts: AGES.map(({ from, to }) => days.filter((day) => day !== undefined && day >= from && day < to).length),
      untold: days.filter((day) => day === undefined).length,
    };
  });
}

export interface Unobserved {
  /** References that decide a row and were never seen. */
  never: { ref: string; item: string }[];
  /** Facts that could not be verified since they were read. */
  stale: { ref: string; since: string | null; why: string; items: string[] }[];
  /** Live pins whose artifact was never looked up in its registry. */
  registry: string[];
  /** Rows for which a live pin could not be told. */
  untold: number;
  inventory: boolean;
}

/** What the facts do not cover; said on the home page, because silence would read as "fine". */
export function unobserved(derived: Derived): Unobserved {
  const { facts } = derived.world;
  const never: Unobserved["never"] = [];
  const stale = new Map<string, Unobserved["stale"][number]>();
  for (const [item, decision] of Object.entries(derived.items)) {
    for (const { end, thread } of decision.deciding) {
      if (!thread && /#\d+$/.test(end)) never.push({ ref: end, item });
      if (thread?.stale) {
        const known = stale.get(end) ?? { ref: end, since: thread.stale.since, why: thread.stale.why, items: [] };
        stale.set(end, { ...known, items: [...known.items, item] });
      }
    }
  }
  return {
    never,
    stale: [...stale.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    registry: Object.values(derived.pins)
      .filter((pin) => pin.live && pin.availability.state === "unknown")
      .map(({ id }) => id),
    untold: Object.values(derived.items).filter(({ pins }) => pins.some(({ verdict }) => verdict === "unknown")).length,
    inventory: facts.inventory !== undefined,
  };
}
