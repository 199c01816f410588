import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../site/api/fields.ts";
import { measuredBy, variantOrder, workloads } from "../../site/views/cards.ts";
import { chartOf } from "../../site/views/chart.ts";
import { MOST_ROWS, graphOf } from "../../site/views/graph.ts";
import { ages, attentionGroups, picture, pinSummaries, unobserved } from "../../site/views/home.ts";
import { itemView } from "../../site/views/item.ts";
import { drawingOf, shorten } from "../../site/views/layout.ts";
import { numbersOf } from "../../site/views/measurement.ts";
import { coverage } from "../../site/views/patch.ts";
import { asksFor, bumpReport, matrix, pinWord, shortArtifact } from "../../site/views/pins.ts";
import { trackerFilters, trackerRows } from "../../site/views/tracker.ts";
import { triggerGroups } from "../../site/views/triggers.ts";
import { ageText, instantText } from "../../site/views/words.ts";
import { derive } from "../../src/derive/derive.ts";
import { SHAPES } from "../../src/model/kinds.ts";
import type { Measurement } from "../../src/model/shapes/measurement.ts";
import { eventsOf } from "../../src/report/events.ts";
import type { ShortStack } from "../world.ts";
import { stackOf } from "../world.ts";

const derivedOf = (stack: ShortStack) => {
  const { model, observed } = stackOf(stack);
  return derive(model, observed);
};
const MERGED = { kind: "pull-request", state: "closed", merged: true, mergedAt: "2026-05-01", mergeCommit: "a", base: "main" };

/** One landed change that one pin has and the other lacks, one that is open, one that nobody saw. */
const stack = (change: ShortStack = {}) =>
  derivedOf({
    upstreams: { up: { order: 2 }, other: { title: "Other", repo: "o/r", order: 1 } },
    items: {
      landed: {
        refs: [{ ref: "u/r#1", role: "fix" }],
        stake: "degrades",
        local: "workaround",
        workaround: { what: "A flag.", patches: ["flag"], drop: { contained: { ref: "u/r#1", in: "old" } } },
      },
      open: { refs: [{ ref: "u/r#2", role: "fix" }] },
      unseen: { refs: [{ ref: "u/r#3", role: "bug" }], upstream: "other" },
    },
    pins: { old: { commit: "b" }, young: { commit: "c" } },
    patches: {
      flag: { drop: { contained: { ref: "u/r#1", in: "old" } } },
      cover: { covers: ["u/r#2"] },
      gone: { dropped: { on: "2026-05-01", because: "Not needed." } },
    },
    triggers: { again: { when: { contained: { ref: "u/r#1", in: "old" } } }, closed: { when: { closed: "u/r#1" }, items: ["landed"] } },
    followUps: { later: { when: { after: "2026-12-01" }, items: ["open"] } },
    facts: {
      threads: { "u/r#1": MERGED, "u/r#2": { kind: "pull-request", createdAt: "2026-04-12", stale: { since: null, why: "stored" } } },
      contains: { a: { b: "no", c: "yes" } },
    },
    ...change,
  });

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

describe("the picture", () => {
  it("ties rows to pins by verdict, patches and triggers to rows, else to pins", () => {
    const { edges } = graphOf(stack());
    expect(edges.map(({ from, to, verdict }) => `${from} ${verdict} ${to}`).sort()).toEqual([
      "item:landed contained pin:young",
      "item:landed not-contained pin:old",
      "item:open waits pin:old",
      "item:open waits pin:young",
      "patch:cover none item:open",
      "patch:flag none item:landed",
      "trigger:again none pin:old",
      "trigger:closed none item:landed",
    ]);
  });
  it("of one pin shows that pin alone", () => {
    expect(
      graphOf(stack(), "old")
        .nodes.filter(({ kind }) => kind === "pin")
        .map(({ id }) => id),
    ).toEqual(["old"]);
  });
  it("F08 leaves rows out rather than becoming unreadable, and says how many", () => {
    const items = Object.fromEntries(Array.from({ length: MOST_ROWS + 25 }, (_, at) => [`row-${at}`, {}]));
    const graph = graphOf(stack({ items }));
    expect(graph.nodes.filter(({ kind }) => kind === "item")).toHaveLength(MOST_ROWS);
    expect(graph.leftOut).toBe(25);
  });
  it("is laid out from left to right: what points stands left of what it points at", async () => {
    const graph = graphOf(stack());
    const drawing = await drawingOf(graph);
    const x = new Map(drawing.nodes.map((node) => [node.key, node.x]));
    for (const { from, to, path } of drawing.edges) {
      expect(x.get(from)).toBeLessThan(x.get(to) ?? 0);
      expect(path).toMatch(/^M[\d.]+ [\d.]+C[\d. -]+$/);
    }
    expect(drawing.edges).toHaveLength(graph.edges.length);
  });
  it("cuts titles between whole characters", () => {
    expect(shorten("short")).toBe("short");
    expect(shorten("👩‍👩‍👧‍👦".repeat(5), 3)).toBe("👩‍👩‍👧‍👦👩‍👩‍👧‍👦…");
  });
});

