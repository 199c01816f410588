import { KINDS } from "../src/model/vocabulary.ts";
import type { Kind } from "../src/model/vocabulary.ts";

/**
 * Where a Markdown file of `content/` is served, without slashes around it.
 * Generated reports have names in capitals (`UPSTREAM.md`) and live under `reports/`; guides keep their path.
 * @param path the file's path inside `content/`, such as `guides/add-a-row.md`
 */
export function docId(path: string): string {
  const bare = path.replace(/\.md$/, "").replaceAll("_", "-");
  if (/^[A-Z-]+$/.test(bare) || bare.startsWith("upstream/")) return `reports/${bare.toLowerCase()}`;
  return bare.toLowerCase().replace(/(^|\/)index$/, "");
}

/** The row a file of `data/` holds, if it holds one. */
export function rowOfFile(path: string): { kind: Kind; id: string } | undefined {
  const [, folder, id] = /^data\/([a-z-]+)\/([a-z0-9.-]+)\.yaml$/.exec(path) ?? [];
  const kind = (Object.keys(KINDS) as Kind[]).find((name) => KINDS[name] === folder);
  return kind !== undefined && id !== undefined ? { kind, id } : undefined;
}

/** Resolves `../data/x.yaml` written in `content/guides/y.md` to a path from the root; undefined when it leaves the root. */
export function resolveFrom(file: string, target: string): string | undefined {
  const parts = file.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "." || part === "") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
