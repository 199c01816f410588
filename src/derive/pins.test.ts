import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import type { ShortStack } from "../../test/world.ts";
import type { Stake } from "../model/vocabulary.ts";
import { derive } from "./derive.ts";
import { checkPins } from "./pin-check.ts";

const derivedFrom = (stack: ShortStack) => {
  const { model, observed } = stackOf(stack);
  return derive(model, observed);
};

const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };
const IMAGE = "oci:example.org/up:build";
const user = { file: "a.yml", line: 3, service: "server", archived: false };
const inUse = { images: [{ image: "example.org/up:build", raw: [], mutability: "immutable", users: [user] }] };
const pinOf = (stack: ShortStack) => derivedFrom(stack).pins.p;

describe("a pin's verdicts", () => {
  const stack = (item: Record<string, unknown>, facts: ShortStack["facts"] = {}): ShortStack => ({
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }], ...item } },
    pins: { p: { commit: "b" }, q: { commit: "c", artifact: "oci:example.org/up:other" } },
    facts: { threads: { "u/r#1": MERGED }, contains: { a: { b: "yes", c: "no" } }, ...facts },
  });
  it("say what landed, in it or not, and whether the row waits", () => {
    const { pins } = derivedFrom(stack({ reaches: ["p"] }));
    expect(pins.p?.verdicts).toEqual([
      expect.objectContaining({ item: "row", ref: "u/r#1", verdict: "contained", waits: true, stake: "blocks" }),
    ]);
    expect(pins.q?.verdicts).toEqual([expect.objectContaining({ verdict: "not-contained", waits: false })]);
  });
  it("do not wait for what is resolved", () => {
    expect(derivedFrom(stack({ local: "retired" })).pins.q?.verdicts).toEqual([
      expect.objectContaining({ verdict: "not-contained", waits: false }),
    ]);
  });
  it("name the reference of the row and the one that took its place", () => {
    const superseded = {
      "u/r#1": { kind: "pull-request", state: "closed", supersededBy: { ref: "u/r#2", evidence: "a comment" } },
      "u/r#2": MERGED,
    };
    expect(derivedFrom(stack({}, { threads: superseded })).pins.p?.verdicts[0]).toMatchObject({ ref: "u/r#1", landing: "u/r#2" });
  });
  it("are unknown for a row that was never observed or is another thing", () => {
    expect(derivedFrom(stack({}, { threads: {} })).pins.p?.verdicts[0]).toMatchObject({ ref: "u/r#1", verdict: "unknown", waits: true });
    expect(derivedFrom(stack({ refs: [{ ref: "u/r#1", role: "fix", kind: "issue" }] })).pins.p?.verdicts[0]).toMatchObject({
      verdict: "unknown",
    });
    expect(derivedFrom(stack({ reaches: ["p"] }, { threads: {} })).pins.q?.verdicts).toEqual([]);
  });
  it("leave out what is open: nothing landed that could be missing", () => {
    expect(derivedFrom(stack({}, { threads: { "u/r#1": { kind: "pull-request" } } })).pins.p?.verdicts).toEqual([]);
  });
  it("tell a package by its version", () => {
    const { pins } = derivedFrom({
      items: { row: { refs: [{ ref: "pypi:n@>=2", role: "fix" }], lands_when: { released: "pypi:n >=2" } } },
      pins: { p: { artifact: "pypi:n@1.0" } },
      facts: { registry: { "pypi:n": { versions: { "2.0": { publishedAt: null } } } } },
    });
    expect(pins.p?.verdicts[0]).toMatchObject({ ref: "pypi:n@>=2", verdict: "not-contained", waits: true });
  });
  it("mark a change that upstream took back", () => {
    const reverts = [{ of: "a", commit: "d" }];
    const { pins } = derivedFrom(stack({}, { reverts }));
    expect(pins.p?.verdicts[0]).toMatchObject({ verdict: "contained", reverted: true, waits: true });
    expect(pins.q?.verdicts[0]).toMatchObject({ verdict: "not-contained", reverted: false });
  });
});

describe("a pin's availability", () => {
  it.each([
    [{ [IMAGE]: { available: "yes" } }, "yes"],
    [{ [IMAGE]: { available: "gone" } }, "gone"],
    [{ [IMAGE]: { revision: "b" } }, "unknown"],
    [{}, "unknown"],
  ])("%j: %s", (registry, state) => {
    expect(pinOf({ pins: { p: {} }, facts: { registry } })?.availability.state).toBe(state);
  });
});

