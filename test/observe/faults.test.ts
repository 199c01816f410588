import { afterAll, beforeAll, expect, it } from "vitest";
import type { Stage } from "./fault-runs.ts";
import { faultRun, stage } from "./fault-runs.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
});
afterAll(() => on.close());

const SEEDS = 100;
/** Every kind of fault must have met something; a schedule that never hits proves nothing. */
const KINDS = ["limit", "graphql-limit", "too-costly", "partial", "silent-empty", "unicorn", "truncated", "reset", "stall", "error"];

it(`${SEEDS} fault schedules over 200 references: no fact wrong or lost, what was not disturbed observed, the rest reported`, {
  timeout: 300_000,
}, async () => {
  const errors: string[] = [];
  const hits: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const verdict = await faultRun(on, seed);
    errors.push(...verdict.errors.map((text) => `seed ${seed}, ${text}`));
    for (const [kind, count] of Object.entries(verdict.hits)) hits[kind] = (hits[kind] ?? 0) + count;
  }
  expect(errors.slice(0, 20)).toEqual([]);
  expect(Object.keys(hits).sort()).toEqual([...KINDS].sort());
  expect(Object.values(hits).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SEEDS * 10);
});
