import { join } from "node:path";
import { checkPins } from "../src/derive/pin-check.ts";
import { paint } from "../src/report/paint.ts";
import { dataText } from "../src/report/terminal/data.ts";
import { attentionLines } from "../src/report/terminal/status.ts";
import { asOfText } from "../src/report/words.ts";
import { buildSite } from "./build.ts";
import { inspect } from "./check-data.ts";
import { EXIT, cli, print, progress } from "./cli.ts";
import { staleFiles } from "./generate.ts";
import { serve } from "./serve.ts";

const SITE = ".landfall/site";

export const command = () =>
  cli("start", "Checks the data, derives every status, builds the site, serves it, and says what needs attention.")
    .option("--port <number>", "port on loopback; 0 takes a free one", "4321")
    .option("--base <path>", "path under which the site is served", "/")
    .option("--no-serve", "stop after the build")
    .addHelpText("after", "\nWrites no tracked file. Exit code: 0 fine, 1 errors in the data, 3 unusable input.")
    .action(async (options: { root: string; port: string; base: string; serve: boolean }) => {
      const colour = paint(process.stdout.isTTY && !process.env.NO_COLOR);
      progress("Checking the data…");
      const report = inspect(options.root);
      if (report.counts.errors > 0) {
        print(dataText(report, false, colour));
        process.exitCode = EXIT.problems;
        return;
      }
      progress("Building the site…");
      const out = join(options.root, SITE);
      const { pages, seconds, derived, reports } = await buildSite({ root: options.root, base: options.base, out });
      const stale = staleFiles(options.root, reports);
      print([...attentionLines(derived, colour), checkPins(derived).summary].join("\n"));
      if (stale.length > 0)
        print(`The committed pages are behind the data (${stale.map(({ path }) => path).join(", ")}). npm run render writes them.`);
      print(`Built ${pages} pages in ${seconds.toFixed(1)} s. ${asOfText(derived.asOf)}.`);
      if (!options.serve) return;
      const server = await listen(out, options.base, Number(options.port));
      print(`\n  ${server.url}\n\nStop with Ctrl+C.`);
      await new Promise<void>((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      });
      await server.close();
    });

/** The port asked for, or a free one when somebody has it. */
async function listen(folder: string, base: string, port: number) {
  try {
    return await serve(folder, base, port);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    progress(`Port ${port} is taken; taking a free one.`);
    return serve(folder, base, 0);
  }
}