describe("a pin's retirement", () => {
  const retirement = (pin: Record<string, unknown>, more: ShortStack = {}) =>
    pinOf({ pins: { p: pin, next: { artifact: "oci:example.org/up:next" } }, facts: { inventory: inUse }, ...more })?.retirement;
  it("waits for its condition", () => {
    expect(retirement({ retire: { when: { after: "2026-06-01" } } })).toMatchObject({
      ready: "no",
      because: "Waits until 2026-06-01 has passed.",
      todo: [],
    });
    expect(retirement({ retire: { when: { merged: "u/r#9" } } })).toMatchObject({
      ready: "unknown",
      because: "Cannot be told whether r#9 is merged.",
      todo: [],
    });
  });
  it("is ready when it holds, and says what to do in order", () => {
    const ready = retirement(
      { retire: { when: { after: "2026-05-01" }, to: "next" } },
      {
        patches: {
          carried: { files: ["x.py"] },
          dropped: { files: ["x.py"], dropped: { on: "2026-05-01", because: "Gone." } },
          elsewhere: { files: ["y.py"] },
        },
        facts: {
          inventory: {
            ...inUse,
            mounts: [
              { source: "x.py", target: "/t", service: "server", file: "a.yml", line: 9 },
              { source: "y.py", target: "/t", service: "server", file: "b.yml", line: 9 },
            ],
          },
        },
      },
    );
    expect(ready?.ready).toBe("yes");
    expect(ready?.because).toBe("Its condition holds: 2026-05-01 has passed.");
    expect(ready?.todo).toEqual([
      "Check that next works for every user: npm run check-pins -- --pin next.",
      "Move a.yml (line 3) to next.",
      "Check whether carried still applies on the new build.",
      "Mark p as retired in data/pins/p.yaml, with the date and the reason.",
      "Remove the cached artifact oci:example.org/up:build.",
    ]);
  });
  it("asks for a replacement when none is named", () => {
    expect(retirement({ retire: { when: { after: "2026-05-01" } } })?.todo.slice(0, 2)).toEqual([
      "Choose the build that replaces it.",
      "Move a.yml (line 3) to the replacement.",
    ]);
  });
  it("is ready when nobody uses it, whatever its condition", () => {
    const unused = retirement({ retire: { when: { after: "2030-01-01" } } }, { facts: { inventory: {} } });
    expect(unused).toMatchObject({ ready: "yes", because: "Nothing in the tree uses it." });
    expect(unused?.todo).toHaveLength(2);
    const inventory = { ...inUse, images: inUse.images?.map((image) => ({ ...image, users: [{ ...user, archived: true }] })) };
    expect(retirement({}, { facts: { inventory } })).toMatchObject({ ready: "yes", because: "Only archived files use it." });
  });
  it("without an inventory only its condition counts", () => {
    expect(retirement({}, { facts: {} })).toMatchObject({ ready: "no", because: "No condition for its retirement is written down." });
    expect(retirement({ retire: { when: { after: "2026-05-01" } } }, { facts: {} })?.todo).toHaveLength(3);
  });
  it("is done when it is retired", () => {
    expect(retirement({ retired: { on: "2026-05-01", because: "Replaced." } })).toMatchObject({
      ready: "yes",
      because: "Retired on 2026-05-01: Replaced.",
      todo: [],
    });
  });
  it("says when its condition can never come true", () => {
    const never = retirement(
      { retire: { when: { merged: "u/r#1" } } },
      { facts: { inventory: inUse, threads: { "u/r#1": { kind: "pull-request", state: "closed" } } } },
    )?.never;
    expect(never).toEqual({ because: "r#1 was closed unmerged" });
  });
});

