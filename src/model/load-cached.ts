import { mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loaded } from "./load-stack.ts";
import type { Kind } from "./vocabulary.ts";

const CACHE = ".landfall/cache";

/**
 * {@link load} with a parse cache under `.landfall/`. When no file of `data/` and none of the model's own source changed,
 * the parsed model is read back without loading a YAML parser and the shapes, which is most of a short command's time.
 */
export async function loadCached(root: string, only?: readonly Kind[]): Promise<Loaded> {
  const signature = signatureOf(root);
  const file = join(root, CACHE, only ? `model-${[...only].sort().join("-")}.json` : "model.json");
  if (signature !== undefined) {
    const hit = readCache(file, signature);
    if (hit) return hit;
  }
  const loaded = (await readPlain(root, only)) ?? (await import("./load.ts")).load(root, only);
  if (signature !== undefined) writeCache(root, file, signature, loaded);
  return loaded;
}

/** A row is not of the plain kind, or has a problem. */
class NotPlain extends Error {}

/** The stack without the strict reader, which is slow to load; undefined when a row needs it. */
async function readPlain(root: string, only: readonly Kind[] | undefined): Promise<Loaded | undefined> {
  const { readStack } = await import("./load-stack.ts");
  try {
    return readStack(root, only, () => {
      throw new NotPlain();
    });
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

function readCache(file: string, signature: string): Loaded | undefined {
  try {
    const text = readFileSync(file, "utf8");
    const end = text.indexOf("\n");
    return text.slice(0, end) === signature ? (JSON.parse(text.slice(end + 1)) as Loaded) : undefined;
  } catch {
    return undefined;
  }
}

/** The cache is a convenience: a folder that cannot be written is no error. */
function writeCache(root: string, file: string, signature: string, loaded: Loaded): void {
  try {
    mkdirSync(join(root, CACHE), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, `${signature}\n${JSON.stringify(loaded)}`);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    return;
  }
}

/** Name, size and change time of every file that decides the outcome. Undefined when `data/` cannot be listed. */
function signatureOf(root: string): string | undefined {
  try {
    const own = fileURLToPath(new URL(".", import.meta.url));
    return [join(root, "data"), own].map(listing).join("|");
  } catch {
    return undefined;
  }
}

function listing(folder: string): string {
  let text = "";
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    // A folder counts by its name, a link by what it leads to: the loader reads through links.
    const found = entry.isDirectory() ? undefined : statSync(name, { throwIfNoEntry: false });
    text += `${name.slice(folder.length)}:${found?.size}:${found?.mtimeMs}:${found?.ctimeMs};`;
  }
  return text;
}
