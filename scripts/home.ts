import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this project or of the installed package: the nearest one above that holds a package.json. */
export const HOME = nearest(dirname(fileURLToPath(import.meta.url)));

function nearest(folder: string): string {
  if (existsSync(join(folder, "package.json")) || dirname(folder) === folder) return folder;
  return nearest(dirname(folder));
}
