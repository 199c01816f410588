import { describe, expect, it } from "vitest";
import { sha, worldFrom } from "../../test/world.ts";
import type { ShortFacts } from "../../test/world.ts";
import type { Landing } from "./landing.ts";
import { landingOf } from "./landing.ts";
import { inRange, pinTarget, propagation, tagTarget, versionProof } from "./propagation.ts";

const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };

/** The verdict on pull request 1, merged as commit a, in a pin on commit b. */
function judge(facts: ShortFacts, pin: Record<string, unknown> = { commit: "b" }, upstreams?: Record<string, Record<string, unknown>>) {
  const world = worldFrom({ pins: { p: pin }, facts: { threads: { "u/r#1": MERGED }, ...facts }, ...(upstreams ? { upstreams } : {}) });
  const landing = landingOf(world, "u/r#1");
  const row = world.model.pin.p;
  if (!landing || !row) throw new Error("the case has no landing or no pin");
  return propagation(world, landing, pinTarget(world, "p", row));
}

describe("is a landed change in a pin", () => {
  it.each([
    ["an ancestor", { contains: { a: { b: "yes" } } }, "contained", "ancestor"],
    ["no ancestor", { contains: { a: { b: "no" } } }, "not-contained", "ancestor"],
    ["never asked", {}, "unknown", "none"],
    [
      "a cherry-pick that is an ancestor",
      { contains: { a: { b: "no" }, d: { b: "yes" } }, picks: [{ of: "a", commit: "d" }] },
      "contained",
      "cherry-pick",
    ],
    ["a cherry-pick for this very pin", { picks: [{ of: "a", commit: "d", on: "p" }] }, "contained", "cherry-pick"],
    [
      "a cherry-pick on another branch",
      { contains: { a: { b: "no" }, d: { b: "no" } }, picks: [{ of: "a", commit: "d" }] },
      "not-contained",
      "ancestor",
    ],
    [
      "B07 a cherry-pick that the release branch took back",
      {
        contains: { a: { b: "no" }, d: { b: "yes" }, e: { b: "yes" } },
        picks: [{ of: "a", commit: "d" }],
        reverts: [{ of: "d", commit: "e" }],
      },
      "not-contained",
      "reverted",
    ],
    [
      "B07 a cherry-pick taken back after the pin",
      {
        contains: { a: { b: "no" }, d: { b: "yes" }, e: { b: "no" } },
        picks: [{ of: "a", commit: "d" }],
        reverts: [{ of: "d", commit: "e" }],
      },
      "contained",
      "cherry-pick",
    ],
    [
      "reverted in the pin",
      { contains: { a: { b: "yes" }, c: { b: "yes" } }, reverts: [{ of: "a", commit: "c" }] },
      "not-contained",
      "reverted",
    ],
    [
      "reverted after the pin",
      { contains: { a: { b: "yes" }, c: { b: "no" } }, reverts: [{ of: "a", commit: "c" }] },
      "contained",
      "ancestor",
    ],
    [
      "relanded in the pin",
      { contains: { a: { b: "yes" }, c: { b: "yes" }, d: { b: "yes" } }, reverts: [{ of: "a", commit: "c", relandedBy: "d" }] },
      "contained",
      "ancestor",
    ],
    [
      "relanded after the pin",
      { contains: { a: { b: "yes" }, c: { b: "yes" }, d: { b: "no" } }, reverts: [{ of: "a", commit: "c", relandedBy: "d" }] },
      "not-contained",
      "ancestor",
    ],
  ] as [string, ShortFacts, string, string][])("%s", (_name, facts, verdict, method) => {
    const proof = judge(facts);
    expect(proof).toMatchObject({ verdict, method });
    expect(proof.evidence.length).toBeGreaterThan(0);
  });

  it("the same commit needs nobody's answer", () => {
    expect(judge({}, { commit: "a" })).toMatchObject({ verdict: "contained", method: "same commit" });
  });

  it("the direction counts: a pin that is an ancestor of the change does not contain it", () => {
    const swapped: ShortFacts = { contains: { b: { a: "yes" } } };
    expect(judge(swapped).verdict).toBe("unknown");
    expect(judge({ contains: { ...swapped.contains, a: { b: "no" } } }).verdict).toBe("not-contained");
  });

  it("the link compares from the change to the pin", () => {
    expect(judge({ contains: { a: { b: "yes" } } }).evidence[0]?.url).toBe(
      `https://github.com/u/r/compare/${"a".repeat(12)}...${"b".repeat(12)}`,
    );
  });

  it("dates prove nothing: merged long before the pin was built, and not in it", () => {
    expect(judge({ threads: { "u/r#1": { ...MERGED, mergedAt: "2020-01-01" } }, contains: { a: { b: "no" } } }).verdict).toBe(
      "not-contained",
    );
  });

  describe("A10 a rebase merge puts several commits on the branch", () => {
    const rebased = (first: string, second: string) =>
      judge({
        threads: { "u/r#1": { ...MERGED, mergeCommit: "d", rebasedCommits: ["a", "d"] } },
        contains: { ...(first ? { a: { b: first } } : {}), ...(second ? { d: { b: second } } : {}) },
      });
    it.each([
      ["yes", "yes", "contained"],
      ["yes", "no", "partial"],
      ["no", "no", "not-contained"],
      ["yes", "", "unknown"],
      ["", "no", "unknown"],
    ])("%s and %s: %s", (first, second, verdict) => {
      expect(rebased(first, second)).toMatchObject({ verdict, method: verdict === "unknown" ? "none" : "rebase" });
    });
    it("says how many of how many", () => {
      expect(rebased("yes", "no").evidence[0]?.fact).toBe("p has 1 of its 2 rebased commits");
    });
  });
});

