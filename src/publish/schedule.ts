import { cronOf } from "./cron.ts";

export interface ScheduleOptions {
  /** Cron expression, read in UTC. */
  cron: string;
  /** Longest random delay of a run in milliseconds, so that many stacks do not ask at the same second. */
  jitterMs: number;
  /** One run. It gets a signal that is aborted on shutdown, before anything is published. */
  run: (signal: AbortSignal) => Promise<void>;
  /** When a run last succeeded, in epoch milliseconds; undefined: never. */
  lastSuccess: number | undefined;
  now: () => number;
  /** A number from 0 up to 1. */
  random: () => number;
  /** Told of everything that happens, for the log and the heartbeat. */
  tell: (event: ScheduleEvent) => void;
}

export type ScheduleEvent =
  | { what: "waiting"; next: number | undefined }
  | { what: "started"; why: "scheduled" | "missed" }
  | { what: "finished"; at: number }
  | { what: "failed"; error: unknown };

export interface Running {
  /** Aborts a run in progress, waits for it, and starts no other. */
  stop: () => Promise<void>;
}

/** A timer cannot wait longer than this; a machine that slept is noticed at least this often. */
const LONGEST_WAIT = 15 * 60_000;

/**
 * Runs on a schedule: one run after the other, never two at once (field case G04); one that was missed while nothing ran,
 * or while the machine slept, is caught up once (G01); a shutdown aborts a run and waits for it to end (G05).
 * @throws {BadSchedule} when the expression cannot be read
 */
export function keepSchedule(options: ScheduleOptions): Running {
  const { now, tell } = options;
  const cron = cronOf(options.cron);
  const abort = new AbortController();
  const loop = async (): Promise<void> => {
    let covered = options.lastSuccess ?? Number.NEGATIVE_INFINITY;
    while (!abort.signal.aborted) {
      const due = cron.previous(now());
      if (due !== undefined && covered < due) {
        const late = now() - due > 2 * 60_000 + options.jitterMs;
        const delay = late ? 0 : options.jitterMs * options.random();
        if (delay > 0) await wait(delay, abort.signal);
        if (abort.signal.aborted) return;
        tell({ what: "started", why: late ? "missed" : "scheduled" });
        covered = now();
        await options.run(abort.signal).then(
          () => tell({ what: "finished", at: now() }),
          (error: unknown) => tell({ what: "failed", error }),
        );
        continue;
      }
      const next = cron.next(now());
      tell({ what: "waiting", next });
      await until(next, options, abort.signal);
    }
  };
  const done = loop();
  return {
    stop: async () => {
      abort.abort();
      await done;
    },
  };
}

async function until(next: number | undefined, { now }: ScheduleOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (next === undefined || now() < next)) {
    await wait(Math.min(LONGEST_WAIT, next === undefined ? LONGEST_WAIT : next - now()), signal);
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
