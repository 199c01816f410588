import { refusalToWrite } from "../access.ts";
import { openGit } from "../git-repository.ts";
import { changeTree, type TreeChanges } from "../git-trees.ts";
import { moveRef, writeCommit } from "../merging.ts";
import { nodeId } from "../node-id.ts";
import { noteNoise } from "../noise.ts";
import { mayMoveRef } from "../rest/write-guard.ts";
import { findRepo, nowOf, type Token } from "../world.ts";
import { commitView, refView } from "./git-views.ts";
import { githubError, type Scene, type View } from "./view.ts";

type Input = {
  branch?: { repositoryNameWithOwner?: string; branchName?: string };
  expectedHeadOid?: string;
  message?: { headline: string; body?: string };
  fileChanges?: { additions?: { path: string; contents: string }[]; deletions?: { path: string }[] };
  clientMutationId?: string;
};

/**
 * One signed commit on a branch, if the branch still is where the caller believes: GitHub's only compare-and-swap.
 * The contents are base64.
 */
export function createCommitOnBranch(scene: Scene, raw: Record<string, unknown>): View {
  const input = raw as Input;
  const branch = input.branch?.branchName?.replace(/^refs\/heads\//, "") ?? "";
  const repo = findRepo(scene.world, input.branch?.repositoryNameWithOwner ?? "");
  if (!repo) throw githubError("NOT_FOUND", `Could not resolve to a Repository with the name '${input.branch?.repositoryNameWithOwner}'.`);
  const refusal = refusalToWrite(repo, scene.caller);
  if (refusal) throw githubError("FORBIDDEN", refusal.message);
  const git = openGit(repo.git ?? "");
  const name = `refs/heads/${branch}`;
  const head = git.refs.get(name);
  if (head === undefined) throw githubError("NOT_FOUND", `Could not resolve to a Ref with the name '${branch}'.`);
  if (head !== input.expectedHeadOid) {
    throw githubError("STALE_DATA", `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`);
  }
  const changes: TreeChanges = new Map();
  for (const { path } of input.fileChanges?.deletions ?? []) {
    if (git.file(head, path) === undefined)
      throw githubError("UNPROCESSABLE", `A path was requested for deletion which does not exist: ${path}`);
    changes.set(path, null);
  }
  for (const { path, contents } of input.fileChanges?.additions ?? []) {
    changes.set(path, { mode: "100644", sha: git.objects.write("blob", Buffer.from(contents, "base64")) });
  }
  const grant = scene.caller.grant as Token;
  const message = [input.message?.headline ?? "", input.message?.body ?? ""].filter(Boolean).join("\n\n");
  const tree = changeTree(git.objects, git.readCommit(head)?.tree, changes);
  const sha = writeCommit(repo, tree, [head], message, nowOf(scene.world), grant.login);
  repo.verified.push(sha);
  const violation = mayMoveRef(repo, grant, name, head, sha);
  if (violation) throw githubError("UNPROCESSABLE", (violation.body as { message: string }).message);
  noteNoise(scene.world, repo, message, `commit ${sha.slice(0, 7)}`);
  moveRef(scene.world, repo, name, sha);
  return {
    __typename: "CreateCommitOnBranchPayload",
    clientMutationId: input.clientMutationId ?? null,
    commit: () => commitView(scene, repo, sha),
    ref: () => refView(scene, repo, name),
  };
}

type RefUpdate = { name: string; beforeOid?: string; afterOid: string; force?: boolean };
const NONE = "0".repeat(40);

/** Moves, creates and deletes refs, each only if it still is where the caller believes; all of them or none. */
export function updateRefs(scene: Scene, raw: Record<string, unknown>): View {
  const updates = raw.refUpdates as RefUpdate[];
  const repo = Object.values(scene.world.repos).find((candidate) => nodeId("Repository", candidate.id) === raw.repositoryId);
  if (!repo) throw githubError("NOT_FOUND", `Could not resolve to a node with the global id of '${String(raw.repositoryId)}'`);
  const refusal = refusalToWrite(repo, scene.caller);
  if (refusal) throw githubError("FORBIDDEN", refusal.message);
  const git = openGit(repo.git ?? "");
  const grant = scene.caller.grant as Token;
  for (const { name, beforeOid, afterOid, force } of updates) {
    const old = git.refs.get(name);
    if (beforeOid !== undefined && (old ?? NONE) !== beforeOid)
      throw githubError("STALE_DATA", `The expected before OID ${beforeOid} does not match the actual OID of ${name}`);
    if (afterOid !== NONE && old !== undefined && force !== true && !git.isAncestor(old, afterOid))
      throw githubError("UNPROCESSABLE", `Update to ${name} is not a fast forward`);
    const violation = mayMoveRef(repo, grant, name, old, afterOid === NONE ? undefined : afterOid);
    if (violation) throw githubError("UNPROCESSABLE", (violation.body as { message: string }).message);
  }
  for (const { name, afterOid } of updates) moveRef(scene.world, repo, name, afterOid === NONE ? undefined : afterOid);
  return { __typename: "UpdateRefsPayload", clientMutationId: (raw.clientMutationId as string | undefined) ?? null };
}
