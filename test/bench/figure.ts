/** One figure of the benchmark. `ok` is computed from value and target, never written by hand. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The bound, as text: "≤ 250", "≥ 20". */
  target: string;
  ok: boolean;
}

/** A figure held under or over a bound. */
export function figure(name: string, value: number, unit: string, bound: { atMost: number } | { atLeast: number }): Figure {
  const rounded = Math.round(value * 1000) / 1000;
  return "atMost" in bound
    ? { name, value: rounded, unit, target: `≤ ${bound.atMost}`, ok: value <= bound.atMost }
    : { name, value: rounded, unit, target: `≥ ${bound.atLeast}`, ok: value >= bound.atLeast };
}

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds that a piece of work takes: the median of several runs. */
export function time(runs: number, work: () => void): number {
  return median(
    Array.from({ length: runs }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}
