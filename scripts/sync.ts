import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseRef, threadOf } from "../src/model/ref.ts";
import { spent } from "../src/observe/github/budget.ts";
import { writeFiles } from "../src/publish/files.ts";
import { renderPages } from "../src/report/pages/pages.ts";
import { paint } from "../src/report/paint.ts";
import type { News } from "../src/report/pull-request/body.ts";
import type { SyncReport } from "../src/report/terminal/sync.ts";
import { syncText } from "../src/report/terminal/sync.ts";
import { EXIT, UserError, cli, print, progress } from "./cli.ts";
import type { Delivered } from "./deliver.ts";
import { deliver } from "./deliver.ts";
import { staleFiles } from "./generate.ts";
import { outside } from "./outside.ts";
import { progressLine } from "./progress.ts";
import { publication } from "./publication.ts";
import { Busy, runSync } from "./sync-run.ts";

export interface SyncCommand {
  root: string;
  dryRun?: boolean;
  only?: string;
  offline?: boolean;
  json?: boolean;
  maxRequests?: string;
  shard?: string;
  pr?: boolean;
  resume?: boolean;
  outputs?: boolean;
  mail?: string;
}

export const command = () =>
  cli("sync", "Observes every upstream of the stack and writes the facts that changed to data/observed/.")
    .option("--dry-run", "look, and write nothing")
    .option("--only <ref>", "one reference and what it leads to, such as vllm-project/vllm#40361")
    .option("--offline", "make no request; answer from the mirrors on this machine")
    .option("--max-requests <number>", "stop after so many requests; the rest is left for the next run")
    .option("--shard <i/n>", "one of n shares, for runs side by side; merge-observed puts them together")
    .option("--pr", "bring the rolling pull request up to date, with LANDFALL_TOKEN, else GITHUB_TOKEN")
    .option("--resume", "start from the facts of the pull request that is not merged yet; --pr implies it")
    .option("--outputs", "tell the tracking issue and the chats that data/tracker.yaml names")
    .option("--mail <file>", "write what is new as a mail, empty when nothing is; - for stdout")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExit code: 0 everything observed and published, 2 something could not be observed or waits for the next run (listed),\n3 unusable input, or something has to be mended before anything can be published. What was observed is kept either way.\n\nEnvironment: GITHUB_TOKEN or LANDFALL_GITHUB_TOKEN reads upstreams (needs no scope for public ones), LANDFALL_GITHUB_URL another\nGitHub, LANDFALL_GIT_TOKEN clones private ones, LANDFALL_REGISTRY_LOGINS holds logins for private images. npm run doctor tries them.",
    )
    .action(async (options: SyncCommand) => {
      if (options.dryRun && (options.pr || options.resume || options.outputs))
        throw new UserError("--dry-run writes nothing, so it does not go with --pr, --resume or --outputs. Choose one.");
      try {
        process.exitCode = await syncOnce(options);
      } catch (error) {
        // A second run that finds the first at work has nothing to do (field case G04).
        if (!(error instanceof Busy)) throw error;
        progress(error.message);
      }
    });

/**
 * One run: observe, write, tell.
 * @param signal aborted on shutdown: requests end, what was learnt is kept, nothing is published
 * @throws {Busy} when another run is going on
 */
export async function syncOnce(options: SyncCommand, signal?: AbortSignal): Promise<number> {
  const { root } = options;
  const line = progressLine(process.stderr);
  const started = Date.now();
  const world = outside({
    root,
    offline: options.offline === true,
    maxRequests: maxOf(options.maxRequests),
    signal,
    say: (text) => {
      const left = world.budget.left.graphql ?? world.budget.left.rest;
      line.show(
        `${text} · ${spent(world.budget)} requests${left === undefined ? "" : `, ${left} left this hour`} · ${Math.round((Date.now() - started) / 1000)} s`,
      );
    },
  });
  const own = publication({ now: world.now, env: process.env, signal });
  const hide = (text: string) => own.access?.hide(world.hide(text)) ?? world.hide(text);
  let news: News | undefined;
  let problem: string | undefined;
  const report = await runSync(
    {
      root,
      dryRun: options.dryRun === true,
      scope: { only: onlyOf(options.only), shard: shardOf(options.shard), offline: options.offline === true },
      ...(options.pr || options.resume
        ? {
            prepare: async () => {
              problem = await own.takeOver(root);
            },
          }
        : {}),
      learnt: (learnt) => {
        news = learnt;
      },
    },
    world,
  ).finally(line.done);
  const rendered = news && !options.dryRun && hasLearnt(report) ? renderKnown(root, news) : [];
  // What --pr could not read it says itself, when it publishes.
  if (problem && !options.pr) progress(hide(`The pull request's facts could not be read, so this run starts without them: ${problem}`));
  if (signal?.aborted || !news) return finish(options, hide, report, { said: rendered, exitCode: EXIT.fine });
  const delivered = await deliver({
    root,
    env: process.env,
    news,
    publication: own,
    pullRequest: options.pr === true,
    outputs: options.outputs === true,
    mail: options.dryRun ? undefined : options.mail,
    hide,
  });
  return finish(options, hide, report, { ...delivered, said: [...rendered, ...delivered.said] });
}

const hasLearnt = ({ changed, transitions }: SyncReport): boolean => changed.length + transitions.length > 0;

/** Brings the generated pages that the stack has up to date with new facts; a stack without them gets none. */
function renderKnown(root: string, { after }: News): string[] {
  const pages = staleFiles(root, renderPages(after)).filter(({ path }) => existsSync(join(root, path)));
  writeFiles(root, pages);
  return pages.length > 0 ? [`Wrote ${pages.map(({ path }) => path).join(", ")}.`] : [];
}

/** Prints what a run did and gives its exit code. */
function finish(
  { json }: SyncCommand,
  hide: (text: string) => string,
  report: SyncReport,
  { said, pullRequest, exitCode }: Delivered,
): number {
  if (json) {
    print(hide(JSON.stringify(pullRequest ? { ...report, pullRequest } : report, undefined, 2)));
    for (const sentence of said) progress(sentence);
  } else {
    print(hide(syncText(report, paint(process.stdout.isTTY && !process.env.NO_COLOR))));
    for (const sentence of said) print(sentence);
  }
  return Math.max(report.exitCode, exitCode);
}

function maxOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const max = Number(text);
  if (!Number.isInteger(max) || max < 0)
    throw new UserError(`--max-requests is "${text}", which is no number of requests. Write a whole number, such as 50.`);
  return max;
}

function onlyOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // A key of data/observed/registry/, such as `pypi:transformers`, need not be a reference.
  if (!parseRef(text) && !/^(oci|pypi|npm|hf|github):\S+$/.test(text))
    throw new UserError(`--only is "${text}", which is no reference. Write owner/repo#12, or an artifact such as pypi:name.`);
  return threadOf(text);
}

function shardOf(text: string | undefined): { index: number; of: number } | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (!(shard.index >= 1 && shard.index <= shard.of)) throw new UserError(`--shard is "${text}". Write 1/4 for the first of four shares.`);
  return shard;
}
