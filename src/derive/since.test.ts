import { describe, expect, it } from "vitest";
import { worldFrom } from "../../test/world.ts";
import { ageInDays, sinceOf } from "./since.ts";
import { decide } from "./status.ts";

const item = (thread: Record<string, unknown>, row: Record<string, unknown> = {}) => {
  const world = worldFrom({
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }], ...row } },
    facts: { asOf: "2026-05-12T00:00:00Z", threads: { "u/r#1": thread } },
  });
  const decision = decide(world, world.model.item.row as NonNullable<typeof world.model.item.row>);
  return { world, decision };
};

describe("since when a row is as it is", () => {
  it.each([
    [
      "an open pull request: since it was opened",
      { kind: "pull-request", createdAt: "2026-04-01", lastActivity: "2026-05-10" },
      "2026-04-01",
    ],
    ["a reopened one: since then", { kind: "pull-request", createdAt: "2026-04-01", reopenedAt: "2026-04-20" }, "2026-04-20"],
    [
      "a merged one: since the merge",
      { kind: "pull-request", state: "closed", merged: true, mergedAt: "2026-05-01T10:00:00Z", mergeCommit: "a", base: "main" },
      "2026-05-01T10:00:00Z",
    ],
    ["a closed one: since the closing", { kind: "pull-request", state: "closed", merged: false, closedAt: "2026-05-02" }, "2026-05-02"],
    ["an open issue: since it was opened", { kind: "issue", createdAt: "2026-03-01" }, "2026-03-01"],
  ])("%s", (_, thread, expected) => {
    expect(sinceOf(item(thread).decision, undefined)).toBe(expected);
  });

  it("is not known when the event's day is not: the day a fact was seen is not the day it happened", () => {
    expect(sinceOf(item({ kind: "pull-request", asOf: "2026-05-10" }).decision, undefined)).toBeUndefined();
    expect(sinceOf(item({}, { refs: [] }).decision, undefined)).toBeUndefined();
  });

  it("is the recorded change of the status when there is one, and only when it led to this status", () => {
    const { decision } = item({ kind: "pull-request", createdAt: "2026-04-01" });
    const change = { item: "row", from: null, at: "2026-04-05T00:00:00Z", because: "" };
    expect(sinceOf(decision, { ...change, to: decision.status })).toBe("2026-04-05T00:00:00Z");
    expect(sinceOf(decision, { ...change, to: "landed" })).toBe("2026-04-01");
  });

  it("counts whole days to the moment of the facts, and none backwards", () => {
    const { world } = item({});
    expect(ageInDays(world, "2026-05-11T12:00:00Z")).toBe(0);
    expect(ageInDays(world, "2026-05-01")).toBe(11);
    expect(ageInDays(world, "2026-06-01")).toBe(0);
    expect(ageInDays(world, undefined)).toBeUndefined();
  });
});
