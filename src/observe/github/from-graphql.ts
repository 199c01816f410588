import type { CommentNode, Connection, EventNode, LinkNode, ThreadNode } from "./nodes.ts";
import { isMachine } from "./people.ts";
import type { Bounds } from "./queries.ts";
import type { Eyes, Facts, Reading, Wanted } from "./reading.ts";
import type { Story, StoryEvent } from "./story.ts";
import { told } from "./story.ts";
import { plainTitle, refOfUrl } from "./words.ts";

const SOURCE = "GitHub GraphQL";
const INSIDERS = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

const GLANCED: (keyof Facts)[] = [
  "kind",
  "title",
  "url",
  "nodeId",
  "author",
  "state",
  "stateReason",
  "merged",
  "draft",
  "review",
  "base",
  "createdAt",
  "closedAt",
  "mergedAt",
  "mergeCommit",
];

/** Reads a tier-1 answer. Undefined when the fields that make a thread are not there. */
export function glance(node: ThreadNode): Reading | undefined {
  const title = plainTitle(node.title ?? "");
  const state = node.issueState ?? node.pullState ?? (node.closed === undefined ? undefined : node.closed ? "CLOSED" : "OPEN");
  const kind =
    node.__typename === "Issue"
      ? "issue"
      : node.__typename === "PullRequest"
        ? "pull-request"
        : node.__typename === "Discussion"
          ? "discussion"
          : undefined;
  if (title === "" || state === undefined || kind === undefined) return undefined;
  const open = state === "OPEN";
  const covers = new Set(GLANCED);
  const facts: Facts = { kind, title, state: open ? "open" : "closed" };
  set(facts, "url", node.url);
  set(facts, "nodeId", node.id);
  set(facts, "author", node.author?.login);
  set(facts, "createdAt", node.createdAt);
  if (!open) {
    set(facts, "closedAt", node.closedAt);
    set(facts, "stateReason", REASONS[node.stateReason ?? node.discussionReason ?? ""]);
  }
  if (kind === "pull-request") {
    facts.merged = state === "MERGED" || (node.mergedAt ?? null) !== null;
    set(facts, "base", node.baseRefName);
    if (facts.merged) {
      set(facts, "mergedAt", node.mergedAt);
      // Before the merge, and without one, it is a throw-away test merge (A09).
      set(facts, "mergeCommit", node.mergeCommit?.oid);
    }
    if (open) {
      if (node.isDraft === true) facts.draft = true;
      set(facts, "review", REVIEWS[node.reviewDecision ?? ""]);
      // UNKNOWN says that GitHub is still computing (A39); what was known stays.
      if (node.mergeable === "CONFLICTING") facts.conflicting = true;
    }
    if (!open || node.mergeable === "CONFLICTING" || node.mergeable === "MERGEABLE") covers.add("conflicting");
  }
  return { facts, covers, source: SOURCE, updatedAt: node.updatedAt };
}

const REASONS: Record<string, Facts["stateReason"]> = {
  COMPLETED: "completed",
  NOT_PLANNED: "not-planned",
  DUPLICATE: "duplicate",
  RESOLVED: "completed",
  OUTDATED: "not-planned",
};
const REVIEWS: Record<string, Facts["review"]> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  REVIEW_REQUIRED: "review-required",
};

function set<K extends keyof Facts>(facts: Facts, key: K, value: Facts[K] | null | undefined): void {
  if (value !== null && value !== undefined && value !== "") facts[key] = value;
}

export interface Detail extends Reading {
  /** Questions that a wider look could still answer. */
  open: string[];
  /** Looks like a rebase merge of that many commits: which ones is a question of its own (A10). */
  rebased: number | undefined;
}