describe("check-pins: 0 fine, 1 something is wrong, 2 could not be told, and 1 beats 2", () => {
  type Case = [name: string, exit: 0 | 1 | 2, summary: string, stack: ShortStack];
  const landed = (answer: "yes" | "no" | "", item: Record<string, unknown> = {}, more: ShortStack = {}): ShortStack => ({
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }], ...item } },
    pins: { p: { commit: "b" } },
    ...more,
    facts: { threads: { "u/r#1": MERGED }, contains: answer ? { a: { b: answer } } : {}, ...more.facts },
  });
  const unfinished: ShortStack["patches"] = { x: { load_bearing: true, files: ["x.py"] } };
  it.each([
    ["contained", 0, "1 pin: nothing missing.", landed("yes")],
    ["lacks what blocks", 1, "1 pin: 1 blocking change is missing.", landed("no")],
    [
      "has a part of what blocks",
      1,
      "1 pin: 1 blocking change is missing.",
      landed(
        "",
        {},
        {
          facts: {
            threads: { "u/r#1": { ...MERGED, mergeCommit: "d", rebasedCommits: ["a", "d"] } },
            contains: { a: { b: "yes" }, d: { b: "no" } },
          },
        },
      ),
    ],
    ["lacks what blocks, and code here stands in", 0, "1 pin: nothing missing.", landed("no", { local: "vendored" })],
    ["lacks what blocks, and a setting here stands in", 0, "1 pin: nothing missing.", landed("no", { local: "workaround" })],
    ["cannot be told about what blocks", 2, "1 pin: 1 blocking change cannot be told.", landed("")],
    [
      "cannot be told about a row that was never observed",
      2,
      "1 pin: 1 blocking change cannot be told.",
      landed("", {}, { facts: { threads: {} } }),
    ],
    [
      "nothing was ever observed, and code here stands in",
      0,
      "1 pin: nothing was observed upstream yet, so what is missing is not known.",
      landed("", { local: "vendored" }, { facts: { threads: {}, asOf: "1970-01-01" } }),
    ],
    ["cannot be told, and code here stands in", 0, "1 pin: nothing missing.", landed("", { local: "vendored" })],
    [
      "contains what was reverted",
      1,
      "1 pin: 1 reverted change is in a pin.",
      landed("yes", {}, { facts: { reverts: [{ of: "a", commit: "c" }] } }),
    ],
    [
      "contains what was reverted and stands in for it",
      1,
      "1 pin: 1 reverted change is in a pin.",
      landed("yes", { local: "vendored" }, { facts: { reverts: [{ of: "a", commit: "c" }] } }),
    ],
    ["its image is gone", 1, "1 pin: 1 image is gone.", landed("yes", {}, { facts: { registry: { [IMAGE]: { available: "gone" } } } })],
    [
      "a load-bearing patch is delivered nowhere",
      1,
      "1 pin: 1 load-bearing patch is delivered nowhere.",
      landed("yes", {}, { patches: unfinished, facts: { inventory: inUse } }),
    ],
    ["nobody looked whether the patch is delivered", 0, "1 pin: nothing missing.", landed("yes", {}, { patches: unfinished })],
    [
      "a patch can go",
      0,
      "1 pin: 1 patch can go.",
      landed("yes", {}, { patches: { x: { drop: { contained: { ref: "u/r#1", in: "p" } } } } }),
    ],
    [
      "a pin can be retired",
      0,
      "1 pin: 1 pin can be retired.",
      landed("yes", {}, { pins: { p: { commit: "b", retire: { when: { merged: "u/r#1" } } } } }),
    ],
    ["nothing is pinned", 0, "0 pins: nothing missing.", { items: {}, pins: {} }],
    [
      "a retired pin lacks everything and is gone",
      0,
      "0 pins: nothing missing.",
      landed(
        "no",
        {},
        {
          pins: { p: { commit: "b", retired: { on: "2026-05-01", because: "Old." } } },
          facts: { registry: { [IMAGE]: { available: "gone" } } },
        },
      ),
    ],
    [
      "1 beats 2",
      1,
      "2 pins: 1 blocking change is missing, 1 blocking change cannot be told.",
      landed(
        "no",
        {},
        {
          pins: { p: { commit: "b" }, q: { commit: "c", artifact: "oci:example.org/up:other" } },
        },
      ),
    ],
    [
      "an open fix is no missing one",
      0,
      "1 pin: nothing missing.",
      landed("", {}, { facts: { threads: { "u/r#1": { kind: "pull-request" } } } }),
    ],
  ] as Case[])("%s: %i", (_name, exit, summary, stack) => {
    expect(checkPins(derivedFrom(stack))).toMatchObject({ exitCode: exit, summary });
  });

  it.each(["degrades", "watch"] as Stake[])("what only %s never fails", (stake) => {
    expect(checkPins(derivedFrom(landed("no", { stake }))).exitCode).toBe(0);
    expect(checkPins(derivedFrom(landed("", { stake }))).exitCode).toBe(0);
  });

  it("counts in the plural", () => {
    const two = {
      items: { a: { refs: [{ ref: "u/r#1", role: "fix" }] }, b: { refs: [{ ref: "u/r#1", role: "fix" }] } },
      pins: { p: { commit: "b" } },
      patches: {
        x: { load_bearing: true, files: ["x"], drop: { after: "2026-05-01" } },
        y: { load_bearing: true, files: ["y"], drop: { after: "2026-05-01" } },
      },
      facts: { threads: { "u/r#1": MERGED }, contains: { a: { b: "no" } }, inventory: inUse },
    };
    expect(checkPins(derivedFrom(two)).summary).toBe(
      "1 pin: 2 blocking changes are missing, 2 load-bearing patches are delivered nowhere, 2 patches can go.",
    );
    const pins = { p: { retire: { when: { after: "2026-05-01" } } }, q: { retire: { when: { after: "2026-05-01" } } } };
    const gone = { pins, facts: { registry: { [IMAGE]: { available: "gone" } } } };
    expect(checkPins(derivedFrom(gone)).summary).toBe("2 pins: 2 images are gone, 2 pins can be retired.");
  });

  it("one pin is judged alone, retired or not, and patches are not", () => {
    const stack = landed(
      "no",
      {},
      {
        patches: unfinished,
        facts: { inventory: inUse },
        pins: { p: { commit: "b" }, q: { commit: "a", artifact: "oci:example.org/up:other" } },
      },
    );
    const derived = derivedFrom(stack);
    expect(checkPins(derived, "p")).toMatchObject({ exitCode: 1, summary: "1 pin: 1 blocking change is missing." });
    expect(checkPins(derived, "q")).toMatchObject({ exitCode: 0, pins: [{ id: "q" }] });
  });
});
