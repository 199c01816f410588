import type { Derived } from "../../derive/derive.ts";
import { ATTENTION } from "../../derive/attention.ts";
import { STATUSES } from "../../model/vocabulary.ts";
import type { Status } from "../../model/vocabulary.ts";
import { groupBy } from "../../model/group.ts";
import type { Paint } from "../paint.ts";
import { asOfText, seenText, symbolWords } from "../words.ts";

/** Every row by status, then what needs a person. */
export function statusText(derived: Derived, paint: Paint): string {
  const { model } = derived.world;
  const byStatus = groupBy(Object.entries(derived.items), ([, decision]) => decision.status);
  const lines: string[] = [];
  for (const status of Object.keys(STATUSES) as Status[]) {
    const rows = byStatus.get(status) ?? [];
    if (rows.length === 0) continue;
    lines.push(paint.bold(`${symbolWords(status)} (${rows.length})`));
    for (const [id, decision] of rows) {
      lines.push(`  ${id}  ${paint.dim(model.item[id]?.title ?? "")}`);
      lines.push(`      ${decision.because} ${paint.dim(seenText(derived, decision))}`.trimEnd());
    }
    lines.push("");
  }
  lines.push(
    ...attentionLines(derived, paint),
    `${asOfText(derived.asOf)}. Why a status: npm run explain -- ID. What is wrong in the data: npm run check-data.`,
  );
  return lines.join("\n");
}

/** What needs a person, the most urgent first. */
export function attentionLines(derived: Derived, paint: Paint, most = 12): string[] {
  if (derived.attention.length === 0) return ["Nothing needs attention."];
  const shown = derived.attention
    .slice(0, most)
    .map((entry) => `  ${paint.yellow(ATTENTION[entry.kind])}: ${entry.about.id}. ${entry.text}`);
  const rest = derived.attention.length - shown.length;
  return [
    paint.bold(`Needs attention (${derived.attention.length})`),
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more: npm run status -- --json`] : []),
    "",
  ];
}
