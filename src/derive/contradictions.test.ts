import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import type { ShortFacts } from "../../test/world.ts";
import { derive } from "./derive.ts";

const OPEN = { kind: "pull-request", state: "open" };
const CLOSED = { kind: "pull-request", state: "closed", merged: false };
const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };
const ISSUE_CLOSED = { state: "closed" };

function contradictions(
  claim: Record<string, unknown>,
  thread: Record<string, unknown>,
  more: { facts?: ShortFacts; item?: Record<string, unknown> } = {},
) {
  const { model, observed } = stackOf({
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }], claim: { on: "2026-05-10", ...claim }, ...more.item } },
    pins: { p: { commit: "b" } },
    facts: { threads: { "u/r#1": thread }, ...more.facts },
  });
  return derive(model, observed).contradictions;
}

describe("contradictions between what was believed and what was observed", () => {
  const inPin = { contains: { a: { b: "yes" } } };
  const lacking = { contains: { a: { b: "no" } } };
  it.each([
    ["open", OPEN, {}],
    ["closed", CLOSED, {}],
    ["closed", MERGED, {}],
    ["closed", ISSUE_CLOSED, {}],
    ["merged", MERGED, lacking],
    ["merged", { ...MERGED, base: "feature" }, {}],
    ["landed", MERGED, inPin],
    ["landed", ISSUE_CLOSED, {}],
    ["local", OPEN, {}],
    ["local", CLOSED, {}],
  ])("%s agrees with %o", (says, thread, facts) => {
    expect(contradictions({ says }, thread, { facts })).toEqual([]);
  });

  it.each([
    ["open", { ...CLOSED, closedAt: "2026-05-11" }, {}, "closed", "outdated"],
    ["open", { ...CLOSED, closedAt: "2026-05-10T23:00:00Z" }, {}, "closed", "wrong-then"],
    ["open", CLOSED, {}, "closed", "undated"],
    ["open", { ...MERGED, mergedAt: "2026-05-11" }, {}, "merged", "outdated"],
    ["open", { ...MERGED, mergedAt: "2026-05-01" }, {}, "merged", "wrong-then"],
    ["open", MERGED, {}, "merged", "undated"],
    ["closed", OPEN, {}, "open", "wrong-then"],
    ["closed", { ...OPEN, reopenedAt: "2026-05-11" }, {}, "open", "outdated"],
    ["closed", { ...OPEN, reopenedAt: "2026-05-09" }, {}, "open", "wrong-then"],
    ["merged", OPEN, {}, "open", "wrong-then"],
    ["merged", CLOSED, {}, "closed", "wrong-then"],
    ["landed", OPEN, {}, "open", "wrong-then"],
    ["landed", { ...MERGED, mergedAt: "2026-05-01" }, lacking, "not-landed", "wrong-then"],
    ["landed", { ...MERGED, base: "feature" }, {}, "not-landed", "wrong-then"],
  ])("%s against %o is a contradiction", (says, thread, facts, state, kind) => {
    expect(contradictions({ says }, thread, { facts })).toEqual([
      expect.objectContaining({ item: "row", ref: "u/r#1", kind, fact: expect.objectContaining({ state }) }),
    ]);
  });

  it("a pin that cannot be told contradicts nobody", () => {
    expect(contradictions({ says: "landed" }, MERGED)).toEqual([]);
  });

  it("a thread that was never observed contradicts nobody", () => {
    expect(contradictions({ says: "open", about: "u/r#2" }, OPEN)).toEqual([]);
  });

  it("a claim about a context reference is not judged", () => {
    expect(contradictions({ says: "open" }, CLOSED, { item: { refs: [{ ref: "u/r#1", role: "context" }] } })).toEqual([]);
    expect(contradictions({ says: "open", about: "u/r#1" }, CLOSED, { item: { refs: [{ ref: "u/r#1", role: "context" }] } })).toEqual([]);
  });

  it("a claim can name the reference it is about", () => {
    const item = {
      refs: [
        { ref: "u/r@aaaaaaa", role: "fix" },
        { ref: "u/r#1", role: "bug" },
      ],
    };
    expect(contradictions({ says: "open", about: "u/r#1" }, ISSUE_CLOSED, { item })).toEqual([
      expect.objectContaining({ ref: "u/r#1", kind: "undated" }),
    ]);
  });

  it("carries the claim's note and the fact's source", () => {
    expect(contradictions({ says: "open", note: "quiet for 13 days" }, CLOSED)[0]).toMatchObject({
      claim: { says: "open", on: "2026-05-10", note: "quiet for 13 days" },
      fact: { source: "a test", asOf: "2026-05-10" },
    });
  });
});
