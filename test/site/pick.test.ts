import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, Wish, Workload } from "../../site/client/pick.ts";
import { pick } from "../../site/client/pick.ts";

const candidate = (id: string, change: Partial<Candidate>): Candidate => ({
  id,
  title: id,
  cards: 1,
  context: 100_000,
  vision: false,
  cliffs: [],
  standing: "available",
  order: 10,
  ...change,
});
const agents: Workload = { key: "cliff-2b.1", does: "Agent with retained context", cliff: "cliff-2b", cliffName: "Cliff 2b", fires: "yes" };
const wish = (change: Partial<Wish>): Wish => ({ cards: 1, vision: false, context: 0, does: [], ...change });

const ALL = [
  candidate("fast", { standing: "recommended", cliffs: ["cliff-2b"], context: 180_000 }),
  candidate("safe", { standing: "safe", vision: true, context: 262_144 }),
  candidate("dual", { standing: "safe", cards: 2, vision: true, context: 262_144, order: 20 }),
  candidate("small", { context: 32_768 }),
  candidate("odd", { standing: "experimental", context: undefined, vision: undefined }),
];
const ids = (change: Partial<Wish>) => pick(ALL, wish(change)).map(({ candidate: { id } }) => id);
const against = (id: string, change: Partial<Wish>) => pick(ALL, wish(change)).find((found) => found.candidate.id === id)?.against;

describe("the picker", () => {
  it("answers with the safe one first", () => {
    expect(ids({})[0]).toBe("safe");
  });
  it("uses the cards one has, when two are equally safe", () => {
    expect(ids({ cards: 2 })[0]).toBe("dual");
  });
  it("says why another does not fit", () => {
    expect(against("dual", {})).toEqual(["needs 2 cards"]);
    expect(against("small", { context: 100_000 })).toEqual(["holds 32,768 tokens"]);
    expect(against("fast", { vision: true, does: [agents] })).toEqual([
      "takes no images",
      "Cliff 2b fires on “Agent with retained context”",
    ]);
    expect(against("fast", { does: [{ ...agents, fires: "borderline" }] })).toEqual([
      "Cliff 2b sometimes fires on “Agent with retained context”",
    ]);
  });
  it("does not take what is not stated for a fit", () => {
    expect(against("odd", { vision: true, context: 1000 })).toEqual(["whether it takes images is not stated", "its context is not stated"]);
  });
  it("never puts one that does not fit before one that does, and loses none", () => {
    const any = fc.record({
      id: fc.string({ minLength: 1 }),
      title: fc.string(),
      cards: fc.integer({ min: 1, max: 4 }),
      context: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
      vision: fc.option(fc.boolean(), { nil: undefined }),
      cliffs: fc.subarray(["cliff-2b", "cliff-1"]),
      standing: fc.constantFrom("safe", "recommended", "available", "diagnostic", "experimental"),
      order: fc.integer(),
    });
    const wishes = fc.record({
      cards: fc.integer({ min: 1, max: 4 }),
      vision: fc.boolean(),
      context: fc.integer({ min: 0, max: 300_000 }),
      does: fc.subarray([agents]),
    });
    fc.assert(
      fc.property(fc.array(any as fc.Arbitrary<Candidate>), wishes, (candidates, wanted) => {
        const picks = pick(candidates, wanted);
        expect(picks).toHaveLength(candidates.length);
        const fitting = picks.filter((found) => found.against.length === 0).length;
        expect(picks.slice(0, fitting).every((found) => found.against.length === 0)).toBe(true);
      }),
    );
  });
});
