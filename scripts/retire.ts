import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dayInZone } from "../src/derive/proof.ts";
import { retirePatch } from "../src/derive/retire/patch.ts";
import { retirePin } from "../src/derive/retire/pin.ts";
import type { RowEdit } from "../src/derive/retire/retirement.ts";
import { EditError } from "../src/model/edit-places.ts";
import { addKey, removeAt, setValue } from "../src/model/edit.ts";
import { groupBy } from "../src/model/group.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import { writeFiles } from "../src/publish/files.ts";
import { paint } from "../src/report/paint.ts";
import { retireText } from "../src/report/terminal/retire.ts";
import { EXIT, UserError, cli, print, printJson, progress } from "./cli.ts";
import { openStack } from "./stack.ts";

interface Options {
  root: string;
  apply?: boolean;
  because?: string;
  to?: string;
  on?: string;
  json?: boolean;
}

export const command = () =>
  cli("retire", "Lists what goes with a pin or a patch, in order, and marks it as retired.")
    .argument("<pin-or-patch>", "a file name of data/pins/ or data/patches/, without .yaml")
    .option("--apply", "edit the rows under data/; every other byte stays, and files outside data/ are not touched")
    .option("--because <text>", "why it goes; needed with --apply when something still stands against it")
    .option("--to <pin>", "the pin that takes over")
    .option("--on <day>", "the day it goes; default: today")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 ready or applied, 1 something stands against it, 2 could not be told, 3 unusable input.")
    .action(async (id: string, options: Options) => {
      const { derived } = await openStack(options.root);
      const { model } = derived.world;
      if (options.to !== undefined && !(options.to in model.pin)) {
        throw new UserError(`No pin is named "${options.to}".${didYouMean(options.to, Object.keys(model.pin))}`);
      }
      const on = options.on ?? dayInZone(new Date().toISOString(), model.tracker.zone);
      if (!/^\d{4}-\d{2}-\d{2}$/.test(on) || Number.isNaN(Date.parse(on))) throw new UserError(`"${on}" is no day. Write YYYY-MM-DD.`);
      const settings = { on, because: options.because, to: options.to };
      const found = retirePin(derived, id, settings) ?? retirePatch(derived, id, settings);
      if (!found) {
        const known = [...Object.keys(model.pin), ...Object.keys(model.patch)];
        throw new UserError(`No pin and no patch is named "${id}".${didYouMean(id, known)} Pins: ${listWords(Object.keys(model.pin))}.`);
      }
      const gone = found.edits.length === 0;
      if (gone) throw new UserError(`${id} is marked as ${found.kind === "pin" ? "retired" : "dropped"} already.`);
      const may = found.ready === "yes" || options.because !== undefined;
      const apply = options.apply === true && may;
      if (apply) applyEdits(options.root, found.edits);
      if (options.json) printJson({ ...found, applied: apply });
      else print(retireText(found, apply, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      if (options.apply && !may) {
        progress('Nothing was written: something stands against it. To do it all the same, say why: --because "…".');
      }
      process.exitCode = apply || found.ready === "yes" ? EXIT.fine : found.ready === "no" ? EXIT.problems : EXIT.unsure;
    });

/** All edits are made in memory first, so that one that cannot be made leaves every file as it was. */
function applyEdits(root: string, edits: readonly RowEdit[]): void {
  const files = [...groupBy(edits, ({ file }) => file)].map(([file, some]) => ({ path: file, content: edited(root, file, some) }));
  writeFiles(root, files);
  progress(`Changed ${files.map(({ path }) => path).join(", ")}. Look at the difference, then run npm run check-data and npm run render.`);
}

function edited(root: string, file: string, edits: readonly RowEdit[]): string {
  try {
    return edits.reduce(
      (text, edit) => {
        if (edit.do === "set") return setValue(text, edit.path, edit.value);
        return edit.do === "remove" ? removeAt(text, edit.path) : addKey(text, edit.path, edit.key, edit.value);
      },
      readFileSync(join(root, file), "utf8"),
    );
  } catch (error) {
    if (error instanceof EditError) throw new UserError(`${file} could not be edited: ${error.message}. Nothing was written.`);
    throw error;
  }
}
