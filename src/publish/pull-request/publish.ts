import { createHash } from "node:crypto";
import type { Octokit } from "@octokit/rest";
import {
  authoredChanges,
  commitOn,
  createBranch,
  deleteBranch,
  difference,
  isEmpty,
  mergeBase,
  moveBranch,
  refOf,
  treeOf,
} from "./branch.ts";
import type { Tree } from "./branch.ts";
import { explain, hasStatus, says } from "./refusal.ts";
import type { Context, Outcome, Plan, Proposal } from "./types.ts";
import { Refused } from "./types.ts";

type Pull = Awaited<ReturnType<Octokit["rest"]["pulls"]["list"]>>["data"][number];

/**
 * Keeps one pull request on one branch up to date with a plan.
 *
 * - Same content as proposed before: no write at all. The content's hash is the stamp in the body.
 * - The base moved: it is merged into the branch; a conflict is said in the pull request, and nothing else is done.
 * - People's commits on the branch stay; the bot adds on top, never by force (field case D03).
 * - Closed by hand: the same content stays closed (D17); with the snooze label only something urgent opens a new one.
 * - Two runs at once: the one that moves the branch first wins, the other notices (D02).
 *
 * @throws {Refused} when GitHub refuses for a reason somebody has to mend
 */
export async function publish(octokit: Octokit, proposal: Proposal): Promise<Outcome> {
  const { owner, repo } = proposal;
  const name = `${owner}/${repo}`;
  const context: Context = { octokit, at: { owner, repo }, proposal };
  try {
    const { data: info } = await octokit.rest.repos.get({ owner, repo });
    if (info.archived) throw new Refused(`${name} is archived and takes no changes. Unarchive it, or publish elsewhere.`);
    const base = proposal.base ?? info.default_branch;
    const baseHead = await refOf(context, base);
    if (baseHead === undefined) throw new Refused(`${name} has no branch ${base}. Create it, or name another base.`);
    const { data: pulls } = await octokit.rest.pulls.list({
      owner,
      repo,
      head: `${owner}:${proposal.branch}`,
      state: "all",
      sort: "created",
      direction: "desc",
      per_page: 20,
    });
    const open = pulls.find(({ state }) => state === "open");
    return open ? await update(context, open, base, baseHead) : await open_(context, pulls[0], base, baseHead);
  } catch (error) {
    throw explain(error, name, `https://github.com/${name}/compare/${encodeURIComponent(proposal.branch)}?expand=1`);
  }
}

/** No pull request is open: whether one should be, and opening it. */
async function open_(context: Context, last: Pull | undefined, base: string, baseHead: string): Promise<Outcome> {
  const { proposal } = context;
  const plan = proposal.plan(new Map());
  const tree = await treeOf(context, baseHead);
  const missing = difference(tree.files, plan.files, proposal.owns);
  const branch = await refOf(context, proposal.branch);
  if (isEmpty(missing)) {
    if (branch === undefined) return { action: "none", because: "The base branch already holds what would be proposed." };
    await deleteBranch(context);
    return { action: "cleaned", because: "The base branch already holds what would be proposed; the branch was removed." };
  }
  const closed = last && last.merged_at === null ? last : undefined;
  if (closed && stampOf(closed.body) === stamp(plan))
    return { action: "none", because: "A person closed a pull request with this content; it stays closed.", url: closed.html_url };
  if (closed?.labels.some(({ name }) => name === proposal.snoozeLabel) && !proposal.urgent) {
    return {
      action: "none",
      because: `The last pull request was closed with the label ${proposal.snoozeLabel}; only something urgent opens a new one.`,
      url: closed.html_url,
    };
  }
  if (!isDue(proposal, writtenAt(last))) return { action: "none", because: waits(proposal), ...(last ? { url: last.html_url } : {}) };
  if (branch !== undefined) await deleteBranch(context);
  const commit = await commitOn(context, baseHead, tree.sha, missing, plan.message);
  if (!(await createBranch(context, commit))) return { action: "lost", because: "Another run created the branch first; it carries on." };
  return create(context, base, plan);
}

async function create({ octokit, at, proposal }: Context, base: string, plan: Plan): Promise<Outcome> {
  try {
    const { data } = await octokit.rest.pulls.create({
      ...at,
      base,
      head: proposal.branch,
      title: plan.title,
      body: stamped(plan, proposal.now),
    });
    return { action: "created", because: plan.title, url: data.html_url };
  } catch (error) {
    if (hasStatus(error, 422) && says(error, /already exists/i))
      return { action: "lost", because: "Another run opened the pull request first; it carries on." };
    if (hasStatus(error, 422) && says(error, /No commits between/i)) return { action: "none", because: "There is nothing to propose." };
    throw error;
  }
}

