import { createHash } from "node:crypto";
import type { PlannedFile } from "../files.ts";
import { hasStatus } from "./refusal.ts";
import type { Context, Overlay } from "./types.ts";
import { Refused } from "./types.ts";

/** Path -> git's hash of the file, for a commit's whole tree; and the tree's own hash. */
export interface Tree {
  sha: string;
  files: ReadonlyMap<string, string>;
}

export async function treeOf({ octokit, at }: Context, commit: string): Promise<Tree> {
  const { data } = await octokit.rest.git.getCommit({ ...at, commit_sha: commit });
  const { data: tree } = await octokit.rest.git.getTree({ ...at, tree_sha: data.tree.sha, recursive: "true" });
  if (tree.truncated)
    throw new Refused(`${at.owner}/${at.repo} has more files than GitHub lists in one answer; keep the stack in a smaller repository.`);
  const files = tree.tree.flatMap(({ path, sha, type }) =>
    type === "blob" && path !== undefined && sha !== undefined ? [[path, sha] as const] : [],
  );
  return { sha: data.tree.sha, files: new Map(files) };
}

/** {@link treeOf}, or undefined when GitHub no longer has the commit. */
export async function treeIfKnown(context: Context, commit: string): Promise<Tree | undefined> {
  try {
    return await treeOf(context, commit);
  } catch (error) {
    if (hasStatus(error, 404, 409, 422)) return undefined;
    throw error;
  }
}

/** The hash git gives a file's content. */
export const blobHash = (content: string | Uint8Array): string =>
  createHash("sha1")
    .update(`blob ${typeof content === "string" ? Buffer.byteLength(content) : content.length}\0`)
    .update(content)
    .digest("hex");

export interface Difference {
  write: PlannedFile[];
  remove: string[];
}

/** What a tree lacks of a plan: files to write, and generated ones that are no longer in it. */
export function difference({ files }: Tree, planned: readonly PlannedFile[], owns: (path: string) => boolean): Difference {
  const wanted = new Set(planned.map(({ path }) => path));
  return {
    write: planned.filter(({ path, content }) => files.get(path) !== blobHash(content)),
    remove: [...files.keys()].filter((path) => owns(path) && !wanted.has(path)),
  };
}

export const isEmpty = ({ write, remove }: Difference): boolean => write.length === 0 && remove.length === 0;

/** Reads, from trees on GitHub, the files under `data/` that this machine has otherwise. A blob is read once. */
export function overlayReader({ octokit, at, proposal }: Context): (tree: Tree) => Promise<Overlay> {
  const { folder, local } = proposal;
  const texts = new Map<string, string>();
  const read = async (sha: string): Promise<string> => {
    const known = texts.get(sha);
    if (known !== undefined) return known;
    const { data } = await octokit.rest.git.getBlob({ ...at, file_sha: sha });
    const text = Buffer.from(data.content, "base64").toString("utf8");
    texts.set(sha, text);
    return text;
  };
  return async ({ files }) => {
    const found = new Map<string, string | undefined>();
    for (const [path, sha] of files) {
      if (!path.startsWith(`${folder}data/`)) continue;
      const inStack = path.slice(folder.length);
      if (local.get(inStack) !== sha) found.set(inStack, await read(sha));
    }
    for (const path of local.keys()) if (!files.has(folder + path)) found.set(path, undefined);
    return found;
  };
}
