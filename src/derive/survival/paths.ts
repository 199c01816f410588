/**
 * Why a path cannot be a target inside a repository, or undefined when it can.
 * A target is a plain relative path with forward slashes: nothing absolute, no `..`, no `.git`.
 */
export function outside(path: string): string | undefined {
  if (path === "" || path.trim() !== path) return "it is empty or has spaces at its ends";
  if (/[\0\n\r]/.test(path)) return "it holds a control character";
  if (path.includes("\\")) return "it has backslashes; write forward slashes";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "it is absolute; write it from the repository's root";
  const parts = path.split("/");
  if (parts.includes("..")) return 'it leads out of the repository with ".."';
  if (parts.some((part) => part === "." || part === "")) return "it has empty parts";
  if (parts[0]?.toLowerCase() === ".git") return "it lies in .git";
  return undefined;
}

/** Where a symbolic link at `path` leads; undefined when that is outside the repository. */
export function linkEnd(path: string, link: string): string | undefined {
  if (link.startsWith("/") || link === "") return undefined;
  const parts = path.split("/").slice(0, -1);
  for (const part of link.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length > 0 && outside(parts.join("/")) === undefined ? parts.join("/") : undefined;
}

/** How many path parts two paths share at their ends: `a/x/y.py` and `b/x/y.py` share 2. */
export function sharedEnd(a: string, b: string): number {
  const [left, right] = [a.split("/").reverse(), b.split("/").reverse()];
  const end = left.findIndex((part, index) => part !== right[index]);
  return end === -1 ? left.length : end;
}
