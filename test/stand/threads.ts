import { openGit } from "./git-repository.ts";
import type { Comment, Discussion, Issue, Pull, Review, Thread, ThreadEvent, ThreadRef } from "./thread-types.ts";
import { addCommit, newId, nowOf, type Repo, refTo, repoById, type World } from "./world.ts";

/** Builders for issues, pull requests and discussions, and what happens to them. `at` is the world's now unless given. */

export type LiveThread = Issue | Pull | Discussion;
type Given<T> = Partial<Omit<T, "kind" | "id">>;
/** An event as a test writes it: id, time and actor are filled in. */
export type NewEvent = ThreadEvent extends infer E ? (E extends ThreadEvent ? Omit<E, "id" | "at" | "actor"> : never) : never;
type When = { at?: string; by?: string | null };

function common(world: World, repo: Repo, options: Given<LiveThread>) {
  const number = options.number ?? repo.nextNumber;
  if (repo.threads[number]) throw new Error(`${repo.owner}/${repo.name}#${number} exists`);
  repo.nextNumber = Math.max(repo.nextNumber, number + 1);
  const createdAt = options.createdAt ?? nowOf(world);
  return {
    id: newId(world),
    number,
    title: `Thread ${number}`,
    body: "",
    author: "reporter",
    association: "NONE" as const,
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    locked: false,
    labels: [],
    comments: [],
    events: [],
    state: "open" as const,
  };
}

export function addIssue(world: World, repo: Repo, options: Given<Issue> = {}): Issue {
  const issue: Issue = { ...common(world, repo, options), kind: "issue", stateReason: null, closedByPulls: [], ...options };
  repo.threads[issue.number] = issue;
  return issue;
}

export function addDiscussion(world: World, repo: Repo, options: Given<Discussion> = {}): Discussion {
  const discussion: Discussion = {
    ...common(world, repo, options),
    kind: "discussion",
    stateReason: null,
    category: "General",
    answered: false,
    ...options,
  };
  repo.threads[discussion.number] = discussion;
  return discussion;
}

/** With git, `head` names a branch or `headSha` a commit; refs/pull/N/head is set. Without, shas are made up. */
export function addPull(world: World, repo: Repo, options: Given<Pull> = {}): Pull {
  const git = repo.git === undefined ? undefined : openGit(repo.git);
  const base = options.base ?? repo.defaultBranch;
  const head = options.head ?? "patch";
  const headSha = options.headSha ?? git?.resolve(head) ?? addCommit(world, repo).sha;
  const shared = common(world, repo, options);
  const pull: Pull = {
    ...shared,
    kind: "pull",
    draft: false,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    base,
    baseSha: git?.resolve(base) ?? repo.refs[`refs/heads/${base}`] ?? addCommit(world, repo).sha,
    head,
    headRepo: repo.id,
    headSha,
    mergeable: git ? "COMPUTED" : "MERGEABLE",
    inMergeQueue: false,
    reviewDecision: null,
    reviews: [],
    closes: [],
    changedFiles: 1,
    commitCount: 1,
    lastCommitAt: shared.createdAt,
    ...options,
  };
  repo.threads[pull.number] = pull;
  git?.refs.set(`refs/pull/${pull.number}/head`, headSha);
  return pull;
}

/** Appends one event and moves `updatedAt`, as every event does on GitHub. */
export function addEvent(world: World, thread: LiveThread, event: NewEvent, when: When = {}): ThreadEvent {
  const at = when.at ?? nowOf(world);
  const made = { id: newId(world), at, actor: when.by === undefined ? "maintainer" : when.by, ...event } as ThreadEvent;
  thread.events.push(made);
  if (at > thread.updatedAt) thread.updatedAt = at;
  return made;
}

type Closing = When & { reason?: Issue["stateReason"]; closer?: Extract<ThreadEvent, { event: "closed" }>["closer"] };

/** Closes without a merge. `closer` is the commit or pull request that GitHub shows as the reason. */
export function close(world: World, thread: LiveThread, closing: Closing = {}): void {
  const event = addEvent(
    world,
    thread,
    {
      event: "closed",
      ...(thread.kind === "issue" ? { stateReason: closing.reason === undefined ? "completed" : closing.reason } : {}),
      ...(closing.closer ? { closer: closing.closer } : {}),
    },
    closing,
  );
  thread.state = "closed";
  thread.closedAt = event.at;
  if (thread.kind === "issue") thread.stateReason = closing.reason === undefined ? "completed" : closing.reason;
  if (thread.kind === "discussion") thread.stateReason = "RESOLVED";
}

export function reopen(world: World, thread: LiveThread, when: When = {}): void {
  addEvent(world, thread, { event: "reopened" }, when);
  thread.state = "open";
  thread.closedAt = null;
  if (thread.kind === "issue") thread.stateReason = "reopened";
  if (thread.kind === "discussion") thread.stateReason = "REOPENED";
}

