import { statusJson } from "../src/report/json.ts";
import { paint } from "../src/report/paint.ts";
import { statusText } from "../src/report/terminal/status.ts";
import { cli, print, printJson } from "./cli.ts";
import { openStack } from "./stack.ts";

export const command = () =>
  cli("status", "Shows every row's status, derived, with the reason beside it.")
    .option("--json", "print JSON")
    .action(async (options: { root: string; json?: boolean }) => {
      const { derived } = await openStack(options.root);
      if (options.json) printJson(statusJson(derived));
      else print(statusText(derived, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
    });
