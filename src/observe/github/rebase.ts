import { live } from "./connections.ts";
import type { Connection, ThreadNode } from "./nodes.ts";
import type { Facts } from "./reading.ts";

/**
 * Several commits, a last one with the same headline on the base branch, and no "(#12)" behind it: that is how a rebase merge
 * looks. A squash of several commits has the pull request's title and number, a merge commit has two parents.
 */
export function rebaseOf(node: ThreadNode, facts: Facts): number | undefined {
  const count = node.commits?.totalCount ?? 0;
  const last = live(node.commits)[0]?.commit?.messageHeadline;
  const merge = node.mergeCommit;
  if (facts.merged !== true || count < 2 || count > 100 || merge?.parents?.totalCount !== 1) return undefined;
  return last !== undefined && merge.messageHeadline === last && !merge.messageHeadline.endsWith(`(#${node.number})`) ? count : undefined;
}

/**
 * The commits a rebase merge put on the base branch, oldest first: the base's last commits carry the pull request's headlines,
 * one by one. Undefined when they do not, and then it was no rebase merge.
 */
export function rebasedCommits(node: unknown): string[] | undefined {
  const { commits, mergeCommit } = (node ?? {}) as {
    commits?: Connection<{ commit?: { messageHeadline?: string } }>;
    mergeCommit?: { history?: Connection<{ oid?: string; messageHeadline?: string; parents?: { totalCount?: number } }> } | null;
  };
  const theirs = live(commits).map(({ commit }) => commit?.messageHeadline);
  const base = live(mergeCommit?.history).slice(0, theirs.length).reverse();
  const same = base.every(
    (commit, index) => commit.oid !== undefined && commit.messageHeadline === theirs[index] && (commit.parents?.totalCount ?? 1) === 1,
  );
  return same && theirs.length > 1 && base.length === theirs.length ? base.map(({ oid }) => oid ?? "") : undefined;
}
