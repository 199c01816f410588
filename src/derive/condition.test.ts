import { describe, expect, it } from "vitest";
import { sha, worldFrom } from "../../test/world.ts";
import type { ShortStack } from "../../test/world.ts";
import type { Condition } from "../model/shapes/condition.ts";
import { condition as shape } from "../model/shapes/condition.ts";
import type { Truth } from "../model/vocabulary.ts";
import { refsOf } from "./condition-names.ts";
import { evaluate, inWords, isAsset } from "./condition.ts";

const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };

/** One world with something for every operator to be asked about. */
const stack: ShortStack = {
  tracker: { zone: "Asia/Tokyo" },
  upstreams: {
    up: {
      streams: [
        { name: "nightly", artifact: "oci:example.org/up:nightly-*" },
        { name: "odd", artifact: "oci:a+b(*" },
      ],
    },
  },
  pins: {
    has: { commit: "b", artifact: "oci:example.org/up:nightly-b" },
    lacks: { commit: "c", artifact: "oci:example.org/up:nightly-c" },
    floats: { mutability: "floating", artifact: "oci:example.org/up:latest" },
    package: { artifact: "pypi:n@1.9" },
    gone: { artifact: "oci:example.org/up:gone" },
  },
  facts: {
    asOf: "2026-05-12T20:00:00Z",
    threads: {
      "u/r#1": MERGED,
      "u/r#2": { kind: "pull-request", state: "open" },
      "u/r#3": { kind: "pull-request", state: "closed", supersededBy: { ref: "u/r#1", evidence: "a comment" } },
      "u/r#4": { state: "open" },
      "u/r#5": { state: "closed", stateReason: "not-planned" },
      "u/r#6": { ...MERGED, mergeCommit: "d" },
      "u/r#7": { ...MERGED, mergeCommit: "e", rebasedCommits: ["f", "e"] },
      "u/r#8": { asOf: "2026-05-12T01:00:00Z", replies: [{ by: "Maintainer", at: "2026-05-05T20:00:00Z" }] },
      "u/r#9": { asOf: null, replies: [] },
      "u/r#10": { ...MERGED, base: "feature" },
    },
    reverts: [{ of: "d", commit: "ab" }],
    contains: { a: { b: "yes", c: "no" }, d: { b: "yes" }, f: { b: "yes" }, e: { b: "no" } },
    tags: { "v1.0.0": "b", "v0.9.0": "c" },
    registry: {
      "pypi:n": { versions: { "1.9": { publishedAt: "2026-05-01" }, "2.0": { publishedAt: null, yanked: true } } },
      "npm:p": { versions: { "1.2.3": { publishedAt: null } } },
      "hf:o/m": { lastModified: "2026-05-05T20:00:00Z" },
      "oci:example.org/up:nightly-b": { available: "yes" },
      "oci:example.org/up:gone": { available: "gone" },
    },
  },
};
const world = worldFrom(stack);

