import { expect, it } from "vitest";
import { KINDS, faultRuns, stage } from "../observe/fault-runs.ts";

const SEEDS = 1000;

it(`${SEEDS} fault schedules over 200 references`, { timeout: 3_600_000 }, async () => {
  const on = await stage();
  const { errors, hits, runs } = await faultRuns(on, SEEDS);
  await on.close();
  expect(runs).toBe(SEEDS);
  expect(errors.slice(0, 20)).toEqual([]);
  expect(Object.keys(hits).sort()).toEqual(KINDS);
});
