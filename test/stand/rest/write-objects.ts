import { commitOf, resolveIn } from "../git-data.ts";
import { changeTree, filesOf, isFolder, readTree, type TreeChanges } from "../git-trees.ts";
import { writeCommit } from "../merging.ts";
import { fullName, nowOf } from "../world.ts";
import { failure, notFound, type Reply, type RepoContext } from "./context.ts";
import * as gitShapes from "./git-shapes.ts";
import { gitOf, has, textIn, writingGit } from "./write-guard.ts";

export const createBlob = writingGit(({ api, repo, body }) => {
  const content = Buffer.from(textIn(body.content), body.encoding === "base64" ? "base64" : "utf8");
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

export const createTree = writingGit((context) => {
  const { repo, body } = context;
  const { objects } = gitOf(repo);
  const base = body.base_tree === undefined ? undefined : textIn(body.base_tree);
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
  return facts ? { status: 200, body: gitShapes.gitCommit(api, repo, facts) } : notFound();
}

type Author = { name?: string; email?: string; date?: string };

/** GitHub signs commits of apps that name no author and no committer. */
export const createCommit = writingGit(({ world, api, repo, body, grant }) => {
  const [tree, parents] = [textIn(body.tree), (body.parents ?? []) as string[]];
  if (!has(repo, tree, "tree")) return failure(422, "Tree SHA does not exist");
  const missing = parents.find((parent) => !has(repo, parent, "commit"));
  if (missing !== undefined) return failure(422, "Parent SHA does not exist or is not a commit object");
  const author = body.author as Author | undefined;
  const sha = writeCommit(repo, tree, parents, textIn(body.message), author?.date ?? nowOf(world), author?.name ?? grant.login);
  if ((grant.kind === "app" || grant.kind === "actions") && !author && !body.committer) repo.verified.push(sha);
  const facts = commitOf(repo, sha);
  if (!facts) throw new Error(`${sha} was not written`);
  return { status: 201, body: gitShapes.gitCommit(api, repo, facts) };
});
