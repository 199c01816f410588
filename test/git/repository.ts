import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { x } from "tinyexec";

/** One commit of a history written down in a test. */
export interface Planned {
  /** Name used by other commits of the plan as parent; the answer maps it to the hash. */
  id: string;
  parents?: readonly string[];
  message?: string;
  /** Seconds since 1970; default: counts up from 2026-01-01. */
  time?: number;
}

export interface Plan {
  commits: readonly Planned[];
  branches?: Record<string, string>;
  tags?: Record<string, string>;
  /** Annotated tags. */
  annotated?: Record<string, string>;
}

const START = 1_767_225_600;
const SCRATCH = "refs/landfall-import";

/** A folder of its own for a test, and what removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "landfall-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs git in a folder and returns what it printed; throws when it fails. */
export async function git(dir: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await x("git", ["-C", dir, ...args], { throwOnError: false, stdin: "" });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  return stdout.trim();
}

/**
 * Writes a whole history with one `git fast-import`: a bare repository that serves partial clones, as public hosts do.
 * @returns the hash of each planned commit
 */
export async function writeRepository(dir: string, plan: Plan): Promise<Record<string, string>> {
  await x("git", ["init", "-q", "--bare", "--initial-branch=main", dir], { throwOnError: true });
  await git(dir, "config", "uploadpack.allowFilter", "true");
  await git(dir, "config", "uploadpack.allowAnySHA1InWant", "true");
  return importHistory(dir, plan);
}

/** Adds commits, branches and tags to a repository; branches are moved by force. */
export async function importHistory(dir: string, plan: Plan, known: Record<string, string> = {}): Promise<Record<string, string>> {
  const marks = new Map(plan.commits.map(({ id }, n) => [id, n + 1]));
  const name = (id: string) => {
    const mark = marks.get(id);
    const sha = mark === undefined ? known[id] : `:${mark}`;
    if (sha === undefined) throw new Error(`The plan has no commit "${id}" before it is used`);
    return sha;
  };
  const lines: string[] = [];
  const text = (content: string) => `data ${Buffer.byteLength(content)}\n${content}`;
  plan.commits.forEach(({ id, parents, message = id, time }, n) => {
    const [first, ...others] = parents ?? [];
    if (first === undefined) lines.push(`reset ${SCRATCH}`);
    lines.push(`commit ${SCRATCH}`, `mark :${n + 1}`, `committer Test <test@example.org> ${time ?? START + n * 60} +0000`, text(message));
    if (first !== undefined) lines.push(`from ${name(first)}`, ...others.map((other) => `merge ${name(other)}`));
  });
  lines.push(`reset ${SCRATCH}`, `from ${"0".repeat(40)}`);
  const refs = [
    ...Object.entries(plan.branches ?? {}).map(([branch, id]) => [`refs/heads/${branch}`, id] as const),
    ...Object.entries(plan.tags ?? {}).map(([tag, id]) => [`refs/tags/${tag}`, id] as const),
  ];
  for (const [ref, id] of refs) lines.push(`reset ${ref}`, `from ${name(id)}`);
  for (const [tag, id] of Object.entries(plan.annotated ?? {})) {
    lines.push(`tag ${tag}`, `from ${name(id)}`, `tagger Test <test@example.org> ${START} +0000`, text(tag));
  }
  const marksFile = join(dir, "landfall-marks");
  const { stderr, exitCode } = await x("git", ["-C", dir, "fast-import", "--quiet", "--force", `--export-marks=${marksFile}`], {
    throwOnError: false,
    stdin: `${lines.join("\n")}\n`,
  });
  if (exitCode !== 0) throw new Error(`git fast-import failed: ${stderr}`);
  const shas = new Map(
    (await readFile(marksFile, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.slice(1).split(" ") as [string, string]),
  );
  await rm(marksFile);
  return { ...known, ...Object.fromEntries([...marks].map(([id, mark]) => [id, shas.get(String(mark)) ?? ""])) };
}

/** A straight line of commits `c1` to `cN` with the same message prefix. */
export const line = (count: number, prefix = "c", after?: string): Planned[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `${prefix}${n + 1}`,
    parents: n === 0 ? (after === undefined ? [] : [after]) : [`${prefix}${n}`],
    message: `${prefix} ${n + 1}`,
  }));
