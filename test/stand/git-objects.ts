import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

export type ObjectType = "blob" | "tree" | "commit" | "tag";
export type GitObject = { type: ObjectType; data: Buffer };

/**
 * The object store of a bare repository, read and written without a process per object: loose objects directly, packed
 * ones by one `cat-file --batch-all-objects` after the folder of packs has changed. Meant for repositories of test size.
 */
export type ObjectStore = {
  /** The object, or undefined when the store has none of that name. */
  read(sha: string): GitObject | undefined;
  /** Stores the object unless it is there; returns its sha. */
  write(type: ObjectType, data: Buffer | string): string;
};

/** @param dir folder of the bare repository */
export function openObjects(dir: string): ObjectStore {
  const known = new Map<string, GitObject>();
  let packsSeen = "";

  const looseFile = (sha: string): string => join(dir, "objects", sha.slice(0, 2), sha.slice(2));

  const readLoose = (sha: string): GitObject | undefined => {
    const file = looseFile(sha);
    if (!existsSync(file)) return undefined;
    const raw = inflateSync(readFileSync(file));
    const end = raw.indexOf(0);
    return { type: raw.toString("latin1", 0, end).split(" ")[0] as ObjectType, data: raw.subarray(end + 1) };
  };

  const readPacks = (): boolean => {
    const folder = join(dir, "objects", "pack");
    const packs = existsSync(folder) ? readdirSync(folder).sort().join() : "";
    if (packs === packsSeen) return false;
    packsSeen = packs;
    const all = execFileSync("git", ["-C", dir, "cat-file", "--batch", "--batch-all-objects", "--unordered"], {
      maxBuffer: 1 << 30,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (let at = 0; at < all.length; ) {
      const eol = all.indexOf(10, at);
      const [sha = "", type, size] = all.toString("latin1", at, eol).split(" ");
      const end = eol + 1 + Number(size);
      known.set(sha, { type: type as ObjectType, data: all.subarray(eol + 1, end) });
      at = end + 1;
    }
    return true;
  };

  const read = (sha: string): GitObject | undefined => {
    const found = known.get(sha) ?? readLoose(sha) ?? (readPacks() ? known.get(sha) : undefined);
    if (found) known.set(sha, found);
    return found;
  };

  const write = (type: ObjectType, data: Buffer | string): string => {
    const body = Buffer.from(data);
    const raw = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const sha = createHash("sha1").update(raw).digest("hex");
    if (known.has(sha)) return sha;
    known.set(sha, { type, data: body });
    const file = looseFile(sha);
    if (!existsSync(file)) {
      mkdirSync(join(dir, "objects", sha.slice(0, 2)), { recursive: true });
      writeFileSync(`${file}.tmp`, deflateSync(raw, { level: 1 }));
      renameSync(`${file}.tmp`, file);
    }
    return sha;
  };

  return { read, write };
}
