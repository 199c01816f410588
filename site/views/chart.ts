import type { Measurement } from "../../src/model/shapes/measurement.ts";
import type { Result } from "../../src/model/vocabulary.ts";

/** A run, numbered as in the table beside the chart. */
export interface Run {
  number: number;
  id: string;
  row: Measurement;
}

export interface Mark {
  number: number;
  id: string;
  result: Result;
  x: number;
  y: number;
  title: string;
  /** Where its number stands; beside a close neighbour one of the two stands below. */
  label: "above" | "below";
}

export interface Chart {
  width: number;
  height: number;
  marks: Mark[];
  xTicks: { at: number; label: string }[];
  yTicks: { at: number; label: string }[];
  plot: { left: number; top: number; right: number; bottom: number };
  /** Numbers of the runs that have no place on it, because their context or memory share is not known. */
  without: number[];
}

const WIDTH = 560;
const HEIGHT = 356;
const PLOT = { left: 58, top: 32, right: WIDTH - 22, bottom: HEIGHT - 46 };
/** Marks on one place are put side by side, this far apart. */
const APART = 22;

/**
 * Runs by context (tokens) and share of GPU memory. Undefined when there are fewer than two places to show:
 * a chart of one point says less than the table.
 */
export function chartOf(runs: readonly Run[]): Chart | undefined {
  const placed = runs.flatMap(({ number, id, row }) => {
    const { context, mem_util: share } = row.config;
    return context === undefined || share === undefined ? [] : [{ number, id, row, context, share }];
  });
  const places = Map.groupBy(placed, ({ context, share }) => `${context} ${share}`);
  if (places.size < 2) return undefined;
  const x = scale(
    placed.map(({ context }) => context),
    [25_000, 50_000, 100_000],
    PLOT.left,
    PLOT.right,
  );
  const y = scale(
    placed.map(({ share }) => share),
    [0.005, 0.01, 0.02, 0.05],
    PLOT.bottom,
    PLOT.top,
  );
  const marks = [...places.values()].flatMap((group) =>
    group.map(({ number, id, row, context, share }, index): Mark => {
      const across = Math.min(group.length, 4);
      const column = index % across;
      const line = Math.floor(index / across);
      return {
        number,
        id,
        result: row.result,
        x: x.at(context) + (column - (across - 1) / 2) * APART,
        y: y.at(share) + line * APART,
        title: `${number}: ${row.title}`,
        label: "above",
      };
    }),
  );
  return {
    width: WIDTH,
    height: HEIGHT,
    marks: labelled(marks),
    xTicks: x.ticks.map((value) => ({ at: x.at(value), label: value === 0 ? "0" : `${value / 1000}K` })),
    yTicks: y.ticks.map((value) => ({ at: y.at(value), label: value.toFixed(y.step < 0.01 ? 3 : 2) })),
    plot: PLOT,
    without: runs.filter(({ number }) => !placed.some((run) => run.number === number)).map(({ number }) => number),
  };
}

/** Marks closer than this would have their numbers run into each other. */
const CLOSE = { x: 15, y: 12 } as const;

function labelled(marks: readonly Mark[]): Mark[] {
  const done: Mark[] = [];
  for (const mark of [...marks].sort((a, b) => a.x - b.x || a.y - b.y)) {
    const near = done.findLast((other) => Math.abs(other.x - mark.x) < CLOSE.x && Math.abs(other.y - mark.y) < CLOSE.y);
    done.push({ ...mark, label: near?.label === "above" ? "below" : "above" });
  }
  return done.sort((a, b) => a.number - b.number);
}

/** A linear scale with round ticks, and a margin of one tick at both ends. */
function scale(values: number[], steps: number[], from: number, to: number) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const step = steps.find((size) => (high - low) / size <= 5) ?? steps.at(-1) ?? 1;
  const round = (value: number) => Number(value.toFixed(6));
  const first = round(Math.floor(round(low / step)) * step - step / 2);
  const last = round(Math.ceil(round(high / step)) * step + step / 2);
  const ticks: number[] = [];
  for (let tick = round(Math.ceil(round(first / step)) * step); tick <= last; tick = round(tick + step)) ticks.push(tick);
  return { ticks, step, at: (value: number) => Math.round((from + ((value - first) / (last - first)) * (to - from)) * 10) / 10 };
}
