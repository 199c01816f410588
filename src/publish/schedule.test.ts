import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ScheduleEvent } from "./schedule.ts";
import { keepSchedule } from "./schedule.ts";
import { BadSchedule, cronOf } from "./cron.ts";

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

describe("the schedule", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  const start = (
    cron: string,
    now: string,
    options: { lastSuccess?: string; run?: (signal: AbortSignal) => Promise<void>; jitterMs?: number } = {},
  ) => {
    vi.setSystemTime(at(now));
    const events: ScheduleEvent[] = [];
    const runs: number[] = [];
    const running = keepSchedule({
      cron,
      jitterMs: options.jitterMs ?? 0,
      now: Date.now,
      random: () => 0.5,
      lastSuccess: options.lastSuccess === undefined ? undefined : at(options.lastSuccess),
      tell: (event) => events.push(event),
      run: async (signal) => {
        runs.push(Date.now());
        await options.run?.(signal);
      },
    });
    return { running, events, runs };
  };

  it("G01 catches a missed run up once, at the start", async () => {
    const { running, events, runs } = start("0 5 * * *", "2026-03-02T09:30:00Z", { lastSuccess: "2026-02-27T05:00:10Z" });
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(runs).toEqual([at("2026-03-02T09:30:00Z")]);
    expect(events[0]).toEqual({ what: "started", why: "missed" });
    await running.stop();
  });

  it("G01 does not run at the start when the last one was not missed", async () => {
    const { running, runs } = start("0 5 * * *", "2026-03-02T09:30:00Z", { lastSuccess: "2026-03-02T05:00:10Z" });
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(20 * HOUR);
    expect(runs).toEqual([at("2026-03-03T05:00:00Z")]);
    await running.stop();
  });

  it.each([
    ["Europe/Berlin", "2026-03-28T22:30:00Z", "2026-03-29T06:30:00Z"],
    ["Europe/Berlin", "2026-10-24T22:30:00Z", "2026-10-25T06:30:00Z"],
    ["America/New_York", "2026-03-08T04:30:00Z", "2026-03-08T12:30:00Z"],
    ["America/New_York", "2026-11-01T03:30:00Z", "2026-11-01T11:30:00Z"],
  ])("G02 runs every hour once over the clock change in %s", async (zone, from, to) => {
    vi.stubEnv("TZ", zone);
    const { running, runs } = start("0 * * * *", from, { lastSuccess: from });
    await vi.advanceTimersByTimeAsync(at(to) - at(from));
    const expected = [];
    for (let hour = at(from) + HOUR / 2; hour <= at(to); hour += HOUR) expected.push(hour);
    expect(runs.map((run) => Math.round(run / 60_000))).toEqual(expected.map((run) => Math.round(run / 60_000)));
    await running.stop();
  });

  it("G04 does not start a second run while one is going on", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { running, events, runs } = start("*/5 * * * *", "2026-03-02T09:01:00Z", {
      lastSuccess: "2026-03-02T09:00:30Z",
      run: () => gate,
    });
    await vi.advanceTimersByTimeAsync(16 * 60_000);
    expect(runs).toHaveLength(1);
    expect(events.filter(({ what }) => what === "started")).toHaveLength(1);
    release();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs, "what came due meanwhile is run once, not three times").toHaveLength(2);
    await running.stop();
  });

  it("G05 a shutdown in the middle of a run aborts it, waits for it, and starts no other", async () => {
    let aborted = false;
    const { running, events, runs } = start("*/5 * * * *", "2026-03-02T09:01:00Z", {
      run: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(new Error("stopped"));
          });
        }),
    });
    await vi.advanceTimersByTimeAsync(1000);
    await running.stop();
    expect(aborted).toBe(true);
    expect(events.at(-1)?.what).toBe("failed");
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(runs).toHaveLength(1);
  });

  it("delays a run by a part of the jitter, and says what comes next", async () => {
    const { running, events, runs } = start("0 5 * * *", "2026-03-02T04:30:00Z", {
      lastSuccess: "2026-03-01T05:00:10Z",
      jitterMs: 10 * 60_000,
    });
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(events[0]).toEqual({ what: "waiting", next: at("2026-03-02T05:00:00Z") });
    expect(runs).toEqual([at("2026-03-02T05:05:00Z")]);
    await running.stop();
  });

  it("a run that fails is told, and the next one comes", async () => {
    let fail = true;
    const { running, events, runs } = start("*/5 * * * *", "2026-03-02T09:01:00Z", {
      lastSuccess: "2026-03-02T09:00:30Z",
      run: async () => {
        if (fail) throw new Error("no network");
      },
    });
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    fail = false;
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(runs).toHaveLength(2);
    expect(events.map(({ what }) => what)).toEqual(expect.arrayContaining(["failed", "finished"]));
    await running.stop();
  });

  it("refuses what is no cron expression, and says what is wrong", () => {
    expect(() => start("61 * * * *", "2026-03-02T09:00:00Z")).toThrow(BadSchedule);
    expect(() => start("61 * * * *", "2026-03-02T09:00:00Z")).toThrow(/"61 \* \* \* \*" is not a cron expression/);
  });

  it("finds the last minute an expression named, in UTC", () => {
    const weekly = cronOf("17 5 * * 1");
    expect(weekly.previous(at("2026-03-04T10:00:00Z"))).toBe(at("2026-03-02T05:17:00Z"));
    expect(weekly.previous(at("2026-03-02T05:17:30Z"))).toBe(at("2026-03-02T05:17:00Z"));
    expect(weekly.next(at("2026-03-02T05:17:30Z"))).toBe(at("2026-03-09T05:17:00Z"));
    expect(() => cronOf("0 0 30 2 *")).toThrow(BadSchedule);
  });
});
