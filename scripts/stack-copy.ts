import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Every file under `data/` of a stack, from the stack's folder. */
export function dataFiles(root: string): { path: string; content: Buffer }[] {
  return readdirSync(join(root, "data"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.landfall-\d+$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: file.slice(root.replace(/\/$/, "").length + 1).replaceAll("\\", "/"), content: readFileSync(file) }));
}

/** Works on a temporary copy of a stack's `data/` with other files laid over it; undefined removes one. The copy goes afterwards. */
export function withCopy<T>(root: string, overlay: ReadonlyMap<string, string | undefined>, work: (copy: string) => T): T {
  const copy = mkdtempSync(join(tmpdir(), "landfall-"));
  try {
    cpSync(join(root, "data"), join(copy, "data"), { recursive: true });
    for (const [path, content] of overlay) {
      const file = join(copy, path);
      if (content === undefined) {
        rmSync(file, { force: true });
        continue;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
