import type { PhrasingContent } from "mdast";
import type { Path } from "../model/problem.ts";
import type { Kind } from "../model/vocabulary.ts";
import { readCell } from "./markdown.ts";
import type { Known } from "./mentions.ts";
import { mentionsIn } from "./mentions.ts";
import type { RawCell } from "./row-cells.ts";
import { proseOf } from "./prose.ts";
import type { Found, Prose } from "./prose.ts";
import type { Meanings } from "./status.ts";

/** Stands where a row must say something and the document says nothing. */
export const NOT_WRITTEN = "Not written down in the document it was imported from.";

/** A cell of the document, read once and used for the row and for the account of what went where. */
export interface Cell {
  line: number;
  /** 1-based. */
  column: number;
  head: string;
  nodes: PhrasingContent[];
  prose: Prose;
  /** References written out in the text, without links. */
  mentions: Found[];
}

/** What a builder says about one cell: the values of the row that hold it. */
export interface PlacedCell {
  cell: Cell;
  paths: Path[];
  /** Text that a typed value stands for, such as `180K` for 180000. */
  read?: string;
}

export interface BuiltRow {
  kind: Exclude<Kind, "tracker">;
  /** The id it would like to have, and a number that tells it from another row of the same words. */
  wanted: string;
  number?: number;
  line: number;
  value: Record<string, unknown>;
  cells: PlacedCell[];
  remarks: string[];
  /** Items that are about the same threads; a follow-up points to them once ids are given. */
  heads?: BuiltRow[];
}

/** What the rows of a table need to know about the document around them. */
export interface Around {
  /** Id and repository of the upstream the table belongs to. */
  upstream: string;
  repo: string | undefined;
  known: Known;
  /** Day of the document: the day its claims were held, unless a row names another. */
  asOf: string;
  statuses: Meanings;
  /** Images that the stack's own tree runs. */
  images: readonly string[];
}

/** Reads a cell's text, once for the whole import. Written-out references are looked up later, by {@link lookUp}. */
export function openCell(raw: RawCell, line: number, head: string, definitions: ReadonlyMap<string, string>): Cell {
  const nodes = readCell(raw.text, definitions);
  return { line, column: raw.column, head, nodes, prose: proseOf(nodes), mentions: [] };
}

/** Finds the references a cell writes out without links, now that the whole document is known. */
export function lookUp(cell: Cell, repo: string | undefined, known: Known): void {
  cell.mentions = mentionsIn(cell.prose, repo, known, true);
}

/** Nothing but a dash: the writer says that there is nothing. */
export const isDash = (text: string): boolean => /^[\s—–-]*$/.test(text);

/** Adds a note with a cell's text, and says that the cell is there. */
export function noteCell(row: BuiltRow, cell: Cell, text = cell.prose.text): void {
  const notes = (row.value.notes ?? []) as { text: string }[];
  row.value.notes = notes;
  row.cells.push({ cell, paths: [["notes", notes.length, "text"]] });
  notes.push({ text });
}
