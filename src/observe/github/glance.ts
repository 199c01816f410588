import type { ThreadNode } from "./nodes.ts";
import type { Facts, Reading } from "./reading.ts";
import { plainTitle } from "./words.ts";

/** The source of facts that GraphQL showed. */
const SOURCE = "GitHub GraphQL";

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
  // GraphQL leaves out the ending by which REST and people know a bot.
  set(facts, "author", node.author?.__typename === "Bot" ? `${node.author.login}[bot]` : node.author?.login);
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
