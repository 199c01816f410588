import type { ObjectStore } from "./git-objects.ts";
import { changeTree, filesOf, type TreeChanges } from "./git-trees.ts";

/**
 * Answers about short histories without a process of git each: tests with thousands of questions would wait for little else.
 * Undefined where only git should answer: a long history, several merge bases, files changed on both sides, deletions (renames).
 */

type Graph = { parentsOf(sha: string): string[]; treeOf(sha: string): string | undefined };
const LIMIT = 400;

/** A commit with all its ancestors, itself first. */
export function ancestry({ parentsOf }: Graph, start: string): Set<string> | undefined {
  const seen = new Set([start]);
  for (const sha of seen) {
    if (seen.size > LIMIT) return undefined;
    for (const parent of parentsOf(sha)) seen.add(parent);
  }
  return seen;
}

/** The one merge base; null when there is none. */
export function oneMergeBase(graph: Graph, a: string, b: string): string | null | undefined {
  const [inA, inB] = [ancestry(graph, a), ancestry(graph, b)];
  if (!inA || !inB) return undefined;
  const common = [...inA].filter((sha) => inB.has(sha));
  const below = new Set(common.flatMap((sha) => [...(ancestry(graph, sha) ?? [])].filter((other) => other !== sha)));
  const best = common.filter((sha) => !below.has(sha));
  return best.length > 1 ? undefined : (best[0] ?? null);
}

/** Commits of `to` that `from` lacks, parents before children. */
export function newCommits(graph: Graph, from: string | undefined, to: string): string[] | undefined {
  const known = from === undefined ? new Set<string>() : ancestry(graph, from);
  if (!known || !ancestry(graph, to)) return undefined;
  const order = new Set<string>();
  const visit = (sha: string): void => {
    if (known.has(sha) || order.has(sha)) return;
    for (const parent of graph.parentsOf(sha)) visit(parent);
    order.add(sha);
  };
  visit(to);
  return [...order];
}

/** The merged tree when each path was changed on one side only, or alike on both, and none deleted. */
export function plainMerge(graph: Graph, objects: ObjectStore, base: string, head: string): string | undefined {
  const origin = oneMergeBase(graph, base, head);
  if (!origin) return undefined;
  const [was, theirs, ours] = [origin, head, base].map((sha) => filesOf(objects, graph.treeOf(sha) ?? ""));
  if (!was || !theirs || !ours) return undefined;
  for (const path of was.keys()) if (!theirs.has(path) || !ours.has(path)) return undefined;
  const changes: TreeChanges = new Map();
  for (const [path, entry] of theirs) {
    const [before, mine] = [was.get(path), ours.get(path)];
    if (entry.sha === before?.sha && entry.mode === before.mode) continue;
    if (mine && mine.sha !== before?.sha && mine.sha !== entry.sha) return undefined;
    changes.set(path, { mode: entry.mode, sha: entry.sha });
  }
  return changeTree(objects, graph.treeOf(base), changes);
}
