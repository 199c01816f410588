import type { SourceFile } from "./found.ts";

const cut = new WeakMap<SourceFile, string[]>();

/** The lines of a file, cut once: several readers of prose go through them. */
export function linesOf(file: SourceFile): readonly string[] {
  const lines = cut.get(file) ?? file.text.split("\n");
  cut.set(file, lines);
  return lines;
}