describe("the source commit of a pin", () => {
  const target = (pin: Record<string, unknown>, facts: ShortFacts = {}) => {
    const world = worldFrom({ pins: { p: pin }, facts });
    const row = world.model.pin.p;
    if (!row) throw new Error("no pin");
    return pinTarget(world, "p", row);
  };
  it("is the one its row names", () => {
    expect(target({ commit: "b" })).toMatchObject({ repo: "u/r", commit: sha("b"), why: undefined });
  });
  it("or the one in a git artifact, with its repository", () => {
    expect(target({ artifact: `git:o/fork@${sha("b")}` })).toMatchObject({ repo: "o/fork", commit: sha("b") });
  });
  it("or the one at the end of an image's tag", () => {
    expect(target({ artifact: `oci:n:nightly-${sha("b")}` })).toMatchObject({ commit: sha("b") });
  });
  it("B23 or a short one there, completed from the observed commits, also before a digest", () => {
    const artifact = `oci:127.0.0.1:5000/n:nightly-20260708-b93cbcb@sha256:${"0".repeat(64)}`;
    const full = `b93cbcb${"0".repeat(33)}`;
    expect(target({ artifact }, { commits: { [full]: {} } }).commit).toBe(full);
    expect(target({ artifact }).commit).toBe("b93cbcb");
  });
  it("B26 or the one in a development version, which is not the release it leads to", () => {
    const full = `01d4d1ad3${"0".repeat(31)}`;
    const facts = { commits: { [full]: {} }, tags: { "v0.20.2": "c" } };
    expect(target({ artifact: "pypi:vllm@0.20.2rc1.dev9+g01d4d1ad3" }, facts).commit).toBe(full);
    expect(target({ artifact: "oci:example.org/n:nightly", version: "0.20.2rc1.dev9+g01d4d1ad3" }, facts).commit).toBe(full);
    expect(target({ artifact: "pypi:vllm@0.20.2" }, facts).commit).toBeUndefined();
  });
  it("or the one the image's label says", () => {
    expect(target({}, { registry: { "oci:example.org/up:build": { revision: "b" } } })).toMatchObject({ commit: sha("b") });
  });
  it("a short hash is completed from the observed commits, when only one fits", () => {
    const short = { source: { commit: "bbbbbbb" } };
    expect(target(short, { commits: { b: {} } }).commit).toBe(sha("b"));
    expect(target(short).commit).toBe("bbbbbbb");
    expect(target({ source: { commit: "abababa" } }, { commits: { ab: {}, [`abababa${"0".repeat(33)}`]: {} } }).commit).toBe("abababa");
  });
  it("a label that fits the named commit confirms it", () => {
    expect(
      target({ source: { commit: "bbbbbbb" } }, { registry: { "oci:example.org/up:build": { revision: "b" } }, commits: { b: {} } }).commit,
    ).toBe(sha("b"));
  });
  it("a label that disagrees leaves none, and says so", () => {
    const found = target({ commit: "b" }, { registry: { "oci:example.org/up:build": { revision: "c" } } });
    expect(found.commit).toBeUndefined();
    expect(found.why).toBe(`the pin names commit ${"b".repeat(10)}, the image says ${"c".repeat(10)}`);
  });
  it("a floating tag names none, and an image without a label none that is known", () => {
    expect(target({ mutability: "floating" })).toMatchObject({ commit: undefined, why: "a floating tag names no commit" });
    expect(target({})).toMatchObject({ commit: undefined, why: "no source commit is known for it" });
  });
});

