import { live, shortAnswer, whole } from "./connections.ts";
import { glance } from "./glance.ts";
import type { CommentNode, EventNode, LinkNode, ThreadNode } from "./nodes.ts";
import { isMachine } from "./people.ts";
import type { Bounds } from "./queries.ts";
import type { Eyes, Facts, Reading, Wanted } from "./reading.ts";
import type { Story, StoryEvent } from "./story.ts";
import { told } from "./story.ts";
import { rebaseOf } from "./rebase.ts";
import { refOfUrl } from "./words.ts";

const INSIDERS = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

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

function localised(ref: string | undefined, eyes: Eyes): string | undefined {
  if (ref === undefined) return undefined;
  const [repo = "", number = ""] = ref.split("#");
  return `${eyes.localName(repo)}#${number}`;
}
