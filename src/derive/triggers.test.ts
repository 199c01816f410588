import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import { derive } from "./derive.ts";

const facts = { threads: { "u/r#1": { state: "closed" }, "u/r#2": { kind: "pull-request", state: "closed" } } };
function lives(row: Record<string, unknown>) {
  const { model, observed } = stackOf({ triggers: { t: { when: { after: "2030-01-01" }, ...row } }, followUps: { f: row }, facts });
  const derived = derive(model, observed);
  return { trigger: derived.triggers.t, followUp: derived.followUps.f, attention: derived.attention.map(({ kind }) => kind) };
}

describe("the life of a trigger and of a follow-up", () => {
  const fired = { when: { closed: "u/r#1" } };
  it("waits while its condition is no", () => {
    const { trigger, followUp } = lives({ when: { after: "2026-06-01" } });
    expect(trigger).toMatchObject({ life: "waiting", fired: false, truth: "no", when: "2026-06-01 has passed" });
    expect(followUp).toMatchObject({ life: "waiting", fired: false });
  });
  it("is unknown while its condition cannot be told", () => {
    expect(lives({ when: { closed: "u/r#9" } })).toMatchObject({
      trigger: { life: "unknown", fired: false },
      followUp: { life: "unknown" },
      attention: [],
    });
  });
  it("fires with its proof, and needs attention", () => {
    const { trigger, followUp, attention } = lives(fired);
    expect(trigger).toMatchObject({ life: "fired", fired: true, truth: "yes", proof: [{ fact: "r#1 is closed", source: "a test" }] });
    expect(followUp).toMatchObject({ life: "fired", fired: true });
    expect(attention).toEqual(["trigger-fired", "follow-up-due"]);
  });
  it("is acknowledged by a person, and stays fired", () => {
    const { trigger, attention } = lives({ ...fired, acknowledged: "2026-05-10" });
    expect(trigger).toMatchObject({ life: "acknowledged", fired: true });
    expect(attention).toEqual([]);
  });
  it("is done when a person says what came of it, and then neither fired nor hopeless", () => {
    const done = { on: "2026-05-11", outcome: "It passes." };
    expect(lives({ ...fired, acknowledged: "2026-05-10", done })).toMatchObject({ trigger: { life: "done", fired: false }, attention: [] });
    expect(lives({ when: { merged: "u/r#2" }, done }).trigger?.never).toBeUndefined();
  });
  it("an acknowledged trigger whose condition no longer holds waits again", () => {
    expect(lives({ when: { after: "2026-06-01" }, acknowledged: "2026-05-10" }).trigger?.life).toBe("waiting");
  });
  it("says when it can never fire", () => {
    const { trigger, attention } = lives({ when: { merged: "u/r#2" } });
    expect(trigger?.never).toEqual({ because: "r#2 was closed unmerged" });
    expect(attention).toEqual(["never-true", "never-true"]);
  });
  it("a follow-up without a condition is never due by itself", () => {
    const { model, observed } = stackOf({ followUps: { f: {} } });
    expect(derive(model, observed).followUps.f).toMatchObject({ life: "unknown", fired: false, when: "", proof: [] });
  });
});
