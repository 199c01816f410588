import { nodeId } from "../node-id.ts";
import { changedFilesOf, commitsOf, mergeableOf } from "../pulls.ts";
import type { Issue, Pull } from "../thread-types.ts";
import { fullName, type Repo, repoById, type Token, type World } from "../world.ts";
import { WEB } from "./context.ts";
import { label, repository, user, userOrNull } from "./shapes.ts";

/** Issues and pull requests -> REST objects. */

const labels = (api: string, repo: Repo, names: string[]) =>
  names.map((name) => label(api, repo, repo.labels[name.toLowerCase()] ?? { id: 0, name, color: "ededed", description: null }));

/** The shape of the issues endpoints, which show pull requests too (A34). */
export function issue(api: string, repo: Repo, of: Issue | Pull) {
  const url = `${api}/repos/${fullName(repo)}/issues/${of.number}`;
  const kind = of.kind === "pull" ? "pull" : "issues";
  const html = `${WEB}/${fullName(repo)}/${kind}/${of.number}`;
  const closer = of.events.findLast((event) => event.event === "closed")?.actor ?? null;
  return {
    url,
    repository_url: `${api}/repos/${fullName(repo)}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: html,
    id: of.id,
    node_id: nodeId(of.kind === "pull" ? "PullRequest" : "Issue", of.id),
    number: of.number,
    title: of.title,
    user: userOrNull(api, of.author),
    labels: labels(api, repo, of.labels),
    state: of.state,
    locked: of.locked,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: of.comments.length,
    created_at: of.createdAt,
    updated_at: of.updatedAt,
    closed_at: of.closedAt,
    author_association: of.association,
    body: of.body,
    closed_by: of.state === "closed" && closer !== null ? user(api, closer) : null,
    state_reason: of.kind === "issue" ? of.stateReason : null,
    performed_via_github_app: null,
    ...(of.kind === "pull"
      ? {
          draft: of.draft,
          pull_request: {
            url: `${api}/repos/${fullName(repo)}/pulls/${of.number}`,
            html_url: html,
            diff_url: `${html}.diff`,
            patch_url: `${html}.patch`,
            merged_at: of.mergedAt,
          },
        }
      : {}),
  };
}

export function pullSimple(world: World, api: string, repo: Repo, of: Pull, grant?: Token) {
  const url = `${api}/repos/${fullName(repo)}`;
  const [self, asIssue] = [`${url}/pulls/${of.number}`, `${url}/issues/${of.number}`];
  const html = `${WEB}/${fullName(repo)}/pull/${of.number}`;
  const headRepo = of.headRepo === null ? undefined : repoById(world, of.headRepo);
  const end = (name: string, sha: string, home: Repo | undefined) => ({
    label: `${home?.owner ?? "unknown"}:${name}`,
    ref: name,
    sha,
    user: user(api, home?.owner ?? "ghost"),
    repo: home ? repository(api, home, grant) : null,
  });
  const links = {
    self,
    html,
    issue: asIssue,
    comments: `${asIssue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${url}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${url}/statuses/${of.headSha}`,
  };
  return {
    url: self,
    id: of.id,
    node_id: nodeId("PullRequest", of.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: asIssue,
    number: of.number,
    state: of.state,
    locked: of.locked,
    title: of.title,
    user: user(api, of.author ?? "ghost"),
    body: of.body,
    created_at: of.createdAt,
    updated_at: of.updatedAt,
    closed_at: of.closedAt,
    merged_at: of.mergedAt,
    merge_commit_sha: of.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: labels(api, repo, of.labels),
    milestone: null,
    draft: of.draft,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    head: end(of.head, of.headSha, headRepo),
    base: end(of.base, of.baseSha, repo),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: of.association,
    auto_merge: null,
    active_lock_reason: null,
  };
}

export function pull(world: World, api: string, repo: Repo, of: Pull, grant?: Token) {
  const mergeable = of.state === "open" ? mergeableOf(repo, of) : "UNKNOWN";
  const blocked = (repo.protections[of.base]?.approvals ?? 0) > 0 && of.reviewDecision !== "APPROVED";
  const state =
    mergeable === "UNKNOWN" ? "unknown" : mergeable === "CONFLICTING" ? "dirty" : of.draft ? "draft" : blocked ? "blocked" : "clean";
  return {
    ...pullSimple(world, api, repo, of, grant),
    merged: of.mergedAt !== null,
    mergeable: mergeable === "UNKNOWN" ? null : mergeable === "MERGEABLE",
    rebaseable: mergeable === "UNKNOWN" ? null : mergeable === "MERGEABLE",
    mergeable_state: state,
    merged_by: userOrNull(api, of.mergedBy),
    comments: of.comments.length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: commitsOf(repo, of).total,
    additions: 1,
    deletions: 0,
    changed_files: changedFilesOf(repo, of),
  };
}
