/** What a field of an answer must be. `?`: may be null. `~`: may be missing, because newer versions of the API leave it out. */
type Kind = "text" | "text?" | "text~" | "number" | "yes-no" | "yes-no?" | "list" | "list?";
export type Shape = Readonly<Record<string, Kind>>;

/** The fields of REST answers that are read, by what is asked for. Kept beside the readers; `doctor` compares a live answer with them. */
export const REST_SHAPES = {
  issue: {
    node_id: "text",
    number: "number",
    title: "text",
    html_url: "text",
    repository_url: "text",
    state: "text",
    created_at: "text",
    updated_at: "text",
    closed_at: "text?",
  },
  "pull request": {
    node_id: "text",
    merged: "yes-no",
    merged_at: "text?",
    mergeable: "yes-no?",
    draft: "yes-no",
    "base.ref": "text",
    merge_commit_sha: "text~",
  },
  repository: { node_id: "text", full_name: "text", archived: "yes-no" },
  timeline: { "[].event": "text" },
  comparison: { status: "text", "merge_base_commit.sha": "text" },
  releases: { "[].tag_name": "text", "[].prerelease": "yes-no", "[].draft": "yes-no", "[].published_at": "text?" },
} as const satisfies Record<string, Shape>;

const THREAD: Shape = { id: "text", number: "number", title: "text", url: "text", createdAt: "text", updatedAt: "text", closedAt: "text?" };
const TALK: Shape = {
  "talk.totalCount": "number",
  "talk.nodes": "list",
  "events.filteredCount": "number",
  "events.nodes": "list",
  "mentions.nodes": "list",
};

/** The same for GraphQL nodes. */
export const GRAPHQL_SHAPES = {
  Issue: {
    ...THREAD,
    ...TALK,
    issueState: "text",
    stateReason: "text?",
    body: "text",
    "fixes.totalCount": "number",
    "fixes.nodes": "list",
  },
  PullRequest: {
    ...THREAD,
    ...TALK,
    pullState: "text",
    isDraft: "yes-no",
    mergeable: "text",
    reviewDecision: "text?",
    baseRefName: "text",
    mergedAt: "text?",
    "commits.nodes": "list",
    "reviews.nodes": "list",
  },
  Discussion: { ...THREAD, closed: "yes-no", discussionReason: "text?", "talk.nodes": "list" },
} as const satisfies Record<string, Shape>;

/** Fields in which an answer is not as expected, one sentence each; empty: as expected. An empty list says nothing about its fields. */
export function driftOf(answer: unknown, shape: Shape): string[] {
  return Object.entries(shape).flatMap(([path, kind]) => {
    const found = valuesAt(answer, path.split("."));
    const wrong = found.map((value) => problem(value, kind)).find((text) => text !== undefined);
    return wrong === undefined ? [] : [`${path.replace("[].", "")} ${wrong}`];
  });
}

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  if (first === "[]") return Array.isArray(value) ? value.slice(0, 20).flatMap((entry) => valuesAt(entry, rest)) : [undefined];
  if (typeof value !== "object" || value === null) return [undefined];
  return valuesAt((value as Record<string, unknown>)[first], rest);
}

const WORDS = { text: "text", number: "a number", "yes-no": "true or false", list: "a list" } as const;

function problem(value: unknown, kind: Kind): string | undefined {
  const plain = kind.replace(/[?~]$/, "") as keyof typeof WORDS;
  if (value === undefined) return kind.endsWith("~") ? undefined : `is missing; it used to be ${WORDS[plain]}`;
  if (value === null) return kind === plain ? `is null; it used to be ${WORDS[plain]}` : undefined;
  const is = Array.isArray(value) ? "list" : typeof value === "string" ? "text" : typeof value === "boolean" ? "yes-no" : typeof value;
  return is === plain ? undefined : `is ${is === "text" ? "text" : `a ${is}`}; it used to be ${WORDS[plain]}`;
}
