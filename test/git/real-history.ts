import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Plan, Planned } from "./repository.ts";

/**
 * A recorded history (`graph-OWNER+NAME.tsv.gz`: hash, parents, date, subject) and its builds (`tags-OWNER+NAME.tsv`) as a plan.
 * The ids of the plan are the real hashes; a repository made from it has others.
 */
export function readHistory(folder: URL, repository: string): Plan {
  const name = repository.replace("/", "+");
  const rows = gunzipSync(readFileSync(new URL(`graph-${name}.tsv.gz`, folder)))
    .toString()
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => row.split("\t"));
  const all = new Map<string, Planned>(
    rows.map(([id = "", parents = "", date = "", message = ""]) => [
      id,
      { id, parents: parents.split(" ").filter((sha) => sha !== ""), message, time: Math.floor(Date.parse(date) / 1000) },
    ]),
  );
  const refs = readFileSync(new URL(`tags-${name}.tsv`, folder), "utf8")
    .split("\n")
    .filter((row) => row !== "" && !row.startsWith("#"))
    .map((row) => row.split("\t"))
    .filter(([, sha = ""]) => all.has(sha));
  const named = (branch: boolean) =>
    Object.fromEntries(
      refs.filter(([, , , kind = ""]) => kind.startsWith("branch") === branch).map(([name = "", sha = ""]) => [name, sha]),
    );
  return { commits: parentsFirst(all), branches: named(true), tags: named(false) };
}

/** Without recursion, because a history is 20,000 commits deep. Parents outside the recording are left out. */
function parentsFirst(all: ReadonlyMap<string, Planned>): Planned[] {
  const done = new Set<string>();
  const order: Planned[] = [];
  for (const start of all.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? "";
      const commit = all.get(id);
      const open = commit?.parents?.filter((parent) => all.has(parent) && !done.has(parent)) ?? [];
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      stack.pop();
      if (commit === undefined || done.has(id)) continue;
      done.add(id);
      order.push({ ...commit, parents: commit.parents?.filter((parent) => all.has(parent)) ?? [] });
    }
  }
  return order;
}
