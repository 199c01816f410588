import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, resolve } from "node:path";
import lockfile from "proper-lockfile";
import { writeFiles } from "../src/publish/files.ts";
import { renderPages } from "../src/report/pages/pages.ts";
import { paint } from "../src/report/paint.ts";
import { statusText } from "../src/report/terminal/status.ts";
import { STACK, playMonth } from "../test/demo/play.ts";
import { dayText } from "../test/demo/told.ts";
import { EXIT, UserError, cli, print } from "./cli.ts";
import { gitEnvironment, gitRunner } from "./git-host.ts";

interface Options {
  into: string;
  pace: string;
  serve?: boolean;
}

export const command = () =>
  cli("start:demo", "Plays a recorded month of an invented stack, so that one sees statuses change. Needs no network and no account.")
    .option("--into <dir>", "folder that becomes the demo's stack; an earlier demo there is replaced", ".landfall/demo")
    .option("--pace <seconds>", "wait so long after each day", "0")
    .option("--serve", "afterwards build its site and serve it")
    .addHelpText(
      "after",
      "\nWrites nothing outside that folder. Exit code: 0 played, 2 something could not be observed, 3 unusable arguments, or git is missing.",
    )
    .action(async ({ into, pace, serve }: Options) => {
      const wait = secondsOf(pace);
      stayOnThisMachine();
      if ((await gitRunner()(["--version"])).code !== 0)
        throw new UserError(
          "The demo makes real git repositories, and git is not installed or not on the PATH. Install git, then run it again.",
        );
      const release = await claim(into);
      try {
        await play(into, wait);
      } finally {
        await release();
      }
      if (serve) await (await import("./start.ts")).command().parseAsync(["--root", into], { from: "user" });
    });

async function play(into: string, wait: number): Promise<void> {
  const colour = paint(process.stdout.isTTY && !process.env.NO_COLOR);
  print(
    `${colour.bold("A month of an invented stack.")} A stand-in for GitHub, git repositories and a container registry run on this machine;\neach day something happens in them, and npm run sync's own code looks at them.\n\n`,
  );
  const derived = await playMonth(into, async (day) => {
    print(`${dayText(day, colour)}\n\n`);
    if (day.report.exitCode !== EXIT.fine) process.exitCode = EXIT.unsure;
    if (wait > 0) await new Promise((done) => setTimeout(done, wait * 1000));
  });
  const pages = renderPages(derived);
  writeFiles(into, pages);
  print(`${colour.bold("How the month ends")}\n\n${statusText(derived, colour)}\n\n`);
  print(
    `The stack, its facts and its pages (${pages.map(({ path }) => path).join(", ")}) lie in ${into}.\nLook around there, still without the network:\n  npm run explain -- ferry-retry-storm --root ${into}\n  npm run check-pins -- --root ${into}\n  npm start -- --root ${into}`,
  );
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0 && seconds <= 3600) || text.trim() === "")
    throw new UserError(`--pace is "${text}", which is no number of seconds. Write one such as 2.`);
  return seconds;
}

/** All that is asked is on loopback: proxies are for elsewhere, and the git settings of this machine are about other repositories. */
function stayOnThisMachine(): void {
  for (const [name, value] of Object.entries(gitEnvironment())) if (value === undefined) delete process.env[name];
  delete process.env.GIT_CONFIG_PARAMETERS;
  delete process.env.GIT_CONFIG_COUNT;
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1", NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" });
}

/** Empties the folder if an earlier demo is in it, and keeps a second demo out while this one plays. */
async function claim(into: string): Promise<() => Promise<void>> {
  mkdirSync(dirname(resolve(into)), { recursive: true });
  const tracker = "data/tracker.yaml";
  const isDemo = () =>
    existsSync(join(into, tracker)) && readFileSync(join(into, tracker), "utf8") === readFileSync(join(STACK, tracker), "utf8");
  if (existsSync(into) && readdirSync(into).length > 0 && !isDemo())
    throw new UserError(`${into} holds something else than an earlier demo. Name another folder with --into, or empty it.`);
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(into, { lockfilePath: `${resolve(into)}.lock`, realpath: false, stale: 30_000 });
  } catch (error) {
    if ((error as { code?: string }).code !== "ELOCKED") throw error;
    throw new UserError(`Another demo is playing in ${into}. Wait for it, or name another folder with --into.`);
  }
  rmSync(into, { recursive: true, force: true });
  return release;
}
