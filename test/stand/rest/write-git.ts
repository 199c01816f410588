import { commitOf, refOf, resolveIn } from "../git-data.ts";
import type { ObjectType } from "../git-objects.ts";
import { openGit } from "../git-repository.ts";
import { changeTree, entryAt, filesOf, isFolder, readTree, type TreeChanges } from "../git-trees.ts";
import { MergeConflict, mergeCommit, moveRef, writeCommit } from "../merging.ts";
import { noteNoise } from "../noise.ts";
import { fullName, nowOf, type Repo, type Token } from "../world.ts";
import { failure, notFound, type Reply, type RepoContext } from "./context.ts";
import { entryShape } from "./read-repository.ts";
import * as shapes from "./shapes.ts";
import { mayMoveRef, writing } from "./write-guard.ts";

const EMPTY = (repo: Repo): Reply | undefined => (repo.git === undefined ? failure(409, "Git Repository is empty.") : undefined);
const gitOf = (repo: Repo) => openGit(repo.git ?? "");
const has = (repo: Repo, sha: string, type: ObjectType): boolean => gitOf(repo).objects.read(sha)?.type === type;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Write access and a repository with git, or GitHub's answer. */
const gitWrite = (handler: (context: RepoContext & { grant: Token }) => Reply) =>
  writing((context) => EMPTY(context.repo) ?? handler(context));

export const createBlob = gitWrite(({ api, repo, body }) => {
  const content = Buffer.from(text(body.content), body.encoding === "base64" ? "base64" : "utf8");
  const sha = gitOf(repo).objects.write("blob", content);
  return { status: 201, body: { sha, url: `${api}/repos/${fullName(repo)}/git/blobs/${sha}` } };
});

export function getBlob({ api, repo, params }: RepoContext): Reply {
  const sha = params.file_sha ?? "";
  const found = repo.git === undefined ? undefined : gitOf(repo).objects.read(sha);
  if (found?.type !== "blob") return notFound();
  const content = found.data.toString("base64").replace(/(.{60})/g, "$1\n");
  const url = `${api}/repos/${fullName(repo)}/git/blobs/${sha}`;
  return { status: 200, body: { sha, node_id: sha, size: found.data.length, url, content, encoding: "base64" } };
}

/** A tree at a sha, branch or tag; `?recursive=` lists every file and folder below it. */
export function getTree({ api, repo, params, query }: RepoContext): Reply {
  const name = params.tree_sha ?? "";
  const sha = repo.git === undefined ? undefined : has(repo, name, "tree") ? name : commitOf(repo, resolveIn(repo, name) ?? "")?.tree;
  if (sha === undefined) return notFound();
  const { objects } = gitOf(repo);
  const list = (tree: string, prefix: string): unknown[] =>
    readTree(objects, tree).flatMap((entry) => {
      const folder = isFolder(entry);
      const type = folder ? "tree" : entry.mode === "160000" ? "commit" : "blob";
      const row = {
        path: prefix + entry.name,
        mode: entry.mode.padStart(6, "0"),
        type,
        sha: entry.sha,
        ...(type === "blob" ? { size: objects.read(entry.sha)?.data.length ?? 0 } : {}),
        url: `${api}/repos/${fullName(repo)}/git/${type}s/${entry.sha}`,
      };
      return [row, ...(folder && query.has("recursive") ? list(entry.sha, `${prefix}${entry.name}/`) : [])];
    });
  return { status: 200, body: { sha, url: `${api}/repos/${fullName(repo)}/git/trees/${sha}`, tree: list(sha, ""), truncated: false } };
}

type TreeInput = { path: string; mode: string; type?: string; sha?: string | null; content?: string };

