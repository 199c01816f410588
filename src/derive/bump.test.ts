import { describe, expect, it } from "vitest";
import type { ShortStack } from "../../test/world.ts";
import { sha, stackOf } from "../../test/world.ts";
import { bumpOf } from "./bump.ts";
import { moved } from "./bump/moved.ts";
import { resolveCandidate } from "./candidate.ts";
import { derive, deriveWorld } from "./derive.ts";
import type { PatchJudgement } from "./survival/judgement.ts";

const OLD = "oci:docker.io/up/up:old";
const user = { file: "v.yml", line: 3, service: "s", archived: false };
const pull = (commit: string, more: object = {}) => ({
  kind: "pull-request",
  state: "closed",
  merged: true,
  mergedAt: "2026-04-01",
  base: "main",
  mergeCommit: commit,
  ...more,
});
const item = (ref: string, more: object = {}) => ({ refs: [{ ref, role: "fix" }], ...more });

/** Old build a, candidate v2 = b. Commits 1 to 4 are changes; `in` says which build has which. */
function bump(stack: ShortStack, contains: Record<string, [string, string]>, judged: PatchJudgement[] = [], asked = "v2") {
  const { facts, ...rest } = stack;
  const { model, observed } = stackOf({
    upstreams: { up: { repo: "u/r", branches: ["main"], streams: [{ name: "release", artifact: "oci:docker.io/up/up:v*" }] } },
    pins: { p: { artifact: OLD, commit: "a" } },
    variants: { v: variant("v.yml") },
    ...rest,
    facts: {
      tags: { v2: "b" },
      contains: Object.fromEntries(
        Object.entries(contains).map(([commit, [old, next]]) => [commit, { ...(old ? { a: old } : {}), ...(next ? { b: next } : {}) }]),
      ),
      inventory: { images: [{ image: "docker.io/up/up:old", raw: ["up/up:old"], mutability: "immutable", users: [user] }] },
      ...facts,
    },
  });
  const before = derive(model, observed);
  const found = resolveCandidate(before.world, asked, ["up"]);
  if (found.state !== "build") throw new Error(found.why);
  return bumpOf(before, deriveWorld(moved(before.world, ["p"], found.build)), ["p"], found.build, judged);
}
const variant = (compose: string, more: object = {}) => ({
  title: "V",
  compose,
  pin: "p",
  cards: 1,
  standing: "available",
  workloads: ["all"],
  summary: "One.",
  ...more,
});
const judgement = (patch: string, more: Partial<PatchJudgement>): PatchJudgement => ({
  patch,
  pins: ["p"],
  repo: "u/r",
  commit: sha("b"),
  verdict: "applies",
  because: "",
  targets: [],
  remarks: [],
  flags: [],
  clashes: [],
  ...more,
});

