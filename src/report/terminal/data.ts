import { groupBy } from "../../model/group.ts";
import type { DataReport } from "../json.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../words.ts";

/** Problems by file, each with its place; then the count and what was not checked. */
export function dataText(report: DataReport, notices: boolean, paint: Paint): string {
  const shown = report.problems.filter((problem) => notices || problem.level !== "notice");
  const blocks = [...groupBy(shown, (problem) => problem.file)].map(([file, problems]) =>
    [
      file,
      ...problems.map(({ line, column, level, rule, message }) => {
        const word =
          level === "error" ? paint.red(level.padEnd(7)) : level === "warning" ? paint.yellow(level.padEnd(7)) : paint.dim(level.padEnd(7));
        return `  ${`${line}:${column}`.padEnd(7)} ${word} ${rule.padEnd(16)} ${message}`;
      }),
    ].join("\n"),
  );
  const { errors, warnings, notices: told, rows, broken } = report.counts;
  const count = `${plural(errors, "error")} in ${broken} of ${plural(rows, "row")}, ${plural(warnings, "warning")}, ${plural(told, "notice")}${told > 0 && !notices ? " (--notices lists them)" : ""}.`;
  return [...blocks, `${count} Not checked: ${report.notChecked.join("; ")}.`].join("\n\n");
}