describe("what cannot be told", () => {
  it("a pin of another repository", () => {
    expect(judge({ contains: { a: { b: "yes" } } }, { commit: "b", source: { repo: "o/fork", commit: sha("b") } }).evidence[0]?.fact).toBe(
      "p is not built from u/r",
    );
  });
  it("a pin of an upstream without a repository", () => {
    const world = worldFrom({ upstreams: { up: { repo: undefined } }, pins: { p: { commit: "b" } } });
    const landing: Landing = {
      ref: "u/r#1",
      repo: "u/r",
      shas: [sha("a")],
      at: undefined,
      evidence: { source: "", fact: "", asOf: null },
      reverted: false,
    };
    const row = world.model.pin.p;
    expect(row && propagation(world, landing, pinTarget(world, "p", row)).verdict).toBe("unknown");
  });
  it("a landing whose commit is not known", () => {
    expect(judge({ threads: { "u/r#1": { ...MERGED, mergeCommit: undefined } } }).evidence[0]?.fact).toBe(
      "the commit with which r#1 landed is not known",
    );
  });
  it("a tag that was not observed", () => {
    const world = worldFrom({ facts: { threads: { "u/r#1": MERGED }, tags: { v1: "b" } } });
    expect(tagTarget(world, "u/r", "v2").why).toBe("tag v2 was not observed");
    expect(tagTarget(world, "u/r", "v1")).toMatchObject({ commit: sha("b"), why: undefined });
  });
  it("a former name is the same repository", () => {
    const former = { up: { former: ["old/name"] } };
    expect(judge({ contains: { a: { b: "yes" } } }, { source: { repo: "old/name", commit: sha("b") } }, former).verdict).toBe("contained");
    expect(judge({ contains: { a: { b: "yes" } } }, { source: { repo: "Old/Name", commit: sha("b") } }, former).verdict).toBe("contained");
  });
});

describe("a package pin in a version range", () => {
  const proof = (ref: string, artifact: string) => {
    const row = worldFrom({ pins: { p: { artifact } } }).model.pin.p;
    return row && versionProof(ref, row)?.verdict;
  };
  it.each([
    ["pypi:n@>=1.10", "pypi:n@1.10.0", "contained"],
    ["pypi:n@>=1.10", "pypi:n@1.9.9", "not-contained"],
    ["pypi:n@1.10", "pypi:n@1.10.0", "contained"],
    ["npm:p@^1.2.0", "npm:p@1.9.0", "contained"],
    ["npm:p@^1.2.0", "npm:p@2.0.0", "not-contained"],
    ["pypi:n@>=1", "pypi:other@2", undefined],
    ["npm:n@>=1", "pypi:n@2", undefined],
    ["pypi:n@>=1", "oci:n:2", undefined],
    ["u/r#1", "pypi:n@2", undefined],
  ])("%s in %s: %s", (ref, artifact, verdict) => {
    expect(proof(ref, artifact)).toBe(verdict);
  });
  it("E07 versions are ordered by their registry's scheme", () => {
    expect(inRange("pypi", "1.10", ">=1.9")).toBe(true);
    expect(inRange("pypi", "2.0rc1", ">=2.0")).toBe(false);
    expect(inRange("npm", "1.10.0", ">=1.9")).toBe(true);
    expect(inRange("npm", "2.0.0-rc.1", ">=2.0.0")).toBe(false);
  });
});
