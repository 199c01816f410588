import { groupBy } from "../src/model/group.ts";
import type { Transition } from "../src/model/shapes/observed.ts";
import type { PlannedFile } from "../src/publish/files.ts";

const yearOf = ({ at }: Transition): string => at.slice(0, 4);
const lineOf = ({ at, because, from, item, to }: Transition): string => `${JSON.stringify({ at, because, from, item, to })}\n`;

/** The transition logs, one a year, of the years in which the log says something else than before. */
export function transitionLogs(before: readonly Transition[], after: readonly Transition[]): PlannedFile[] {
  const was = groupBy(before, yearOf);
  return [...groupBy(after, yearOf)].flatMap(([year, lines]) => {
    const content = lines.map(lineOf).join("");
    const known = (was.get(year) ?? []).map(lineOf).join("");
    return content === known ? [] : [{ path: `data/observed/transitions-${year}.jsonl`, content }];
  });
}
