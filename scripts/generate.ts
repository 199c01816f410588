import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlannedFile } from "../src/publish/files.ts";
import { writeFiles } from "../src/publish/files.ts";
import { EXIT, UserError, print } from "./cli.ts";

/**
 * Writes generated files that differ from what stands on the disk, or, with `check`, only says which do.
 * Leaves exit code 1 when a check finds a stale file.
 */
export function generate(root: string, files: readonly PlannedFile[], check: boolean, again: string): void {
  const stale = staleFiles(root, files);
  const names = stale.map(({ path }) => path).join(", ");
  if (check) {
    print(stale.length === 0 ? "The generated files are up to date." : `Stale: ${names}. Run ${again} and commit the result.`);
    process.exitCode = stale.length === 0 ? EXIT.fine : EXIT.problems;
    return;
  }
  const foreign = stale.filter(({ path }) => path.endsWith(".md") && isForeign(join(root, path)));
  if (foreign.length > 0)
    throw new UserError(
      `${foreign.map(({ path }) => path).join(", ")}: a page is to be written there, and what stands there was written by somebody else. Move it to another folder, then run ${again} again. (npm run import reads a tracker kept by hand.)`,
    );
  writeFiles(root, stale);
  print(stale.length === 0 ? "Nothing changed." : `Wrote ${names}.`);
}

/** The files of a plan that are missing on the disk or say something else there. */
export function staleFiles(root: string, files: readonly PlannedFile[]): PlannedFile[] {
  return files.filter(({ path, content }) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== content;
  });
}

/** A page that does not say at its head that it is generated is somebody's own words. */
const isForeign = (file: string): boolean => existsSync(file) && !readFileSync(file, "utf8").slice(0, 2000).includes("<!-- Generated ");
