import type { Derived } from "../../src/derive/derive.ts";
import type { Facet, Local, Stake, Status, Verdict } from "../../src/model/vocabulary.ts";
import { FACETS, LOCALS, STAKES } from "../../src/model/vocabulary.ts";
import { refState } from "../../src/report/json.ts";
import { STATUS_ORDER } from "./home.ts";
import { statusWords } from "./words.ts";

export interface TrackerRow {
  id: string;
  title: string;
  upstream: string;
  upstreamTitle: string;
  status: Status;
  stake: Stake;
  local: Local;
  facets: Facet[];
  refs: { ref: string; state: string }[];
  /** Pins it waits for, with the verdict for each; empty before anything landed. */
  pins: { pin: string; verdict: Verdict }[];
  age: number | undefined;
}

const STAKE_ORDER = Object.keys(STAKES) as Stake[];
const SHOWN_REFS = 3;

/** Every row, those that need somebody first: by status, then by stake, then by id. */
export function trackerRows(derived: Derived, age: (id: string) => number | undefined): TrackerRow[] {
  const { model } = derived.world;
  return Object.entries(derived.items)
    .flatMap(([id, decision]): TrackerRow[] => {
      const item = model.item[id];
      if (!item) return [];
      return [
        {
          id,
          title: item.title,
          upstream: item.upstream,
          upstreamTitle: model.upstream[item.upstream]?.title ?? item.upstream,
          status: decision.status,
          stake: item.stake,
          local: item.local,
          facets: decision.facets,
          refs: item.refs
            .filter(({ role }) => role !== "context")
            .slice(0, SHOWN_REFS)
            .map(({ ref }) => ({ ref, state: refState(derived, ref) })),
          pins: decision.pins.map(({ pin, verdict }) => ({ pin, verdict })),
          age: age(id),
        },
      ];
    })
    .sort(
      (a, b) =>
        urgency(a.status) - urgency(b.status) || STAKE_ORDER.indexOf(a.stake) - STAKE_ORDER.indexOf(b.stake) || (a.id < b.id ? -1 : 1),
    );
}

/** Order of attention, not of the vocabulary: what can be acted on first, what is settled last. */
const URGENCY: Status[] = [
  "unknown",
  "awaiting-propagation",
  "open-no-pr",
  "stalled",
  "in-review",
  "closed-unfixed",
  "local-workaround",
  "landed",
  "resolved",
];
export const urgency = (status: Status): number => URGENCY.indexOf(status);

export interface FilterOption {
  value: string;
  label: string;
  count: number;
}
export interface Filter {
  key: string;
  label: string;
  options: FilterOption[];
}

/** The tracker's filters with the values that occur, so that none leads to an empty table. */
export function trackerFilters(derived: Derived, rows: readonly TrackerRow[]): Filter[] {
  const { model } = derived.world;
  const filter = (
    key: string,
    label: string,
    values: (row: TrackerRow) => readonly string[],
    name: (value: string) => string,
    order?: readonly string[],
  ): Filter => {
    const counts = new Map<string, number>();
    for (const row of rows) for (const value of new Set(values(row))) counts.set(value, (counts.get(value) ?? 0) + 1);
    const place = (value: string) => order?.indexOf(value) ?? 0;
    const options = [...counts].map(([value, count]) => ({ value, count, label: name(value) }));
    return { key, label, options: options.sort((a, b) => place(a.value) - place(b.value) || (a.label < b.label ? -1 : 1)) };
  };
  return [
    filter(
      "status",
      "Status",
      (row) => [row.status],
      (value) => statusWords(value as Status),
      STATUS_ORDER,
    ),
    filter(
      "upstream",
      "Upstream",
      (row) => [row.upstream],
      (value) => model.upstream[value]?.title ?? value,
    ),
    filter(
      "pin",
      "Pin",
      (row) => row.pins.map(({ pin }) => pin),
      (value) => value,
    ),
    filter(
      "verdict",
      "Some pin",
      (row) => row.pins.map(({ verdict }) => verdict),
      (value) => SOME_PIN[value as Verdict],
    ),
    filter(
      "stake",
      "Stake",
      (row) => [row.stake],
      (value) => value,
      STAKE_ORDER,
    ),
    filter(
      "local",
      "Done here",
      (row) => [row.local],
      (value) => value,
      Object.keys(LOCALS),
    ),
    filter(
      "facet",
      "Remark",
      (row) => row.facets,
      (value) => value,
      Object.keys(FACETS),
    ),
  ].filter(({ options }) => options.length > 0);
}

const SOME_PIN: Record<Verdict, string> = {
  contained: "has it",
  "not-contained": "lacks it",
  partial: "has part of it",
  unknown: "cannot be told",
};
