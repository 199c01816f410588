import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file to write, from the root of the stack. */
export interface PlannedFile {
  path: string;
  content: string;
}

/**
 * Writes a plan: every file beside its target first, then all renamed into place, so a reader never sees half a file
 * and a failure before the renames changes nothing.
 */
export function writeFiles(root: string, files: readonly PlannedFile[]): void {
  const staged: { from: string; to: string }[] = [];
  try {
    for (const { path, content } of files) {
      const to = join(root, path);
      const from = `${to}.landfall-${process.pid}`;
      mkdirSync(dirname(to), { recursive: true });
      staged.push({ from, to });
      writeFileSync(from, content);
    }
  } catch (error) {
    for (const { from } of staged) rmSync(from, { force: true });
    throw error;
  }
  for (const { from, to } of staged) renameSync(from, to);
}
