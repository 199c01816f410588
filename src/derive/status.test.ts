import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { stackOf } from "../../test/world.ts";
import type { ShortStack } from "../../test/world.ts";
import { load } from "../model/load.ts";
import { FACETS, RULES, STATUSES } from "../model/vocabulary.ts";
import type { Facet, Rule, Status } from "../model/vocabulary.ts";
import { derive } from "./derive.ts";

interface Expected {
  status: Status;
  rule: Rule;
  facets: Facet[];
}
interface Invented extends Omit<ShortStack, "items"> {
  name: string;
  item: Record<string, unknown>;
  expect: Expected;
}
interface Seed {
  seed: string;
  expect: Expected;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const { cases } = parse(readFileSync(`${root}test/decision-table.yaml`, "utf8")) as { cases: (Invented | Seed)[] };
const invented = cases.filter((one): one is Invented => "item" in one);
const seeds = cases.filter((one): one is Seed => "seed" in one);

describe("the decision table", () => {
  it.each(invented)("$name", ({ item, expect: expected, name: _, ...stack }) => {
    const { model, observed } = stackOf({ ...stack, items: { row: item } });
    const row = derive(model, observed).items.row;
    expect({ status: row?.status, rule: row?.rule, facets: row?.facets }).toEqual(expected);
    expect(row?.because).toMatch(/^\S.*\.$/);
  });

  const { model, observed } = load(root);
  const { items } = derive(model, observed);
  it.each(seeds)("the real row $seed", ({ seed, expect: expected }) => {
    const row = items[seed];
    expect({ status: row?.status, rule: row?.rule, facets: row?.facets }).toEqual(expected);
  });

  it("holds enough cases, and no name twice", () => {
    expect(cases.length).toBeGreaterThanOrEqual(70);
    expect(seeds.length).toBeGreaterThanOrEqual(20);
    const names = cases.map((one) => ("seed" in one ? one.seed : one.name));
    expect(names).toEqual([...new Set(names)]);
  });

  const hit = <T>(pick: (expected: Expected) => T | T[]) => new Set(cases.flatMap((one) => pick(one.expect)));
  it("hits every row of the table", () => {
    expect([...hit(({ rule }) => rule)].sort()).toEqual([...RULES].sort());
  });
  it("hits every facet", () => {
    expect([...hit(({ facets }) => facets)].sort()).toEqual(Object.keys(FACETS).sort());
  });
  it("hits every status", () => {
    expect([...hit(({ status }) => status)].sort()).toEqual(Object.keys(STATUSES).sort());
  });
});