const CASES: [Condition, Truth][] = [
  [{ merged: "u/r#1" }, "yes"],
  [{ merged: "u/r#1#issuecomment-2" }, "yes"],
  [{ merged: "u/r#2" }, "no"],
  [{ merged: "u/r#3" }, "no"],
  [{ merged: "u/r#6" }, "no"],
  [{ merged: "u/r#10" }, "no"],
  [{ merged: "u/r#99" }, "unknown"],
  [{ closed: "u/r#5" }, "yes"],
  [{ closed: "u/r#4" }, "no"],
  [{ closed: "u/r#99" }, "unknown"],
  [{ contained: { ref: "u/r#1", in: "has" } }, "yes"],
  [{ contained: { ref: "u/r#1", in: "lacks" } }, "no"],
  [{ contained: { ref: "u/r#1", in: "floats" } }, "unknown"],
  [{ contained: { ref: "u/r#1", in: "v1.0.0" } }, "yes"],
  [{ contained: { ref: "u/r#1", in: "v0.9.0" } }, "no"],
  [{ contained: { ref: "u/r#1", in: "v7.0.0" } }, "unknown"],
  [{ contained: { ref: "u/r#7", in: "has" } }, "no"],
  [{ contained: { ref: "u/r#2", in: "has" } }, "no"],
  [{ contained: { ref: "u/r#99", in: "has" } }, "unknown"],
  [{ contained: { ref: "pypi:n@>=1.8", in: "package" } }, "yes"],
  [{ contained: { ref: "pypi:n@>=1.10", in: "package" } }, "no"],
  [{ built: { ref: "u/r#1", stream: "nightly" } }, "yes"],
  [{ built: { ref: "u/r#7", stream: "nightly" } }, "unknown"],
  [{ built: { ref: "u/r#2", stream: "nightly" } }, "no"],
  [{ built: { ref: "u/r#99", stream: "nightly" } }, "unknown"],
  [{ built: { ref: "u/r#1", stream: "nobody's" } }, "unknown"],
  [{ built: { ref: "u/r#1", stream: "odd" } }, "unknown"],
  [{ released: "pypi:n >=1.8" }, "yes"],
  [{ released: "pypi:n >=1.10" }, "no"],
  [{ released: "pypi:n >=2.0" }, "no"],
  [{ released: "pypi:other >=1" }, "unknown"],
  [{ released: "npm:p ^1.0.0" }, "yes"],
  [{ released: "npm:p ^2.0.0" }, "no"],
  [{ released: "github:u/r >=1" }, "unknown"],
  [{ replied: { ref: "u/r#8", by: "maintainer", since: "2026-05-06" } }, "yes"],
  [{ replied: { ref: "u/r#8", by: "maintainer", since: "2026-05-07" } }, "no"],
  [{ replied: { ref: "u/r#8", by: "somebody", since: "2026-05-01" } }, "no"],
  [{ replied: { ref: "u/r#8", by: "maintainer", since: "2026-05-13" } }, "unknown"],
  [{ replied: { ref: "u/r#9", by: "maintainer", since: "2026-05-01" } }, "unknown"],
  [{ replied: { ref: "u/r#4", by: "maintainer", since: "2026-05-01" } }, "unknown"],
  [{ replied: { ref: "u/r#99", by: "maintainer", since: "2026-05-01" } }, "unknown"],
  [{ updated: { ref: "hf:o/m", since: "2026-05-06" } }, "yes"],
  [{ updated: { ref: "hf:o/m", since: "2026-05-07" } }, "no"],
  [{ updated: { ref: "hf:o/other", since: "2026-05-01" } }, "unknown"],
  [{ available: "has" }, "yes"],
  [{ available: "gone" }, "no"],
  [{ available: "lacks" }, "unknown"],
  [{ available: "no-such-pin" }, "unknown"],
  [{ after: "2026-05-12" }, "yes"],
  [{ after: "2026-05-13" }, "no"],
  [{ manual: { what: "Read it." } }, "no"],
  [{ manual: { what: "Read it.", done: "2026-05-01" } }, "yes"],
];

describe("built, when the registry listed the stream", () => {
  const listed = (tags: string[], contains: Record<string, Record<string, string>>, more: object = {}) =>
    evaluate(
      worldFrom({
        upstreams: { up: { streams: [{ name: "nightly", artifact: "oci:example.org/up:nightly-*" }] } },
        facts: {
          threads: { "u/r#1": MERGED },
          contains,
          registry: {
            "oci:example.org/up:nightly-*": {
              versions: Object.fromEntries(tags.map((tag, n) => [tag, { publishedAt: `2026-05-0${9 - n}T00:00:00Z` }])),
            },
          },
          ...more,
        },
      }),
      { built: { ref: "u/r#1", stream: "nightly" } },
    );
  const nightly = (...commits: string[]) => commits.map((commit) => `nightly-${sha(commit)}`);

  it("is yes as soon as one of the newest builds has it", () => {
    expect(listed(nightly("b", "c"), { a: { b: "yes", c: "no" } })).toMatchObject({ truth: "yes" });
    expect(listed(nightly("b", "c"), { a: { b: "no", c: "yes" } }).truth).toBe("yes");
  });
  it("is no when none of them has it, and unknown while one of them could not be judged", () => {
    const no = listed(nightly("b", "c"), { a: { b: "no", c: "no" } });
    expect(no).toMatchObject({ truth: "no" });
    expect(no.evidence.at(-1)?.fact).toBe("none of the 2 newest builds of nightly contains it");
    expect(listed(nightly("b", "c"), { a: { b: "no" } }).truth).toBe("unknown");
    expect(listed([], {}).truth).toBe("unknown");
  });
  it("judges the newest builds only", () => {
    expect(listed(nightly("b", "c", "d", "e", "f", "ab"), { a: { b: "no", c: "no", d: "no", e: "no", f: "no", ab: "yes" } }).truth).toBe(
      "no",
    );
  });
  it("B24 takes the commit of a build number from the git tag", () => {
    const contains = { a: { b: "yes" } };
    expect(listed(["nightly-b123"], contains, { tags: { b123: "b" } }).truth).toBe("yes");
    expect(listed(["nightly-b123"], contains).truth).toBe("unknown");
  });
});

