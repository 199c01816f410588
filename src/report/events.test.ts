import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import { derive } from "../derive/derive.ts";
import type { Transition } from "../model/shapes/observed.ts";
import { eventsOf } from "./events.ts";

const events = (
  threads: Record<string, Record<string, unknown>>,
  refs: { ref: string; role: string }[],
  transitions: Transition[] = [],
) => {
  const { model, observed } = stackOf({
    items: { one: { refs }, two: { refs: refs.slice(0, 1) } },
    facts: { asOf: "2026-05-12T00:00:00Z", threads },
  });
  return eventsOf(derive(model, observed), transitions);
};

describe("what happened", () => {
  it("tells of a thread once, with every row it concerns, the newest first", () => {
    const found = events(
      {
        "u/r#1": {
          kind: "pull-request",
          createdAt: "2026-04-01",
          state: "closed",
          merged: true,
          mergedAt: "2026-05-01T10:00:00Z",
          title: "Pad <b>",
        },
      },
      [{ ref: "u/r#1", role: "fix" }],
    );
    expect(found.map(({ kind, at, items }) => [kind, at, items])).toEqual([
      ["merged", "2026-05-01T10:00:00Z", ["one", "two"]],
      ["opened", "2026-04-01", ["one", "two"]],
    ]);
    expect(found[0]?.text).toBe("r#1 was merged: Pad <b>");
  });

  it("says how a thread was closed", () => {
    const words = (thread: Record<string, unknown>) =>
      events({ "u/r#1": { state: "closed", closedAt: "2026-05-01", ...thread } }, [{ ref: "u/r#1", role: "bug" }])[0]?.text;
    expect(words({ stateReason: "not-planned" })).toContain("as not planned");
    expect(words({ stateReason: "duplicate" })).toContain("as a duplicate");
    expect(words({ kind: "pull-request", merged: false })).toContain("without merging");
    expect(words({})).toBe("r#1 was closed: Pad the tile");
  });

  it("leaves out context references, unknown days and what lies after the facts", () => {
    expect(events({ "u/r#1": { createdAt: "2026-04-01" } }, [{ ref: "u/r#1", role: "context" }])).toEqual([]);
    expect(events({ "u/r#1": {} }, [{ ref: "u/r#1", role: "bug" }])).toEqual([]);
    expect(events({ "u/r#1": { createdAt: "2026-06-01" } }, [{ ref: "u/r#1", role: "bug" }])).toEqual([]);
  });

  it("follows a superseded reference to what took its place", () => {
    const threads = {
      "u/r#1": { kind: "pull-request", state: "closed", merged: false, supersededBy: { ref: "u/r#2", evidence: "says so" } },
      "u/r#2": { kind: "pull-request", createdAt: "2026-05-03" },
    };
    expect(events(threads, [{ ref: "u/r#1", role: "fix" }]).map(({ ref }) => ref)).toEqual(["u/r#2"]);
  });

  it("names the statuses of a transition, and knows each event again in the next build", () => {
    const change: Transition = { item: "one", from: "in-review", to: "landed", at: "2026-05-02T00:00:00Z", because: "It merged." };
    const [found] = events({}, [], [change, { ...change, item: "gone" }]);
    expect(found).toMatchObject({
      id: "status/one/2026-05-02T00:00:00Z",
      from: "in-review",
      to: "landed",
      text: "Open, in review became Landed. It merged.",
    });
    expect(events({}, [], [{ ...change, from: null }])[0]?.text).toBe("First seen as Landed. It merged.");
    expect(events({}, [], [change])).toHaveLength(1);
  });
});
