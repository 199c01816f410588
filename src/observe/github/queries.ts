import { parseRef } from "../../model/ref.ts";

/** Aliases in one request of tier 1, which has no connections and costs one point. */
export const TIER_1 = 120;
/** Aliases in one request of tier 2: bounded connections, still far from the ten seconds GitHub gives a query. */
export const TIER_2 = 25;
/** Aliases in one request of the wide look, for the few threads whose answer lies beyond the bounds of tier 2. */
export const WIDE = 8;

/** How many nodes each connection of the detail query may return. Also decides what a complete answer is. */
export interface Bounds {
  fixes: number;
  talk: number;
  reviews: number;
  events: number;
  mentions: number;
}
export const NARROW: Bounds = { fixes: 10, talk: 5, reviews: 3, events: 10, mentions: 10 };
export const BROAD: Bounds = { fixes: 50, talk: 100, reviews: 50, events: 50, mentions: 50 };

/** A thread to ask for; a discussion has a field of its own. */
export interface Asked {
  /** `owner/repo#n` as facts call it. */
  ref: string;
  discussion: boolean;
}

/** A query and where each answer stands in it: path of aliases -> reference. */
export interface Query {
  text: string;
  places: Map<string, { ref: string; repo: string; path: [string, string] }>;
}

/** Tier 1: has anything changed? */
export const glanceQuery = (asked: readonly Asked[]): Query => build(asked, "...Glance", "...GlanceD", GLANCE);

/** Tier 2: everything a status rests on, within bounds. */
export const detailQuery = (asked: readonly Asked[], bounds: Bounds): Query =>
  build(asked, "...Glance ...Detail", "...GlanceD ...DetailD", `${GLANCE}\n${detail(bounds)}`);

/** What a rebase merge put on the base branch: the pull request's own commits beside the end of the base's history. */
export const rebaseQuery = (asked: readonly Asked[], commits: number): Query => build(asked, "...Rebased", "__typename", rebased(commits));

function build(asked: readonly Asked[], thread: string, discussion: string, fragments: string): Query {
  const places: Query["places"] = new Map();
  const repos = new Map<string, string[]>();
  for (const { ref, discussion: isDiscussion } of asked) {
    const parsed = parseRef(ref);
    if (parsed?.type !== "thread") throw new Error(`${ref} is not a thread`);
    const lines = repos.get(parsed.repo) ?? [];
    if (lines.length === 0) repos.set(parsed.repo, lines);
    const alias = `${isDiscussion ? "d" : "i"}${parsed.number}`;
    const repoAlias = `r${[...repos.keys()].indexOf(parsed.repo)}`;
    places.set(`${repoAlias}.${alias}`, { ref, repo: parsed.repo, path: [repoAlias, alias] });
    lines.push(
      isDiscussion
        ? `${alias}: discussion(number: ${parsed.number}) { ${discussion} }`
        : `${alias}: issueOrPullRequest(number: ${parsed.number}) { ${thread} }`,
    );
  }
  const bodies = [...repos].map(([repo, lines], index) => {
    const [owner = "", name = ""] = repo.split("/");
    return `r${index}: repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) {\n  id nameWithOwner isArchived\n  ${lines.join("\n  ")}\n}`;
  });
  const body = bodies.join("\n");
  const used = fragments.split(/\n(?=fragment )/).filter((fragment) => isUsed(fragment, body, fragments));
  return { text: `query {\nrateLimit { cost remaining resetAt }\n${body}\n}\n${used.join("\n")}`, places };
}

/** GraphQL refuses a fragment that nothing spreads. */
function isUsed(fragment: string, body: string, all: string): boolean {
  const name = /^fragment (\w+)/.exec(fragment)?.[1] ?? "";
  const spread = new RegExp(String.raw`\.\.\.${name}\b`);
  if (spread.test(body)) return true;
  return all.split(/\n(?=fragment )/).some((other) => other !== fragment && spread.test(other) && isUsed(other, body, all));
}