describe("a condition is answered with yes, no or unknown, and says why", () => {
  it.each(CASES)("%j is %s", (condition, truth) => {
    expect(shape.safeParse(condition).success).toBe(true);
    const answer = evaluate(world, condition);
    expect(answer.truth).toBe(truth);
    expect(answer.evidence.length).toBeGreaterThan(0);
    for (const { source, fact } of answer.evidence) expect([source, fact]).not.toContain("");
    expect(inWords(condition)).not.toBe("");
  });

  it("every operator is asked for, and for every truth it can have", () => {
    const seen = new Map<string, Set<Truth>>();
    for (const [condition, truth] of CASES) {
      const operator = Object.keys(condition)[0] ?? "";
      seen.set(operator, (seen.get(operator) ?? new Set()).add(truth));
    }
    const all = ["no", "unknown", "yes"];
    const expected = Object.fromEntries(
      ["merged", "closed", "contained", "built", "released", "replied", "updated", "available"].map((operator) => [operator, all]),
    );
    // The calendar is always known, and so is what a person wrote down.
    expect(Object.fromEntries([...seen].map(([operator, truths]) => [operator, [...truths].sort()]))).toEqual({
      ...expected,
      after: ["no", "yes"],
      manual: ["no", "yes"],
    });
  });

  it("G08 days are those of the stack's zone: 20:00 UTC on the 12th is the 13th in Tokyo", () => {
    const inBerlin = worldFrom({ ...stack, tracker: { zone: "Europe/Berlin" } });
    expect(evaluate(world, { after: "2026-05-12" }).truth).toBe("yes");
    expect(evaluate(inBerlin, { after: "2026-05-12" }).truth).toBe("no");
    expect(evaluate(inBerlin, { updated: { ref: "hf:o/m", since: "2026-05-06" } }).truth).toBe("no");
    expect(evaluate(inBerlin, { replied: { ref: "u/r#8", by: "maintainer", since: "2026-05-06" } }).truth).toBe("no");
  });

  it("an empty condition, which the shape refuses, is unknown", () => {
    expect(shape.safeParse({}).success).toBe(false);
    expect(shape.safeParse({ merged: "u/r#1", after: "2026-05-01" }).success).toBe(false);
    expect(evaluate(world, {})).toEqual({ truth: "unknown", evidence: [] });
    expect(inWords({})).toBe("");
  });
});

describe("all, any and not are three-valued", () => {
  const of: Record<Truth, Condition> = {
    yes: { manual: { what: "a", done: "2026-05-01" } },
    no: { manual: { what: "b" } },
    unknown: { merged: "u/r#99" },
  };
  const truths: Truth[] = ["yes", "no", "unknown"];
  const pairs = truths.flatMap((a) => truths.map((b) => [a, b] as const));

  it.each(pairs)("all of %s and %s", (a, b) => {
    const expected: Truth = a === "no" || b === "no" ? "no" : a === "yes" && b === "yes" ? "yes" : "unknown";
    expect(evaluate(world, { all: [of[a], of[b]] }).truth).toBe(expected);
  });
  it.each(pairs)("any of %s and %s", (a, b) => {
    const expected: Truth = a === "yes" || b === "yes" ? "yes" : a === "no" && b === "no" ? "no" : "unknown";
    expect(evaluate(world, { any: [of[a], of[b]] }).truth).toBe(expected);
  });
  it.each([
    ["yes", "no"],
    ["no", "yes"],
    ["unknown", "unknown"],
  ] as const)("not %s is %s", (a, expected) => {
    expect(evaluate(world, { not: of[a] }).truth).toBe(expected);
  });
  it.each(pairs)("De Morgan holds for %s and %s", (a, b) => {
    const left = evaluate(world, { not: { all: [of[a], of[b]] } }).truth;
    const right = evaluate(world, { any: [{ not: of[a] }, { not: of[b] }] }).truth;
    expect(left).toBe(right);
  });
  it("shows what decided: the no of an all, the yes of an any, else everything", () => {
    const facts = (condition: Condition) => evaluate(world, condition).evidence.map(({ fact }) => fact);
    expect(facts({ all: [of.yes, of.no, of.unknown] })).toEqual(facts(of.no));
    expect(facts({ any: [of.yes, of.no, of.unknown] })).toEqual(facts(of.yes));
    expect(facts({ all: [of.yes, of.unknown] })).toEqual([...facts(of.yes), ...facts(of.unknown)]);
    expect(facts({ any: [of.no, of.no] })).toEqual(facts(of.no));
  });
  it("reads unambiguously when all and any are mixed", () => {
    const [a, b, c] = [{ closed: "u/r#1" }, { closed: "u/r#2" }, { closed: "u/r#3" }];
    expect(inWords({ all: [a, { any: [b, c] }] })).toBe("r#1 is closed and (r#2 is closed or r#3 is closed)");
    expect(inWords({ any: [a, { all: [b, c] }] })).toBe("r#1 is closed or (r#2 is closed and r#3 is closed)");
    expect(inWords({ not: { all: [a, b] } })).toBe("not (r#1 is closed and r#2 is closed)");
  });
});

