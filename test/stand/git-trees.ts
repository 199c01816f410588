import type { ObjectStore } from "./git-objects.ts";

export type TreeEntry = { mode: string; name: string; sha: string };
/** What becomes of one path: an entry, or null to remove it. Keys are whole paths with `/`. */
export type TreeChanges = Map<string, { mode: string; sha: string } | null>;

const FOLDER = "40000";
export const isFolder = (entry: { mode: string }): boolean => entry.mode === FOLDER || entry.mode === "040000";

/** The entries of one tree, not of the trees below it. Throws when `sha` names no tree. */
export function readTree(objects: ObjectStore, sha: string): TreeEntry[] {
  const found = objects.read(sha);
  if (found?.type !== "tree") throw new Error(`${sha} is not a tree`);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < found.data.length; ) {
    const space = found.data.indexOf(32, at);
    const zero = found.data.indexOf(0, space);
    entries.push({
      mode: found.data.toString("latin1", at, space),
      name: found.data.toString("utf8", space + 1, zero),
      sha: found.data.toString("hex", zero + 1, zero + 21),
    });
    at = zero + 21;
  }
  return entries;
}

/** Writes one tree; git wants folders sorted as if their names ended in a slash. */
function storeTree(objects: ObjectStore, entries: TreeEntry[]): string {
  const key = (entry: TreeEntry): Buffer => Buffer.from(isFolder(entry) ? `${entry.name}/` : entry.name);
  const sorted = [...entries].sort((a, b) => Buffer.compare(key(a), key(b)));
  return objects.write(
    "tree",
    Buffer.concat(
      sorted.flatMap((entry) => [Buffer.from(`${entry.mode.replace(/^0/, "")} ${entry.name}\0`), Buffer.from(entry.sha, "hex")]),
    ),
  );
}

/** A tree with the changes applied; `base` undefined starts from nothing. Folders left empty disappear, as in git. */
export function changeTree(objects: ObjectStore, base: string | undefined, changes: TreeChanges): string {
  const entries = new Map((base ? readTree(objects, base) : []).map((entry) => [entry.name, entry]));
  const below = new Map<string, TreeChanges>();
  for (const [path, change] of changes) {
    const slash = path.indexOf("/");
    if (slash < 0) {
      if (change) entries.set(path, { name: path, ...change });
      else entries.delete(path);
    } else {
      const name = path.slice(0, slash);
      const group: TreeChanges = below.get(name) ?? new Map();
      below.set(name, group.set(path.slice(slash + 1), change));
    }
  }
  for (const [name, group] of below) {
    const old = entries.get(name);
    const sha = changeTree(objects, old && isFolder(old) ? old.sha : undefined, group);
    if (readTree(objects, sha).length > 0) entries.set(name, { mode: FOLDER, name, sha });
    else entries.delete(name);
  }
  return storeTree(objects, [...entries.values()]);
}

/** Every file under a tree: path -> entry. */
export function filesOf(objects: ObjectStore, tree: string, prefix = ""): Map<string, TreeEntry> {
  const files = new Map<string, TreeEntry>();
  for (const entry of readTree(objects, tree)) {
    if (isFolder(entry)) for (const [path, file] of filesOf(objects, entry.sha, `${prefix}${entry.name}/`)) files.set(path, file);
    else files.set(prefix + entry.name, entry);
  }
  return files;
}

/** The entry at a path below a tree, or undefined. An empty path is the tree itself. */
export function entryAt(objects: ObjectStore, tree: string, path: string): TreeEntry | undefined {
  let entry: TreeEntry | undefined = { mode: FOLDER, name: "", sha: tree };
  for (const name of path.split("/").filter((part) => part !== "")) {
    if (!entry || !isFolder(entry)) return undefined;
    entry = readTree(objects, entry.sha).find((candidate) => candidate.name === name);
  }
  return entry;
}
