import { sightOf } from "../access.ts";
import { findRepo, fullName, type Repo, repoById } from "../world.ts";
import { type Context, failure, moved, notFound, type Reply, type RepoContext } from "./context.ts";
import { ENDPOINTS, type Endpoint } from "./endpoints.ts";
import * as repository from "./read-repository.ts";
import * as threads from "./read-threads.ts";
import * as objects from "./write-objects.ts";
import * as refs from "./write-refs.ts";
import * as pullWrites from "./write-pulls.ts";
import * as threadWrites from "./write-threads.ts";

type Handler = (context: RepoContext) => Reply;

const GLOBAL = {
  "GET /meta": repository.getMeta,
  "GET /rate_limit": repository.getRateLimit,
  "GET /user": repository.getUser,
} satisfies Partial<Record<Endpoint, (context: Context) => Reply>>;

const HANDLERS = {
  "GET /repos/{owner}/{repo}": repository.getRepo,
  "GET /repos/{owner}/{repo}/actions/permissions/workflow": repository.getWorkflowPermissions,
  "GET /repos/{owner}/{repo}/branches/{branch}": repository.getBranch,
  "GET /repos/{owner}/{repo}/commits": repository.listCommits,
  "GET /repos/{owner}/{repo}/commits/{ref}": repository.getCommit,
  "GET /repos/{owner}/{repo}/compare/{basehead}": repository.getComparison,
  "GET /repos/{owner}/{repo}/contents/{path}": repository.getContents,
  "PUT /repos/{owner}/{repo}/contents/{path}": refs.putContents,
  "POST /repos/{owner}/{repo}/git/blobs": objects.createBlob,
  "GET /repos/{owner}/{repo}/git/blobs/{file_sha}": objects.getBlob,
  "POST /repos/{owner}/{repo}/git/commits": objects.createCommit,
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}": objects.getGitCommit,
  "GET /repos/{owner}/{repo}/git/matching-refs/{ref}": repository.matchingRefs,
  "GET /repos/{owner}/{repo}/git/ref/{ref}": repository.getRef,
  "POST /repos/{owner}/{repo}/git/refs": refs.createRef,
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": refs.updateRef,
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}": refs.deleteRef,
  "POST /repos/{owner}/{repo}/git/trees": objects.createTree,
  "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": objects.getTree,
  "GET /repos/{owner}/{repo}/issues": threads.listIssues,
  "POST /repos/{owner}/{repo}/issues": threadWrites.createIssue,
  "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}": threadWrites.updateComment,
  "GET /repos/{owner}/{repo}/issues/{issue_number}": threads.getIssue,
  "PATCH /repos/{owner}/{repo}/issues/{issue_number}": threadWrites.updateIssue,
  "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": threads.getComments,
  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": threadWrites.createComment,
  "GET /repos/{owner}/{repo}/issues/{issue_number}/events": threads.getIssueEvents,
  "GET /repos/{owner}/{repo}/issues/{issue_number}/labels": threads.getIssueLabels,
  "POST /repos/{owner}/{repo}/issues/{issue_number}/labels": threadWrites.addLabels,
  "PUT /repos/{owner}/{repo}/issues/{issue_number}/labels": threadWrites.setLabels,
  "DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}": threadWrites.removeLabel,
  "GET /repos/{owner}/{repo}/issues/{issue_number}/timeline": threads.getTimeline,
  "GET /repos/{owner}/{repo}/labels": threadWrites.listLabels,
  "POST /repos/{owner}/{repo}/labels": threadWrites.createLabel,
  "GET /repos/{owner}/{repo}/labels/{name}": threadWrites.getLabel,
  "POST /repos/{owner}/{repo}/merges": refs.mergeBranch,
  "GET /repos/{owner}/{repo}/pulls": threads.listPulls,
  "POST /repos/{owner}/{repo}/pulls": pullWrites.createPull,
  "GET /repos/{owner}/{repo}/pulls/{pull_number}": threads.getPull,
  "PATCH /repos/{owner}/{repo}/pulls/{pull_number}": pullWrites.updatePull,
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits": threads.getPullCommits,
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge": pullWrites.mergePullRequest,
  "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews": threads.getReviews,
  "GET /repos/{owner}/{repo}/releases": repository.listReleases,
  "GET /repos/{owner}/{repo}/releases/latest": repository.latestRelease,
  "GET /repos/{owner}/{repo}/releases/tags/{tag}": repository.releaseByTag,
  "GET /repos/{owner}/{repo}/tags": repository.listTags,
} satisfies Record<Exclude<Endpoint, keyof typeof GLOBAL>, Handler>;

