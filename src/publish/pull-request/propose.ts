import type { Merged } from "./branch.ts";
import { commitOn, createBranch, deleteBranch, mergeByFile, moveBranch, refOf, standing } from "./branch.ts";
import { hasStatus, says } from "./refusal.ts";
import type { Pull, Run } from "./run.ts";
import { conflictText, holdsAll, isDue, lost, waits } from "./run.ts";
import { contentOf, stampOf, stamped, untold } from "./stamp.ts";
import { difference, isEmpty, treeIfKnown, treeOf } from "./trees.ts";
import type { Outcome, Plan } from "./types.ts";

/** No pull request is open: what is left of the last one is cleaned up, and a new one opened if one should be. */
export async function propose(run: Run, last: Pull | undefined): Promise<Outcome> {
  const { proposal, baseHead } = run;
  let branch = await refOf(run, proposal.branch);
  const left = branch;
  const stands = branch === undefined ? undefined : await standing(run, baseHead, branch);
  if (branch !== undefined && (branch === last?.head.sha || stands?.ahead === false)) {
    proposal.beforeWriting?.();
    if (!(await deleteBranch(run, run.repository, branch))) return lost();
    branch = undefined;
  }
  const cleaned = left !== undefined && branch === undefined;
  const stop = (because: string): Outcome => ({
    action: cleaned ? "cleaned" : "none",
    because: cleaned ? `${because} The branch of the last one was removed.` : because,
    ...(last ? { url: last.html_url } : {}),
  });

  const baseTree = await treeOf(run, baseHead);
  // Left by a run that could not open the pull request (C06, C18), or pushed to by a person since.
  const merged: Merged =
    branch === undefined || !stands
      ? { head: baseHead }
      : stands.behind
        ? await mergeByFile(run, stands.origin, baseHead, branch)
        : { head: branch };
  if ("lost" in merged) return lost();
  if ("conflicts" in merged) return { action: "conflict", because: conflictText(run, merged.conflicts) };
  const tree = merged.head === baseHead ? baseTree : await treeOf(run, merged.head);
  const closed = last && last.merged_at === null ? last : undefined;
  const closedTree = closed && (await treeIfKnown(run, closed.head.sha));
  const head = await run.overlay(tree);
  const plan = proposal.plan({
    base: await run.overlay(baseTree),
    head,
    proposed: closedTree ? await run.overlay(closedTree) : head,
    news: true,
  });
  if (holdsAll(baseTree, tree, plan, proposal)) return stop("The base branch already holds what would be proposed.");
  const before = stampOf(last?.body);
  if (closed && before?.content === contentOf(plan)) return stop("A person closed a pull request with this content; it stays closed.");
  const snoozed = closed?.labels.some(({ name }) => name === proposal.snoozeLabel) === true;
  if (snoozed && untold(plan.reopens, before).length === 0)
    return stop(`The last pull request was closed with the label ${proposal.snoozeLabel}; only something that blocks opens a new one.`);
  const urgent = snoozed || untold(plan.urgent, before).length > 0;
  if (!urgent && !isDue(proposal, last && (before?.at ?? last.created_at))) return stop(waits(proposal));

  const missing = difference(tree, plan.files, proposal.owns);
  proposal.beforeWriting?.();
  if (!isEmpty(missing)) {
    const commit = await commitOn(run, [merged.head], tree.sha, missing, plan.message);
    const won = branch === undefined ? await createBranch(run, commit) : await moveBranch(run, commit);
    if (!won) return lost();
  }
  return create(run, plan);
}

async function create({ octokit, at, proposal, base }: Run, plan: Plan): Promise<Outcome> {
  const { branch, now } = proposal;
  try {
    const { data } = await octokit.rest.pulls.create({ ...at, base, head: branch, title: plan.title, body: stamped(plan, now, null) });
    return { action: "created", because: plan.title, url: data.html_url };
  } catch (error) {
    if (hasStatus(error, 422) && says(error, /No commits between/i)) return { action: "none", because: "There is nothing to propose." };
    if (hasStatus(error, 422) && says(error, /already exists/i))
      return { action: "lost", because: "Another run opened the pull request first; it carries on." };
    throw error;
  }
}
