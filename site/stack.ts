import type { Derived } from "../src/derive/derive.ts";
import { derive } from "../src/derive/derive.ts";
import type { Loaded } from "../src/model/load-stack.ts";
import { load } from "../src/model/load.ts";
import type { SiteOptions } from "./options.ts";
import { siteOptions } from "./options.ts";

export interface Stack {
  options: SiteOptions;
  loaded: Loaded;
  derived: Derived;
}

let opened: Stack | undefined;

/**
 * The stack this build is about, loaded and derived once for all pages. Astro runs from the project's folder, so that is its home.
 * @throws when a row has an error: a page that leaves a row out would be a wrong one
 */
export function stack(): Stack {
  opened ??= openStack(siteOptions(process.env, process.cwd()));
  return opened;
}

export function openStack(options: SiteOptions): Stack {
  const loaded = load(options.root);
  const error = loaded.problems.find((problem) => problem.level === "error");
  if (error) throw new Error(`${error.file}:${error.line}:${error.column} ${error.message} (npm run check-data lists every problem)`);
  return { options, loaded, derived: derive(loaded.model, loaded.observed) };
}
