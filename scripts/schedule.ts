import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { load } from "../src/model/load.ts";
import { BadSchedule } from "../src/publish/cron.ts";
import { writeFiles } from "../src/publish/files.ts";
import type { ScheduleEvent } from "../src/publish/schedule.ts";
import { keepSchedule } from "../src/publish/schedule.ts";
import { EXIT, UserError, cli, progress } from "./cli.ts";
import { ownClient } from "./own-client.ts";
import type { SyncCommand } from "./sync.ts";
import { syncOnce } from "./sync.ts";
import { Busy } from "./sync-run.ts";

const HEARTBEAT = ".landfall/heartbeat.json";
/** A run that does not end after a signal is left to its atomic writes. Containers are killed ten seconds after they were told. */
const PATIENCE = 8000;
/** How often the heartbeat says that the process is alive. */
const PULSE = 60_000;

interface Options {
  root: string;
  pr?: boolean;
  outputs?: boolean;
}

/** What a monitor reads: alive when `at` is younger than some minutes, healthy when `lastSuccess` is. All instants are ISO. */
interface Heartbeat {
  pid: number;
  state: "waiting" | "running" | "stopped";
  at: string;
  next?: string | undefined;
  lastSuccess?: string | undefined;
  lastFailure?: { at: string; why: string } | undefined;
}

export const command = () =>
  cli("schedule", "Syncs again and again, when schedule.cron of data/tracker.yaml says (UTC), until it is told to stop.")
    .option("--pr", "bring the rolling pull request up to date in every run")
    .option("--outputs", "tell the tracking issue and the chats that data/tracker.yaml names")
    .addHelpText(
      "after",
      `\nA run that was missed is caught up once. ${HEARTBEAT} says how it goes.\nA signal ends a run before it publishes anything. Exit code: 143 after SIGTERM, 130 after SIGINT, 3 for unusable input.`,
    )
    .action(async (options: Options) => {
      const { cron = "17 5 * * *", jitter_minutes: jitter = 10 } = load(options.root).model.tracker.schedule ?? {};
      process.exitCode = await scheduled(options, cron, jitter * 60_000);
    });

/** Runs until a signal comes; gives the exit code. */
async function scheduled(options: Options, cron: string, jitterMs: number): Promise<number> {
  const heart = heartbeat(options.root);
  const hide = ownClient(process.env)?.hide ?? ((text: string) => text);
  const running = start();

  function start() {
    try {
      return keepSchedule({
        cron,
        jitterMs,
        now: Date.now,
        random: Math.random,
        lastSuccess: heart.lastSuccess(),
        run: (signal) => syncNow(options, signal),
        tell: (event) => tell(event, heart, hide),
      });
    } catch (error) {
      if (error instanceof BadSchedule) throw new UserError(`schedule.cron in data/tracker.yaml: ${error.message}`);
      throw error;
    }
  }

  const pulse = setInterval(() => heart.beat({}), PULSE);
  const name = await new Promise<"SIGTERM" | "SIGINT">((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
  clearInterval(pulse);
  progress(`${name}: stopping${heart.isRunning() ? " the run" : ""}; nothing more is published.`);
  const late = setTimeout(() => {
    heart.beat({ state: "stopped" });
    process.exit(128 + constants.signals[name]);
  }, PATIENCE);
  await running.stop();
  clearTimeout(late);
  heart.beat({ state: "stopped" });
  return 128 + constants.signals[name];
}

/** One run. Exit code 2 is a run that learnt what it could; only what somebody has to mend counts as failed. */
async function syncNow({ root, pr, outputs }: Options, signal: AbortSignal): Promise<void> {
  const sync: SyncCommand = { root, ...(pr ? { pr } : {}), ...(outputs ? { outputs } : {}) };
  try {
    const code = await syncOnce(sync, signal);
    if (signal.aborted) throw new Error("stopped before anything was published");
    if (code === EXIT.unusable) throw new Error("something has to be mended, see above");
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    progress(error.message);
  }
}

function tell(event: ScheduleEvent, heart: ReturnType<typeof heartbeat>, hide: (text: string) => string): void {
  const now = new Date().toISOString();
  if (event.what === "waiting") {
    const next = event.next === undefined ? undefined : new Date(event.next).toISOString();
    progress(next === undefined ? "No run is due within a year." : `Next run at ${next}.`);
    heart.beat({ state: "waiting", next });
  } else if (event.what === "started") {
    progress(`${now} ${event.why === "missed" ? "Catching up a run that was missed." : "Running."}`);
    heart.beat({ state: "running", next: undefined });
  } else if (event.what === "finished") {
    heart.beat({ state: "waiting", lastSuccess: new Date(event.at).toISOString(), lastFailure: undefined });
  } else {
    const why = hide(event.error instanceof Error ? event.error.message : String(event.error));
    progress(`${now} The run failed: ${why}`);
    heart.beat({ state: "waiting", lastFailure: { at: now, why } });
  }
}

/** The heartbeat file. What an earlier process wrote about its last success is kept, so that a missed run is noticed. */
function heartbeat(root: string) {
  let known: Partial<Heartbeat> = {};
  try {
    if (existsSync(join(root, HEARTBEAT))) known = JSON.parse(readFileSync(join(root, HEARTBEAT), "utf8")) as Partial<Heartbeat>;
  } catch {
    known = {};
  }
  let state: Heartbeat["state"] = "waiting";
  return {
    isRunning: () => state === "running",
    lastSuccess: (): number | undefined => {
      const at = Date.parse(known.lastSuccess ?? "");
      return Number.isNaN(at) ? undefined : at;
    },
    beat: (change: Partial<Heartbeat>): void => {
      state = change.state ?? state;
      known = { ...known, ...change, state, pid: process.pid, at: new Date().toISOString() };
      writeFiles(root, [{ path: HEARTBEAT, content: `${JSON.stringify(known, undefined, 2)}\n` }]);
    },
  };
}
