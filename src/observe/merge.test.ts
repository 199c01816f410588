import { describe, expect, it } from "vitest";
import type { Observed, Thread } from "../model/shapes/observed.ts";
import { mergeObserved } from "./merge.ts";

const thread = (title: string, asOf: string): Thread => ({ kind: "issue", title, state: "open", source: "test", asOf });
const world = (threads: Record<string, Record<string, Thread>>, more: Partial<Observed> = {}): Observed => ({
  asOf: "2026-01-01",
  github: Object.fromEntries(
    Object.entries(threads).map(([name, list]) => [name, { repository: { name, source: "test", asOf: null }, threads: list }]),
  ),
  git: {},
  containment: {},
  registry: {},
  inventory: undefined,
  transitions: [],
  ...more,
});

describe("merging the observations of shards", () => {
  const base = world({ "a/a": { 1: thread("old", "2026-01-01") }, "b/b": { 1: thread("old", "2026-01-01") } });
  const first = world({ "a/a": { 1: thread("new a", "2026-01-02") }, "b/b": { 1: thread("old", "2026-01-01") } }, { asOf: "2026-01-02" });
  const second = world(
    { "a/a": { 1: thread("old", "2026-01-01") }, "b/b": { 1: thread("new b", "2026-01-03"), 2: thread("found", "2026-01-03") } },
    { asOf: "2026-01-03" },
  );

  it("takes each fact from the shard that changed it, in any order", () => {
    const merged = mergeObserved(base, [first, second]);
    expect(merged.github["a/a"]?.threads[1]?.title).toBe("new a");
    expect(merged.github["b/b"]?.threads[1]?.title).toBe("new b");
    expect(merged.github["b/b"]?.threads[2]?.title).toBe("found");
    expect(merged.asOf).toBe("2026-01-03");
    expect(mergeObserved(base, [second, first])).toEqual(merged);
  });

  it("takes what was seen later where two shards saw the same thing", () => {
    const one = world({ "a/a": { 1: thread("earlier", "2026-01-02") } });
    const two = world({ "a/a": { 1: thread("later", "2026-01-05") } });
    expect(mergeObserved(base, [one, two]).github["a/a"]?.threads[1]?.title).toBe("later");
    expect(mergeObserved(base, [two, one]).github["a/a"]?.threads[1]?.title).toBe("later");
  });

  it("loses nothing a shard does not know, and joins containment and the log", () => {
    const sha = (letter: string) => letter.repeat(40);
    const one = world(
      {},
      {
        containment: { "a/a": { [sha("1")]: { [sha("2")]: "yes" } } },
        transitions: [{ item: "x", from: null, to: "landed", at: "2026-01-03", because: "b" }],
      },
    );
    const two = world(
      {},
      {
        containment: { "a/a": { [sha("1")]: { [sha("3")]: "no" } } },
        transitions: [{ item: "y", from: null, to: "landed", at: "2026-01-02", because: "b" }],
      },
    );
    const merged = mergeObserved(base, [one, two, one]);
    expect(merged.github["b/b"]?.threads[1]?.title).toBe("old");
    expect(merged.containment["a/a"]?.[sha("1")]).toEqual({ [sha("2")]: "yes", [sha("3")]: "no" });
    expect(merged.transitions.map(({ item }) => item)).toEqual(["y", "x"]);
  });

  it("keeps the day a fact was first seen, when two say the same", () => {
    const one = world({ "a/a": { 1: thread("same", "2026-01-05") } });
    const two = world({ "a/a": { 1: thread("same", "2026-01-02") } });
    for (const parts of [
      [one, two],
      [two, one],
    ])
      expect(mergeObserved(base, parts).github["a/a"]?.threads[1]?.asOf).toBe("2026-01-02");
  });

  it("keeps one line of the log for a change that two found on different days", () => {
    const log = (at: string, from: string | null, to: string) => ({ item: "x", from, to, at, because: "b" });
    const one = world({}, { transitions: [log("2026-01-02", null, "in-review"), log("2026-01-04", "in-review", "landed")] });
    const two = world({}, { transitions: [log("2026-01-02", null, "in-review"), log("2026-01-05", "in-review", "landed")] });
    const merged = mergeObserved(base, [one, two]).transitions;
    expect(merged.map(({ at, to }) => [at, to])).toEqual([
      ["2026-01-02", "in-review"],
      ["2026-01-04", "landed"],
    ]);
  });
});
