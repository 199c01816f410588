import type { Level } from "./vocabulary.ts";

/** Where a value sits in a row: keys and list indexes from the top. */
export type Path = (string | number)[];

/** A mend that keeps every other byte; `edit.ts` carries it out. */
export interface Fix {
  does: string;
  edit: "quote" | "remove" | "strip-bom" | "unix-line-ends";
}

/** One thing wrong, or worth saying, with its place and the next action in the message. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  level: Level;
  rule: string;
  path: Path;
  message: string;
  fix?: Fix;
}

/** A problem before its place is known: derive and rules speak of files and paths, the loader finds lines. */
export type Finding = Omit<Problem, "line" | "column">;

export const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part), "");

export function byPlace(a: Problem, b: Problem): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column || (a.rule < b.rule ? -1 : 1);
}