/** Parameters that may hold slashes. (`/repos/{owner}` and the like have none.) */
const GREEDY = new Set(["path", "ref", "basehead", "branch", "tag", "name"]);

const ROUTES = ENDPOINTS.map((endpoint) => {
  const [method, template = ""] = endpoint.split(" ");
  const names: string[] = [];
  const source = template.replace(/\/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    // The contents of the root folder have no path at all.
    return name === "path" ? "(?:/(.*))?" : GREEDY.has(name) ? "/(.+)" : "/([^/]+)";
  });
  // Fixed words win over parameters, as /releases/latest over /releases/tags/{tag}.
  return {
    endpoint,
    method,
    names,
    pattern: new RegExp(`^${source}$`),
    weight: template.split("/").filter((part) => part.startsWith("{")).length,
  };
}).sort((a, b) => a.weight - b.weight);

export type Routed = { endpoint: Endpoint; run: (context: Omit<Context, "params">) => Reply };

/** The operation behind a method and an undecoded path, or undefined. `/repositories/{id}` is the same as its name. */
export function route(method: string, path: string, nameOf: (id: number) => string | undefined): Routed | undefined {
  const byId = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
  if (byId) {
    const name = nameOf(Number(byId[1]));
    // An id nobody has: let the lookup below answer 404 for a name that cannot exist.
    return route(method, `/repos/${name ?? "-/-"}${byId[2] ?? ""}`, nameOf);
  }
  for (const { endpoint, method: wanted, names, pattern } of ROUTES) {
    const match = wanted === method ? pattern.exec(path) : null;
    if (!match) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]));
    return { endpoint, run: (context) => answer(endpoint, { ...context, params }, path) };
  }
  return undefined;
}

export const nameById = (world: Context["world"]) => (id: number) => {
  const repo = repoById(world, id);
  return repo && fullName(repo);
};

function answer(endpoint: Endpoint, context: Context, path: string): Reply {
  if (endpoint in GLOBAL) return GLOBAL[endpoint as keyof typeof GLOBAL](context);
  const { owner = "", repo: name = "" } = context.params;
  const repo = findRepo(context.world, `${owner}/${name}`);
  const sight = sightOf(repo, context.caller);
  if (!repo || sight === "not-found") return notFound();
  if (sight === "sso") return singleSignOn(repo);
  if (sight === "blocked") {
    const { reason, at, url } = repo.blocked ?? { reason: "dmca", at: "", url: "" };
    return { status: 451, body: { message: "Repository access blocked", block: { reason, created_at: at, html_url: url } } };
  }
  if (`${owner}/${name}`.toLowerCase() !== fullName(repo).toLowerCase()) {
    const rest = /^\/repos\/[^/]+\/[^/]+(.*)$/.exec(path)?.[1] ?? "";
    const query = context.query.size > 0 ? `?${context.query}` : "";
    return moved(context, `/repositories/${repo.id}${rest}${query}`);
  }
  return HANDLERS[endpoint as keyof typeof HANDLERS]({ ...context, repo });
}

function singleSignOn(repo: Repo): Reply {
  const organization = repo.sso?.organization ?? repo.owner;
  const message =
    "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.";
  return {
    ...failure(403, message),
    headers: { "x-github-sso": `required; url=https://github.com/orgs/${organization}/sso?authorization_request=AAAA` },
  };
}
