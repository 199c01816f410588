import { expect, it } from "vitest";
import { KINDS, faultRuns, stage } from "./fault-runs.ts";

const SEEDS = 100;

it(`${SEEDS} fault schedules over 200 references: no fact wrong or lost, what was not disturbed observed, the rest reported`, {
  timeout: 600_000,
}, async () => {
  const on = await stage();
  const { errors, hits, runs } = await faultRuns(on, SEEDS);
  await on.close();
  expect(runs).toBe(SEEDS);
  expect(errors.slice(0, 20)).toEqual([]);
  expect(Object.keys(hits).sort()).toEqual(KINDS);
  expect(Object.values(hits).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SEEDS * 10);
});
