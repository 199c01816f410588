import { createTask, parse, validateDetailed } from "node-cron";

/** A cron expression that cannot be read; the message says what is wrong with it. */
export class BadSchedule extends Error {}

const MINUTE = 60_000;
/** How far a run is looked for, in minutes. */
const REACH = 366 * 24 * 60;

export interface Cron {
  /** The first minute after a moment that the expression names, in epoch milliseconds. */
  next: (after: number) => number | undefined;
  /** The last minute at or before a moment. */
  previous: (at: number) => number | undefined;
}

/**
 * Reads a cron expression in UTC, where no hour is skipped or comes twice (field case G02).
 * The expression's meaning is node-cron's. Its own timer is not used: at the end of summer time it leaves a run out even
 * when it is told to keep UTC, if the machine's zone changes its clock (seen with 4.6.0; the test keeps us from going back).
 * @throws {BadSchedule}
 */
export function cronOf(expression: string): Cron {
  const { valid, errors } = validateDetailed(expression);
  if (!valid || expression.trim().split(/\s+/).length !== 5) {
    const why = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
    throw new BadSchedule(
      `"${expression}" is not a cron expression${why ? ` (${why})` : ""}. Write five fields in UTC, such as "17 5 * * 1".`,
    );
  }
  const { minute, hour } = parse(expression);
  const minutes = new Set(minute);
  const hours = new Set(hour);
  const task = createTask(expression, () => undefined, { timezone: "UTC" });
  // The cheap look first: asking node-cron about every minute of a week takes seconds.
  const names = (at: number): boolean => {
    const date = new Date(at);
    return minutes.has(date.getUTCMinutes()) && hours.has(date.getUTCHours()) && task.match(date);
  };
  const find = (from: number, step: number): number | undefined => {
    for (let n = 0; n < REACH; n++) {
      const at = from + n * step;
      if (names(at)) return at;
    }
    return undefined;
  };
  return {
    next: (after) => find((Math.floor(after / MINUTE) + 1) * MINUTE, MINUTE),
    previous: (at) => find(Math.floor(at / MINUTE) * MINUTE, -MINUTE),
  };
}
