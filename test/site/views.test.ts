import { describe, expect, it } from "vitest";
import { ages, attentionGroups, picture, pinSummaries, unobserved } from "../../site/views/home.ts";
import { itemView } from "../../site/views/item.ts";
import { coverage } from "../../site/views/patch.ts";
import { asksFor } from "../../src/derive/condition-names.ts";
import { bumpReport, matrix, pinWord, shortArtifact } from "../../site/views/pins.ts";
import { trackerFilters, trackerRows } from "../../site/views/tracker.ts";
import { triggerGroups } from "../../site/views/triggers.ts";
import { eventsOf } from "../../src/report/events.ts";
import type { ShortStack } from "../world.ts";
import { stack } from "./stack.ts";

describe("home", () => {
  it("groups what needs a person by kind, the most urgent first", () => {
    const groups = attentionGroups(stack());
    expect(groups.map(({ kind }) => kind)).toContain("trigger-fired");
    expect(groups.flatMap(({ entries }) => entries)).toHaveLength(stack().attention.length);
  });
  it("counts for each pin what it has and lacks of what is waited for", () => {
    expect(pinSummaries(stack()).map(({ id, has, lacks, untold }) => [id, has, lacks, untold])).toEqual([
      ["old", 0, 1, 0],
      ["young", 1, 0, 0],
    ]);
  });
  it("shows upstreams in their order, with as many rows as there are", () => {
    const rows = picture(stack());
    expect(rows.map(({ id, total }) => [id, total])).toEqual([
      ["other", 1],
      ["up", 2],
    ]);
    expect(rows.flatMap(({ counts }) => Object.values(counts)).reduce((a, b) => a + b)).toBe(3);
  });
  it("sorts rows by age, and says for how many it is not known", () => {
    const days: Record<string, number> = { landed: 11, open: 30 };
    const rows = ages(stack(), (id) => days[id]);
    expect(rows.map(({ counts, untold }) => counts.reduce((a, b) => a + b) + untold)).toEqual(rows.map(() => 1));
    expect(rows.find(({ status }) => status === "unknown")?.untold).toBe(1);
    expect(rows.find(({ status }) => status === "in-review")?.counts[0]).toBe(1);
  });
  it("names what was never seen, what is stale and what was never looked up", () => {
    const gaps = unobserved(stack());
    expect(gaps.never).toEqual([{ ref: "u/r#3", item: "unseen" }]);
    expect(gaps.stale.map(({ ref, items }) => [ref, items])).toEqual([["u/r#2", ["open"]]]);
    expect(gaps.registry).toEqual(["old", "young"]);
    expect(gaps.inventory).toBe(false);
  });
});

describe("tracker", () => {
  it("puts what can be acted on first, and loses no row", () => {
    expect(trackerRows(stack(), () => undefined).map(({ id }) => id)).toEqual(["unseen", "landed", "open"]);
  });
  it("offers filters with the values that occur, and counts rows once", () => {
    const derived = stack();
    const filters = trackerFilters(
      derived,
      trackerRows(derived, () => undefined),
    );
    expect(filters.map(({ key }) => key)).toEqual(["status", "upstream", "pin", "verdict", "stake", "local", "facet"]);
    expect(filters.find(({ key }) => key === "pin")?.options.map(({ value, count }) => [value, count])).toEqual([
      ["old", 1],
      ["young", 1],
    ]);
  });
});

describe("row", () => {
  const derived = stack();
  const view = itemView(
    derived,
    "landed",
    eventsOf(derived, []).filter(({ items }) => items.includes("landed")),
  );
  it("has its pins with verdicts, its patches, triggers, and what would change it", () => {
    expect(view?.pins.map(({ pin, verdict }) => [pin, verdict])).toEqual([
      ["old", "not-contained"],
      ["young", "contained"],
    ]);
    expect(view?.patches).toEqual([{ id: "flag", why: "carries" }]);
    expect(view?.triggers).toEqual(["closed"]);
    expect(view?.changes.map(({ to }) => to)).toContain("landed");
    expect(view?.drop).toMatchObject({ truth: "no" });
  });
  it("knows a patch that stands in for it although the row does not name it", () => {
    expect(itemView(derived, "open", [])?.patches).toEqual([{ id: "cover", why: "covers" }]);
    expect(itemView(derived, "open", [])?.followUps).toEqual(["later"]);
    expect(itemView(derived, "nothing", [])).toBeUndefined();
  });
  it("tells events, beliefs and notes in the order of their days; undated notes apart", () => {
    const noted = stack({
      items: {
        landed: {
          refs: [{ ref: "u/r#1", role: "fix" }],
          claim: { on: "2026-05-01", says: "open" },
          notes: [{ on: "2026-04-30", text: "Before." }, { text: "Some day." }, { on: "2026-05-01", text: "On the day." }],
        },
      },
    });
    const found = itemView(noted, "landed", eventsOf(noted, []));
    expect(found?.timeline.map(({ who, at }) => [who, at])).toEqual([
      ["note", "2026-04-30"],
      ["upstream", "2026-05-01"],
      ["claim", "2026-05-01"],
      ["note", "2026-05-01"],
    ]);
    expect(found?.undated.map(({ text }) => text)).toEqual(["Some day."]);
  });
});

