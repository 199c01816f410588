/** Joins and normalises slash paths; a path that leaves the tree keeps its leading `../`. */
export function join(...parts: string[]): string {
  const rooted = parts.some((part) => part.startsWith("/"));
  const last = parts.findLastIndex((part) => part.startsWith("/"));
  const names: string[] = [];
  for (const name of parts.slice(Math.max(0, last)).join("/").split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") names.pop();
    else if (name !== ".." || !rooted) names.push(name);
  }
  return (rooted ? "/" : "") + names.join("/");
}

/** The folder of a path, "" at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
