import type { Thread } from "../../model/shapes/observed.ts";
import { same } from "../change.ts";
import type { Actor } from "./nodes.ts";
import { isMachine } from "./people.ts";
import type { Eyes, Facts, Reading, Wanted } from "./reading.ts";
import type { Story, StoryEvent } from "./story.ts";
import type { RestEvent, RestIssue, RestPull, RestUser } from "./rest-nodes.ts";
import { told } from "./story.ts";
import { closes, plainTitle, refOfUrl } from "./words.ts";

/** The source of facts that were read so; GraphQL shows more. */
export const REST = "GitHub REST";
const REASONS: Record<string, Facts["stateReason"]> = { completed: "completed", not_planned: "not-planned", duplicate: "duplicate" };
const INSIDERS = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

const actorOf = (user: RestUser | null | undefined): Actor | null =>
  user ? { login: user.login ?? "", __typename: user.type === "Bot" ? "Bot" : "User" } : null;

/** `owner/repo#n` of an answer, to compare with what was asked: octokit follows a transfer silently (A24). */
export function placeOf(issue: RestIssue): { repo: string; number: number } | undefined {
  const repo = /\/repos\/([^/]+\/[^/]+)$/.exec(issue.repository_url ?? "")?.[1] ?? refOfUrl(issue.html_url)?.split("#")[0];
  return repo === undefined || issue.number === undefined ? undefined : { repo, number: issue.number };
}

/** Reads the issue alone. Pull requests answer here too, with the key `pull_request` (A34). Undefined when it is no thread. */
export function restGlance(issue: RestIssue): Reading | undefined {
  const title = plainTitle(issue.title ?? "");
  if (title === "" || (issue.state !== "open" && issue.state !== "closed")) return undefined;
  const pull = issue.pull_request !== undefined;
  const facts: Facts = { kind: pull ? "pull-request" : "issue", title, state: issue.state };
  const covers = new Set<keyof Facts>(["kind", "title", "state", "closedAt", "createdAt", "author", "nodeId"]);
  if (issue.node_id) facts.nodeId = issue.node_id;
  if (issue.html_url) {
    facts.url = issue.html_url;
    covers.add("url");
  }
  if (issue.user?.login) facts.author = issue.user.login;
  if (issue.created_at) facts.createdAt = issue.created_at;
  if (issue.state === "closed" && issue.closed_at) facts.closedAt = issue.closed_at;
  if (!pull) {
    covers.add("stateReason");
    const reason = issue.state === "closed" ? REASONS[issue.state_reason ?? ""] : undefined;
    if (reason) facts.stateReason = reason;
  } else {
    const mergedAt = issue.pull_request?.merged_at;
    if (mergedAt !== undefined) {
      facts.merged = mergedAt !== null;
      if (mergedAt) facts.mergedAt = mergedAt;
      covers.add("merged").add("mergedAt");
    }
    if (issue.draft !== undefined || issue.state === "closed") {
      covers.add("draft");
      if (issue.draft === true && issue.state === "open") facts.draft = true;
    }
  }
  return { facts, covers, source: REST, updatedAt: issue.updated_at };
}

/**
 * Reads issue, pull request and timeline together.
 * REST has no list of linked pull requests: the closing keywords in the texts that mention the issue stand for it, so it can add
 * to what is known and never takes away. @returns the reading, or why the answer cannot be trusted
 */
export function restDetail(
  issue: RestIssue,
  pull: RestPull | undefined,
  timeline: readonly RestEvent[],
  wanted: Wanted,
  eyes: Eyes,
): Reading | string {
  const seen = restGlance(issue);
  if (!seen) return "the answer has no title or state";
  const facts: Facts = { ...seen.facts };
  const covers = new Set(seen.covers);
  if (pull) pullFacts(facts, covers, pull, timeline);
  const repo = wanted.ref.slice(0, wanted.ref.indexOf("#"));
  const story = storyOf(issue, timeline, wanted.ref, repo, eyes);
  const more = told(facts, story, eyes, wanted.replies);
  Object.assign(facts, more.facts);
  for (const key of more.covers) covers.add(key);
  // Which thread it duplicates, and which pull request closed it, is told by GraphQL alone.
  covers.delete("duplicateOf");
  if (facts.state === "closed" && !facts.closer) covers.delete("closer");
  if (!pull) {
    const linked = story.mentions
      .filter(({ text, repo: from }) => from === repo && closes(text, from).includes(wanted.ref))
      .map(({ ref }) => ref);
    const all = [...new Set([...(wanted.known?.closedBy ?? []), ...linked])].sort();
    if (all.length > 0) facts.closedBy = all;
  }
  return { facts, covers: covers.add("closedBy").add("labels"), source: REST, updatedAt: issue.updated_at };
}

