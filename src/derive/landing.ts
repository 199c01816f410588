import { parseRef, shortRef, threadOf, urlOf } from "../model/ref.ts";
import type { Thread } from "../model/shapes/observed.ts";
import type { World } from "./facts.ts";
import type { Evidence } from "./proof.ts";
import { day } from "./proof.ts";

/** Upstream work that reached a branch where landing counts. */
export interface Landing {
  ref: string;
  repo: string;
  /** The commits to look for in a pin, oldest first. Empty: landed, but the commit is not known. */
  shas: string[];
  at: string | undefined;
  evidence: Evidence;
  /** Every landed commit was reverted upstream and none came back. */
  reverted: boolean;
}

const DEFAULT_BRANCHES = ["main", "master"];

/** Branches of a repository where landing counts, from its upstream row. */
export function countedBranches(world: World, repo: string): string[] {
  const name = world.facts.canonical(repo);
  const upstream = Object.values(world.model.upstream).find((row) => row.repo === name);
  return upstream && upstream.branches.length > 0 ? upstream.branches : DEFAULT_BRANCHES;
}

/**
 * The landing of a reference, or undefined when it has not landed as far as is known.
 * A date or a "closed" state never proves a landing: a merge commit, a closing commit or a named commit does
 * (field cases A01, A02, A09, A12 of merge bots, imports, test merges and stacked branches).
 */
export function landingOf(world: World, ref: string): Landing | undefined {
  const { facts } = world;
  const parsed = parseRef(ref);
  if (parsed?.type === "commit") {
    const known = facts.commit(parsed.repo, parsed.sha);
    if (known && !isCounted(world, parsed.repo, known.fact)) return undefined;
    const sha = known?.sha ?? (parsed.sha.length === 40 ? parsed.sha : undefined);
    return finish(world, ref, parsed.repo, sha === undefined ? [] : [sha], known?.fact.committedAt, {
      source: known?.fact.source ?? "named in the row",
      url: urlOf(ref),
      fact: known
        ? `commit ${parsed.sha.slice(0, 10)} "${known.fact.subject}"`
        : `the row names commit ${parsed.sha.slice(0, 10)}, which was not observed`,
      asOf: known?.fact.asOf ?? null,
    });
  }
  if (parsed?.type === "tag") {
    const tag = facts.tag(parsed.repo, parsed.tag);
    return (
      tag &&
      finish(world, ref, parsed.repo, [tag.commit], tag.date, {
        source: tag.source,
        url: urlOf(ref),
        fact: `tag ${parsed.tag} is commit ${tag.commit.slice(0, 10)}`,
        asOf: tag.asOf,
      })
    );
  }
  const thread = facts.thread(ref);
  if (parsed?.type !== "thread" || !thread) return undefined;
  return thread.kind === "pull-request" ? pullLanding(world, ref, parsed.repo, thread) : issueLanding(world, ref, parsed.repo, thread);
}

function pullLanding(world: World, ref: string, repo: string, thread: Thread): Landing | undefined {
  if (thread.merged === true) {
    if (!mergedWhereItCounts(world, repo, thread)) return undefined;
    const shas = thread.rebasedCommits ?? (thread.mergeCommit === undefined ? [] : [thread.mergeCommit]);
    return finish(world, ref, repo, shas, thread.mergedAt, {
      source: thread.source,
      url: urlOf(ref, thread.kind),
      fact: `${shortRef(threadOf(ref))} merged${thread.mergedAt ? ` ${day(thread.mergedAt)}` : ""}${thread.mergeCommit ? ` as ${thread.mergeCommit.slice(0, 10)}` : ""}`,
      asOf: thread.asOf,
    });
  }
  return thread.state === "closed" ? closerLanding(world, ref, repo, thread) : undefined;
}

export function mergedWhereItCounts(world: World, repo: string, thread: Thread): boolean {
  return thread.base === undefined || countedBranches(world, repo).includes(thread.base);
}

function issueLanding(world: World, ref: string, repo: string, thread: Thread): Landing | undefined {
  if (thread.state === "open") return undefined;
  const direct = closerLanding(world, ref, repo, thread);
  if (direct) return direct;
  for (const linked of thread.closedBy ?? []) {
    const pull = world.facts.thread(linked);
    if (pull?.merged === true) {
      const landing = landingOf(world, linked);
      if (landing) return landing;
    }
  }
  return undefined;
}

/** A closing commit or pull request counts only from the same repository: numbers of an imported repository close strangers (A36). */
function closerLanding(world: World, ref: string, repo: string, thread: Thread): Landing | undefined {
  const closer = thread.closer;
  const parsed = closer && parseRef(closer.ref);
  if (!closer || !parsed || !("repo" in parsed) || world.facts.canonical(parsed.repo) !== world.facts.canonical(repo)) return undefined;
  const landing = landingOf(world, closer.ref);
  return (
    landing && {
      ...landing,
      ref,
      evidence: { ...landing.evidence, fact: `${shortRef(threadOf(ref))} was closed by ${shortRef(closer.ref)}: ${landing.evidence.fact}` },
    }
  );
}

function isCounted(world: World, repo: string, fact: { on?: string[] | undefined; notOn?: string[] | undefined }): boolean {
  const counted = countedBranches(world, repo);
  if (fact.on?.some((branch) => counted.includes(branch))) return true;
  return !(fact.notOn?.some((branch) => counted.includes(branch)) ?? false);
}

/** Replaces reverted commits by their relands, and says when nothing is left. */
function finish(world: World, ref: string, repo: string, shas: string[], at: string | undefined, evidence: Evidence): Landing {
  const now = shas.map((sha) => netState(world, repo, sha));
  return { ref, repo, shas: now.map(({ sha }) => sha), at, evidence, reverted: now.length > 0 && now.every(({ out }) => out) };
}

/**
 * Where a chain of reverts and relands ends: an even number of reverts leaves the change in (A18).
 * A revert that only a release branch has takes nothing back where landing counts; pins of that branch are told by ancestry.
 */
function netState(world: World, repo: string, first: string): { sha: string; out: boolean } {
  const seen = new Set<string>();
  let sha = first;
  while (!seen.has(sha)) {
    seen.add(sha);
    const reverts = world.facts.revertsOf(repo, sha).filter(({ commit }) => {
      const known = world.facts.commit(repo, commit);
      return known === undefined || isCounted(world, repo, known.fact);
    });
    const reland = reverts.find((found) => found.relandedBy !== undefined)?.relandedBy;
    if (reland === undefined) return { sha, out: reverts.length > 0 };
    sha = reland;
  }
  return { sha, out: false };
}