describe("a condition that can never come true says so, and what to name instead", () => {
  const closedUnmerged: Condition = { merged: "u/r#3" };
  const notPlanned: Condition = { merged: "u/r#5" };
  it("because the pull request was closed unmerged, with its successor", () => {
    expect(evaluate(world, closedUnmerged)).toMatchObject({ truth: "no", never: { instead: "u/r#1" } });
    expect(evaluate(world, closedUnmerged).never?.because).toBe("r#3 was closed unmerged and replaced by r#1");
  });
  it("because the issue was closed without a landing", () => {
    expect(evaluate(world, notPlanned).never).toEqual({ because: "r#5 was closed without a landing" });
  });
  it.each([
    { contained: { ref: "u/r#3", in: "has" } },
    { contained: { ref: "u/r#3", in: "v1.0.0" } },
    { built: { ref: "u/r#3", stream: "nightly" } },
  ] as Condition[])("%j waits for the same", (condition) => {
    expect(evaluate(world, condition)).toMatchObject({ truth: "no", never: { instead: "u/r#1" } });
  });
  it.each([
    { merged: "u/r#1" },
    { merged: "u/r#2" },
    { merged: "u/r#4" },
    { merged: "u/r#10" },
    { merged: "u/r#99" },
    { closed: "u/r#3" },
  ] as Condition[])("%j may still come true, or has", (condition) => {
    expect(evaluate(world, condition).never).toBeUndefined();
  });
  it("a day that has passed never is in the future again; one that has not may still pass", () => {
    expect(evaluate(world, { not: { after: "2026-05-01" } })).toMatchObject({
      truth: "no",
      never: { because: "observed on 2026-05-13, after 2026-05-01" },
    });
    expect(evaluate(world, { not: { after: "2026-06-01" } }).never).toBeUndefined();
  });
  it("all is hopeless when one part is; any only when every part is; not never", () => {
    const open: Condition = { merged: "u/r#2" };
    expect(evaluate(world, { all: [open, closedUnmerged] }).never).toBeDefined();
    expect(evaluate(world, { any: [open, closedUnmerged] }).never).toBeUndefined();
    expect(evaluate(world, { any: [notPlanned, closedUnmerged] }).never).toBeDefined();
    expect(evaluate(world, { not: closedUnmerged }).never).toBeUndefined();
  });
});

describe("the references of a condition", () => {
  it("are all found, nested ones too", () => {
    const nested: Condition = {
      all: [
        { merged: "u/r#1" },
        { any: [{ closed: "u/r#2" }, { not: { contained: { ref: "u/r#3", in: "has" } } }] },
        { built: { ref: "u/r#4", stream: "nightly" } },
        { replied: { ref: "u/r#5", by: "a", since: "2026-05-01" } },
        { updated: { ref: "hf:o/m", since: "2026-05-01" } },
        { manual: { what: "a" } },
      ],
    };
    expect(refsOf(nested)).toEqual(["u/r#1", "u/r#2", "u/r#3", "u/r#4", "u/r#5", "hf:o/m"]);
    expect(refsOf(undefined)).toEqual([]);
  });
  it.each([
    ["u/r#1", false],
    ["u/r@v1", false],
    ["u/r@aaaaaaa", false],
    ["hf:o/m", true],
    ["pypi:n@>=1", true],
    ["oci:n:tag", true],
    ["page:https://example.org", true],
  ])("%s is an asset: %s", (ref, expected) => {
    expect(isAsset(ref)).toBe(expected);
  });
});