/** What only the pull request's own answer says. */
function pullFacts(facts: Facts, covers: Set<keyof Facts>, pull: RestPull, timeline: readonly RestEvent[]): void {
  if (pull.base?.ref) {
    facts.base = pull.base.ref;
    covers.add("base");
  }
  if (pull.merged !== undefined) {
    facts.merged = pull.merged;
    covers.add("merged");
  }
  if (facts.merged === true) {
    // `merge_commit_sha` is not in newer versions of the API, and means a test merge before the merge (A09); the event says it too.
    const sha = timeline.findLast(({ event }) => event === "merged")?.commit_id ?? pull.merge_commit_sha ?? undefined;
    if (sha) {
      facts.mergeCommit = sha;
      covers.add("mergeCommit");
    }
    if (pull.merged_at) facts.mergedAt = pull.merged_at;
  } else covers.add("mergeCommit").add("rebasedCommits");
  if (facts.state === "closed") {
    covers.add("conflicting").add("review").add("draft");
    return;
  }
  movingFacts(facts, covers, pull);
  covers.add("review");
  const review = reviewOf(timeline);
  if (review) facts.review = review;
}

/** What changes in an open pull request without its thread moving: a conflict that the base branch brought. */
function movingFacts(facts: Pick<Facts, "draft" | "conflicting">, covers: Set<keyof Facts>, pull: RestPull): void {
  if (pull.draft !== undefined) covers.add("draft");
  if (pull.draft === true) facts.draft = true;
  if (pull.mergeable === false) facts.conflicting = true;
  // null: GitHub is still computing (A39).
  if (typeof pull.mergeable === "boolean") covers.add("conflicting");
}

/** A look at an open pull request whose thread did not move; undefined when it is as it was. */
export function restGlanceOpen(known: Thread, pull: RestPull, updatedAt: string | undefined): Reading | undefined {
  const moving: Pick<Facts, "draft" | "conflicting"> = {};
  const covers = new Set<keyof Facts>();
  movingFacts(moving, covers, pull);
  if ([...covers].every((key) => same(known[key], moving[key as keyof typeof moving]))) return undefined;
  return { facts: { kind: known.kind, title: known.title, state: known.state, ...moving }, covers, source: known.source, updatedAt };
}

/** REST has no decision about the reviews; the last word of each reviewer with a say stands for it. */
function reviewOf(timeline: readonly RestEvent[]): Facts["review"] {
  const last = new Map<string, string>();
  for (const { event, user, state, author_association: association } of timeline) {
    const verdict = (state ?? "").toLowerCase();
    if (event !== "reviewed" || !INSIDERS.has(association ?? "") || !["approved", "changes_requested", "dismissed"].includes(verdict))
      continue;
    last.set(user?.login ?? "", verdict);
  }
  const verdicts = [...last.values()];
  return verdicts.includes("changes_requested") ? "changes-requested" : verdicts.includes("approved") ? "approved" : undefined;
}

function storyOf(issue: RestIssue, timeline: readonly RestEvent[], ref: string, repo: string, eyes: Eyes): Story {
  const has = (name: string) => timeline.filter(({ event }) => event === name);
  const commit = has("committed").at(-1);
  const author = actorOf(issue.user);
  return {
    ref,
    repo,
    author,
    body: issue.body ?? "",
    createdAt: issue.created_at,
    comments: has("commented").map((one) => {
      const by = actorOf(one.user ?? one.actor);
      return { at: one.created_at ?? "", by, insider: INSIDERS.has(one.author_association ?? "") && !isMachine(by), body: one.body ?? "" };
    }),
    allComments: true,
    reviews: has("reviewed").flatMap((one) => (one.submitted_at ? [{ at: one.submitted_at, by: actorOf(one.user) }] : [])),
    allReviews: true,
    lastCommit: commit?.committer?.date ? { at: commit.committer.date, by: author } : undefined,
    events: timeline.flatMap((one) => eventOf(one, eyes)),
    allEvents: true,
    mentions: has("cross-referenced").flatMap((one) => mentionOf(one, repo, eyes)),
    allMentions: true,
  };
}

function eventOf(one: RestEvent, eyes: Eyes): StoryEvent[] {
  const at = one.created_at ?? "";
  switch (one.event) {
    case "closed": {
      const repo = /\/repos\/([^/]+\/[^/]+)\/(?:git\/)?commits\//.exec(one.commit_url ?? "")?.[1];
      return [{ event: "closed", at, closer: one.commit_id && repo ? `${eyes.localName(repo)}@${one.commit_id}` : undefined }];
    }
    case "reopened":
      return [{ event: "reopened", at }];
    case "renamed":
      return one.rename?.from ? [{ event: "renamed", at, from: one.rename.from }] : [];
    default:
      return [];
  }
}

/** The source of a cross reference is always called an issue; only `pull_request` in it tells (A38). */
function mentionOf(one: RestEvent, repo: string, eyes: Eyes): Story["mentions"] {
  const source = one.source?.issue;
  const place = source && placeOf(source);
  if (!source?.pull_request || !place) return [];
  const home = eyes.localName(source.repository?.full_name ?? place.repo);
  if (home === eyes.ownRepo && repo !== eyes.ownRepo) return [];
  const merged = (source.pull_request.merged_at ?? null) !== null;
  const state = merged ? "merged" : source.state === "closed" ? "closed" : "open";
  return [
    { at: one.created_at ?? "", ref: `${home}#${place.number}`, repo: home, text: `${source.title ?? ""}\n${source.body ?? ""}`, state },
  ];
}
