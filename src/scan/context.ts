import type { InventoryFile } from "../model/shapes/observed.ts";
import type { ScanSettings } from "../model/shapes/scan.ts";
import type { TreeFinding } from "../model/tree.ts";
import { readEnv } from "./env-file.ts";
import type { Context, PinUse, Profile, SourceFile } from "./found.ts";
import { matcher } from "./globs.ts";
import type { Names } from "./names.ts";
import { readProfile } from "./profiles.ts";

/** A tree as it is handed in: texts by path, other paths by name only, and what could not be read. */
export interface Tree {
  /** Texts of the files that may matter, by path from the top, with slashes. */
  files: ReadonlyMap<string, string>;
  /** Every path of the tree, and those an exported tree only lists. */
  paths: ReadonlySet<string>;
  origin: InventoryFile["tree"];
  /** What stood in the way of reading. */
  findings: TreeFinding[];
}

/** What the rows know that helps to read a tree: names of repositories, and the variables and commits of pins. */
export interface Known {
  names: Names;
  /** Pins by the environment variable that overrides them. */
  pinOfEnv: ReadonlyMap<string, { kind: PinUse["kind"]; name: string; value: string; row: string }>;
  /** Commits that rows pin, with the file that is said to hold them. */
  commits: readonly { name: string; commit: string; written: readonly string[] }[];
  /** Flags that patches name. */
  flags: ReadonlySet<string>;
}

/** Names of values that never belong in a committed file. */
const SECRET = /(?:^|_)(?:KEY|TOKEN|SECRET|PASS(?:WORD|WD)?|CREDENTIALS?|AUTH)(?:_ID|_FILE)?$/i;

/** What readers may ask about the tree and the settings. */
export function contextOf(tree: Tree, sources: ReadonlyMap<string, SourceFile>, settings: ScanSettings, rows: Known): Context {
  const flags = matcher(settings.env_flags);
  const envs = new Map<string, ReadonlyMap<string, string>>();
  const env = (folder: string): ReadonlyMap<string, string> | undefined => {
    const text = tree.files.get(folder === "" ? ".env" : `${folder}/.env`);
    return text === undefined ? undefined : new Map(readEnv(text).map(({ name, value }) => [name, value]));
  };
  const isProfile = matcher(settings.profiles?.files ?? []);
  const profiles = new Map<string, Profile>();
  if (settings.profiles) {
    for (const file of sources.values()) {
      const profile = isProfile(file.path) ? readProfile(file, settings.profiles) : undefined;
      if (profile) profiles.set(profile.id, profile);
    }
  }
  return {
    settings,
    profiles,
    isProfile,
    file: (path) => sources.get(path),
    envOf: (folder) => {
      const cached = envs.get(folder) ?? env(folder) ?? env("") ?? new Map<string, string>();
      envs.set(folder, cached);
      return cached;
    },
    isPatch: matcher(settings.patches),
    isOverlay: matcher(settings.overlays),
    isArchived: matcher(settings.archived),
    isFlag: (name) => rows.flags.has(name) || (flags(name) && !SECRET.test(name)),
    pinOfEnv: rows.pinOfEnv,
  };
}
