import { commitOn, deleteBranch, mergeBase, moveBranch, refOf, standing } from "./branch.ts";
import type { Pull, Run } from "./run.ts";
import { conflictText, holdsAll, isDue, lost, waits } from "./run.ts";
import { contentOf, stampOf, stamped } from "./stamp.ts";
import { difference, isEmpty, treeOf } from "./trees.ts";
import type { Outcome } from "./types.ts";

/** A pull request is open: base merged in, people's changes rendered, the bot's commit on top, body and title kept. */
export async function update(run: Run, pull: Pull): Promise<Outcome> {
  const { octokit, at, proposal } = run;
  const url = pull.html_url;
  const before = await refOf(run, proposal.branch);
  if (before === undefined)
    return { action: "lost", because: "The branch of the open pull request is gone; the next run opens a new one.", url };
  const merged = await caughtUp(run, pull, before);
  if ("action" in merged) return merged;
  const [tree, baseTree] = [await treeOf(run, merged.head), await treeOf(run, run.baseHead)];
  const head = await run.overlay(tree);
  const stacks = { base: await run.overlay(baseTree), head, proposed: head };
  const stamp = stampOf(pull.body);
  const latest = proposal.plan({ ...stacks, news: true });
  const kept = proposal.plan({ ...stacks, news: false });
  // Held against the branch and not against the body: whoever resolves a conflict by hand may have lost what the body tells.
  const due = isDue(proposal, stamp?.at ?? pull.created_at) || latest.urgent.some((name) => !kept.urgent.includes(name));
  const plan = due ? latest : kept;
  const missing = difference(tree, plan.files, proposal.owns);
  const moved = merged.head !== before;
  const retell = stamp?.content !== contentOf(plan) || pull.title !== plan.title;

  if (holdsAll(baseTree, tree, plan, proposal)) return finish(run, pull, merged.head);
  if (!retell && isEmpty(missing)) {
    if (moved) return { action: "updated", because: "The base branch was merged in.", url };
    const waiting = !due && contentOf(latest) !== contentOf(plan);
    return { action: "none", because: waiting ? waits(proposal) : "The pull request already says this.", url };
  }
  proposal.beforeWriting?.();
  if (!isEmpty(missing)) {
    const commit = await commitOn(run, [merged.head], tree.sha, missing, plan.message);
    if (!(await moveBranch(run, commit))) return lost(url);
  }
  if (retell) {
    const body = stamped(plan, due ? proposal.now : (stamp?.at ?? pull.created_at), pull.body);
    await octokit.rest.pulls.update({ ...at, pull_number: pull.number, title: plan.title, body });
  }
  return { action: "updated", because: plan.title, url };
}

/** The base has everything: the pull request is closed and its branch removed. Its body says so, so that it counts as no person's choice. */
async function finish(run: Run, pull: Pull, head: string): Promise<Outcome> {
  const { octokit, at, proposal } = run;
  const because = "The base branch now holds everything; the pull request was closed and the branch removed.";
  proposal.beforeWriting?.();
  if (!(await deleteBranch(run, run.repository, head))) return lost(pull.html_url);
  await octokit.rest.pulls.update({ ...at, pull_number: pull.number, state: "closed", body: because });
  return { action: "cleaned", because, url: pull.html_url };
}

/** The branch with the base in it; or the outcome when the two cannot be joined. */
async function caughtUp(run: Run, pull: Pull, head: string): Promise<{ head: string } | Outcome> {
  const { behind, origin } = await standing(run, run.baseHead, head);
  if (!behind) return { head };
  const said = await saidConflict(run, pull);
  const url = pull.html_url;
  if (said?.marker === conflictMarker(run.baseHead, head)) return { action: "conflict", because: said.text, url };
  const merged = await mergeBase(run, origin, run.baseHead, head);
  if ("head" in merged) return merged;
  if ("lost" in merged) return lost(url);
  const because = conflictText(run, merged.conflicts);
  const body = `${because}\n\n${conflictMarker(run.baseHead, head)}`;
  const { octokit, at, proposal } = run;
  proposal.beforeWriting?.();
  // Editing notifies nobody: one comment is enough while either side stays. A conflict of other commits is a new one.
  if (said && (said.marker.includes(` ${run.baseHead} `) || said.marker.includes(` ${head} `)))
    await octokit.rest.issues.updateComment({ ...at, comment_id: said.id, body });
  else await octokit.rest.issues.createComment({ ...at, issue_number: pull.number, body });
  return { action: "conflict", because, url };
}

const conflictMarker = (base: string, head: string) => `<!-- landfall:conflict ${base} ${head} -->`;

/** The comment in which the bot said last that base and branch conflict. */
async function saidConflict({ octokit, at }: Run, { number }: Pull): Promise<{ id: number; text: string; marker: string } | undefined> {
  const comments = await octokit.paginate(octokit.rest.issues.listComments, { ...at, issue_number: number, per_page: 100 });
  for (const { id, body } of comments.reverse()) {
    const [marker] = /<!-- landfall:conflict \S+ \S+ -->/.exec(body ?? "") ?? [];
    if (marker !== undefined) return { id, marker, text: (body ?? "").replace(marker, "").trim() };
  }
  return undefined;
}
