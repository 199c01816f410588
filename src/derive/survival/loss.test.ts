import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastLoss, pullOf, removal } from "./loss.ts";

const version = (n: number, blob: string | null = `b${n}`) => ({
  commit: `c${n}`,
  at: "2026-05-01T00:00:00Z",
  subject: `Change ${n} (#${n})`,
  blob,
});

/** Runs a search to its end, answering what it asks for; counts the blobs it looked at. */
function search(present: readonly (boolean | null)[], { walk, whole = true }: { walk?: number; whole?: boolean } = {}) {
  const versions = present.map((has, n) => version(n, has === null ? null : `b${n}`));
  const seen = new Map<string, boolean>();
  for (let round = 0; round < 10_000; round++) {
    const found = lastLoss({ versions, whole }, (blob) => seen.get(blob), walk);
    if (found.state !== "need") return { found, read: seen.size };
    expect(found.blobs.some((blob) => !seen.has(blob))).toBe(true);
    for (const blob of found.blobs) seen.set(blob, present[Number(blob.slice(1))] === true);
  }
  throw new Error("the search does not end");
}
const lossAt = (result: ReturnType<typeof search>) => (result.found.state === "found" ? result.found.loss.commit : result.found.state);

describe("the last change from present to absent", () => {
  it.each([
    ["right before", [false, true], "c0"],
    ["further back", [false, false, false, true, true], "c2"],
    ["lost, back and lost: the later one", [false, true, false, false, true], "c0"],
    ["with the file, which came back without it", [false, null, true], "c1"],
    ["never there", [false, false, null], "never"],
  ])("%s", (_, present, expected) => {
    expect(lossAt(search(present))).toBe(expected);
  });

  it("is not known when older changes were not read", () => {
    expect(lossAt(search([false, false], { whole: false }))).toBe("older");
    expect(lossAt(search([false, true], { whole: false }))).toBe("c0");
  });

  it("is not known when a version on the way cannot be read", () => {
    const versions = [version(0), version(1), version(2)];
    expect(lastLoss({ versions, whole: true }, (blob) => (blob === "b1" ? "unread" : false)).state).toBe("unread");
  });

  it("is what a look at every version says, whatever comes and goes", () => {
    const presence = fc.constantFrom<boolean | null>(true, false, false, null);
    fc.assert(
      fc.property(fc.array(presence, { maxLength: 80 }), (older) => {
        const present = [false, ...older];
        const first = present.indexOf(true);
        expect(lossAt(search(present))).toBe(first === -1 ? "never" : `c${first - 1}`);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it("reads about as many versions as lie between, not the whole history", () => {
    const present = Array.from({ length: 2000 }, (_, n) => n > 40);
    expect(search(present).read).toBeLessThan(100);
  });

  it("behind the walk it bisects with few reads, finds a true loss, and says how", () => {
    const present = Array.from({ length: 100_000 }, (_, n) => n > 70_000);
    const result = search(present, { walk: 10 });
    expect(result.found).toMatchObject({ state: "found", loss: { commit: "c70000", by: "bisect" } });
    expect(result.read).toBeLessThan(70);
    expect(search([false, false, true], { walk: 10 }).found).toMatchObject({ loss: { by: "walk" } });
  });
});

it("the change that took a file away", () => {
  expect(removal([version(0, null), version(1)])).toMatchObject({ commit: "c0", pr: 0 });
  expect(removal([version(0), version(1)])).toBeUndefined();
  expect(removal([version(0, null)])).toBeUndefined();
});

it.each([
  ["[Attention] Share dequant buffers (#40941)", 40941],
  ["Merge pull request #12 from a/b", 12],
  ["Auto merge of #345 - a:b, r=c", 345],
  ["Merge #9", 9],
  ["Fix #12 in the parser", null],
  ["Version 1.2", null],
])("the pull request of %j", (subject, expected) => {
  expect(pullOf(subject)).toBe(expected);
});
