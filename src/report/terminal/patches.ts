import { DELIVERED, SURVIVAL } from "../../model/vocabulary.ts";
import type { DeliveryJudgement } from "../../derive/survival/delivery.ts";
import { groupBy } from "../../model/group.ts";
import type { Paint } from "../paint.ts";
import type { PatchRow } from "../survival.ts";
import { survivalSign } from "../survival.ts";
import { plural } from "../words.ts";

/** What became of every patch, the broken ones first; then the way into variants where it fails. */
export function patchesText(rows: readonly PatchRow[], notChecked: readonly string[], paint: Paint): string {
  const order = Object.keys(SURVIVAL);
  const sorted = [...rows].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || (a.patch < b.patch ? -1 : 1));
  const count = (level: string) => rows.filter(({ verdict }) => SURVIVAL[verdict].level === level).length;
  const missed = rows.filter(({ delivery }) => delivery.some(({ verdict }) => DELIVERED[verdict].fails)).length;
  const summary = [
    `${plural(new Set(rows.map(({ patch }) => patch)).size, "patch", "patches")}:`,
    `${count("broken")} broken, ${count("risky")} to look at, ${count("unknown")} not checked, ${count("fine")} fine;`,
    `${missed === 0 ? "all reach the variants that need them, as far as the scan tells" : `${plural(missed, "patch", "patches")} not delivered everywhere`}.`,
  ].join(" ");
  return [
    ...sorted.map((row) => block(row, paint)),
    summary,
    paint.dim(
      `"Applies" is necessary, not sufficient: start it and test it.${notChecked.length > 0 ? ` Not checked: ${notChecked.join("; ")}.` : ""}`,
    ),
  ].join("\n\n");
}

function block(row: PatchRow, paint: Paint): string {
  const { level, words } = SURVIVAL[row.verdict];
  const sign = survivalSign(row.verdict);
  const colour = level === "broken" ? paint.red : level === "risky" || level === "unknown" ? paint.yellow : paint.green;
  const at = row.commit === null ? "" : `  ${paint.dim(`${row.pins.join(", ") || "build"} ${row.commit.slice(0, 10)}`)}`;
  const lines = [`${colour(`${sign} ${words}`)}  ${paint.bold(row.patch)}${row.bears ? " (load-bearing)" : ""}${at}`];
  for (const [why, same] of groupBy(row.judgement?.targets ?? [], ({ verdict, because }) => `${verdict} ${because}`)) {
    const target = same[0];
    if (!target) continue;
    const name =
      same.length > 1 ? `${plural(same.length, "file")} (${same.map(({ path }) => path.split("/").at(-1)).join(", ")})` : target.path;
    lines.push(`    ${survivalSign(target.verdict)} ${name}: ${why.slice(target.verdict.length + 1)}`);
    const bad = same.flatMap(({ anchors }) => anchors).filter(({ verdict }) => verdict !== "applies");
    if (target.verdict === "target-gone" || target.verdict === "target-renamed") {
      lines.push(...bad.map(({ id, because }) => `        ${id}: ${because}`));
    }
  }
  if (row.judgement?.targets.length === 0 || row.commit === null) lines.push(`    ${row.because}`);
  for (const remark of row.judgement?.remarks ?? []) lines.push(`    ${survivalSign(remark.verdict)} ${remark.because}`);
  if (row.judgement?.recorded) {
    const { source, asOf } = row.judgement.recorded;
    lines.push(paint.dim(`    recorded: ${source}${asOf === null ? "" : `, ${asOf.slice(0, 10)}`}`));
  }
  lines.push(...deliveryLines(row.delivery));
  return lines.join("\n");
}

function deliveryLines(delivery: readonly DeliveryJudgement[]): string[] {
  if (delivery.length === 0) return ["    no variant is said to need it"];
  const fine = delivery.filter(({ verdict }) => verdict === "delivered");
  if (fine.length === delivery.length) return [`    delivered to ${plural(fine.length, "variant")}`];
  const missed = delivery.filter(({ verdict }) => verdict !== "delivered");
  // The same reason stands on another line in every compose.
  const reason = ({ because }: DeliveryJudgement) => because.replaceAll(/ \(line \d+\)| at line \d+/g, "");
  const lines = [...groupBy(missed, (one) => `${one.verdict} ${reason(one)}`).values()].map((some) => {
    const { verdict } = some[0] ?? { verdict: "unknown" as const };
    const names = some.map(({ variant }) => variant).join(", ");
    return `    ${DELIVERED[verdict].fails ? "✖" : "?"} ${names}: ${DELIVERED[verdict].words}: ${some[0] ? reason(some[0]) : ""}`;
  });
  return fine.length > 0 ? [`    delivered to ${plural(fine.length, "variant")} of ${delivery.length}`, ...lines] : lines;
}