// `state` has another type on each kind, so one selection needs aliases.
const GLANCE = `fragment Glance on IssueOrPullRequest {
  __typename
  ... on Issue { id number title url createdAt updatedAt closedAt author { __typename login } issueState: state stateReason(enableDuplicate: true) }
  ... on PullRequest {
    id number title url createdAt updatedAt closedAt mergedAt author { __typename login }
    pullState: state isDraft mergeable reviewDecision baseRefName mergeCommit { oid }
  }
}
fragment GlanceD on Discussion {
  __typename id number title url createdAt updatedAt closedAt closed discussionReason: stateReason author { __typename login }
}`;

const detail = (bounds: Bounds) => `fragment Who on Actor { __typename login }
fragment Link on PullRequest { id number url linkState: state repository { nameWithOwner } }
fragment Detail on IssueOrPullRequest {
  ... on Issue {
    body
    fixes: closedByPullRequestsReferences(first: ${bounds.fixes}, includeClosedPrs: true, orderByState: true) { totalCount nodes { ...Link } }
    talk: comments(last: ${bounds.talk}) { totalCount nodes { createdAt authorAssociation body author { ...Who } } }
    events: timelineItems(last: ${bounds.events}, itemTypes: [CLOSED_EVENT, REOPENED_EVENT, MARKED_AS_DUPLICATE_EVENT, UNMARKED_AS_DUPLICATE_EVENT, CONVERTED_TO_DISCUSSION_EVENT, RENAMED_TITLE_EVENT]) {
      filteredCount nodes { __typename ...Closed ...Story }
    }
    mentions: timelineItems(last: ${bounds.mentions}, itemTypes: [CROSS_REFERENCED_EVENT]) { filteredCount nodes { ...Mention } }
  }
  ... on PullRequest {
    body
    mergeCommit { oid messageHeadline parents { totalCount } }
    commits(last: 1) { totalCount nodes { commit { committedDate messageHeadline author { name user { __typename login } } } } }
    reviews(last: ${bounds.reviews}) { totalCount nodes { submittedAt state author { ...Who } } }
    talk: comments(last: ${bounds.talk}) { totalCount nodes { createdAt authorAssociation body author { ...Who } } }
    events: timelineItems(last: ${bounds.events}, itemTypes: [CLOSED_EVENT, REOPENED_EVENT, MARKED_AS_DUPLICATE_EVENT, UNMARKED_AS_DUPLICATE_EVENT, RENAMED_TITLE_EVENT]) {
      filteredCount nodes { __typename ...Closed ...Story }
    }
    mentions: timelineItems(last: ${bounds.mentions}, itemTypes: [CROSS_REFERENCED_EVENT]) { filteredCount nodes { ...Mention } }
  }
}
fragment Closed on ClosedEvent {
  createdAt actor { ...Who }
  closer { __typename ... on Commit { oid repository { nameWithOwner } } ... on PullRequest { ...Link } }
}
fragment Story on Node {
  ... on ReopenedEvent { createdAt }
  ... on MarkedAsDuplicateEvent { createdAt canonical { __typename ... on Issue { url } ... on PullRequest { url } } }
  ... on UnmarkedAsDuplicateEvent { createdAt }
  ... on ConvertedToDiscussionEvent { createdAt discussion { number url } }
  ... on RenamedTitleEvent { createdAt previousTitle currentTitle }
}
fragment Mention on CrossReferencedEvent {
  createdAt source { __typename ... on PullRequest { ...Link title body } }
}
fragment DetailD on Discussion {
  talk: comments(last: ${bounds.talk}) {
    totalCount
    nodes { createdAt authorAssociation body author { ...Who } replies(last: 5) { totalCount nodes { createdAt author { ...Who } } } }
  }
}`;

const rebased = (commits: number) => `fragment Rebased on IssueOrPullRequest {
  ... on PullRequest {
    __typename
    commits(last: ${commits}) { totalCount nodes { commit { messageHeadline } } }
    mergeCommit { history(first: ${commits}) { nodes { oid messageHeadline parents { totalCount } } } }
  }
}`;
