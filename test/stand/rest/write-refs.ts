import { commitOf, refOf } from "../git-data.ts";
import { changeTree, entryAt } from "../git-trees.ts";
import { MergeConflict, mergeCommit, moveRef, writeCommit } from "../merging.ts";
import { noteNoise } from "../noise.ts";
import { nowOf } from "../world.ts";
import { failure, type Reply, type RepoContext } from "./context.ts";
import * as gitShapes from "./git-shapes.ts";
import { entryShape } from "./read-repository.ts";
import { gitOf, has, mayMoveRef, textIn, writingGit } from "./write-guard.ts";

const refReply = ({ api, repo }: RepoContext, status: number, name: string): Reply => {
  const target = refOf(repo, name);
  return target ? { status, body: gitShapes.gitRef(api, repo, name, target) } : failure(422, "Reference does not exist");
};

/** Notes what the new commits' messages reach, once they are on a branch. */
function publish(context: RepoContext, name: string, sha: string, old: string | undefined): void {
  const git = gitOf(context.repo);
  const others = git.refs.list("refs/heads/").map(([, tip]) => tip);
  const known = old === undefined ? others : [old, ...others];
  const fresh = new Set([sha]);
  for (const commit of fresh) {
    if (known.some((tip) => git.isAncestor(commit, tip))) fresh.delete(commit);
    else for (const parent of git.readCommit(commit)?.parents ?? []) fresh.add(parent);
  }
  for (const commit of fresh) noteNoise(context.world, context.repo, git.readCommit(commit)?.message ?? "", `commit ${commit.slice(0, 7)}`);
  moveRef(context.world, context.repo, name, sha);
}

export const createRef = writingGit((context) => {
  const { repo, body, grant } = context;
  const [name, sha] = [textIn(body.ref), textIn(body.sha)];
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
export const updateRef = writingGit((context) => {
  const { repo, body, grant, params } = context;
  const [name, sha] = [`refs/${params.ref}`, textIn(body.sha)];
  const old = gitOf(repo).refs.get(name);
  if (old === undefined) return failure(422, "Reference does not exist");
  if (!has(repo, sha, "commit")) return failure(422, "Object does not exist");
  if (body.force !== true && !gitOf(repo).isAncestor(old, sha)) return failure(422, "Update is not a fast forward");
  const refusal = mayMoveRef(repo, grant, name, old, sha);
  if (refusal) return refusal;
  publish(context, name, sha, old);
  return refReply(context, 200, name);
});

export const deleteRef = writingGit(({ world, repo, grant, params }) => {
  const name = `refs/${params.ref}`;
  const old = gitOf(repo).refs.get(name);
  if (old === undefined) return failure(422, "Reference does not exist");
  const refusal = mayMoveRef(repo, grant, name, old, undefined);
  if (refusal) return refusal;
  moveRef(world, repo, name, undefined);
  return { status: 204 };
});

/** Merges one branch into another: 201 with the merge commit, 204 when there is nothing to merge, 409 on a conflict. */
export const mergeBranch = writingGit((context) => {
  const { world, api, repo, body, grant } = context;
  const git = gitOf(repo);
  const name = `refs/heads/${textIn(body.base)}`;
  const [base, head] = [git.resolve(name), git.resolve(textIn(body.head))];
  if (base === undefined) return failure(404, "Base does not exist");
  if (head === undefined) return failure(404, "Head does not exist");
  if (git.isAncestor(head, base)) return { status: 204 };
  try {
    const message = textIn(body.commit_message) || `Merge ${textIn(body.head)} into ${textIn(body.base)}`;
    const sha = mergeCommit(repo, base, head, message, nowOf(world), grant.login);
    const refusal = mayMoveRef(repo, grant, name, base, sha);
    if (refusal) return refusal;
    if (grant.kind === "app" || grant.kind === "actions") repo.verified.push(sha);
    publish(context, name, sha, base);
    const facts = commitOf(repo, sha);
    if (!facts) throw new Error(`${sha} was not written`);
    return { status: 201, body: gitShapes.commit(api, repo, facts) };
  } catch (error) {
    if (error instanceof MergeConflict) return failure(409, "Merge conflict");
    throw error;
  }
});

/** Creates or replaces one file in one commit. `sha` must be that of the file being replaced. */
export const putContents = writingGit((context) => {
  const { world, api, repo, body, grant, params } = context;
  const git = gitOf(repo);
  const branch = textIn(body.branch) || repo.defaultBranch;
  const name = `refs/heads/${branch}`;
  const old = git.refs.get(name);
  if (old === undefined) return failure(404, `Branch ${branch} not found`);
  const path = params.path ?? "";
  const before = commitOf(repo, old);
  const existing = before && entryAt(git.objects, before.tree, path);
  if (existing && body.sha === undefined) return failure(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  if (existing && body.sha !== existing.sha) return failure(409, `${path} does not match ${body.sha}`);
  const blob = git.objects.write("blob", Buffer.from(textIn(body.content), "base64"));
  const tree = changeTree(git.objects, before?.tree, new Map([[path, { mode: "100644", sha: blob }]]));
  const sha = writeCommit(repo, tree, [old], textIn(body.message), nowOf(world), grant.login);
  const refusal = mayMoveRef(repo, grant, name, old, sha);
  if (refusal) return refusal.status === 422 ? { ...refusal, status: 409 } : refusal;
  publish(context, name, sha, old);
  const facts = commitOf(repo, sha);
  if (!facts) throw new Error(`${sha} was not written`);
  const content = entryShape(context, path, { mode: "100644", name: path, sha: blob }, branch);
  return { status: existing ? 200 : 201, body: { content, commit: gitShapes.gitCommit(api, repo, facts) } };
});
