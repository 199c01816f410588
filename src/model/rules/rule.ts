import type { Document } from "yaml";
import type { Path } from "../problem.ts";
import type { Level } from "../vocabulary.ts";

/** What a rule sees of one row: its file, its text, and the text as parsed without an error. */
export interface RowText {
  file: string;
  text: string;
  doc: Document;
}

/** A place in a row's text, as an offset from its start, and what is wrong there. */
export interface Found {
  offset: number;
  path: Path;
  message: string;
}

/** A rule over the text of one row: about how it is written, beyond what the shapes say about its values. */
export interface RowRule {
  name: string;
  description: string;
  level: Level;
  check: (row: RowText) => Found[];
}

/** A name under `data/`, from the stack's root. */
export interface DataEntry {
  path: string;
  folder: boolean;
}

/** A rule over the names under `data/`. */
export interface FolderRule {
  name: string;
  description: string;
  level: Level;
  check: (entries: readonly DataEntry[]) => { file: string; message: string }[];
}
