/**
 * A repository's history as numbers in memory: read once with one git process, then every question about ancestry is a walk.
 * Commits are numbered in topological order, children before parents, so a single pass forward reaches all ancestors.
 */
export interface Graph {
  shas: readonly string[];
  at: ReadonlyMap<string, number>;
  /** Committer's time, seconds since 1970. */
  times: Float64Array;
  /** Parents of commit n: `parents[starts[n]]` up to `parents[starts[n + 1]]`, the first parent first. */
  parents: Int32Array;
  starts: Int32Array;
  /** Full names (`refs/tags/v1`) to the commit they stand for, annotated tags peeled. */
  refs: ReadonlyMap<string, string>;
}

/** Thrown when git's output is not what git writes: the mirror is damaged. */
export class DamagedMirror extends Error {}

/**
 * @param revList output of `git rev-list --topo-order --parents --timestamp`
 * @param showRef output of `git show-ref --dereference`
 */
export function parseGraph(revList: string, showRef: string): Graph {
  const lines = revList.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shas: string[] = [];
  const at = new Map<string, number>();
  const times = new Float64Array(lines.length);
  const links: string[] = [];
  for (const line of lines) {
    const space = line.indexOf(" ");
    const sha = line.slice(space + 1, space + 41);
    const time = Number(line.slice(0, space));
    if (sha.length !== 40 || !Number.isSafeInteger(time))
      throw new DamagedMirror(`git rev-list wrote a line that is no commit: "${line.slice(0, 80)}"`);
    times[shas.length] = time;
    at.set(sha, shas.length);
    shas.push(sha);
    links.push(line.slice(space + 42));
  }
  const starts = new Int32Array(shas.length + 1);
  const parents = new Int32Array(links.reduce((sum, list) => sum + Math.ceil(list.length / 41), 0));
  let used = 0;
  links.forEach((list, n) => {
    for (let from = 0; from < list.length; from += 41) {
      const sha = list.slice(from, from + 40);
      const parent = at.get(sha);
      if (parent === undefined || parent <= n)
        throw new DamagedMirror(`commit ${shas[n]} has a parent ${sha} that git did not list after it`);
      parents[used++] = parent;
    }
    starts[n + 1] = used;
  });
  return { shas, at, times, parents, starts, refs: parseRefs(showRef, at) };
}

/** A peeled line (`name^{}`) follows the line of its annotated tag. Tags of files and trees name no commit and are left out. */
function parseRefs(showRef: string, at: ReadonlyMap<string, number>): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of showRef.split("\n")) {
    const sha = line.slice(0, 40);
    const name = line.slice(41).replace(/\^\{\}$/, "");
    if (at.has(sha)) refs.set(name, sha);
  }
  return refs;
}

/** The commits marked 1 are `from` and all their ancestors. Indexed like `graph.shas`. */
export type Marks = Uint8Array;

export function ancestors(graph: Graph, from: readonly number[]): Marks {
  const marks = new Uint8Array(graph.shas.length);
  let first = graph.shas.length;
  for (const n of from) {
    marks[n] = 1;
    if (n < first) first = n;
  }
  for (let n = first; n < marks.length; n++) {
    if (marks[n] === 0) continue;
    const end = graph.starts[n + 1] ?? 0;
    for (let k = graph.starts[n] ?? 0; k < end; k++) marks[graph.parents[k] ?? 0] = 1;
  }
  return marks;
}

const rootsOf = new WeakMap<Graph, Int32Array>();

/** Have the two commits an ancestor in common? `inside` are the marks of one of them. */
export function related(graph: Graph, commit: number, inside: Marks): boolean {
  let roots = rootsOf.get(graph);
  if (roots === undefined) {
    // By first parent; right for nearly every pair, and computed once for all.
    roots = new Int32Array(graph.shas.length);
    for (let n = roots.length - 1; n >= 0; n--) {
      const parent = parentsOf(graph, n)[0];
      roots[n] = parent === undefined ? n : (roots[parent] ?? n);
    }
    rootsOf.set(graph, roots);
  }
  if (inside[roots[commit] ?? -1] === 1) return true;
  return ancestors(graph, [commit]).some((mark, n) => mark === 1 && inside[n] === 1);
}

export const parentsOf = (graph: Graph, n: number): Int32Array => graph.parents.subarray(graph.starts[n], graph.starts[n + 1]);

export const instantOf = (graph: Graph, n: number): string => new Date((graph.times[n] ?? 0) * 1000).toISOString().replace(".000Z", "Z");

const HEADS = "refs/heads/";
const TAGS = "refs/tags/";

export const branchTip = (graph: Graph, branch: string): string | undefined => graph.refs.get(HEADS + branch);
export const branchesOf = (graph: Graph): string[] => namesUnder(graph, HEADS);
export const tagsOf = (graph: Graph): string[] => namesUnder(graph, TAGS);
export const tagCommit = (graph: Graph, tag: string): string | undefined => graph.refs.get(TAGS + tag);

function namesUnder(graph: Graph, folder: string): string[] {
  return [...graph.refs.keys()].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
}

/** Numbers of commits, those the graph does not have left out. */
export const numbersOf = (graph: Graph, shas: readonly (string | undefined)[]): number[] =>
  shas.flatMap((sha) => (sha === undefined ? [] : (graph.at.get(sha) ?? [])));

/** Commits reachable from the upstream's own branches and tags, as against those fetched for a pin alone. */
export function published(graph: Graph): Marks {
  const own = [...graph.refs].filter(([name]) => name.startsWith(HEADS) || name.startsWith(TAGS)).map(([, sha]) => sha);
  return ancestors(graph, numbersOf(graph, own));
}
