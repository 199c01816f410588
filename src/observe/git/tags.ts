import type { VersionScheme } from "../../model/versions.ts";
import { inOrder, isPrerelease } from "../../model/versions.ts";
import type { Graph } from "./graph.ts";
import { instantOf, numbersOf, parentsOf, tagCommit, tagsOf } from "./graph.ts";

/** All tags, by name: the commit each stands for and that commit's date. */
export function tagFacts(graph: Graph): Record<string, { commit: string; date: string }> {
  return Object.fromEntries(
    tagsOf(graph)
      .sort()
      .flatMap((tag) => {
        const commit = tagCommit(graph, tag);
        const [n] = numbersOf(graph, [commit]);
        return commit === undefined || n === undefined ? [] : [[tag, { commit, date: instantOf(graph, n) }]];
      }),
  );
}

/**
 * For every commit the first tag that contains it, in the order of the upstream's versions (by commit date when it has none).
 * One pass over the history for all commits and tags together: each commit is claimed by the first tag that reaches it.
 * Only plain versions take part: not `gguf-v0.1` beside `b123`, not the variants of a stream.
 */
export function firstTags(
  graph: Graph,
  scheme: VersionScheme,
): { any: (sha: string) => string | undefined; release: (sha: string) => string | undefined } {
  const tags = scheme === "none" ? byDate(graph) : inOrder(scheme, tagsOf(graph));
  const any = claim(graph, tags);
  const release = claim(
    graph,
    tags.filter((tag) => !isPrerelease(scheme, tag)),
  );
  return { any, release };
}

function claim(graph: Graph, tags: readonly string[]): (sha: string) => string | undefined {
  const owner = new Int32Array(graph.shas.length).fill(-1);
  tags.forEach((tag, order) => {
    const stack = numbersOf(graph, [tagCommit(graph, tag)]);
    for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
      if (owner[n] !== -1) continue;
      owner[n] = order;
      for (const parent of parentsOf(graph, n)) if (owner[parent] === -1) stack.push(parent);
    }
  });
  return (sha) => {
    const n = graph.at.get(sha);
    return n === undefined ? undefined : tags[owner[n] ?? -1];
  };
}

function byDate(graph: Graph): string[] {
  const when = (tag: string) => graph.times[numbersOf(graph, [tagCommit(graph, tag)])[0] ?? -1] ?? 0;
  return tagsOf(graph).sort((a, b) => when(a) - when(b) || (a < b ? -1 : 1));
}
