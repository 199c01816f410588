import type { Role } from "./columns.ts";
import { rowRefs } from "./roles.ts";
import { slug } from "./ids.ts";
import { NOT_WRITTEN, isDash, noteCell } from "./row.ts";
import type { Around, BuiltRow, Cell } from "./row.ts";
import { isDay, readStatus } from "./status.ts";
import { isStruck, wordsOf } from "./title.ts";

const DONE = /^\W*(?:done|closed|superseded|completed|shipped|bumped|resolved|dropped|retired)\b/i;

/**
 * A row of a revisit queue. What reopens it is a person's to judge, so its trigger becomes a `manual` condition.
 * A struck row, or one whose title says that it is done, is done: on the day it names, else the day of the document.
 */
export function followUpRow(cells: readonly Cell[], roles: readonly (Role | undefined)[], around: Around): BuiltRow {
  const at = (role: Role): Cell | undefined => cells[roles.indexOf(role)];
  const title = at("title");
  const deferred = at("deferred");
  const status = at("status");
  const trigger = at("trigger");
  const decide = at("decide");
  const whole = title?.prose.text.replaceAll("\n", " ") ?? "";
  const struck = isStruck(whole);
  const heading = readStatus(whole.replaceAll("~~", ""));
  const outcome =
    struck || DONE.test(heading.words) || (status && DONE.test(status.prose.text))
      ? (deferred ?? status)
      : DONE.test(readStatus(deferred?.prose.text ?? "").words) && heading.symbol === "✅"
        ? deferred
        : undefined;
  const day = /\d{4}-\d{2}-\d{2}/.exec(`${whole} ${outcome?.prose.text ?? ""}`)?.[0];
  const done = outcome !== undefined || struck;
  const text = (cell: Cell | undefined) => (cell && !isDash(cell.prose.text) ? cell.prose.text : undefined);
  const refs = rowRefs(
    cells.flatMap((cell) =>
      [...cell.prose.found, ...cell.mentions]
        .map((one) => ({ ...one, struck: one.struck && !struck }))
        .map((one) => ({ place: cell === title ? ("title" as const) : ("rest" as const), one })),
    ),
    around,
    title?.prose.found ?? [],
  );
  const row: BuiltRow = {
    kind: "followUp",
    wanted: slug(wordsOf(heading.words), slug(heading.words, "follow-up")),
    line: cells[0]?.line ?? 1,
    value: {
      title: (struck ? whole.replaceAll("~~", "") : whole) || text(deferred) || "Follow-up without a title",
      ...(refs.length > 0 ? { refs } : {}),
      why_deferred: (done && outcome === deferred ? undefined : text(deferred)) ?? NOT_WRITTEN,
      ...(text(trigger) ? { when: { manual: { what: text(trigger) } } } : {}),
      decide: text(decide) ?? "Take it up again, or close it.",
      ...(done
        ? {
            done: {
              on: day && isDay(day) && day <= around.asOf ? day : around.asOf,
              outcome: text(outcome) ?? "The row was struck through.",
            },
          }
        : {}),
    },
    cells: [],
    remarks: done && !day ? ["the document gives no day for when this was done; the day of the document stands for it"] : [],
  };
  cells.forEach((cell, index) => {
    const role = roles[index];
    if (isDash(cell.prose.text)) row.cells.push({ cell, paths: [] });
    else if (role === "title") row.cells.push({ cell, paths: [["title"]] });
    else if (cell === outcome) row.cells.push({ cell, paths: [["done", "outcome"]] });
    else if (role === "deferred") row.cells.push({ cell, paths: [["why_deferred"]] });
    else if (role === "trigger") row.cells.push({ cell, paths: [["when", "manual", "what"]] });
    else if (role === "decide") row.cells.push({ cell, paths: [["decide"]] });
    else if (role === "refs") row.cells.push({ cell, paths: [["refs"]] });
    else noteCell(row, cell, cell.head ? `${cell.head}: ${cell.prose.text}` : cell.prose.text);
  });
  return row;
}
