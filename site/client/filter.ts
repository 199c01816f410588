/** The tracker's filter: what the address says, and which row fits. Pure, so that it can be tested without a browser. */
export interface RowData {
  text: string;
  status: string;
  upstream: string;
  stake: string;
  local: string;
  facets: readonly string[];
  /** `pin=verdict`, one a pin it waits for. */
  pins: readonly string[];
  urgency: number;
  title: string;
  /** Days in its status; NaN when not known. */
  age: number;
}

const ONE = ["upstream", "pin", "verdict", "stake", "local", "facet"] as const;
export const SORTS = ["status", "title", "upstream", "stake", "local", "age"] as const;
export type Sort = (typeof SORTS)[number];

export interface Query {
  q: string;
  status: readonly string[];
  one: Partial<Record<(typeof ONE)[number], string>>;
  sort: Sort | undefined;
  descending: boolean;
}

/** Reads a filter from an address; what it does not know is left out. */
export function readQuery(params: URLSearchParams): Query {
  const sort = params.get("sort");
  const one: Query["one"] = {};
  for (const key of ONE) {
    const value = params.get(key);
    if (value) one[key] = value;
  }
  return {
    q: params.get("q") ?? "",
    status: params.getAll("status").filter((value) => value !== ""),
    one,
    sort: SORTS.find((name) => name === sort),
    descending: params.get("dir") === "desc",
  };
}

/** Writes a filter into an address; reads back as it was. An empty filter is an empty address. */
export function writeQuery({ q, status, one, sort, descending }: Query): string {
  const params = new URLSearchParams();
  if (q.trim() !== "") params.set("q", q.trim());
  for (const value of status) params.append("status", value);
  for (const key of ONE) {
    const value = one[key];
    if (value !== undefined) params.set(key, value);
  }
  if (sort !== undefined) params.set("sort", sort);
  if (sort !== undefined && descending) params.set("dir", "desc");
  return params.toString();
}

export const isEmpty = ({ q, status, one }: Query): boolean => q.trim() === "" && status.length === 0 && Object.keys(one).length === 0;

/** Every word has to occur; pin and verdict together mean that pin with that verdict. */
export function fits(row: RowData, { q, status, one }: Query): boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => row.text.includes(word)) &&
    (status.length === 0 || status.includes(row.status)) &&
    (one.upstream === undefined || one.upstream === row.upstream) &&
    (one.stake === undefined || one.stake === row.stake) &&
    (one.local === undefined || one.local === row.local) &&
    (one.facet === undefined || row.facets.includes(one.facet)) &&
    fitsPins(row.pins, one.pin, one.verdict)
  );
}

function fitsPins(pins: readonly string[], pin: string | undefined, verdict: string | undefined): boolean {
  if (pin === undefined && verdict === undefined) return true;
  return pins.some((entry) => {
    const [name, has] = entry.split("=");
    return (pin === undefined || name === pin) && (verdict === undefined || has === verdict);
  });
}

const STAKES = ["blocks", "degrades", "watch"];

/** Orders two rows; rows whose age is not known come last either way. */
export function compare(a: RowData, b: RowData, sort: Sort, descending: boolean): number {
  const sign = descending ? -1 : 1;
  switch (sort) {
    case "status":
      return sign * (a.urgency - b.urgency);
    case "stake":
      return sign * (STAKES.indexOf(a.stake) - STAKES.indexOf(b.stake));
    case "age":
      if (Number.isNaN(a.age) || Number.isNaN(b.age)) return Number(Number.isNaN(a.age)) - Number(Number.isNaN(b.age));
      return sign * (a.age - b.age);
    default:
      return sign * (a[sort] < b[sort] ? -1 : a[sort] > b[sort] ? 1 : 0);
  }
}
