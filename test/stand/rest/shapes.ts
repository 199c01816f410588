import { accountId, accountKind, nodeId, userNodeId } from "../node-id.ts";
import type { Comment, Review } from "../thread-types.ts";
import { fullName, type Label, type Release, type Repo, type Token } from "../world.ts";
import { WEB } from "./context.ts";

/** World -> REST objects. `api` is the base of the API's URLs. */

export function user(api: string, login: string) {
  const url = `${api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: accountId(login),
    node_id: userNodeId(login),
    avatar_url: `https://avatars.githubusercontent.com/u/${accountId(login)}?v=4`,
    gravatar_id: "",
    url,
    html_url: `${WEB}/${accountKind(login) === "Bot" ? `apps/${login.replace("[bot]", "")}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: accountKind(login),
    user_view_type: "public",
    site_admin: false,
  };
}
export const userOrNull = (api: string, login: string | null) => (login === null ? null : user(api, login));

const TEMPLATES = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
};

/** A repository; `grant` decides the permissions shown. */
export function repository(api: string, repo: Repo, grant?: Token) {
  const url = `${api}/repos/${fullName(repo)}`;
  const open = Object.values(repo.threads).filter(
    (thread) => (thread.kind === "issue" || thread.kind === "pull") && thread.state === "open",
  ).length;
  const write = grant?.write === true && !repo.archived;
  return {
    id: repo.id,
    node_id: nodeId("Repository", repo.id),
    name: repo.name,
    full_name: fullName(repo),
    private: repo.private,
    owner: user(api, repo.owner),
    html_url: `${WEB}/${fullName(repo)}`,
    description: repo.description,
    fork: repo.fork,
    url,
    ...Object.fromEntries(Object.entries(TEMPLATES).map(([key, path]) => [key, url + path])),
    git_url: `git://github.com/${fullName(repo)}.git`,
    ssh_url: `git@github.com:${fullName(repo)}.git`,
    clone_url: `${WEB}/${fullName(repo)}.git`,
    svn_url: `${WEB}/${fullName(repo)}`,
    homepage: null,
    language: null,
    license: null,
    mirror_url: null,
    size: 0,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    network_count: 0,
    subscribers_count: 0,
    open_issues: open,
    open_issues_count: open,
    topics: [],
    default_branch: repo.defaultBranch,
    visibility: repo.private ? "private" : "public",
    archived: repo.archived,
    disabled: false,
    has_issues: true,
    has_projects: true,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: Object.values(repo.threads).some((thread) => thread.kind === "discussion"),
    pushed_at: repo.updatedAt,
    created_at: repo.createdAt,
    updated_at: repo.updatedAt,
    ...(grant ? { permissions: { admin: false, maintain: false, push: write, triage: write, pull: true } } : {}),
  };
}

export const label = (api: string, repo: Repo, of: Label) => ({
  id: of.id,
  node_id: nodeId("Label", of.id),
  url: `${api}/repos/${fullName(repo)}/labels/${encodeURIComponent(of.name)}`,
  name: of.name,
  color: of.color,
  default: false,
  description: of.description,
});

export function release(api: string, repo: Repo, of: Release) {
  const url = `${api}/repos/${fullName(repo)}/releases`;
  const at = encodeURIComponent(of.tag);
  return {
    url: `${url}/${of.id}`,
    assets_url: `${url}/${of.id}/assets`,
    upload_url: `${url}/${of.id}/assets{?name,label}`,
    html_url: `${WEB}/${fullName(repo)}/releases/tag/${at}`,
    id: of.id,
    author: user(api, of.author),
    node_id: nodeId("Release", of.id),
    tag_name: of.tag,
    target_commitish: of.target,
    name: of.name,
    draft: of.draft,
    prerelease: of.prerelease,
    created_at: of.createdAt,
    published_at: of.publishedAt,
    assets: of.assets.map((asset) => ({
      url: `${url}/assets/${asset.id}`,
      id: asset.id,
      node_id: nodeId("ReleaseAsset", asset.id),
      name: asset.name,
      label: null,
      uploader: user(api, of.author),
      content_type: "application/octet-stream",
      state: "uploaded",
      size: asset.size,
      digest: null,
      download_count: 0,
      created_at: of.createdAt,
      updated_at: of.createdAt,
      browser_download_url: `${WEB}/${fullName(repo)}/releases/download/${at}/${asset.name}`,
    })),
    tarball_url: `${api}/repos/${fullName(repo)}/tarball/${at}`,
    zipball_url: `${api}/repos/${fullName(repo)}/zipball/${at}`,
    body: of.body,
  };
}

export function issueComment(api: string, repo: Repo, number: number, of: Comment) {
  const url = `${api}/repos/${fullName(repo)}/issues`;
  return {
    url: `${url}/comments/${of.id}`,
    html_url: `${WEB}/${fullName(repo)}/issues/${number}#issuecomment-${of.id}`,
    issue_url: `${url}/${number}`,
    id: of.id,
    node_id: nodeId("IssueComment", of.id),
    user: userOrNull(api, of.author),
    created_at: of.at,
    updated_at: of.at,
    body: of.body,
    author_association: of.association,
    performed_via_github_app: null,
  };
}

export function review(api: string, repo: Repo, number: number, headSha: string, of: Review) {
  const html = `${WEB}/${fullName(repo)}/pull/${number}#pullrequestreview-${of.id}`;
  const pull = `${api}/repos/${fullName(repo)}/pulls/${number}`;
  return {
    id: of.id,
    node_id: nodeId("PullRequestReview", of.id),
    user: user(api, of.author ?? "ghost"),
    body: of.body,
    state: of.state,
    html_url: html,
    pull_request_url: pull,
    author_association: of.association,
    _links: { html: { href: html }, pull_request: { href: pull } },
    submitted_at: of.at,
    commit_id: headSha,
  };
}
