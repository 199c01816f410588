import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readStack } from "./load-stack.ts";
import type { Loaded } from "./load-stack.ts";
import { parseRow, parseYaml } from "./parse.ts";
import { byPlace } from "./problem.ts";
import type { Finding, Path, Problem } from "./problem.ts";
import type { Kind } from "./vocabulary.ts";

/** {@link readStack}, with every problem at its place. */
export const load = (root: string, only?: readonly Kind[]): Loaded => readStack(root, only, parseRow);

/** Gives findings of rules and derive their line and column by reading the files they name again. */
export function place(root: string, findings: readonly Finding[]): Problem[] {
  const places = new Map<string, (path: Path) => { line: number; column: number }>();
  return findings
    .map((finding) => {
      let at = places.get(finding.file);
      if (at === undefined) {
        const full = join(root, finding.file);
        at =
          finding.file.endsWith(".yaml") && existsSync(full)
            ? parseYaml(finding.file, readFileSync(full, "utf8")).place
            : () => ({ line: 1, column: 1 });
        places.set(finding.file, at);
      }
      return { ...finding, ...at(finding.path) };
    })
    .sort(byPlace);
}
