import type { Imported } from "./account.ts";

/** What an import did or would do, for people: counts first, then every place where text did not get into a row. */
export function summaryText(
  name: string,
  result: Imported,
  { out, wrote, asOf, dayFrom }: { out: string; wrote: boolean; asOf: string; dayFrom: string },
): string {
  const { cells, prose, kinds, unplaced, remarks, files } = result;
  const count = (state: string) => files.filter((file) => file.state === state).length;
  const rows = Object.entries(kinds).map(([kind, number]) => `${number} ${WORDS[kind]?.[number === 1 ? 0 : 1] ?? kind}`);
  const lines = [
    `${name}: ${plural(result.rows, "row")} in ${plural(result.tables, "table")}, ${plural(result.refs, "reference")}, as of ${asOf} (${dayFrom}).`,
    `Made ${rows.join(", ") || "no rows"}.`,
    `Cells: ${cells.total}, of which ${cells.placed} are in the rows${cells.total > 0 ? ` (${percent(cells.placed, cells.total)})` : ""} and ${cells.reported} below.`,
    `Prose: ${plural(prose.total, "part")}, of which ${prose.placed} became notes and ${prose.reported} stand below.`,
    `Files in ${out}: ${count("new")} new, ${count("extended")} extended, ${count("same")} unchanged, ${count("differs")} different.${wrote ? "" : " Nothing was written."}`,
  ];
  if (unplaced.length > 0)
    lines.push(
      "",
      "Not in the rows:",
      ...unplaced.map(({ line, column, text, why }) => `  ${name}:${line}:${column}  ${shortened(text)}\n      ${why}`),
    );
  if (remarks.length > 0) lines.push("", "Worth a look:", ...remarks.map(({ line, text }) => `  ${name}:${line}  ${text}`));
  if (wrote && Object.keys(kinds).length > 0) {
    lines.push(
      "",
      "Roles of references, stake and local were read from words. Look them over, then: npm run check-data, npm run sync, npm run status.",
    );
  }
  return lines.join("\n");
}

const WORDS: Record<string, [string, string]> = {
  item: ["item", "items"],
  pin: ["pin", "pins"],
  followUp: ["follow-up", "follow-ups"],
  measurement: ["measurement", "measurements"],
  variant: ["variant", "variants"],
  patch: ["patch", "patches"],
  trigger: ["trigger", "triggers"],
};

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
const percent = (part: number, whole: number) => `${Math.floor((part / whole) * 1000) / 10} %`;
const shortened = (text: string) => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};
