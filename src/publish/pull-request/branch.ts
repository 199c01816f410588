import { createHash } from "node:crypto";
import type { PlannedFile } from "../files.ts";
import { hasStatus, says } from "./refusal.ts";
import type { Context } from "./types.ts";

/** Path -> blob hash of a commit's whole tree. */
export type Tree = ReadonlyMap<string, string>;

export async function refOf({ octokit, at }: Context, branch: string): Promise<string | undefined> {
  try {
    const { data } = await octokit.rest.git.getRef({ ...at, ref: `heads/${branch}` });
    return data.object.sha;
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

export async function treeOf({ octokit, at }: Context, commit: string): Promise<{ sha: string; files: Tree }> {
  const { data } = await octokit.rest.git.getCommit({ ...at, commit_sha: commit });
  const { data: tree } = await octokit.rest.git.getTree({ ...at, tree_sha: data.tree.sha, recursive: "true" });
  if (tree.truncated) throw new Error(`The tree of ${commit} is too large to be listed in one answer.`);
  const files = tree.tree.flatMap(({ path, sha, type }) =>
    type === "blob" && path !== undefined && sha !== undefined ? [[path, sha] as const] : [],
  );
  return { sha: data.tree.sha, files: new Map(files) };
}

/** The hash git gives a file's content. */
export const blobHash = (content: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest("hex");

export interface Difference {
  write: PlannedFile[];
  remove: string[];
}

/** What a tree lacks of a plan: files to write, and generated ones that are no longer in it. */
export function difference(files: Tree, planned: readonly PlannedFile[], owns: (path: string) => boolean): Difference {
  const wanted = new Set(planned.map(({ path }) => path));
  return {
    write: planned.filter(({ path, content }) => files.get(path) !== blobHash(content)),
    remove: [...files.keys()].filter((path) => owns(path) && !wanted.has(path)),
  };
}

export const isEmpty = ({ write, remove }: Difference): boolean => write.length === 0 && remove.length === 0;

/** A commit with the difference on top of a parent. Nothing points at it yet. */
export async function commitOn(
  { octokit, at }: Context,
  parent: string,
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
  const { data } = await octokit.rest.git.createCommit({ ...at, message, tree: made.sha, parents: [parent] });
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

export async function deleteBranch({ octokit, at, proposal }: Context): Promise<void> {
  try {
    await octokit.rest.git.deleteRef({ ...at, ref: `heads/${proposal.branch}` });
  } catch (error) {
    if (!hasStatus(error, 404, 422)) throw error;
  }
}

/** Merges the base into the branch. Undefined: they conflict. */
export async function mergeBase({ octokit, at, proposal }: Context, base: string, head: string): Promise<string | undefined> {
  const { data: compared } = await octokit.rest.repos.compareCommitsWithBasehead({ ...at, basehead: `${base}...${head}`, per_page: 1 });
  if (compared.status === "ahead" || compared.status === "identical") return head;
  try {
    const { data } = await octokit.rest.repos.merge({ ...at, base: proposal.branch, head: base, commit_message: "Merge the base branch" });
    return data?.sha ?? head;
  } catch (error) {
    if (hasStatus(error, 409)) return undefined;
    throw error;
  }
}

/** Authored files that differ between the base and the branch, as text; undefined where the branch deleted one. */
export async function authoredChanges(context: Context, base: Tree, head: Tree): Promise<Map<string, string | undefined>> {
  const { octokit, at, proposal } = context;
  const authored = (path: string) => path.startsWith("data/") && !proposal.owns(path);
  const changed = [...new Set([...base.keys(), ...head.keys()])]
    .filter((path) => authored(path) && base.get(path) !== head.get(path))
    .sort();
  const found = new Map<string, string | undefined>();
  for (const path of changed) {
    const sha = head.get(path);
    if (sha === undefined) {
      found.set(path, undefined);
      continue;
    }
    const { data } = await octokit.rest.git.getBlob({ ...at, file_sha: sha });
    found.set(path, Buffer.from(data.content, "base64").toString("utf8"));
  }
  return found;
}