/** Reads a tier-2 answer. @returns the reading, or why the answer cannot be trusted */
export function detail(node: ThreadNode, bounds: Bounds, wanted: Wanted, eyes: Eyes): Detail | string {
  const seen = glance(node);
  if (!seen) return "the answer has no title, state or kind";
  const missing = shortAnswer(node, bounds);
  if (missing !== undefined) return missing;
  const repo = wanted.ref.slice(0, wanted.ref.indexOf("#"));
  const story = storyOf(node, wanted.ref, repo, eyes);
  const more = told(seen.facts, story, eyes, wanted.replies);
  const facts: Facts = { ...seen.facts, ...more.facts };
  const covers = new Set([...seen.covers, ...more.covers, "closedBy", "labels"] as const);
  const open = [...more.open];
  if (node.fixes) {
    const linked = live(node.fixes)
      .map((pull) => linkRef(pull, eyes))
      .filter((ref) => ref !== undefined && isForeign(ref, repo, eyes)) as string[];
    const some = (node.fixes.totalCount ?? 0) > bounds.fixes;
    if (some) open.push("all linked pull requests");
    const all = [...new Set([...linked, ...(some ? (wanted.known?.closedBy ?? []) : [])])];
    if (all.length > 0) facts.closedBy = all.sort();
  }
  const rebased = rebaseOf(node, facts);
  if (rebased === undefined) covers.add("rebasedCommits");
  return { ...seen, facts, covers, open, rebased };
}

/** A reference from the stack's own repository is bookkeeping, not a fix, unless the thread lives there (A38). */
const isForeign = (ref: string, repo: string, eyes: Eyes) => !ref.startsWith(`${eyes.ownRepo}#`) || repo === eyes.ownRepo;

/**
 * Large batches silently answer with fewer nodes than there are, down to none: that is a failure and never "none".
 * @returns what is missing, or undefined when the answer is whole
 */
export function shortAnswer(node: ThreadNode, bounds: Bounds): string | undefined {
  const issue = node.__typename === "Issue";
  const pull = node.__typename === "PullRequest";
  const expected: [string, Connection<unknown> | null | undefined, number][] = [
    ["comments", node.talk, bounds.talk],
    ...(issue || pull
      ? ([
          ["events", node.events, bounds.events],
          ["mentions", node.mentions, bounds.mentions],
        ] as [string, Connection<unknown>, number][])
      : []),
    ...(issue ? ([["linked pull requests", node.fixes, bounds.fixes]] as [string, Connection<unknown>, number][]) : []),
    ...(pull
      ? ([
          ["reviews", node.reviews, bounds.reviews],
          ["commits", node.commits, 1],
        ] as [string, Connection<unknown>, number][])
      : []),
  ];
  for (const [name, connection, bound] of expected) {
    if (!connection?.nodes) return `the answer has no ${name}`;
    const total = connection.filteredCount ?? connection.totalCount;
    const due = Math.min(total ?? 0, bound);
    if (connection.nodes.length < due) return `the answer has ${connection.nodes.length} of ${due} ${name}`;
  }
  return undefined;
}

function live<T>(connection: Connection<T> | null | undefined): T[] {
  return (connection?.nodes ?? []).filter((node) => node !== null && node !== undefined) as T[];
}
/** Does the connection hold everything there is? */
function whole(connection: Connection<unknown> | null | undefined): boolean {
  const total = connection?.filteredCount ?? connection?.totalCount;
  return total !== undefined && (connection?.nodes?.length ?? 0) >= total;
}

function linkRef(link: LinkNode, eyes: Eyes): string | undefined {
  const repo = link.repository?.nameWithOwner;
  return repo === undefined || link.number === undefined ? undefined : `${eyes.localName(repo)}#${link.number}`;
}

