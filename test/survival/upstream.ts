import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { x } from "tinyexec";

/** Files after a change; null takes one away, `{ link }` makes a symbolic link, bytes make a binary. */
export type Change = Record<string, string | null | { link: string } | Uint8Array>;

export interface Written {
  /** Path of the bare repository; serves partial clones, as public hosts do. */
  dir: string;
  /** Hash of each commit, by its name in the plan. */
  sha: Record<string, string>;
}

interface Step {
  id: string;
  subject: string;
  change: Change;
  /** A second parent makes it a merge; its own change stands for what the merge brings. */
  merges?: string;
  /** Parent; default: the step before. */
  from?: string;
}

const START = 1_767_225_600;

/** Writes a history of file changes with one `git fast-import`. The last step of each line is a branch of its own name; `main` is the last step. */
export async function writeUpstream(dir: string, steps: readonly Step[], tags: Record<string, string> = {}): Promise<Written> {
  await mkdir(dir, { recursive: true });
  await x("git", ["init", "-q", "--bare", "--initial-branch=main", dir], { throwOnError: true });
  await x("git", ["-C", dir, "config", "uploadpack.allowFilter", "true"], { throwOnError: true });
  await x("git", ["-C", dir, "config", "uploadpack.allowAnySHA1InWant", "true"], { throwOnError: true });
  const marks = new Map(steps.map(({ id }, index) => [id, index + 1]));
  const parts: (string | Uint8Array)[] = [];
  const data = (content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    parts.push(`data ${bytes.length}\n`, bytes, "\n");
  };
  steps.forEach(({ id, subject, change, merges, from }, index) => {
    const branch = `refs/heads/${index === steps.length - 1 ? "main" : `step-${id}`}`;
    parts.push(`commit ${branch}\nmark :${index + 1}\ncommitter Test <test@example.org> ${START + index * 3600} +0000\n`);
    data(subject);
    const parent = from ?? steps[index - 1]?.id;
    if (parent !== undefined) parts.push(`from :${marks.get(parent)}\n`);
    if (merges !== undefined) parts.push(`merge :${marks.get(merges)}\n`);
    for (const [path, content] of Object.entries(change)) {
      if (content === null) parts.push(`D ${path}\n`);
      else if (typeof content === "object" && "link" in content) {
        parts.push(`M 120000 inline ${path}\n`);
        data(content.link);
      } else {
        parts.push(`M 100644 inline ${path}\n`);
        data(content);
      }
    }
  });
  for (const [tag, id] of Object.entries(tags)) parts.push(`reset refs/tags/${tag}\nfrom :${marks.get(id)}\n\n`);
  const script = join(dir, "import");
  await writeFile(script, Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part)))));
  const run = await x("sh", ["-c", 'git -C "$0" fast-import --quiet --force --export-marks=marks < "$1" && cat "$0/marks"', dir, script], {
    throwOnError: false,
  });
  if (run.exitCode !== 0) throw new Error(`git fast-import failed: ${run.stderr}`);
  const shas = new Map(
    run.stdout
      .trim()
      .split("\n")
      .map((line) => line.slice(1).split(" ") as [string, string]),
  );
  return { dir, sha: Object.fromEntries([...marks].map(([id, mark]) => [id, shas.get(String(mark)) ?? ""])) };
}
