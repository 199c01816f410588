import { parseRef, threadOf } from "../src/model/ref.ts";
import { spent } from "../src/observe/github/client.ts";
import { paint } from "../src/report/paint.ts";
import { syncText } from "../src/report/terminal/sync.ts";
import { UserError, cli, print, progress } from "./cli.ts";
import { outside } from "./outside.ts";
import { progressLine } from "./progress.ts";
import { runSync } from "./sync-run.ts";

interface Options {
  root: string;
  dryRun?: boolean;
  only?: string;
  offline?: boolean;
  json?: boolean;
  maxRequests?: string;
  shard?: string;
}

export const command = () =>
  cli("sync", "Observes every upstream of the stack and writes the facts that changed to data/observed/.")
    .option("--dry-run", "look, and write nothing")
    .option("--only <ref>", "one reference and what it leads to, such as vllm-project/vllm#40361")
    .option("--offline", "make no request; answer from the mirrors on this machine")
    .option("--max-requests <number>", "stop after so many requests; the rest is left for the next run")
    .option("--shard <i/n>", "one of n shares, for runs side by side; merge-observed puts them together")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 everything observed, 2 something could not be observed (listed), 3 unusable input.")
    .action(async (options: Options) => {
      const line = progressLine(process.stderr);
      const started = Date.now();
      const world = outside({
        root: options.root,
        offline: options.offline === true,
        maxRequests: maxOf(options.maxRequests),
        say: (text) => {
          const left = world.budget.left.graphql ?? world.budget.left.rest;
          line.show(
            `${text} · ${spent(world.budget)} requests${left === undefined ? "" : `, ${left} left this hour`} · ${Math.round((Date.now() - started) / 1000)} s`,
          );
        },
      });
      const report = await runSync(
        {
          root: options.root,
          dryRun: options.dryRun === true,
          scope: { only: onlyOf(options.only), shard: shardOf(options.shard), offline: options.offline === true },
        },
        world,
      ).finally(line.done);
      if (options.json) print(world.hide(JSON.stringify(report, undefined, 2)));
      else print(world.hide(syncText(report, paint(process.stdout.isTTY && !process.env.NO_COLOR))));
      if (report.transitions.length > 0 && !report.dryRun && !options.json) progress("The pages follow with npm run render.");
      process.exitCode = report.exitCode;
    });

function maxOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const max = Number(text);
  if (!Number.isInteger(max) || max < 0)
    throw new UserError(`--max-requests is "${text}", which is no number of requests. Write a whole number, such as 50.`);
  return max;
}

function onlyOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!parseRef(text))
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
