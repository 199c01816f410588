import type { Graph } from "./graph.ts";
import { branchTip, tagCommit } from "./graph.ts";
import type { Resolved } from "./types.ts";

const HASH = /^[0-9a-f]{4,40}$/;
const sortedShas = new WeakMap<Graph, string[]>();

/**
 * What a hash, short hash, tag or branch means. Short hashes are resolved once, here; everywhere else a commit has 40 digits.
 * A short hash of several commits, or one that is a tag's name and another commit's hash too, is an error that names the
 * candidates (field case B30). Only commits are looked at, so a tree with the same first digits is no ambiguity.
 */
export function resolve(graph: Graph, name: string): Resolved {
  const tag = tagCommit(graph, name);
  const hashes = HASH.test(name) ? withPrefix(graph, name) : [];
  if (name.length === 40 && hashes[0] !== undefined) return { state: "commit", sha: hashes[0], by: "hash" };
  const others = hashes.filter((sha) => sha !== tag);
  if (tag !== undefined && others.length > 0) {
    return ambiguous(name, [tag, ...others], `is a tag (${tag}) and also the start of ${others.join(", ")}`);
  }
  if (tag !== undefined) return { state: "commit", sha: tag, by: "tag" };
  if (hashes.length > 1) return ambiguous(name, hashes, `is the start of ${hashes.length} commits: ${hashes.slice(0, 5).join(", ")}`);
  if (hashes[0] !== undefined) return { state: "commit", sha: hashes[0], by: "hash" };
  const branch = branchTip(graph, name);
  if (branch !== undefined) return { state: "commit", sha: branch, by: "branch" };
  return { state: "absent", why: HASH.test(name) ? `no branch or tag has a commit ${name}` : `there is no tag or branch ${name}` };
}

const ambiguous = (name: string, candidates: string[], what: string): Resolved => ({
  state: "ambiguous",
  candidates,
  why: `${name} ${what}; write all 40 digits`,
});

function withPrefix(graph: Graph, prefix: string): string[] {
  if (prefix.length === 40) return graph.at.has(prefix) ? [prefix] : [];
  let sorted = sortedShas.get(graph);
  if (sorted === undefined) {
    sorted = graph.shas.toSorted();
    sortedShas.set(graph, sorted);
  }
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let n = low; sorted[n]?.startsWith(prefix); n++) found.push(sorted[n] ?? "");
  return found;
}
