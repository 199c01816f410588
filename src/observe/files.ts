import { groupBy } from "../model/group.ts";
import type { Observed } from "../model/shapes/observed.ts";
import { sortedJson } from "../model/sorted-json.ts";
import { same } from "./change.ts";

/** A file of the stack, from its root. */
export interface ObservedFile {
  path: string;
  content: string;
}

const FOLDER = "data/observed";

/** The files that say something else than before, in the form they are stored. Nothing new, no file. */
export function observedFiles(before: Observed, after: Observed): ObservedFile[] {
  const files: ObservedFile[] = [];
  const add = (path: string, was: unknown, is: unknown) => {
    if (!same(was, is)) files.push({ path: `${FOLDER}/${path}`, content: sortedJson(is) });
  };
  for (const [repo, file] of Object.entries(after.github)) add(`github/${repo}.json`, before.github[repo], file);
  for (const [repo, file] of Object.entries(after.git)) add(`git/${repo}.json`, before.git[repo], file);
  add("containment.json", before.containment, after.containment);
  for (const [scheme, entries] of groupBy(Object.entries(after.registry), ([key]) => schemeOf(key))) {
    const was = Object.entries(before.registry).filter(([key]) => schemeOf(key) === scheme);
    add(`registry/${scheme}.json`, Object.fromEntries(was), Object.fromEntries(entries));
  }
  return files;
}

const schemeOf = (key: string): string => key.slice(0, Math.max(0, key.indexOf(":"))) || "other";
