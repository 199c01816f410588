import { fileOf } from "../model/paths.ts";
import { missingFrom } from "./audit.ts";
import { filesOf } from "./files.ts";
import type { ImportFile } from "./files.ts";
import { idGiver } from "./ids.ts";
import type { Mapping } from "./mapping.ts";
import type { Remark } from "./markdown.ts";
import type { NoteText } from "./place-prose.ts";
import { isDash, noteCell } from "./row.ts";
import type { BuiltRow, Cell } from "./row.ts";
import type { Upstreams } from "./upstreams.ts";

export interface ImportInput {
  /** The document's name, for messages and sources. */
  name: string;
  text: string;
  mapping: Mapping;
  /** Day of the document, YYYY-MM-DD. */
  asOf: string;
  /** The stack's own repository, when something outside the document tells it. */
  own: string | undefined;
  /** Every file of the stack's `data/` by path. */
  existing: ReadonlyMap<string, string>;
  /** Where the schemas lie, seen from a row; undefined when the stack has none. */
  schemas: string | undefined;
  /** Images that the stack's own tree runs, from its inventory: they complete tags that a document abbreviates. */
  images?: readonly string[];
}

/** A cell, or a part of the prose, whose text is not in the rows; the report is where it went. */
export interface Unplaced {
  line: number;
  column: number;
  text: string;
  why: string;
}

export interface Imported {
  tables: number;
  rows: number;
  /** References of the rows, each counted once a row. */
  refs: number;
  cells: { total: number; placed: number; reported: number };
  prose: { total: number; placed: number; reported: number };
  unplaced: Unplaced[];
  /** What was unusual or guessed, by line. */
  remarks: Remark[];
  files: ImportFile[];
  kinds: Record<string, number>;
  /** The file that each row of a table became, by the line of the row. */
  where: { line: number; path: string }[];
}

/** Keeps a cell whole as a note when the fields it went to do not hold all of its words. */
function rescue(row: BuiltRow): void {
  for (const cell of new Set(row.cells.map((placed) => placed.cell))) {
    if (isDash(cell.prose.text) || missing(row.value, row, cell).length === 0) continue;
    noteCell(row, cell, cell.head ? `${cell.head}: ${cell.prose.text}` : cell.prose.text);
  }
}

function missing(value: unknown, row: BuiltRow, cell: Cell): string[] {
  const placed = row.cells.filter((one) => one.cell === cell);
  return missingFrom(value, { cell, paths: placed.flatMap(({ paths }) => paths), read: placed.map(({ read }) => read ?? "").join(" ") });
}

/** What an import has made of its document, before ids are given and files written. */
export interface Made {
  input: ImportInput;
  upstreams: Upstreams;
  rows: BuiltRow[];
  dropped: { cell: Cell; why: string }[];
  remarks: Remark[];
  tables: number;
  own: string | undefined;
  title: string | undefined;
}

/** Gives ids, makes the files, reads them back and accounts for every cell. */
export function finish(made: Made, prose: NoteText[]): Imported {
  const { input, rows, upstreams, own, title } = made;
  for (const row of rows) rescue(row);
  for (const { value } of rows) if (typeof value.upstream === "string") upstreams.ensure(value.upstream);
  const ids = giveIds(rows);
  const files = filesOf({
    input,
    rows: rows.map((row) => ({ row, path: fileOf(row.kind, ids.get(row) ?? "") })),
    prose,
    upstreams,
    own,
    title,
  });
  const unplaced: Unplaced[] = [];
  let total = 0;
  const say = (cell: Cell, text: string, why: string) => unplaced.push({ line: cell.line, column: cell.column, text, why });
  for (const [row, value] of files.values) {
    for (const cell of new Set(row.cells.map((placed) => placed.cell))) {
      if (cell.prose.text === "") continue;
      total += 1;
      const lost = missing(value, row, cell);
      if (isDash(cell.prose.text)) say(cell, cell.prose.text, "a dash says that there is nothing; the field is left out");
      else if (lost.length > 0) say(cell, cell.prose.text, `these words have no place in the row: ${lost.join(" ")}`);
    }
  }
  for (const { cell, why } of [...made.dropped, ...files.looseCells]) {
    if (cell.prose.text === "") continue;
    total += 1;
    if (isDash(cell.prose.text)) say(cell, cell.prose.text, "a dash says that there is nothing");
    else if (why !== undefined) say(cell, cell.prose.text, why);
  }
  const reported = unplaced.length;
  unplaced.push(...files.proseLeft.map(({ line, text, why }) => ({ line, column: 1, text, why })));
  const kinds: Record<string, number> = {};
  for (const { kind } of rows) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    tables: made.tables,
    rows: rows.length,
    refs: rows.reduce((sum, { value }) => sum + ((value.refs ?? value.covers ?? []) as unknown[]).length, 0),
    cells: { total, placed: total - reported, reported },
    prose: { total: files.proseTotal, placed: files.proseTotal - files.proseLeft.length, reported: files.proseLeft.length },
    unplaced: unplaced.sort((a, b) => a.line - b.line || a.column - b.column),
    remarks: made.remarks.sort((a, b) => a.line - b.line),
    files: files.files,
    kinds,
    where: rows.map((row) => ({ line: row.line, path: fileOf(row.kind, ids.get(row) ?? "") })).sort((a, b) => a.line - b.line),
  };
}

/** Ids for all rows; follow-ups then point to the items they are about. */
function giveIds(rows: readonly BuiltRow[]): Map<BuiltRow, string> {
  const give = new Map<string, ReturnType<typeof idGiver>>();
  const ids = new Map<BuiltRow, string>();
  for (const row of rows) {
    const giver = give.get(row.kind) ?? idGiver();
    give.set(row.kind, giver);
    ids.set(row, giver(row.wanted, row.number));
  }
  for (const row of rows) {
    const items = row.heads?.map((item) => ids.get(item)).filter((id) => id !== undefined) ?? [];
    if (items.length > 0) row.value.items = [...new Set(items)];
  }
  return ids;
}
