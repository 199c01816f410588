import type { Derived } from "../src/derive/derive.ts";
import { derive } from "../src/derive/derive.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import { loadCached } from "../src/model/load-cached.ts";
import type { Problem } from "../src/model/problem.ts";
import type { Kind } from "../src/model/vocabulary.ts";
import { UserError } from "./cli.ts";

/** Loads a stack and derives everything. Rows with errors stop it: an answer that leaves a row out would be a wrong one. */
export async function openStack(root: string, only?: readonly Kind[]): Promise<{ loaded: Loaded; derived: Derived }> {
  const loaded = await loadStack(root, only);
  return { loaded, derived: derive(loaded.model, loaded.observed) };
}

/** The rows and facts alone. `besides`: errors that stop nothing here, such as those of a file about to be written anew. */
export async function loadStack(
  root: string,
  only?: readonly Kind[],
  besides: (problem: Problem) => boolean = () => false,
): Promise<Loaded> {
  const loaded = await loadCached(root, only);
  const errors = loaded.problems.filter((problem) => problem.level === "error" && !besides(problem));
  if (errors.length > 0) {
    const shown = errors.slice(0, 5).map(({ file, line, column, message }) => `  ${file}:${line}:${column}  ${message}`);
    throw new UserError(
      `The data has ${errors.length} ${errors.length > 1 ? "errors" : "error"}:\n${shown.join("\n")}\nMend ${errors.length > 1 ? "them" : "it"} first: npm run check-data.`,
    );
  }
  return loaded;
}
