import type { GitFile, GithubFile, Observed, Transition } from "../model/shapes/observed.ts";
import { changesBetween, same } from "./change.ts";

/**
 * Puts the observations of several shards of one sync together.
 * A shard looks at its own upstreams and leaves every other fact as it was, so per fact the one that differs from the common
 * starting point wins. Where two differ, the one seen later does; containment and history only ever grow.
 * @param base what all shards started from
 */
export function mergeObserved(base: Observed, parts: readonly Observed[]): Observed {
  const merged = { ...base };
  for (const part of parts) {
    merged.asOf = later(merged.asOf, part.asOf);
    merged.github = mergeRecords(base.github, merged.github, part.github, mergeGithub);
    merged.git = mergeRecords(base.git, merged.git, part.git, mergeGit);
    merged.containment = mergeContainment(merged.containment, part.containment);
    merged.registry = mergeRecords(base.registry, merged.registry, part.registry, (_before, one, two) => newer(one, two));
    merged.transitions = mergeTransitions(merged.transitions, part.transitions);
  }
  return merged;
}

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b);

interface Seen {
  asOf: string | null;
}
/** What was seen later; but two that say the same are one fact, which keeps the day it was first seen. */
function newer<T extends Seen>(one: T, two: T): T {
  const isLater = two.asOf !== null && (one.asOf === null || Date.parse(two.asOf) > Date.parse(one.asOf));
  if (changesBetween("", one, two, "").length > 0 || one.asOf === null) return isLater ? two : one;
  return isLater || two.asOf === null ? one : two;
}

/** Per key: what only one side changed is taken from it; what both changed is merged. A key that a side lacks is not deleted by it. */
function mergeRecords<T>(
  base: Record<string, T>,
  one: Record<string, T>,
  two: Record<string, T>,
  both: (before: T | undefined, one: T, two: T) => T,
): Record<string, T> {
  const merged: Record<string, T> = { ...one };
  for (const [key, theirs] of Object.entries(two)) {
    const ours = one[key];
    const before = base[key];
    if (ours === undefined) merged[key] = theirs;
    else if (same(ours, theirs) || same(before, theirs)) continue;
    else merged[key] = same(before, ours) ? theirs : both(before, ours, theirs);
  }
  return merged;
}

function mergeGithub(before: GithubFile | undefined, one: GithubFile, two: GithubFile): GithubFile {
  return {
    repository: newer(one.repository, two.repository),
    threads: mergeRecords(before?.threads ?? {}, one.threads, two.threads, (_before, a, b) => newer(a, b)),
  };
}

function mergeGit(before: GitFile | undefined, one: GitFile, two: GitFile): GitFile {
  const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...a, ...b.filter((entry) => !a.some((known) => same(known, entry)))];
  return {
    ...one,
    tags: mergeRecords(before?.tags ?? {}, one.tags, two.tags, (_before, a, b) => newer(a, b)),
    commits: mergeRecords(before?.commits ?? {}, one.commits, two.commits, (_before, a, b) => newer(a, b)),
    picks: union(one.picks, two.picks),
    reverts: union(one.reverts, two.reverts),
  };
}

function mergeContainment(one: Observed["containment"], two: Observed["containment"]): Observed["containment"] {
  const merged = { ...one };
  for (const [repo, commits] of Object.entries(two)) {
    const known = { ...merged[repo] };
    for (const [commit, answers] of Object.entries(commits)) known[commit] = { ...known[commit], ...answers };
    merged[repo] = known;
  }
  return merged;
}

/** Two logs in one, by time. A status that a row has already is no transition: somebody else found the same change later. */
function mergeTransitions(one: readonly Transition[], two: readonly Transition[]): Transition[] {
  const all = [...one, ...two.filter((entry) => !one.some((known) => same(known, entry)))].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.item < b.item ? -1 : a.item > b.item ? 1 : 0),
  );
  const last = new Map<string, string>();
  return all.filter(({ item, to }) => {
    const known = last.get(item);
    last.set(item, to);
    return known !== to;
  });
}