describe("pins", () => {
  it("say before a bump what to bring, what to check and what may go", () => {
    const derived = stack();
    const report = bumpReport(derived, derived.pins.old as NonNullable<typeof derived.pins.old>);
    expect(report.brings.map(({ item }) => item)).toEqual(["landed"]);
    expect(report.mayGo).toEqual(["flag"]);
    expect(report.triggers).toEqual(["again"]);
  });
  it.each([
    ["old", "Lacks 1 change, none of which is missed"],
    ["young", "Lacks nothing that landed"],
  ])("%s comes down to: %s", (id, word) => {
    const derived = stack();
    expect(pinWord(derived, derived.pins[id] as NonNullable<typeof derived.pins.old>).word).toBe(word);
  });
  it("in need comes first: a missing change that blocks, a patch that does not work, an image that is gone", () => {
    const word = (change: ShortStack, broken = 0) => {
      const derived = stack(change);
      return pinWord(derived, derived.pins.old as NonNullable<typeof derived.pins.old>, broken);
    };
    const blocking = { items: { landed: { refs: [{ ref: "u/r#1", role: "fix" }], stake: "blocks" } } };
    expect(word(blocking)).toMatchObject({ tone: "s-open-no-pr", word: "Misses 1 change that nothing here stands in for" });
    expect(word({}, 2)).toMatchObject({ tone: "s-open-no-pr", word: "2 load-bearing patches do not work on it" });
    expect(word({ pins: { old: { retired: { on: "2026-05-01", because: "Replaced." } } } }).word).toBe("Retired");
  });
  it("find a pin inside nested conditions", () => {
    expect(asksFor({ any: [{ all: [{ not: { contained: { ref: "u/r#1", in: "old" } } }] }] }, "old")).toBe(true);
    expect(asksFor({ available: "old" }, "old")).toBe(true);
    expect(asksFor({ contained: { ref: "u/r#1", in: "young" } }, "old")).toBe(false);
    expect(asksFor(undefined, "old")).toBe(false);
  });
  it("are short where their names are long", () => {
    expect(shortArtifact(`oci:docker.io/vllm/vllm-openai:nightly-${"1a".repeat(20)}`)).toBe("vllm/vllm-openai:nightly-1a1a1a1a1a");
    expect(shortArtifact(`oci:x/y@sha256:${"ab".repeat(32)}`)).toBe("x/y@sha256:ababababab");
  });
  it("and changes make a matrix, with what lacks something first and the rest told", () => {
    const tables = matrix(stack());
    expect(tables.map(({ upstream, rows, waiting }) => [upstream, rows.map(({ item }) => item), waiting])).toEqual([
      ["other", [], ["unseen"]],
      ["up", ["landed"], ["open"]],
    ]);
    expect(tables[1]?.rows[0]?.cells.map((cell) => cell?.verdict)).toEqual(["not-contained", "contained"]);
  });
});

describe("patches and triggers", () => {
  it("a patch tells what it stands in for", () => {
    expect(coverage(stack(), "cover")).toMatchObject({ refs: [{ ref: "u/r#2", state: "open" }], items: [{ id: "open" }] });
    expect(coverage(stack(), "flag").items.map(({ id }) => id)).toEqual(["landed"]);
  });
  it("triggers stand by where they are in their life, fired ones first", () => {
    expect(triggerGroups(stack()).map(({ life, rows }) => [life, rows.map(({ id }) => id)])).toEqual([
      ["fired", ["closed"]],
      ["waiting", ["again", "later"]],
    ]);
  });
});
