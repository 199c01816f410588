import { readFileSync } from "node:fs";
import { join } from "node:path";
import { derive } from "../src/derive/derive.ts";
import { findingsOf } from "../src/derive/findings/rules.ts";
import { fixText } from "../src/model/fix.ts";
import { groupBy } from "../src/model/group.ts";
import { load, place } from "../src/model/load.ts";
import type { Problem } from "../src/model/problem.ts";
import { byPlace } from "../src/model/problem.ts";
import { dataReport } from "../src/report/json.ts";
import { paint } from "../src/report/paint.ts";
import { dataText } from "../src/report/terminal/data.ts";
import { EXIT, cli, print, printJson, progress } from "./cli.ts";
import { writeFiles } from "../src/publish/files.ts";

/** Loads, derives and collects everything that is wrong or worth saying. */
export function inspect(root: string) {
  const loaded = load(root);
  const unread = new Set(loaded.problems.filter(({ level }) => level === "error").map(({ file }) => file));
  const problems = [...loaded.problems, ...place(root, findingsOf(derive(loaded.model, loaded.observed), unread))].sort(byPlace);
  const notChecked = ["upstream existence (this command makes no request; npm run sync does)"];
  if (!loaded.observed.inventory) notChecked.push("users of pins and delivery of patches (no inventory yet)");
  return dataReport(problems, loaded.counts.rows, notChecked);
}

export const command = () =>
  cli("check-data", "Checks every row and reports every problem, with its place and the next action.")
    .option("--fix", "mend what can be mended without losing a byte elsewhere")
    .option("--json", "print JSON")
    .option("--notices", "also list notices, which inform and never fail")
    .addHelpText("after", "\nExit code: 0 no errors, 1 errors in the data, 3 unusable root or arguments.")
    .action((options: { root: string; fix?: boolean; json?: boolean; notices?: boolean }) => {
      let report = inspect(options.root);
      if (options.fix) {
        const mended = fix(options.root, report.problems);
        progress(mended === 0 ? "Nothing could be mended automatically." : `Mended ${mended} ${mended === 1 ? "file" : "files"}.`);
        report = inspect(options.root);
      }
      if (options.json) printJson(report);
      else print(dataText(report, options.notices === true, paint(process.stdout.isTTY && !process.env.NO_COLOR)));
      process.exitCode = report.counts.errors > 0 ? EXIT.problems : EXIT.fine;
    });

function fix(root: string, problems: Problem[]): number {
  const byFile = groupBy(
    problems.filter((problem) => problem.fix),
    (problem) => problem.file,
  );
  const changed = [...byFile].flatMap(([file, found]) => {
    const before = readFileSync(join(root, file), "utf8");
    const after = fixText(before, found);
    return after === before ? [] : [{ path: file, content: after }];
  });
  writeFiles(root, changed);
  return changed.length;
}