describe("changes between two builds", () => {
  const threads = { "u/r#1": pull("1"), "u/r#2": pull("2"), "u/r#3": pull("3"), "u/r#4": pull("4") };

  it("newly contained, newly missing, still missing, and what cannot be told any more", () => {
    const report = bump(
      { items: { gains: item("u/r#1"), loses: item("u/r#2"), lacks: item("u/r#3"), hides: item("u/r#4") }, facts: { threads } },
      { "1": ["no", "yes"], "2": ["yes", "no"], "3": ["no", "no"], "4": ["yes", ""] },
    );
    expect(report.newlyContained.map(({ item: id }) => id)).toEqual(["gains"]);
    expect(report.newlyMissing.map(({ item: id }) => id)).toEqual(["loses"]);
    expect(report.stillMissing.map(({ item: id }) => id)).toEqual(["lacks"]);
    expect(report.untold.map(({ item: id }) => id)).toEqual(["hides"]);
    expect(report.exitCode).toBe(1);
    expect(report.risks.filter(({ level }) => level === "stop").map(({ text }) => text)).toEqual([
      expect.stringContaining("p would lose r#2 (loses), which blocks"),
      expect.stringContaining("The candidate lacks r#3 (lacks) too"),
    ]);
  });

  it("a change that upstream took back is newly reverted, not newly contained; together with its revert it is simply not there", () => {
    const facts = { threads, reverts: [{ commit: "9", of: "1" }] };
    const report = bump({ items: { taken: item("u/r#1") }, facts }, { "1": ["no", "yes"], "9": ["no", "no"] });
    expect(report.newlyContained).toEqual([]);
    expect(report.newlyReverted.map(({ item: id }) => id)).toEqual(["taken"]);
    expect(report.exitCode).toBe(1);
    const both = bump({ items: { taken: item("u/r#1") }, facts }, { "1": ["no", "yes"], "9": ["no", "yes"] });
    expect([both.newlyContained, both.newlyReverted]).toEqual([[], []]);
  });

  it("0 when nothing stands against it; 2 when a blocking change cannot be told", () => {
    expect(bump({ items: { gains: item("u/r#1") }, facts: { threads } }, { "1": ["no", "yes"] }).exitCode).toBe(0);
    expect(bump({ items: { gains: item("u/r#1") }, facts: { threads } }, { "1": ["yes", ""] }).exitCode).toBe(2);
    expect(bump({ items: { gains: item("u/r#1", { stake: "watch" }) }, facts: { threads } }, { "1": ["yes", ""] }).exitCode).toBe(0);
  });

  it("says what there is to download, where a registry told it", () => {
    const sized = (size?: number) =>
      bump({ facts: { registry: { "oci:docker.io/up/up:v2": { available: "yes", ...(size === undefined ? {} : { size }) } } } }, {});
    expect(sized(8_123_000_000).runbook[0]?.detail[0]).toContain("8.1 GB to download");
    expect(sized(17_400_000).candidate.size).toBe(17_400_000);
    expect(sized(17_400_000).runbook[0]?.detail[0]).toContain("17 MB to download");
    expect(sized().runbook[0]?.detail[0]).toContain("its size was never observed");
  });

  it("C1 a candidate that is gone stands against everything", () => {
    const report = bump({ facts: { registry: { "oci:docker.io/up/up:v2": { available: "gone" } } } }, {});
    expect(report.exitCode).toBe(1);
    expect(report.risks[0]).toMatchObject({ level: "stop", text: expect.stringContaining("is gone") });
    expect(report.runbook[0]?.detail[0]).toContain("Choose another build");
  });
});

describe("what goes with a bump", () => {
  const threads = {
    "u/r#1": pull("1"),
    "u/r#7": { kind: "pull-request", state: "closed", merged: false, supersededBy: { ref: "u/r#1", evidence: "says so" } },
  };

  it("a patch whose own condition comes true, one that is covered by what replaced its cause, and a workaround", () => {
    const stack: ShortStack = {
      items: {
        row: item("u/r#7", {
          local: "vendored",
          workaround: { what: "W.", patches: ["covered"], drop: { contained: { ref: "u/r#1", in: "p" } } },
        }),
      },
      patches: {
        own: { covers: ["u/r#1"], required_by: ["v"], drop: { contained: { ref: "u/r#1", in: "p" } } },
        covered: { covers: ["u/r#7"], required_by: ["v"], drop: { contained: { ref: "u/r#7", in: "p" } } },
        stays: { covers: ["u/r#8"], required_by: ["v"] },
      },
      facts: { threads },
    };
    const { droppable } = bump(stack, { "1": ["no", "yes"] });
    expect(droppable.map(({ patch, item: id, by, today }) => [patch ?? id, by, today])).toEqual([
      ["own", "condition", false],
      ["covered", "covered", false],
      ["row", "condition", false],
    ]);
    expect(droppable[1]?.because).toBe("The candidate has what it stands in for: r#7 as r#1.");
    expect(bump(stack, { "1": ["yes", "yes"] }).droppable.find(({ patch }) => patch === "own")?.today).toBe(true);
  });

  it("a fix that does not resolve the problem here covers nothing (A12)", () => {
    const stack: ShortStack = {
      items: { row: item("u/r#1", { resolves_us: "no" }) },
      patches: { it: { covers: ["u/r#1"] } },
      facts: { threads },
    };
    expect(bump(stack, { "1": ["no", "yes"] }).droppable).toEqual([]);
  });

  it("triggers that would fire, and claims that name the old build", () => {
    const report = bump(
      {
        items: { row: item("u/r#1") },
        triggers: { retest: { when: { contained: { ref: "u/r#1", in: "p" } } }, later: { when: { after: "2027-01-01" } } },
        patches: { it: { validated: [{ pin: "p", on: "2026-05-01", result: "Passed." }] } },
        measurements: {
          m: {
            title: "M",
            on: "2026-05-02",
            rig: "one card",
            pins: ["p"],
            config: {},
            test: "bench",
            result: "pass",
            source: { what: "a log" },
          },
        },
        variants: { v: variant("v.yml", { tps: { code: 90 } }) },
        facts: { threads },
      },
      { "1": ["no", "yes"] },
    );
    expect(report.triggers.map(({ id }) => id)).toEqual(["retest"]);
    expect(report.staleClaims.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["patch it", "measurement m", "variant v"]);
  });
});

