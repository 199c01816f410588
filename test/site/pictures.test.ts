import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../site/api/fields.ts";
import { measuredBy, variantOrder, workloads } from "../../site/views/cards.ts";
import { chartOf } from "../../site/views/chart.ts";
import { MOST_ROWS, graphOf } from "../../site/views/graph.ts";
import { drawingOf, shorten } from "../../site/views/layout.ts";
import { numbersOf } from "../../site/views/measurement.ts";
import { ageText, instantText, sourceText } from "../../site/views/words.ts";
import { SHAPES } from "../../src/model/kinds.ts";
import type { Measurement } from "../../src/model/shapes/measurement.ts";
import { stackOf } from "../world.ts";
import { stack } from "./stack.ts";

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
    expect(shorten("short", 5)).toBe("short");
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
  it("name the thread a fact was read from, and leave other addresses as they are", () => {
    expect(sourceText("https://github.com/vllm-project/vllm/pull/45295 (stored copy of the thread); git history of main")).toBe(
      "vllm#45295 (stored copy of the thread); git history of main",
    );
    expect(sourceText("https://github.com/a/b.js/issues/7#issuecomment-1")).toBe("b.js#7#issuecomment-1");
    expect(sourceText("https://pypi.org/project/transformers/")).toBe("https://pypi.org/project/transformers/");
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