describe("charts", () => {
  const run = (context: number | undefined, share: number | undefined, result = "pass"): Measurement =>
    SHAPES.measurement.parse({
      title: "A run",
      on: "2026-05-01",
      rig: "r",
      config: { context, mem_util: share },
      test: "t",
      result,
      source: { what: "s" },
    });
  const runs = (...rows: Measurement[]) => rows.map((row, at) => ({ number: at + 1, id: `run-${at}`, row }));

  it("place runs by context and memory, inside the plot, and keep their numbers", () => {
    const chart = chartOf(runs(run(48_000, 0.92), run(192_000, 0.98, "fail"), run(undefined, 0.95), run(100_000, undefined)));
    expect(chart?.marks.map(({ number, result }) => [number, result])).toEqual([
      [1, "pass"],
      [2, "fail"],
    ]);
    expect(chart?.without).toEqual([3, 4]);
    const [low, high] = chart?.marks ?? [];
    expect(low?.x).toBeLessThan(high?.x ?? 0);
    expect(low?.y).toBeGreaterThan(high?.y ?? 0);
    for (const { x, y } of chart?.marks ?? []) {
      expect(x).toBeGreaterThan(chart?.plot.left ?? 0);
      expect(x).toBeLessThan(chart?.plot.right ?? 0);
      expect(y).toBeGreaterThan(chart?.plot.top ?? 0);
      expect(y).toBeLessThan(chart?.plot.bottom ?? 0);
    }
  });
  it("put runs of one configuration side by side, not on top of each other", () => {
    const chart = chartOf(runs(run(48_000, 0.92), run(48_000, 0.92, "fail"), run(48_000, 0.92), run(60_000, 0.95)));
    const places = chart?.marks.map(({ x, y }) => `${x} ${y}`) ?? [];
    expect(new Set(places).size).toBe(4);
  });
  it("are left out when there is one place only: the table says more", () => {
    expect(chartOf(runs(run(48_000, 0.92), run(48_000, 0.92)))).toBeUndefined();
    expect(chartOf([])).toBeUndefined();
  });
  it("numbers of a run come with their units, and what was not noted is left out", () => {
    expect(numbersOf({ ...run(1, 1), free_mib: 1234, wall_s: 5, tps: { code: 67 } })).toEqual([
      { name: "Code", value: "67 tokens a second" },
      { name: "Free at the end", value: "1,234 MiB" },
      { name: "Wall time", value: "5 seconds" },
    ]);
  });
});

describe("the picker's data", () => {
  const variant = (row: Record<string, unknown>) => ({
    title: "V",
    compose: "c.yml",
    cards: 1,
    standing: "available",
    workloads: ["w"],
    summary: "s",
    ...row,
  });
  const { model } = stackOf({
    variants: {
      b: variant({ standing: "safe", cards: 2 }),
      a: variant({ standing: "safe" }),
      c: variant({ tps: { code: 9 }, measured: ["one", "two"] }),
    },
  });
  it("lists safe ones first, then those with fewer cards", () => {
    expect(variantOrder(model).map(([id]) => id)).toEqual(["a", "b", "c"]);
  });
  it("ties a number to the measurement that has it, and to no other", () => {
    const row = (code: number) =>
      SHAPES.measurement.parse({
        title: "m",
        on: "2026-05-01",
        rig: "r",
        config: {},
        test: "t",
        result: "pass",
        tps: { code },
        source: { what: "s" },
      });
    const measured = { ...model, measurement: { one: row(8), two: row(9) } };
    expect(measuredBy(measured, model.variant.c as NonNullable<typeof model.variant.c>, "code")).toBe("two");
    expect(measuredBy({ ...measured, measurement: {} }, model.variant.c as NonNullable<typeof model.variant.c>, "code")).toBeUndefined();
    expect(measuredBy(measured, model.variant.c as NonNullable<typeof model.variant.c>, "vram_gb")).toBeUndefined();
  });
  it("asks about workloads that fire a cliff which is not closed", () => {
    const cliff = (standing: string) =>
      SHAPES.cliff.parse({
        title: "c",
        short: "Cliff",
        standing,
        summary: "s",
        trigger: "t",
        site: "s",
        patterns: [
          { pattern: "p", fires: "yes" },
          { pattern: "q", fires: "no" },
          { pattern: "r", fires: "borderline" },
        ],
      });
    const with_ = { ...model, cliff: { open: cliff("open"), closed: cliff("closed") } };
    expect(workloads(with_).map(({ key, fires }) => [key, fires])).toEqual([
      ["open.1", "yes"],
      ["open.3", "borderline"],
    ]);
  });
});

describe("words", () => {
  it("give an instant with its zone, and leave a day a day", () => {
    expect(instantText("2026-08-22T00:00:00Z")).toBe("2026-08-22 00:00 UTC");
    expect(instantText("2026-08-22T10:30:05.123+02:00")).toBe("2026-08-22 10:30 +02:00");
    expect(instantText("2026-08-22")).toBe("2026-08-22");
  });
  it.each([
    [undefined, "not known"],
    [0, "today"],
    [1, "1 day"],
    [59, "59 days"],
    [61, "2 months"],
    [729, "23 months"],
    [800, "2 years"],
  ])("tell %s days as %s", (days, expected) => {
    expect(ageText(days)).toBe(expected);
  });
  it("name every field of a document", () => {
    const schema = {
      properties: {
        a: {
          type: "array",
          items: { type: "object", properties: { b: { type: "string", description: "B" }, c: { enum: ["x", "y"] } }, required: ["b"] },
        },
      },
      required: ["a"],
    };
    expect(fieldsOf(schema)).toEqual([
      { path: "a[]", type: "list of object", optional: false, description: "" },
      { path: "a[].b", type: "string", optional: false, description: "B" },
      { path: "a[].c", type: "x · y", optional: true, description: "" },
    ]);
  });
});
