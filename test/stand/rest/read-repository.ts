import { commitOf, compare, history, refOf, refsOf, resolveIn } from "../git-data.ts";
import { openGit } from "../git-repository.ts";
import { entryAt, isFolder, readTree, type TreeEntry } from "../git-trees.ts";
import { fullName } from "../world.ts";
import { type Context, failure, notFound, page, type Reply, type RepoContext, WEB } from "./context.ts";
import * as gitShapes from "./git-shapes.ts";
import * as shapes from "./shapes.ts";

export const getRepo = ({ api, repo, caller }: RepoContext): Reply => ({ status: 200, body: shapes.repository(api, repo, caller.grant) });

export function getCommit(context: RepoContext): Reply {
  const { api, repo, params } = context;
  const sha = resolveIn(repo, (params.ref ?? "").replace(/^(heads|tags)\//, "refs/$1/"));
  const facts = sha === undefined ? undefined : commitOf(repo, sha);
  if (!facts) return failure(422, `No commit found for SHA: ${params.ref}`);
  if (context.headers.accept?.includes("vnd.github.sha"))
    return { status: 200, body: facts.sha, headers: { "content-type": "text/plain" } };
  return { status: 200, body: { ...gitShapes.commit(api, repo, facts), stats: { total: 1, additions: 1, deletions: 0 }, files: [] } };
}

export function listCommits(context: RepoContext): Reply {
  const { api, repo, query } = context;
  const tip = resolveIn(repo, query.get("sha") ?? "HEAD");
  if (tip === undefined) return notFound();
  const path = query.get("path");
  const shas =
    path !== null && repo.git !== undefined
      ? openGit(repo.git).run("rev-list", "--max-count=1000", tip, "--", path).split("\n").filter(Boolean)
      : history(repo, tip, 1000);
  return page(context, "/commits", shas, (sha) => {
    const facts = commitOf(repo, sha);
    if (!facts) throw new Error(`${sha} is not in the repository`);
    return gitShapes.commit(api, repo, facts);
  });
}

/** `base...head`, never both dots. Unknown names and unrelated histories are both 404; the message tells them apart (B04). */
export function getComparison(context: RepoContext): Reply {
  const { api, repo } = context;
  const [baseName = "", headName = ""] = (context.params.basehead ?? "").split("...");
  const [base, head] = [resolveIn(repo, baseName), resolveIn(repo, headName)];
  if (base === undefined || head === undefined) return notFound();
  const result = compare(repo, base, head);
  if (!result) return failure(404, `No common ancestor between ${baseName} and ${headName}.`);
  const shape = (sha: string) => {
    const facts = commitOf(repo, sha);
    if (!facts) throw new Error(`${sha} is not in the repository`);
    return gitShapes.commit(api, repo, facts);
  };
  const size = Math.min(250, Number(context.query.get("per_page") ?? 250) || 250);
  const paged = context.query.has("page");
  const start = paged ? (Number(context.query.get("page")) - 1) * size : Math.max(0, result.commits.length - size);
  const web = `${WEB}/${fullName(repo)}/compare/${baseName}...${headName}`;
  return {
    status: 200,
    body: {
      url: `${api}/repos/${fullName(repo)}/compare/${baseName}...${headName}`,
      html_url: web,
      permalink_url: `${WEB}/${fullName(repo)}/compare/${repo.owner}:${base.slice(0, 7)}...${repo.owner}:${head.slice(0, 7)}`,
      diff_url: `${web}.diff`,
      patch_url: `${web}.patch`,
      base_commit: shape(base),
      merge_base_commit: shape(result.mergeBase),
      status: result.status,
      ahead_by: result.ahead,
      behind_by: result.behind,
      total_commits: result.ahead,
      // 250 at most, the most recent without paging, the earliest first with it (B02).
      commits: result.commits.slice(start, start + size).map(shape),
      files: [],
    },
  };
}

export function getRef({ api, repo, params }: RepoContext): Reply {
  const name = `refs/${params.ref}`;
  const target = refOf(repo, name);
  return target ? { status: 200, body: gitShapes.gitRef(api, repo, name, target) } : notFound();
}

export function matchingRefs({ api, repo, params }: RepoContext): Reply {
  const names = refsOf(repo, `refs/${params.ref}`);
  const body = names.flatMap((name) => {
    const target = refOf(repo, name);
    return target ? [gitShapes.gitRef(api, repo, name, target)] : [];
  });
  return { status: 200, body };
}

export function getBranch({ api, repo, params }: RepoContext): Reply {
  const target = refOf(repo, `refs/heads/${params.branch}`);
  return target ? { status: 200, body: gitShapes.branch(api, repo, params.branch ?? "", target.commit) } : failure(404, "Branch not found");
}

/** GitHub lists tags by name, descending. */
export function listTags(context: RepoContext): Reply {
  return page(context, "/tags", refsOf(context.repo, "refs/tags/").reverse(), (name) =>
    gitShapes.tag(context.api, context.repo, name.slice("refs/tags/".length), refOf(context.repo, name)?.commit ?? ""),
  );
}

const published = ({ repo }: RepoContext) =>
  repo.releases
    .filter((release) => !release.draft)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id));

