/** Issues, pull requests, discussions, and what happens to them, as the world keeps them. */

export type ThreadRef = { repo: number; number: number };

export type Comment = {
  id: number;
  author: string | null;
  association: Association;
  body: string;
  at: string;
  /** Answers to a comment of a discussion. */
  replies?: Comment[];
};
export type Review = Comment & { state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" };
export type Association = "MEMBER" | "OWNER" | "COLLABORATOR" | "CONTRIBUTOR" | "FIRST_TIME_CONTRIBUTOR" | "NONE";

type Common = {
  id: number;
  number: number;
  title: string;
  body: string;
  author: string | null;
  association: Association;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  locked: boolean;
  labels: string[];
  comments: Comment[];
  events: ThreadEvent[];
};
export type Issue = Common & {
  kind: "issue";
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "duplicate" | "reopened" | null;
  /** Pull requests that close this issue, or closed it. */
  closedByPulls: ThreadRef[];
};
export type Pull = Common & {
  kind: "pull";
  state: "open" | "closed";
  draft: boolean;
  mergedAt: string | null;
  mergedBy: string | null;
  /** Before the merge the throw-away test merge, afterwards what the base branch was moved to. */
  mergeSha: string | null;
  base: string;
  baseSha: string;
  /** Branch in `headRepo`; null when the fork is gone. */
  head: string;
  headRepo: number | null;
  headSha: string;
  mergeable: "MERGEABLE" | "CONFLICTING" | "UNKNOWN" | "COMPUTED";
  inMergeQueue: boolean;
  reviewDecision: "APPROVED" | "CHANGES_REQUESTED" | "REVIEW_REQUIRED" | null;
  reviews: Review[];
  closes: ThreadRef[];
  changedFiles: number;
  /** Number of commits and date of the last, where no git answers. */
  commitCount: number;
  lastCommitAt: string;
};
export type Discussion = Common & {
  kind: "discussion";
  state: "open" | "closed";
  stateReason: "RESOLVED" | "OUTDATED" | "DUPLICATE" | "REOPENED" | null;
  category: string;
  answered: boolean;
};
/** A number whose issue moved to another repository, or was deleted. */
export type Moved = { kind: "moved"; number: number; to: ThreadRef };
export type Deleted = { kind: "deleted"; number: number };
export type Thread = Issue | Pull | Discussion | Moved | Deleted;

export type ThreadEvent = { id: number; at: string; actor: string | null } & (
  | { event: "closed"; stateReason?: Issue["stateReason"]; closer?: { commit: string; repo: number } | { pull: ThreadRef } }
  | { event: "reopened" | "locked" | "unlocked" | "convert_to_draft" | "ready_for_review" | "head_ref_deleted" }
  | { event: "merged"; sha: string; branch: string }
  | { event: "referenced"; sha: string; repo: number; direct: boolean }
  | { event: "cross-referenced"; source: ThreadRef; willClose: boolean }
  | { event: "renamed"; from: string; to: string }
  | { event: "labeled" | "unlabeled"; label: string }
  | { event: "transferred"; fromRepo: number }
  | { event: "converted_to_discussion"; discussion: ThreadRef }
  | { event: "marked_as_duplicate" | "unmarked_as_duplicate"; canonical: ThreadRef }
  | { event: "connected" | "disconnected"; subject: ThreadRef }
  | { event: "base_ref_changed" | "automatic_base_change_succeeded"; from: string; to: string }
  | { event: "added_to_merge_queue" | "auto_merge_enabled" | "auto_merge_disabled" }
);
