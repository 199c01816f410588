/** What the queries of `queries.ts` get back. Everything may be missing: a GitHub may drop a field, and absent means unknown. */
export interface Actor {
  __typename?: string;
  login?: string;
}
type Maybe<T> = T | null | undefined;

export interface Connection<T> {
  totalCount?: number;
  /** Timelines count with their filter here; `totalCount` would count every event. */
  filteredCount?: number;
  nodes?: Maybe<readonly Maybe<T>[]>;
}

export interface RepositoryNode {
  id?: string;
  nameWithOwner?: string;
  isArchived?: boolean;
}

export interface LinkNode {
  __typename?: string;
  id?: string;
  number?: number;
  url?: string;
  linkState?: string;
  title?: string;
  body?: string;
  repository?: Maybe<{ nameWithOwner?: string }>;
}

export interface CommentNode {
  createdAt?: string;
  authorAssociation?: string;
  body?: string;
  author?: Maybe<Actor>;
  replies?: Connection<CommentNode>;
}

export interface ReviewNode {
  submittedAt?: Maybe<string>;
  state?: string;
  author?: Maybe<Actor>;
}

export interface EventNode {
  __typename?: string;
  createdAt?: string;
  actor?: Maybe<Actor>;
  closer?: Maybe<LinkNode & { oid?: string }>;
  canonical?: Maybe<LinkNode>;
  discussion?: Maybe<{ number?: number; url?: string }>;
  previousTitle?: string;
  currentTitle?: string;
}

export interface ThreadNode {
  __typename?: string;
  id?: string;
  number?: number;
  title?: string;
  url?: string;
  body?: string;
  createdAt?: string;
  updatedAt?: string;
  closedAt?: Maybe<string>;
  author?: Maybe<Actor>;
  /** Issues */
  issueState?: string;
  stateReason?: Maybe<string>;
  fixes?: Maybe<Connection<LinkNode>>;
  /** Pull requests */
  pullState?: string;
  isDraft?: boolean;
  mergeable?: string;
  reviewDecision?: Maybe<string>;
  baseRefName?: string;
  mergedAt?: Maybe<string>;
  mergeCommit?: Maybe<{ oid?: string; messageHeadline?: string; parents?: { totalCount?: number } }>;
  commits?: Connection<{
    commit?: { committedDate?: string; messageHeadline?: string; author?: Maybe<{ name?: string; user?: Maybe<Actor> }> };
  }>;
  reviews?: Maybe<Connection<ReviewNode>>;
  /** Discussions */
  closed?: boolean;
  discussionReason?: Maybe<string>;
  /** All three */
  talk?: Connection<CommentNode>;
  events?: Connection<EventNode>;
  mentions?: Connection<{ createdAt?: string; source?: Maybe<LinkNode> }>;
}
