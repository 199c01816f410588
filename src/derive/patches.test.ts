import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import { derive } from "./derive.ts";

function patch(row: Record<string, unknown>, facts: Parameters<typeof stackOf>[0]["facts"] = {}) {
  const { model, observed } = stackOf({ patches: { x: row }, pins: { p: { commit: "b" } }, facts });
  return derive(model, observed).patches.x;
}
const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };
const drop = { contained: { ref: "u/r#1", in: "p" } };

describe("whether a patch can go", () => {
  it.each([
    ["yes", { threads: { "u/r#1": MERGED }, contains: { a: { b: "yes" } } }, "It can go: p contains r#1."],
    ["no", { threads: { "u/r#1": MERGED }, contains: { a: { b: "no" } } }, "Stays until p contains r#1."],
    ["unknown", { threads: { "u/r#1": MERGED } }, "Cannot be told whether p contains r#1."],
    ["unknown", {}, "Cannot be told whether p contains r#1."],
  ])("%s", (droppable, facts, because) => {
    expect(patch({ drop }, facts)).toMatchObject({ droppable, because, carried: true });
    expect(patch({ drop }, facts)?.evidence.length).toBeGreaterThan(0);
  });
  it("is not known without a condition", () => {
    expect(patch({})).toMatchObject({ droppable: "unknown", because: "No condition for dropping it is written down.", carried: true });
  });
  it("is no question once it is dropped", () => {
    expect(patch({ drop, dropped: { on: "2026-05-01", because: "Not needed." } })).toMatchObject({
      droppable: "no",
      carried: false,
      because: "Dropped 2026-05-01: Not needed.",
    });
  });
  it("can never go by a pull request that was closed unmerged", () => {
    const facts = {
      threads: { "u/r#1": { kind: "pull-request", state: "closed", supersededBy: { ref: "u/r#2", evidence: "a comment" } } },
    };
    expect(patch({ drop }, facts)?.never).toEqual({ because: "r#1 was closed unmerged and replaced by r#2", instead: "u/r#2" });
  });
});

describe("whether a load-bearing patch is delivered", () => {
  const mount = (archived?: true) => ({
    source: "x.py",
    target: "/t",
    service: "server",
    file: "a.yml",
    line: 3,
    ...(archived ? { archived } : {}),
  });
  const bearing = { files: ["x.py"], load_bearing: true };
  it.each([
    ["mounted", bearing, { inventory: { mounts: [mount()] } }, false],
    ["mounted nowhere", bearing, { inventory: {} }, true],
    ["mounted in archived trees only", bearing, { inventory: { mounts: [mount(true)] } }, true],
    ["nobody looked", bearing, {}, false],
    ["not load-bearing", { files: ["x.py"] }, { inventory: {} }, false],
    ["dropped", { ...bearing, dropped: { on: "2026-05-01", because: "Gone." } }, { inventory: {} }, false],
  ])("%s", (_name, row, facts, undelivered) => {
    expect(patch(row, facts)?.undelivered).toBe(undelivered);
  });
});