function storyOf(node: ThreadNode, ref: string, repo: string, eyes: Eyes): Story {
  const talk = live(node.talk);
  const replies = talk.flatMap((comment) => live(comment.replies));
  const comments = [...talk, ...replies].filter(({ createdAt }) => createdAt !== undefined).map(commentOf);
  const commit = live(node.commits)[0]?.commit;
  const named = commit?.author?.name;
  const committer = commit?.author?.user ?? (named?.endsWith("[bot]") ? { login: named } : undefined);
  return {
    ref,
    repo,
    author: node.author ?? null,
    body: node.body ?? "",
    createdAt: node.createdAt,
    comments: comments.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    allComments: whole(node.talk) && talk.every(({ replies: answers }) => answers === undefined || whole(answers)),
    reviews: live(node.reviews).flatMap(({ submittedAt, author }) => (submittedAt ? [{ at: submittedAt, by: author ?? null }] : [])),
    allReviews: node.reviews === undefined || whole(node.reviews),
    // A commit whose e-mail belongs to no account is taken for the pull request's author's, unless its name says it is a machine's.
    lastCommit: commit?.committedDate ? { at: commit.committedDate, by: committer ?? node.author ?? null } : undefined,
    events: live(node.events).flatMap((event) => eventOf(event, eyes)),
    allEvents: node.events === undefined || whole(node.events),
    mentions: live(node.mentions).flatMap(({ createdAt, source }) => {
      const from = source && linkRef(source, eyes);
      const home = source?.repository?.nameWithOwner;
      if (!from || home === undefined || !isForeign(from, repo, eyes)) return [];
      const state = source?.linkState === "MERGED" ? "merged" : source?.linkState === "CLOSED" ? "closed" : "open";
      return [{ at: createdAt ?? "", ref: from, repo: eyes.localName(home), text: `${source?.title ?? ""}\n${source?.body ?? ""}`, state }];
    }),
    allMentions: node.mentions === undefined || whole(node.mentions),
  };
}

function commentOf(node: CommentNode): Story["comments"][number] {
  return {
    at: node.createdAt ?? "",
    by: node.author ?? null,
    insider: INSIDERS.has(node.authorAssociation ?? "") && !isMachine(node.author),
    body: node.body ?? "",
  };
}

function eventOf(node: EventNode, eyes: Eyes): StoryEvent[] {
  const at = node.createdAt ?? "";
  switch (node.__typename) {
    case "ClosedEvent":
      return [{ event: "closed", at, closer: node.closer ? closerOf(node.closer, eyes) : undefined }];
    case "ReopenedEvent":
      return [{ event: "reopened", at }];
    case "MarkedAsDuplicateEvent": {
      const of = localised(refOfUrl(node.canonical?.url), eyes);
      return of === undefined ? [] : [{ event: "duplicate", at, of }];
    }
    case "UnmarkedAsDuplicateEvent":
      return [{ event: "not-duplicate", at }];
    case "RenamedTitleEvent":
      return node.previousTitle ? [{ event: "renamed", at, from: node.previousTitle }] : [];
    case "ConvertedToDiscussionEvent": {
      const to = localised(refOfUrl(node.discussion?.url), eyes);
      return to === undefined ? [] : [{ event: "to-discussion", at, to }];
    }
    default:
      return [];
  }
}

/** A commit or a pull request; a project board that closes an issue is no evidence of a fix. */
function closerOf(closer: NonNullable<EventNode["closer"]>, eyes: Eyes): string | undefined {
  const repo = closer.repository?.nameWithOwner;
  if (closer.__typename === "Commit" && repo !== undefined && closer.oid !== undefined) return `${eyes.localName(repo)}@${closer.oid}`;
  return closer.__typename === "PullRequest" ? linkRef(closer, eyes) : undefined;
}

export function localised(ref: string | undefined, eyes: Eyes): string | undefined {
  if (ref === undefined) return undefined;
  const [repo = "", number = ""] = ref.split("#");
  return `${eyes.localName(repo)}#${number}`;
}

/**
 * Several commits, a last one with the same headline on the base branch, and no "(#12)" behind it: that is how a rebase merge
 * looks. A squash of several commits has the pull request's title and number, a merge commit has two parents.
 */
function rebaseOf(node: ThreadNode, facts: Facts): number | undefined {
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