/**
 * Records a merge whose commit exists already (or is made up, without git) and closes the linked issues when the base
 * is the default branch, as GitHub does. `mergePull` in merging.ts makes the commit in git first.
 */
export function markMerged(world: World, repo: Repo, pull: Pull, merge: When & { sha?: string } = {}): string {
  const sha = merge.sha ?? addCommit(world, repo, { message: `${pull.title} (#${pull.number})`, parents: [pull.baseSha] }).sha;
  const at = addEvent(world, pull, { event: "merged", sha, branch: pull.base }, merge).at;
  addEvent(world, pull, { event: "closed" }, merge);
  Object.assign(pull, {
    state: "closed",
    mergedAt: at,
    closedAt: at,
    mergedBy: merge.by === undefined ? "maintainer" : merge.by,
    mergeSha: sha,
  });
  if (pull.base === repo.defaultBranch) {
    for (const { home, thread } of threadsOf(world, pull.closes)) {
      if (thread.kind !== "issue" || thread.state === "closed" || home.id !== repo.id) continue;
      close(world, thread, { ...merge, closer: { pull: refTo(repo, pull) } });
    }
  }
  return sha;
}

/** Links a pull request to the issue it will close (both directions). */
export function linkPull(repo: Repo, pull: Pull, issueRepo: Repo, issue: Issue): void {
  pull.closes.push(refTo(issueRepo, issue));
  issue.closedByPulls.push(refTo(repo, pull));
}

export function comment(world: World, thread: LiveThread, options: Partial<Comment> = {}): Comment {
  const made: Comment = { id: newId(world), author: "maintainer", association: "MEMBER", body: "", at: nowOf(world), ...options };
  thread.comments.push(made);
  if (made.at > thread.updatedAt) thread.updatedAt = made.at;
  return made;
}

export function review(world: World, pull: Pull, options: Partial<Review> = {}): Review {
  const made: Review = {
    id: newId(world),
    author: "maintainer",
    association: "MEMBER",
    body: "",
    at: nowOf(world),
    state: "APPROVED",
    ...options,
  };
  pull.reviews.push(made);
  if (made.state === "APPROVED" || made.state === "CHANGES_REQUESTED") pull.reviewDecision = made.state;
  if (made.at > pull.updatedAt) pull.updatedAt = made.at;
  return made;
}

export function rename(world: World, thread: LiveThread, title: string, when: When = {}): void {
  addEvent(world, thread, { event: "renamed", from: thread.title, to: title }, when);
  thread.title = title;
}

export function changeBase(world: World, pull: Pull, base: string, when: When & { automatic?: boolean } = {}): void {
  addEvent(
    world,
    pull,
    { event: when.automatic ? "automatic_base_change_succeeded" : "base_ref_changed", from: pull.base, to: base },
    when,
  );
  pull.base = base;
}

/** Moves an issue to another repository: 301 under the old number, a `transferred` event under the new one. */
export function transfer(world: World, from: Repo, issue: Issue, to: Repo, when: When = {}): Issue {
  // GitHub makes a new record of it: another number, another node id.
  const moved: Issue = { ...issue, id: newId(world), number: to.nextNumber++ };
  to.threads[moved.number] = moved;
  from.threads[issue.number] = { kind: "moved", number: issue.number, to: refTo(to, moved) };
  addEvent(world, moved, { event: "transferred", fromRepo: from.id }, when);
  return moved;
}

/** 410 in a repository one can read. */
export function deleteThread(repo: Repo, number: number): void {
  repo.threads[number] = { kind: "deleted", number };
}

/** The issue stays, closed, and says where the discussion is. */
export function convertToDiscussion(world: World, repo: Repo, issue: Issue, when: When = {}): Discussion {
  const discussion = addDiscussion(world, repo, { title: issue.title, author: issue.author });
  addEvent(world, issue, { event: "converted_to_discussion", discussion: refTo(repo, discussion) }, when);
  close(world, issue, { ...when, reason: null });
  return discussion;
}

export function markDuplicate(world: World, issue: Issue | Pull, canonical: ThreadRef, when: When = {}): void {
  addEvent(world, issue, { event: "marked_as_duplicate", canonical }, when);
}

/** Mentions `target` in `source`'s text. */
export function crossReference(world: World, source: ThreadRef, target: LiveThread, options: When & { willClose?: boolean } = {}): void {
  addEvent(world, target, { event: "cross-referenced", source, willClose: options.willClose ?? false }, options);
}

export const isLive = (thread: Thread | undefined): thread is LiveThread =>
  thread !== undefined && thread.kind !== "moved" && thread.kind !== "deleted";

/** The live threads behind references, with the repositories they live in; what is gone is left out. */
export function threadsOf(world: World, refs: ThreadRef[]): { home: Repo; thread: LiveThread }[] {
  return refs.flatMap((ref) => {
    const home = repoById(world, ref.repo);
    const thread = home?.threads[ref.number];
    return home && isLive(thread) ? [{ home, thread }] : [];
  });
}
