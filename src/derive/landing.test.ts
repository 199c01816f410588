import { describe, expect, it } from "vitest";
import { sha, worldFrom } from "../../test/world.ts";
import type { ShortStack } from "../../test/world.ts";
import { follow } from "./facts.ts";
import { countedBranches, landingOf } from "./landing.ts";

const land = (ref: string, facts: ShortStack["facts"], upstreams?: ShortStack["upstreams"]) =>
  landingOf(worldFrom({ facts: facts ?? {}, ...(upstreams ? { upstreams } : {}) }), ref);
const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };

describe("has a reference landed where it counts", () => {
  it("a merged pull request, with its commit and day", () => {
    expect(land("u/r#1", { threads: { "u/r#1": { ...MERGED, mergedAt: "2026-05-01T10:00:00Z" } } })).toMatchObject({
      shas: [sha("a")],
      at: "2026-05-01T10:00:00Z",
      reverted: false,
      evidence: { fact: "r#1 merged 2026-05-01 as aaaaaaaaaa", url: "https://github.com/u/r/pull/1" },
    });
  });
  it("a base that is not known counts; one that is not listed does not", () => {
    expect(land("u/r#1", { threads: { "u/r#1": { ...MERGED, base: undefined } } })).toBeDefined();
    expect(land("u/r#1", { threads: { "u/r#1": { ...MERGED, base: "dev" } } })).toBeUndefined();
    expect(land("u/r#1", { threads: { "u/r#1": { ...MERGED, base: "dev" } } }, { up: { branches: ["dev"] } })).toBeDefined();
    expect(land("u/r#1", { threads: { "u/r#1": MERGED } }, { up: { branches: ["dev"] } })).toBeUndefined();
  });
  it("an open or unmerged pull request has not", () => {
    expect(land("u/r#1", { threads: { "u/r#1": { kind: "pull-request" } } })).toBeUndefined();
    expect(land("u/r#1", { threads: { "u/r#1": { ...MERGED, merged: false } } })).toBeUndefined();
  });
  it("A01 a pull request closed by a commit has", () => {
    const facts = {
      threads: { "u/r#1": { kind: "pull-request", state: "closed", closer: { ref: "u/r@a" } } },
      commits: { a: { on: ["main"] } },
    };
    expect(land("u/r#1", facts)).toMatchObject({ ref: "u/r#1", shas: [sha("a")] });
    expect(land("u/r#1", facts)?.evidence.fact).toMatch(/^r#1 was closed by r@aaaaaaaaaa: /);
  });
  it("an issue closed by a pull request that merged has; by one that did not, has not", () => {
    const issue = { state: "closed", closer: { ref: "u/r#2" } };
    expect(land("u/r#1", { threads: { "u/r#1": issue, "u/r#2": MERGED } })?.shas).toEqual([sha("a")]);
    expect(land("u/r#1", { threads: { "u/r#1": issue, "u/r#2": { ...MERGED, merged: false } } })).toBeUndefined();
    expect(
      land("u/r#1", {
        threads: { "u/r#1": { state: "closed", closedBy: ["u/r#2", "u/r#3"] }, "u/r#2": { kind: "pull-request" }, "u/r#3": MERGED },
      })?.shas,
    ).toEqual([sha("a")]);
    expect(
      land("u/r#1", { threads: { "u/r#1": { state: "closed", closedBy: ["u/r#2"] }, "u/r#2": { ...MERGED, base: "feature" } } }),
    ).toBeUndefined();
  });
  it("A18 a revert on a release branch alone takes nothing back on main", () => {
    const facts = (on: Record<string, unknown>) => ({
      threads: { "u/r#1": MERGED },
      reverts: [{ of: "a", commit: "c" }],
      commits: { c: on },
    });
    expect(land("u/r#1", facts({ notOn: ["main"] }))?.reverted).toBe(false);
    expect(land("u/r#1", facts({ on: ["main"] }))?.reverted).toBe(true);
    expect(land("u/r#1", { threads: { "u/r#1": MERGED }, reverts: [{ of: "a", commit: "c" }] })?.reverted).toBe(true);
  });
  it("A38 an open issue has not, whoever mentions it", () => {
    expect(land("u/r#1", { threads: { "u/r#1": { closedBy: ["u/r#2"], closer: { ref: "u/r#2" } }, "u/r#2": MERGED } })).toBeUndefined();
  });
  it("A36 a closer of another repository does not count; a former name of the same one does", () => {
    expect(land("u/r#1", { threads: { "u/r#1": { state: "closed", closer: { ref: "x/y@a" } } } })).toBeUndefined();
    expect(
      land("u/r#1", { threads: { "u/r#1": { state: "closed", closer: { ref: "old/r@a" } } } }, { up: { former: ["old/r"] } })?.shas,
    ).toEqual([sha("a")]);
    expect(land("u/r#1", { threads: { "u/r#1": { state: "closed", closer: { ref: "pypi:n@1" } } } })).toBeUndefined();
  });
  it("a commit has when it is on a counted branch, or nothing else is known", () => {
    const ref = `u/r@${sha("a")}`;
    expect(land(ref, { commits: { a: { on: ["main"], notOn: ["master"] } } })?.shas).toEqual([sha("a")]);
    expect(land(ref, { commits: { a: {} } })?.shas).toEqual([sha("a")]);
    expect(land(ref, { commits: { a: { on: ["feature"] } } })?.shas).toEqual([sha("a")]);
    expect(land(ref, { commits: { a: { on: ["feature"], notOn: ["main"] } } })).toBeUndefined();
    expect(land(ref, {})).toMatchObject({ shas: [sha("a")], evidence: { source: "named in the row" } });
    expect(land("u/r@aaaaaaa", {})).toMatchObject({ shas: [] });
  });
  it("a tag has when it was observed", () => {
    expect(land("u/r@v1", { tags: { v1: "a" } })).toMatchObject({ shas: [sha("a")], evidence: { fact: "tag v1 is commit aaaaaaaaaa" } });
    expect(land("u/r@v2", { tags: { v1: "a" } })).toBeUndefined();
  });
  it("an asset, a page and nonsense have not", () => {
    for (const ref of ["hf:o/m", "page:https://example.org", "pypi:n@1", "nonsense"]) expect(land(ref, {})).toBeUndefined();
  });
  it("A18 reverts and relands are followed, and a circle of them ends", () => {
    const reverts = (all: Record<string, string>[]) => land("u/r#1", { threads: { "u/r#1": MERGED }, reverts: all });
    expect(reverts([{ of: "a", commit: "c" }])).toMatchObject({ reverted: true, shas: [sha("a")] });
    expect(reverts([{ of: "a", commit: "c", relandedBy: "d" }])).toMatchObject({ reverted: false, shas: [sha("d")] });
    expect(
      reverts([
        { of: "a", commit: "c", relandedBy: "d" },
        { of: "d", commit: "e" },
      ]),
    ).toMatchObject({ reverted: true, shas: [sha("d")] });
    expect(
      reverts([
        { of: "a", commit: "c", relandedBy: "d" },
        { of: "d", commit: "e", relandedBy: "f" },
      ]),
    ).toMatchObject({ reverted: false, shas: [sha("f")] });
    expect(
      reverts([
        { of: "a", commit: "c", relandedBy: "d" },
        { of: "d", commit: "e", relandedBy: "a" },
      ])?.reverted,
    ).toBe(false);
  });
  it("a rebase merge is out only when every commit was taken back", () => {
    const rebased = { ...MERGED, mergeCommit: "d", rebasedCommits: ["a", "d"] };
    expect(land("u/r#1", { threads: { "u/r#1": rebased }, reverts: [{ of: "a", commit: "c" }] })?.reverted).toBe(false);
    expect(
      land("u/r#1", {
        threads: { "u/r#1": rebased },
        reverts: [
          { of: "a", commit: "c" },
          { of: "d", commit: "e" },
        ],
      })?.reverted,
    ).toBe(true);
  });
  it("branches count by the upstream's row, else main and master", () => {
    const world = worldFrom({ upstreams: { up: { branches: ["dev", "next"] } } });
    expect(countedBranches(world, "u/r")).toEqual(["dev", "next"]);
    expect(countedBranches(world, "x/y")).toEqual(["main", "master"]);
    expect(countedBranches(worldFrom({}), "u/r")).toEqual(["main", "master"]);
  });
});

describe("following a reference to its end", () => {
  const facts = worldFrom({
    facts: {
      threads: {
        "u/r#1": { kind: "pull-request", state: "closed", supersededBy: { ref: "u/r#2", evidence: "a comment" } },
        "u/r#2": { state: "closed", duplicateOf: "u/r#3" },
        "u/r#3": { movedTo: "x/y#4" },
        "u/r#5": { state: "open", supersededBy: { ref: "u/r#1", evidence: "a comment" } },
        "u/r#6": { ...MERGED, supersededBy: { ref: "u/r#1", evidence: "a comment" } },
        "u/r#7": { state: "closed", duplicateOf: "u/r#8" },
        "u/r#8": { state: "closed", duplicateOf: "u/r#7" },
        "u/r#9": { state: "closed", duplicateOf: "u/r#9" },
      },
    },
  }).facts;
  it("goes through supersession, duplicates and moves, even to what was never observed", () => {
    expect(follow(facts, "u/r#1")).toEqual({
      end: "x/y#4",
      circle: false,
      steps: [
        { from: "u/r#1", to: "u/r#2", because: "superseded" },
        { from: "u/r#2", to: "u/r#3", because: "duplicate" },
        { from: "u/r#3", to: "x/y#4", because: "moved" },
      ],
    });
  });
  it("stays with what is open, merged or unknown", () => {
    for (const ref of ["u/r#5", "u/r#6", "u/r#99"]) expect(follow(facts, ref)).toEqual({ end: ref, circle: false, steps: [] });
  });
  it("ends a circle where it would start again, and says so", () => {
    expect(follow(facts, "u/r#7")).toMatchObject({ end: "u/r#8", circle: true });
    expect(follow(facts, "u/r#9")).toMatchObject({ end: "u/r#9", circle: true });
  });
});
