import { checkPins } from "../src/derive/pin-check.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import { pinsJson } from "../src/report/json.ts";
import { paint } from "../src/report/paint.ts";
import { pinsText } from "../src/report/terminal/pins.ts";
import { UserError, cli, print, printJson } from "./cli.ts";
import { openStack } from "./stack.ts";

/** What a verdict on pins rests on; measurements, cliffs and variants are not read. */
const JUDGED = ["upstream", "item", "pin", "patch", "trigger", "followUp"] as const;

export const command = () =>
  cli("check-pins", "Says, before a bump, what today's pins contain, lack and no longer need.")
    .option("--pin <id>", "judge one pin only")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 fine, 1 a live pin lacks or breaks something, 2 could not be told, 3 unusable input.")
    .action(async (options: { root: string; pin?: string; json?: boolean }) => {
      const { derived } = await openStack(options.root, JUDGED);
      if (options.pin !== undefined && !(options.pin in derived.pins)) {
        const known = Object.keys(derived.pins);
        throw new UserError(`No pin is named "${options.pin}".${didYouMean(options.pin, known)} Known: ${listWords(known)}.`);
      }
      const check = checkPins(derived, options.pin);
      if (options.json) printJson(pinsJson(derived, check));
      else print(pinsText(derived, check, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      process.exitCode = check.exitCode;
    });
