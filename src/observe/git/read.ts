import type { Graph } from "./graph.ts";
import { DamagedMirror, parseGraph } from "./graph.ts";
import type { Site } from "./site.ts";
import { onDisk, reason } from "./site.ts";

/** What a mirror holds, as read from the disk. */
export interface History {
  graph: Graph;
  /** Output of `git show-ref --dereference`. */
  refs: string;
}

/** @throws {DamagedMirror} */
export async function readHistory(site: Site): Promise<History> {
  const [list, refs] = await Promise.all([
    onDisk(site, ["rev-list", "--all", "--topo-order", "--parents", "--timestamp"]),
    onDisk(site, ["show-ref", "--dereference"]),
  ]);
  if (list.code !== 0) throw new DamagedMirror(reason(site, list));
  // Exit code 1 without a word means that there are no refs; everything else is a failure.
  if (refs.code !== 0 && (refs.code !== 1 || refs.stderr !== "")) throw new DamagedMirror(reason(site, refs));
  return { graph: parseGraph(list.stdout, refs.stdout), refs: refs.stdout };
}

/** For `catch`: a damaged mirror has no history; every other error is one. */
export function ifDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedMirror)) throw error;
}

/**
 * Reads every commit from the packs, past the commit-graph. Before a fetch it must be sure that all are there: git before 2.45
 * answers a missing one in a partial clone by starting a fetch for it, which starts a fetch for it, and so on.
 */
export async function isWhole(site: Site): Promise<boolean> {
  return (await onDisk(site, ["-c", "core.commitGraph=false", "rev-list", "--all", "--count"])).code === 0;
}
