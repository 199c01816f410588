import { slug } from "./ids.ts";
import { FIELDS, readValue, setField, unitOf } from "./fields.ts";
import type { FieldKind, ReadValue } from "./fields.ts";
import type { FieldMapping } from "./mapping.ts";
import { MappingError } from "./mapping.ts";
import { proseOf } from "./prose.ts";
import { noteCell } from "./row.ts";
import type { BuiltRow, Cell, PlacedCell } from "./row.ts";
import { didYouMean, listWords } from "../model/suggest.ts";

/** What a mapping says about the rows of a table or store. */
export interface FieldTable {
  kind: FieldKind;
  columns: Readonly<Record<string, FieldMapping | FieldMapping[]>>;
  /** Fields that every row gets unless a column gives them. */
  row: Readonly<Record<string, unknown>>;
  /** Where the table stands, for titles and sources. */
  place: string;
  idStart: string | undefined;
  asOf: string;
}

/**
 * A row whose columns a mapping file assigned to fields: a measurement, a variant, a patch, a re-test trigger.
 * A cell whose text is not wholly in the fields it was mapped to is kept whole as a note as well; so is an unmapped one.
 * @throws {MappingError} when the mapping names a field that does not exist
 */
export function fieldRow(cells: readonly Cell[], table: FieldTable): BuiltRow {
  const { kind } = table;
  const row: BuiltRow = { kind, wanted: "", line: cells[0]?.line ?? 1, value: {}, cells: [], remarks: [] };
  const loose: Cell[] = [];
  for (const cell of cells) {
    const fields = columnOf(table.columns, cell.head);
    const text = cell.prose.text;
    if (!/[\p{L}\p{N}]|\p{Extended_Pictographic}/u.test(text)) row.cells.push({ cell, paths: [] });
    else if (fields === undefined) loose.push(cell);
    else fillFields(row, cell, fields);
  }
  const first = cells.find(({ prose }) => prose.text !== "")?.prose.text.replaceAll("\n", " ") ?? "";
  const defaults: Record<string, unknown> = {
    title: first ? `${first}${table.place ? ` (${table.place})` : ""}` : table.place,
    ...(kind === "measurement" ? { on: table.asOf, "source.what": table.place || "the imported document", config: {} } : {}),
    ...(kind === "trigger" ? { acceptance: "Not written down in the document it was imported from." } : {}),
  };
  for (const [path, value] of [...Object.entries(table.row), ...Object.entries(defaults)])
    if (!hasField(row.value, path)) setField(row.value, path, value);
  for (const cell of loose) noteCell(row, cell, cell.head ? `${cell.head}: ${cell.prose.text}` : cell.prose.text);
  const named = typeof row.value.slug === "string" ? row.value.slug : String(row.value.title ?? first);
  row.wanted = slug(`${table.idStart ?? ""} ${named.replaceAll(/[`*()]/g, " ")}`, kind);
  return row;
}

function columnOf(columns: FieldTable["columns"], head: string): FieldMapping[] | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[*`_]/g, "").trim();
  const found = Object.entries(columns).find(([name]) => plain(name) === plain(head))?.[1];
  return found === undefined ? undefined : Array.isArray(found) ? found : [found];
}

/** Fills the fields a cell is mapped to. What of its words is in none of them is seen, and kept, by the importer. */
function fillFields(row: BuiltRow, cell: Cell, fields: readonly FieldMapping[]): void {
  const known = FIELDS[row.kind as FieldKind];
  const placed: PlacedCell = { cell, paths: [], read: "" };
  row.cells.push(placed);
  for (const field of fields) {
    const { to, match, words } = typeof field === "string" ? { to: field } : field;
    const reader = known[to];
    if (reader === undefined) {
      const names = Object.keys(known);
      throw new MappingError(
        `"${to}" is not a field of a ${row.kind} that a column can fill.${didYouMean(to, names)} Known: ${listWords(names, 40)}.`,
      );
    }
    const picked = match === undefined ? { text: cell.prose.text, whole: "" } : pick(cell.prose.text, match);
    if (picked === undefined) continue;
    const { text } = picked;
    if (to === "notes") noteCell(row, cell, text);
    else if (reader === "refs") {
      const refs = [...cell.prose.found, ...cell.mentions].map(({ ref }) => ref);
      if (refs.length > 0) setField(row.value, to, refs);
      placed.paths.push([to]);
    } else {
      const read = words ? readWord(text, words) : reader === "path" ? readPath(cell, text) : readValue(text, reader, unitOf(to));
      if (read === undefined) continue;
      setField(row.value, to, reader === "list" && !Array.isArray(read.value) ? [read.value] : read.value);
      if (reader === "text" || reader === "list") placed.paths.push(to.split("."));
      else {
        if (reader === "path") placed.paths.push(to.split("."));
        placed.read += ` ${picked.whole || read.read}`;
      }
    }
  }
}

/** The value of the first of the mapping's words that the text contains; `*` stands for any text. */
function readWord(text: string, words: Readonly<Record<string, unknown>>): ReadValue | undefined {
  const low = text.toLowerCase();
  const found = Object.entries(words).find(([said]) => said === "*" || low.includes(said.toLowerCase()));
  return found && { value: found[1], read: found[0] === "*" ? "" : found[0] };
}

/** What a pattern picks: its first group as the value; all that it matched is what the mapping calls by that field. */
function pick(text: string, pattern: string): { text: string; whole: string } | undefined {
  const found = new RegExp(pattern, "iu").exec(text);
  return found ? { text: found[1] ?? found[0], whole: found[0] } : undefined;
}

/** A path of the stack: where a link points to, without the way up from the document; else the text. */
function readPath(cell: Cell, text: string): ReadValue | undefined {
  const link = cell.nodes.find((node) => node.type === "link");
  const url = link?.type === "link" && !/^[a-z]+:/i.test(link.url) ? link.url : undefined;
  if (url === undefined) return text === "" ? undefined : { value: text.replaceAll("`", ""), read: "" };
  return { value: url.replace(/^(?:\.{1,2}\/)+/, "").replace(/#.*$/, ""), read: proseOf(link?.type === "link" ? link.children : []).text };
}

function hasField(row: Record<string, unknown>, path: string): boolean {
  let at: unknown = row;
  for (const part of path.split(".")) {
    if (at === null || typeof at !== "object" || !(part in at)) return false;
    at = (at as Record<string, unknown>)[part];
  }
  return true;
}
