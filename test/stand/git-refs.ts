import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The refs of a bare repository, by full name (`refs/heads/main`). Loose refs win over packed ones, as in git. */
export type RefStore = {
  get(name: string): string | undefined;
  /** All refs under a prefix, sorted by name. */
  list(prefix: string): [name: string, sha: string][];
  /** Points the ref at a commit (or tag object); undefined deletes it. */
  set(name: string, sha: string | undefined): void;
  /** Writes many refs at once into packed-refs: thousands of tags without thousands of files. */
  setPacked(refs: Iterable<[name: string, sha: string]>): void;
};

/** @param dir folder of the bare repository */
export function openRefs(dir: string): RefStore {
  const packedFile = join(dir, "packed-refs");
  let packed = new Map<string, string>();
  let packedStamp = "";

  const readPacked = (): Map<string, string> => {
    const stat = statSync(packedFile, { throwIfNoEntry: false });
    if (!stat) return new Map();
    const stamp = `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
    if (stamp !== packedStamp) {
      packedStamp = stamp;
      packed = new Map();
      for (const line of readFileSync(packedFile, "utf8").split("\n")) {
        const match = /^([0-9a-f]{40}) (\S+)$/.exec(line);
        if (match) packed.set(match[2] ?? "", match[1] ?? "");
      }
    }
    return packed;
  };

  const writePacked = (refs: Map<string, string>): void => {
    const lines = [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sha]) => `${sha} ${name}\n`);
    writeFileSync(`${packedFile}.tmp`, `# pack-refs with: sorted \n${lines.join("")}`);
    renameSync(`${packedFile}.tmp`, packedFile);
  };

  const readLoose = (name: string): string | undefined => {
    const file = join(dir, name);
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8").trim() : undefined;
  };

  const walk = (folder: string, into: Map<string, string>): void => {
    if (!existsSync(join(dir, folder))) return;
    for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(name, into);
      else if (!entry.name.endsWith(".lock") && !entry.name.endsWith(".tmp")) into.set(name, readFileSync(join(dir, name), "utf8").trim());
    }
  };

  return {
    get: (name) => readLoose(name) ?? readPacked().get(name),
    list(prefix) {
      const all = new Map(readPacked());
      walk("refs", all);
      return [...all].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
    },
    set(name, sha) {
      const file = join(dir, name);
      if (sha !== undefined) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(`${file}.tmp`, `${sha}\n`);
        renameSync(`${file}.tmp`, file);
        return;
      }
      rmSync(file, { force: true });
      if (readPacked().has(name)) writePacked(new Map([...readPacked()].filter(([other]) => other !== name)));
    },
    setPacked(refs) {
      writePacked(new Map([...readPacked(), ...refs]));
    },
  };
}
