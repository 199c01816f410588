import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { main } from "../../scripts/main.ts";

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs a command in this process, with what it prints and its exit code. There is no terminal, as in CI. */
export async function run(name: string, ...args: string[]): Promise<Ran> {
  const { write: toOut } = process.stdout;
  const { write: toErr } = process.stderr;
  let out = "";
  let err = "";
  process.stdout.write = ((text: string) => {
    out += text;
    return true;
  }) as typeof toOut;
  process.stderr.write = ((text: string) => {
    err += text;
    return true;
  }) as typeof toErr;
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await main(name, args);
    return { code: Number(process.exitCode ?? 0), out, err };
  } finally {
    process.stdout.write = toOut;
    process.stderr.write = toErr;
    process.exitCode = before;
  }
}

/** An empty folder that goes when the test ends, with files in it. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "landfall-import-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Every file under a folder, by path. */
export function filesUnder(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")]),
  );
}
