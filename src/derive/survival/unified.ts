import { parsePatch } from "diff";

/** One file of a unified diff. Paths have their leading parts dropped; undefined stands for /dev/null. */
export interface DiffFile {
  from: string | undefined;
  to: string | undefined;
  hunks: Hunk[];
  rename: boolean;
}

export interface Hunk {
  /** As written after `@@ … @@`, usually the function it stands in. */
  heading: string;
  /** 1-based first line in the old and the new file; 0 for an empty file. */
  oldStart: number;
  newStart: number;
  /** Lines with their line ends, as they must stand before and will stand after. */
  before: string[];
  after: string[];
  leading: number;
  trailing: number;
}

/** Reads a unified diff. Anything that `git apply` would refuse to read is a problem, in words. */
export function readDiff(text: string, strip: number): { files: DiffFile[]; problem?: string } {
  if (/^GIT binary patch$/m.test(text)) return { files: [], problem: "it holds a binary change, which cannot be judged as text" };
  const headings = [...text.matchAll(/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/gm)].map((match) => (match[1] ?? "").trim());
  let parsed: ReturnType<typeof parsePatch>;
  try {
    parsed = parsePatch(text);
  } catch (error) {
    return { files: [], problem: `it is not a readable unified diff (${error instanceof Error ? error.message : String(error)})` };
  }
  const files: DiffFile[] = [];
  for (const file of parsed) {
    if (file.isBinary === true) return { files: [], problem: "it holds a binary change, which cannot be judged as text" };
    const hunks = file.hunks.map((hunk) => toHunk(hunk, headings.shift() ?? ""));
    if (hunks.length === 0 && file.isRename !== true) continue;
    const created = file.isCreate === true || file.oldFileName === "/dev/null";
    const deleted = file.isDelete === true || file.newFileName === "/dev/null";
    const from = created ? undefined : stripped(file.oldFileName, strip);
    const to = deleted ? undefined : stripped(file.newFileName, strip);
    if (from === null || to === null) return { files: [], problem: `a path in it has fewer than ${strip + 1} parts; correct strip` };
    if (from === undefined && to === undefined) return { files: [], problem: "a change in it names no file" };
    files.push({ from, to, hunks, rename: file.isRename === true });
  }
  return files.length === 0 ? { files, problem: "it has no hunks" } : { files };
}

type ParsedHunk = ReturnType<typeof parsePatch>[number]["hunks"][number];

function toHunk(hunk: ParsedHunk, heading: string): Hunk {
  const before: string[] = [];
  const after: string[] = [];
  const signs: string[] = [];
  for (const line of hunk.lines) {
    const sign = line[0] ?? " ";
    if (sign === "\\") {
      const last = signs.at(-1);
      if (last !== "+") dropLineEnd(before);
      if (last !== "-") dropLineEnd(after);
      continue;
    }
    signs.push(sign);
    if (sign !== "+") before.push(`${line.slice(1)}\n`);
    if (sign !== "-") after.push(`${line.slice(1)}\n`);
  }
  const changed = (sign: string) => sign === "+" || sign === "-";
  const first = signs.findIndex(changed);
  const last = signs.findLastIndex(changed);
  return {
    heading,
    // jsdiff counts an empty side from the line after it; git counts from the line before.
    oldStart: before.length === 0 ? hunk.oldStart - 1 : hunk.oldStart,
    newStart: after.length === 0 ? hunk.newStart - 1 : hunk.newStart,
    before,
    after,
    leading: first === -1 ? signs.length : first,
    trailing: last === -1 ? signs.length : signs.length - 1 - last,
  };
}

function dropLineEnd(lines: string[]): void {
  const last = lines.pop();
  if (last !== undefined) lines.push(last.replace(/\n$/, ""));
}

/** Null: the path has not enough parts. */
function stripped(path: string | undefined, strip: number): string | undefined | null {
  if (path === undefined) return undefined;
  const parts = path.split("/");
  return parts.length > strip ? parts.slice(strip).join("/") : null;
}
