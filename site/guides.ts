import { existsSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { docId } from "./docs.ts";

/** Hand-written Markdown under `content/`, by its path there. Generated pages are left out: they are rendered afresh. */
export function guides(root: string): string[] {
  const folder = join(root, "content");
  if (!existsSync(folder)) return [];
  return globSync("**/[^_]*.md", { cwd: folder })
    .filter((name) => !docId(name).startsWith("reports/"))
    .sort();
}