export const createTree = gitWrite((context) => {
  const { repo, body } = context;
  const { objects } = gitOf(repo);
  const base = body.base_tree === undefined ? undefined : text(body.base_tree);
  const baseTree = base === undefined ? undefined : has(repo, base, "tree") ? base : commitOf(repo, base)?.tree;
  if (base !== undefined && baseTree === undefined) return failure(404, "Not Found");
  const changes: TreeChanges = new Map();
  const known = baseTree === undefined ? new Map() : filesOf(objects, baseTree);
  for (const entry of body.tree as TreeInput[]) {
    if (entry.path.startsWith("/") || entry.path.split("/").includes(".."))
      return failure(422, "tree.path contains a malformed path component");
    if (entry.sha === null) {
      if (!known.has(entry.path)) return failure(422, "GitRPC::BadObjectState");
      changes.set(entry.path, null);
    } else if (entry.content !== undefined) {
      changes.set(entry.path, { mode: entry.mode, sha: objects.write("blob", entry.content) });
    } else if (entry.sha === undefined || !objects.read(entry.sha)) {
      return failure(422, `tree.sha ${entry.sha} is not a valid ${entry.type ?? "blob"}`);
    } else changes.set(entry.path, { mode: entry.mode, sha: entry.sha });
  }
  const sha = changeTree(objects, baseTree, changes);
  const reply = getTree({ ...context, params: { tree_sha: sha }, query: new URLSearchParams() });
  return { ...reply, status: 201 };
});

export function getGitCommit({ api, repo, params }: RepoContext): Reply {
  const facts = commitOf(repo, params.commit_sha ?? "");
  return facts ? { status: 200, body: shapes.gitCommit(api, repo, facts) } : notFound();
}

type Author = { name?: string; email?: string; date?: string };

/** GitHub signs commits of apps that name no author and no committer. */
export const createCommit = gitWrite(({ world, api, repo, body, grant }) => {
  const [tree, parents] = [text(body.tree), (body.parents ?? []) as string[]];
  if (!has(repo, tree, "tree")) return failure(422, "Tree SHA does not exist");
  const missing = parents.find((parent) => !has(repo, parent, "commit"));
  if (missing !== undefined) return failure(422, "Parent SHA does not exist or is not a commit object");
  const author = body.author as Author | undefined;
  const sha = writeCommit(repo, tree, parents, text(body.message), author?.date ?? nowOf(world), author?.name ?? grant.login);
  if ((grant.kind === "app" || grant.kind === "actions") && !author && !body.committer) repo.verified.push(sha);
  const facts = commitOf(repo, sha);
  if (!facts) throw new Error(`${sha} was not written`);
  return { status: 201, body: shapes.gitCommit(api, repo, facts) };
});

const refReply = ({ api, repo }: RepoContext, status: number, name: string): Reply => {
  const target = refOf(repo, name);
  return target ? { status, body: shapes.gitRef(api, repo, name, target) } : failure(422, "Reference does not exist");
};

/** Notes what the new commits' messages reach, once they are on a branch. */
function publish(context: RepoContext, name: string, sha: string, old: string | undefined): void {
  const git = gitOf(context.repo);
  const others = git.refs.list("refs/heads/").map(([, tip]) => tip);
  const known = old === undefined ? others : [old, ...others];
  const fresh = git
    .run("rev-list", sha, ...known.map((tip) => `^${tip}`))
    .split("\n")
    .filter(Boolean);
  for (const commit of fresh) noteNoise(context.world, context.repo, git.readCommit(commit)?.message ?? "", `commit ${commit.slice(0, 7)}`);
  moveRef(context.world, context.repo, name, sha);
}

