import type { Difference, Tree } from "./trees.ts";
import { treeOf } from "./trees.ts";
import { hasStatus, says } from "./refusal.ts";
import type { Context } from "./types.ts";

export async function refOf({ octokit, at }: Context, branch: string): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.git.getRef({ ...at, ref: `heads/${branch}` });
    return data.object.sha;
  } catch (error) {
    // 409: the repository is empty.
    if (hasStatus(error, 404, 409)) return undefined;
    throw error;
  }
}

/** A commit with the difference on top of its parents. Nothing points at it yet. */
export async function commitOn(
  { octokit, at }: Context,
  parents: string[],
  tree: string,
  { write, remove }: Difference,
  message: string,
): Promise<string> {
  if ([...write.map(({ path }) => path), ...remove].some((path) => path.startsWith(".github/")))
    throw new Error("The rolling branch never touches .github/.");
  const { data: made } = await octokit.rest.git.createTree({
    ...at,
    base_tree: tree,
    tree: [
      ...write.map(({ path, content }) => ({ path, content, mode: "100644" as const, type: "blob" as const })),
      ...remove.map((path) => ({ path, sha: null, mode: "100644" as const, type: "blob" as const })),
    ],
  });
  const { data } = await octokit.rest.git.createCommit({ ...at, message, tree: made.sha, parents });
  return data.sha;
}

/** Creates the branch. False: somebody else did meanwhile. */
export async function createBranch({ octokit, at, proposal }: Context, commit: string): Promise<boolean> {
  try {
    await octokit.rest.git.createRef({ ...at, ref: `refs/heads/${proposal.branch}`, sha: commit });
    return true;
  } catch (error) {
    if (hasStatus(error, 422) && says(error, /already exists/i)) return false;
    throw error;
  }
}

/** Moves the branch forward, never by force. False: it moved meanwhile, and the other run won (field case D02). */
export async function moveBranch({ octokit, at, proposal }: Context, commit: string): Promise<boolean> {
  try {
    await octokit.rest.git.updateRef({ ...at, ref: `heads/${proposal.branch}`, sha: commit, force: false });
    return true;
  } catch (error) {
    if (hasStatus(error, 422) && says(error, /fast[ -]forward|does not exist/i)) return false;
    throw error;
  }
}

const DELETE = `mutation ($repository: ID!, $name: GitRefname!, $before: GitObjectID!) {
  updateRefs(input: { repositoryId: $repository, refUpdates: [{ name: $name, beforeOid: $before, afterOid: "${"0".repeat(40)}" }] }) { clientMutationId }
}`;

/**
 * Deletes the branch if it still is where it was seen: the REST call knows no such condition, and between looking and deleting
 * another run may have made a new branch of that name, whose pull request would close. False: it moved, or is gone.
 */
export async function deleteBranch(context: Context, repository: string, seen: string): Promise<boolean> {
  const { octokit, proposal } = context;
  try {
    await octokit.graphql(DELETE, { repository, name: `refs/heads/${proposal.branch}`, before: seen });
    return true;
  } catch (error) {
    if ((await refOf(context, proposal.branch)) !== seen) return false;
    throw error;
  }
}

/** How the branch stands to the base: has it something that the base lacks (`ahead`), lacks it something (`behind`), and where they part. */
export interface Standing {
  ahead: boolean;
  behind: boolean;
  origin: string;
}

export async function standing({ octokit, at }: Context, base: string, head: string): Promise<Standing> {
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...at, basehead: `${base}...${head}`, per_page: 1 });
  return {
    ahead: data.status === "ahead" || data.status === "diverged",
    behind: data.status === "behind" || data.status === "diverged",
    origin: data.merge_base_commit.sha,
  };
}

/** The branch after the base was merged into it, `lost` when it moved meanwhile, or the files over which the two conflict. */
export type Merged = { head: string } | { lost: true } | { conflicts: string[] };

/** Merges the base into a branch that lacks it. Where only files conflict that the bot writes anyway, the branch keeps its own for now. */
export async function mergeBase(context: Context, origin: string, base: string, head: string): Promise<Merged> {
  const { octokit, at, proposal } = context;
  proposal.beforeWriting?.();
  try {
    const { data } = await octokit.rest.repos.merge({ ...at, base: proposal.branch, head: base, commit_message: "Merge the base branch" });
    const after = data?.sha ?? (await refOf(context, proposal.branch));
    return after === undefined ? { lost: true } : { head: after };
  } catch (error) {
    if (hasStatus(error, 404)) return { lost: true };
    if (!hasStatus(error, 409)) throw error;
  }
  return mergeByFile(context, origin, base, head);
}

/**
 * {@link mergeBase} file by file: what only the base changed is taken. Reads before it writes, so it leaves no trace of a conflict, but
 * calls one what git could merge inside a file.
 */
export async function mergeByFile(context: Context, origin: string, base: string, head: string): Promise<Merged> {
  const { octokit, at, proposal } = context;
  const [was, theirs, ours] = [await treeOf(context, origin), await treeOf(context, base), await treeOf(context, head)];
  const { conflicts, take } = threeWay(was, theirs, ours, proposal.owns);
  if (conflicts.length > 0) return { conflicts };
  // Entries of the base's own tree, so that their modes and hashes are kept.
  const { data: listed } = await octokit.rest.git.getTree({ ...at, tree_sha: theirs.sha, recursive: "true" });
  const modes = new Map(listed.tree.map(({ path, mode }) => [path, mode]));
  const entries = take.map((path) => ({
    path,
    mode: (modes.get(path) ?? "100644") as "100644",
    type: "blob" as const,
    sha: theirs.files.get(path) ?? null,
  }));
  const tree =
    entries.length === 0 ? ours.sha : (await octokit.rest.git.createTree({ ...at, base_tree: ours.sha, tree: entries })).data.sha;
  const { data } = await octokit.rest.git.createCommit({ ...at, message: "Merge the base branch", tree, parents: [head, base] });
  return (await moveBranch(context, data.sha)) ? { head: data.sha } : { lost: true };
}

/** Per file: what only the base changed is taken; what both changed is a conflict, but for files the bot writes anew. */
function threeWay(was: Tree, theirs: Tree, ours: Tree, owns: (path: string) => boolean): { conflicts: string[]; take: string[] } {
  const conflicts: string[] = [];
  const take: string[] = [];
  for (const path of [...new Set([...theirs.files.keys(), ...was.files.keys()])].sort()) {
    const [before, base, head] = [was.files.get(path), theirs.files.get(path), ours.files.get(path)];
    if (base === before || base === head) continue;
    if (head === before) take.push(path);
    else if (!owns(path)) conflicts.push(path);
  }
  return { conflicts, take };
}