export const listReleases = (context: RepoContext): Reply =>
  page(context, "/releases", published(context), (release) => shapes.release(context.api, context.repo, release));

export function latestRelease(context: RepoContext): Reply {
  const release = published(context).find((candidate) => !candidate.prerelease);
  return release ? { status: 200, body: shapes.release(context.api, context.repo, release) } : notFound();
}

export function releaseByTag(context: RepoContext): Reply {
  const release = published(context).find((candidate) => candidate.tag === context.params.tag);
  return release ? { status: 200, body: shapes.release(context.api, context.repo, release) } : notFound();
}

/** One file or folder of the contents endpoint. */
export function entryShape({ api, repo }: RepoContext, path: string, entry: TreeEntry, ref: string) {
  const self = `${api}/repos/${fullName(repo)}/contents/${encodeURI(path)}?ref=${encodeURIComponent(ref)}`;
  const folder = isFolder(entry);
  const git = `${api}/repos/${fullName(repo)}/git/${folder ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${WEB}/${fullName(repo)}/${folder ? "tree" : "blob"}/${ref}/${encodeURI(path)}`;
  const download = folder ? null : `https://raw.githubusercontent.com/${fullName(repo)}/${ref}/${encodeURI(path)}`;
  const size = repo.git === undefined || folder ? 0 : (openGit(repo.git).objects.read(entry.sha)?.data.length ?? 0);
  return {
    name: path.split("/").at(-1) ?? "",
    path,
    sha: entry.sha,
    size,
    url: self,
    html_url: html,
    git_url: git,
    download_url: download,
    type: folder ? "dir" : "file",
    _links: { self, git, html },
  };
}

/** One file (base64) or the list of a folder, at `?ref=`. */
export function getContents(context: RepoContext): Reply {
  const { repo, params } = context;
  const ref = context.query.get("ref") ?? repo.defaultBranch;
  const commit = commitOf(repo, resolveIn(repo, ref) ?? "");
  if (!commit) return failure(404, `No commit found for the ref ${ref}`);
  if (repo.git === undefined) return notFound();
  const { objects } = openGit(repo.git);
  const path = (params.path ?? "").replace(/^\/+|\/+$/g, "");
  const entry = entryAt(objects, commit.tree, path);
  if (!entry) return notFound();
  if (isFolder(entry)) {
    const rows = readTree(objects, entry.sha).map((child) =>
      entryShape(context, path === "" ? child.name : `${path}/${child.name}`, child, ref),
    );
    return { status: 200, body: rows };
  }
  const data = objects.read(entry.sha)?.data ?? Buffer.alloc(0);
  if (context.headers.accept?.includes("vnd.github.raw"))
    return { status: 200, body: data, headers: { "content-type": "application/vnd.github.raw" } };
  const content = data.toString("base64").replace(/(.{60})/g, "$1\n");
  return { status: 200, body: { ...entryShape(context, path, entry, ref), content, encoding: "base64" } };
}

const limit = (budget: { limit: number; used: number; reset: number }) => ({
  limit: budget.limit,
  used: budget.used,
  remaining: Math.max(0, budget.limit - budget.used),
  reset: budget.reset,
});

/** Does not count against the budget itself. */
export const getRateLimit = ({ budget, graphqlBudget }: Context): Reply => {
  const [core, graphql] = [limit(budget), limit(graphqlBudget)];
  const search = { limit: 30, used: 0, remaining: 30, reset: core.reset };
  return { status: 200, body: { resources: { core, search, graphql }, rate: core } };
};

export function getUser({ api, caller }: Context): Reply {
  if (!caller.grant) return failure(401, "Requires authentication");
  const { login, kind } = caller.grant;
  if (kind === "actions" || kind === "app") return failure(403, "Resource not accessible by integration");
  const at = "2020-01-01T00:00:00Z";
  const counts = { public_repos: 0, public_gists: 0, followers: 0, following: 0 };
  const about = { name: null, company: null, blog: "", location: null, email: null, hireable: null, bio: null };
  return { status: 200, body: { ...shapes.user(api, login), ...about, ...counts, created_at: at, updated_at: at } };
}

export const getMeta = (): Reply => ({ status: 200, body: { verifiable_password_authentication: false } });

export const getWorkflowPermissions = ({ repo }: RepoContext): Reply => ({
  status: 200,
  body: { default_workflow_permissions: "read", can_approve_pull_request_reviews: repo.actionsMayOpenPulls },
});