export const createRef = gitWrite((context) => {
  const { repo, body, grant } = context;
  const [name, sha] = [text(body.ref), text(body.sha)];
  if (!/^refs\/[^/]+\/.+/.test(name)) return failure(422, "Reference name must start with 'refs/' and have at least two slashes");
  if (/\.\.|[ ~^:?*[\\]|\/$|\.lock$|@\{/.test(name)) return failure(422, `${name} is not a valid ref name.`);
  if (!has(repo, sha, "commit") && !has(repo, sha, "tag")) return failure(422, "Object does not exist");
  if (gitOf(repo).refs.get(name) !== undefined) return failure(422, "Reference already exists");
  const refusal = mayMoveRef(repo, grant, name, undefined, sha);
  if (refusal) return refusal;
  publish(context, name, sha, undefined);
  return refReply(context, 201, name);
});

/** Without `force` the new commit must descend from the branch's head: the compare-and-swap that the API offers. */
export const updateRef = gitWrite((context) => {
  const { repo, body, grant, params } = context;
  const [name, sha] = [`refs/${params.ref}`, text(body.sha)];
  const old = gitOf(repo).refs.get(name);
  if (old === undefined) return failure(422, "Reference does not exist");
  if (!has(repo, sha, "commit")) return failure(422, "Object does not exist");
  if (body.force !== true && !gitOf(repo).isAncestor(old, sha)) return failure(422, "Update is not a fast forward");
  const refusal = mayMoveRef(repo, grant, name, old, sha);
  if (refusal) return refusal;
  publish(context, name, sha, old);
  return refReply(context, 200, name);
});

export const deleteRef = gitWrite(({ world, repo, grant, params }) => {
  const name = `refs/${params.ref}`;
  const old = gitOf(repo).refs.get(name);
  if (old === undefined) return failure(422, "Reference does not exist");
  const refusal = mayMoveRef(repo, grant, name, old, undefined);
  if (refusal) return refusal;
  moveRef(world, repo, name, undefined);
  return { status: 204 };
});

/** Merges one branch into another: 201 with the merge commit, 204 when there is nothing to merge, 409 on a conflict. */
export const mergeBranch = gitWrite((context) => {
  const { world, api, repo, body, grant } = context;
  const git = gitOf(repo);
  const name = `refs/heads/${text(body.base)}`;
  const [base, head] = [git.resolve(name), git.resolve(text(body.head))];
  if (base === undefined) return failure(404, "Base does not exist");
  if (head === undefined) return failure(404, "Head does not exist");
  if (git.isAncestor(head, base)) return { status: 204 };
  try {
    const message = text(body.commit_message) || `Merge ${text(body.head)} into ${text(body.base)}`;
    const sha = mergeCommit(repo, base, head, message, nowOf(world), grant.login);
    const refusal = mayMoveRef(repo, grant, name, base, sha);
    if (refusal) return refusal;
    if (grant.kind === "app" || grant.kind === "actions") repo.verified.push(sha);
    publish(context, name, sha, base);
    const facts = commitOf(repo, sha);
    if (!facts) throw new Error(`${sha} was not written`);
    return { status: 201, body: shapes.commit(api, repo, facts) };
  } catch (error) {
    if (error instanceof MergeConflict) return failure(409, "Merge conflict");
    throw error;
  }
});

/** Creates or replaces one file in one commit. `sha` must be that of the file being replaced. */
export const putContents = gitWrite((context) => {
  const { world, api, repo, body, grant, params } = context;
  const git = gitOf(repo);
  const branch = text(body.branch) || repo.defaultBranch;
  const name = `refs/heads/${branch}`;
  const old = git.refs.get(name);
  if (old === undefined) return failure(404, `Branch ${branch} not found`);
  const path = params.path ?? "";
  const before = commitOf(repo, old);
  const existing = before && entryAt(git.objects, before.tree, path);
  if (existing && body.sha === undefined) return failure(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  if (existing && body.sha !== existing.sha) return failure(409, `${path} does not match ${body.sha}`);
  const blob = git.objects.write("blob", Buffer.from(text(body.content), "base64"));
  const tree = changeTree(git.objects, before?.tree, new Map([[path, { mode: "100644", sha: blob }]]));
  const sha = writeCommit(repo, tree, [old], text(body.message), nowOf(world), grant.login);
  const refusal = mayMoveRef(repo, grant, name, old, sha);
  if (refusal) return refusal.status === 422 ? { ...refusal, status: 409 } : refusal;
  publish(context, name, sha, old);
  const facts = commitOf(repo, sha);
  if (!facts) throw new Error(`${sha} was not written`);
  const content = entryShape(context, path, { mode: "100644", name: path, sha: blob }, branch);
  return { status: existing ? 200 : 201, body: { content, commit: shapes.gitCommit(api, repo, facts) } };
});
