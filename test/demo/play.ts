import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { outside } from "../../scripts/outside.ts";
import { runSync } from "../../scripts/sync-run.ts";
import type { Derived } from "../../src/derive/derive.ts";
import { transitionsBetween } from "../../src/derive/transitions.ts";
import type { News } from "../../src/report/pull-request/body.ts";
import type { SyncReport } from "../../src/report/terminal/sync.ts";
import { readMonth } from "./month.ts";
import { startWorld } from "./world.ts";

/** A day on which something happened, and what a sync that evening made of it. */
export interface PlayedDay {
  at: string;
  says: string;
  report: SyncReport;
  /** Against the evening of the day before, so that what the stack's own people wrote counts as well. */
  news: News;
}

/** The demo's stack as people wrote it. */
export const STACK = fileURLToPath(new URL("stack", import.meta.url));

/**
 * Plays the recorded month: the world changes, then the same sync looks at it that users have, with the stand's addresses and clock.
 * @param root folder that becomes the stack; it must not exist or be empty
 * @param show called with each day before the next one begins
 * @returns everything derived on the last evening
 */
export async function playMonth(root: string, show: (day: PlayedDay) => Promise<void> | void): Promise<Derived> {
  const { history, days } = readMonth();
  const upstreams = join(resolve(root), ".landfall/upstreams");
  cpSync(STACK, root, { recursive: true });
  const world = await startWorld(upstreams, root);
  try {
    for (const day of history) world.live(day);
    let evening: Derived | undefined;
    for (const day of days) {
      world.live(day);
      let news: News | undefined;
      const learnt = (told: News) => {
        news = told;
      };
      const look = outside({ root, offline: false, secondMs: 0, say: () => {} }, world.env());
      const report = await runSync({ root, dryRun: false, scope: {}, learnt }, look);
      const { before, after, failed }: News = news ?? unheard(day.at);
      const since = evening ?? before;
      const transitions = since ? transitionsBetween(since, after) : [];
      await show({ at: day.at, says: day.says, report, news: { before: since, after, transitions, failed } });
      evening = after;
    }
    return evening ?? unheard("the month");
  } finally {
    await world.close();
    rmSync(upstreams, { recursive: true, force: true });
  }
}

function unheard(when: string): never {
  throw new Error(`the sync of ${when} told nothing`);
}
