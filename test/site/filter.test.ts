import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Query, RowData } from "../../site/client/filter.ts";
import { SORTS, compare, fits, isEmpty, readQuery, writeQuery } from "../../site/client/filter.ts";

const row = (change: Partial<RowData>): RowData => ({
  text: "pad the tile vllm-pad vllm#40361 closed",
  title: "pad the tile",
  status: "in-review",
  upstream: "vllm",
  stake: "blocks",
  local: "vendored",
  facets: ["superseded"],
  pins: ["clean=not-contained", "mtp=contained"],
  urgency: 3,
  age: 12,
  ...change,
});
const query = (text: string): Query => readQuery(new URLSearchParams(text));

describe("the tracker's filter", () => {
  it.each([
    ["", true],
    ["q=PAD%20tile", true],
    ["q=pad+nothing", false],
    ["q=%2340361", true],
    ["status=in-review&status=landed", true],
    ["status=landed", false],
    ["upstream=vllm&stake=blocks&local=vendored", true],
    ["local=none", false],
    ["facet=superseded", true],
    ["facet=moved", false],
    ["pin=clean", true],
    ["pin=other", false],
    ["verdict=contained", true],
    ["pin=clean&verdict=contained", false],
    ["pin=mtp&verdict=contained", true],
  ])("takes %s as %s", (text, expected) => {
    expect(fits(row({}), query(text))).toBe(expected);
  });

  it("leaves out what it does not know", () => {
    expect(query("sort=nothing&colour=red&status=")).toEqual(query(""));
    expect(isEmpty(query("sort=age&dir=desc"))).toBe(true);
  });

  it("writes into the address what it reads from it", () => {
    const word = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const one = fc.record({ upstream: word, pin: word, verdict: word, stake: word, local: word, facet: word }, { requiredKeys: [] });
    const any = fc.record({
      q: fc.string().map((text) => text.trim()),
      status: fc.uniqueArray(word),
      one,
      sort: fc.constantFrom(undefined, ...SORTS),
      descending: fc.boolean(),
    });
    fc.assert(
      fc.property(any, (wanted) => {
        const expected = { ...wanted, descending: wanted.sort === undefined ? false : wanted.descending };
        expect(readQuery(new URLSearchParams(writeQuery(wanted)))).toEqual(expected);
      }),
    );
  });

  it("is an empty address when nothing is filtered", () => {
    expect(writeQuery(query(""))).toBe("");
  });
});

describe("the tracker's order", () => {
  it("puts rows whose age is not known last, either way", () => {
    const rows = [row({ age: Number.NaN }), row({ age: 3 }), row({ age: 40 })];
    expect([...rows].sort((a, b) => compare(a, b, "age", false)).map(({ age }) => age)).toEqual([3, 40, Number.NaN]);
    expect([...rows].sort((a, b) => compare(a, b, "age", true)).map(({ age }) => age)).toEqual([40, 3, Number.NaN]);
  });

  it.each([
    ["status", { urgency: 1 }, { urgency: 2 }],
    ["stake", { stake: "blocks" }, { stake: "watch" }],
    ["title", { title: "a" }, { title: "b" }],
    ["upstream", { upstream: "a" }, { upstream: "b" }],
    ["local", { local: "none" }, { local: "vendored" }],
  ] as const)("by %s goes up and down", (sort, first, second) => {
    expect(compare(row(first), row(second), sort, false)).toBeLessThan(0);
    expect(compare(row(first), row(second), sort, true)).toBeGreaterThan(0);
    expect(compare(row(first), row(first), sort, true) === 0).toBe(true);
  });
});