/** A pull request is open: base merged in, people's changes rendered, the bot's commit on top, body and title kept. */
async function update(context: Context, pull: Pull, base: string, baseHead: string): Promise<Outcome> {
  const { octokit, at, proposal } = context;
  const url = pull.html_url;
  const before = await refOf(context, proposal.branch);
  if (before === undefined)
    return { action: "lost", because: "The branch of the open pull request is gone; the next run opens a new one.", url };
  const due = isDue(proposal, writtenAt(pull));
  const head = await mergeBase(context, baseHead, before);
  if (head === undefined) return sayConflict(context, pull, base, baseHead);
  const tree = await treeOf(context, head);
  const baseTree = await treeOf(context, baseHead);
  const plan = proposal.plan(await authoredChanges(context, baseTree.files, tree.files));
  if (stampOf(pull.body) === stamp(plan) && isEmpty(difference(tree.files, plan.files, proposal.owns))) {
    return head === before
      ? { action: "none", because: "The pull request already says this.", url }
      : { action: "updated", because: "The base branch was merged in.", url };
  }
  if (!due) return { action: "none", because: waits(proposal), url };
  const missing = difference(tree.files, plan.files, proposal.owns);
  if (!isEmpty(missing)) {
    const commit = await commitOn(context, head, tree.sha, missing, plan.message);
    if (!(await moveBranch(context, commit)))
      return { action: "lost", because: "The branch moved meanwhile; the next run adds on top.", url };
  }
  if (sameTree(baseTree.files, tree.files, plan, proposal)) {
    await octokit.rest.pulls.update({ ...at, pull_number: pull.number, state: "closed" });
    await deleteBranch(context);
    return { action: "cleaned", because: "The base branch now holds everything; the pull request was closed and the branch removed.", url };
  }
  if (pull.title !== plan.title || stampOf(pull.body) !== stamp(plan)) {
    await octokit.rest.pulls.update({ ...at, pull_number: pull.number, title: plan.title, body: stamped(plan, proposal.now) });
  }
  return { action: "updated", because: plan.title, url };
}

/** The branch, with the plan carried out, holds nothing that the base lacks. */
function sameTree(base: Tree, head: Tree, plan: Plan, proposal: Proposal): boolean {
  if (!isEmpty(difference(base, plan.files, proposal.owns))) return false;
  return [...new Set([...base.keys(), ...head.keys()])].every(
    (path) => proposal.owns(path) || plan.files.some((file) => file.path === path) || base.get(path) === head.get(path),
  );
}

async function sayConflict({ octokit, at, proposal }: Context, pull: Pull, base: string, baseHead: string): Promise<Outcome> {
  const marker = `<!-- landfall:conflict ${baseHead} -->`;
  const because = `${base} and ${proposal.branch} conflict. Merge ${base} into the branch by hand, or close the pull request and delete the branch; the next run starts afresh.`;
  const { data: comments } = await octokit.rest.issues.listComments({ ...at, issue_number: pull.number, per_page: 100 });
  if (!comments.some(({ body }) => body?.includes(marker))) {
    await octokit.rest.issues.createComment({ ...at, issue_number: pull.number, body: `${because}\n\n${marker}` });
  }
  return { action: "conflict", because, url: pull.html_url };
}

/** The hash of what is proposed: files, title and text. */
export function stamp(plan: Plan): string {
  const hash = createHash("sha256");
  for (const { path, content } of [...plan.files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(`${path}\0${content}\0`);
  return hash.update(plan.title).update(plan.body).digest("hex").slice(0, 24);
}

/** The stamp also holds when the bot wrote it: a comment by a person moves the pull request's own date, and would put updates off. */
const stamped = (plan: Plan, now: string) => `${plan.body.trimEnd()}\n\n<!-- landfall:content ${stamp(plan)} ${now} -->\n`;
const STAMP = /<!-- landfall:content ([0-9a-f]+) (\S+) -->/;
const stampOf = (body: string | null): string | undefined => STAMP.exec(body ?? "")?.[1];
const writtenAt = (pull: Pull | undefined): string | undefined => pull && (STAMP.exec(pull.body ?? "")?.[2] ?? pull.created_at);

function isDue({ urgent, everyDays, now }: Proposal, last: string | undefined): boolean {
  return urgent || last === undefined || Date.parse(now) - Date.parse(last) >= everyDays * 86_400_000;
}

const waits = ({ everyDays }: Proposal) => `Nothing urgent; it waits for the batch of every ${everyDays} days.`;