describe("patches on the candidate", () => {
  const lost = (patch: string, required = true): PatchJudgement =>
    judgement(patch, {
      verdict: "anchor-lost",
      targets: [
        {
          path: "x.py",
          verdict: required ? "anchor-lost" : "applies",
          because: "site is not in the file",
          anchors: [
            {
              id: "site",
              required,
              verdict: "anchor-lost",
              because: "is not in the file since #9",
              matches: 0,
              wanted: 1,
              lines: [],
              lostAt: { commit: sha("9"), at: "2026-05-01", subject: "Refactor (#9)", pr: 9, by: "walk" },
            },
          ],
        },
      ],
    });
  const patches = { bearing: { load_bearing: true, required_by: ["v"] }, helping: { required_by: ["v"] } };

  it("anchors to redo, with the change that took them; only a load-bearing one stops the bump", () => {
    const report = bump({ patches }, {}, [lost("helping"), lost("bearing")]);
    expect(report.reanchor.map(({ patch, anchor, lostAt }) => ({ patch, anchor, lostAt }))).toEqual([
      { patch: "bearing", anchor: "site", lostAt: { commit: sha("9"), pr: 9 } },
      { patch: "helping", anchor: "site", lostAt: { commit: sha("9"), pr: 9 } },
    ]);
    expect(report.exitCode).toBe(1);
    expect(bump({ patches }, {}, [lost("helping")]).exitCode).toBe(0);
    expect(bump({ patches }, {}, [lost("bearing", false)]).exitCode).toBe(0);
  });

  it("a file that is gone is one risk, not one for each of its anchors", () => {
    const gone = lost("bearing");
    const [target] = gone.targets;
    const report = bump({ patches }, {}, [
      {
        ...gone,
        verdict: "target-gone",
        targets: target ? [{ ...target, verdict: "target-gone", because: "upstream has no such file" }] : [],
      },
    ]);
    expect(report.risks.filter(({ level }) => level === "stop")).toHaveLength(1);
    expect(report.reanchor).toHaveLength(1);
  });

  it("what could not be checked of a load-bearing patch makes it 2, and stands once for each reason", () => {
    const unread = (patch: string) =>
      judgement(patch, {
        verdict: "unknown",
        targets: ["x.py", "y.py"].map((path) => ({ path, verdict: "unknown" as const, because: "the source is not here", anchors: [] })),
      });
    const report = bump({ patches }, {}, [unread("bearing"), unread("helping")]);
    expect(report.exitCode).toBe(2);
    expect(report.risks.map(({ text }) => text)).toContain("bearing, helping were not checked: the source is not here.");
  });
});

describe("the runbook", () => {
  it("moves the variant with the fewest patched places first, one at a time, each through the stack's gates", () => {
    const report = bump(
      {
        tracker: { gates: ["check.sh is green.", "stress.sh is green."] },
        variants: {
          heavy: variant("heavy.yml"),
          bare: variant("bare.yml"),
          light: variant("light.yml"),
          elsewhere: variant("w.yml", { pin: "q" }),
        },
        pins: { p: { artifact: OLD, commit: "a" }, q: { artifact: "oci:docker.io/up/up:q", commit: "c" } },
        patches: {
          big: { required_by: ["heavy"], targets: [{ path: "x.py", anchors: [{ text: "a" }, { text: "b" }] }, { path: "y.py" }] },
          small: { required_by: ["light", "heavy"], files: ["p/x.py"] },
        },
      },
      {},
    );
    expect(report.variants.map(({ variant: name, surface }) => [name, surface])).toEqual([
      ["bare", 0],
      ["light", 1],
      ["heavy", 4],
    ]);
    const moves = report.runbook.filter((step) => step.variant !== undefined);
    expect(moves.map((step) => step.title)).toEqual(["Move bare", "Move light", "Move heavy"]);
    expect(moves.every(({ gates }) => gates.join() === "check.sh is green.,stress.sh is green.")).toBe(true);
    const titles = report.runbook.map(({ title }) => title);
    expect(titles.indexOf("Point the pins at the new build")).toBeLessThan(titles.indexOf("Move bare"));
    expect(titles.at(-1)).toContain("Let the old build go");
  });
});
