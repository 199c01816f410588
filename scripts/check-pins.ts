import type { Bump } from "../src/derive/bump.ts";
import { checkPins } from "../src/derive/pin-check.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import { pinsJson } from "../src/report/json.ts";
import { paint } from "../src/report/paint.ts";
import { pinsText } from "../src/report/terminal/pins.ts";
import { UserError, cli, print, printJson } from "./cli.ts";
import { openStack } from "./stack.ts";

/** What a verdict on pins rests on; measurements and cliffs are not read. */
const JUDGED = ["upstream", "item", "pin", "patch", "variant", "trigger", "followUp"] as const;

interface Options {
  root: string;
  pin?: string;
  to?: string;
  offline?: boolean;
  markdown?: boolean;
  json?: boolean;
}

export const command = () =>
  cli("check-pins", "Says, before a bump, what today's pins contain, lack and no longer need, and what a candidate would change.")
    .option("--pin <id>", "judge one pin only")
    .option("--to <build>", "a candidate: a tag, an image, a commit, or another pin; by default for every live pin of its upstream")
    .option("--offline", "with --to: make no request; say what could not be checked")
    .option("--markdown", "with --to: print the report as Markdown, to be pasted")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExit code: 0 fine, 1 a live pin (with --to: the candidate) lacks or breaks something, 2 could not be told, 3 unusable input.",
    )
    .action(async (options: Options) => {
      const opened = await openStack(options.root, options.to === undefined ? JUDGED : undefined);
      const { derived } = opened;
      if (options.pin !== undefined && !(options.pin in derived.pins)) {
        const known = Object.keys(derived.pins);
        throw new UserError(`No pin is named "${options.pin}".${didYouMean(options.pin, known)} Known: ${listWords(known)}.`);
      }
      const check = checkPins(derived, options.pin);
      const colours = paint(process.stdout.isTTY && !process.env.NO_COLOR);
      if (options.to !== undefined) {
        // Only a bump reads source trees, and what reads them is loaded only for it.
        const { bumpTo } = await import("./bump.ts");
        const { bumpJson } = await import("../src/report/bump.ts");
        const { bumpText } = await import("../src/report/terminal/bump.ts");
        const bump = await bumpTo(options.root, opened, options.to, options.pin, options.offline === true);
        const { droppable, ...today } = pinsJson(derived, check);
        if (options.json) printJson({ ...today, droppableToday: droppable, ...bumpJson(bump) });
        else if (options.markdown) print(await markdown(bump));
        else print(bumpText(bump, colours));
        process.exitCode = bump.exitCode;
        return;
      }
      if (options.json) printJson(pinsJson(derived, check));
      else print(pinsText(derived, check, colours));
      process.exitCode = check.exitCode;
    });

async function markdown(bump: Bump): Promise<string> {
  const { bumpSection } = await import("../src/report/bump.ts");
  const { write } = await import("../src/report/markdown/write.ts");
  return write({ type: "root", children: bumpSection(bump) });
}
