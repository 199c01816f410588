import type { InventoryFile } from "../model/shapes/observed.ts";
import type { ScanSettings } from "../model/shapes/scan.ts";
import type { TreeFinding, TreeScan } from "../model/tree.ts";
import { byLevelAndPlace, finding } from "../model/tree.ts";
import { inventoryOf } from "./assemble.ts";
import { readEnv } from "./env-file.ts";
import type { Context, Found, PinUse, Profile, SourceFile } from "./found.ts";
import { known, missingCitations, statedPins, wrongCounts } from "./documents.ts";
import { matcher } from "./globs.ts";
import { imageFindings, missingSources, patchFolderFindings } from "./judge.ts";
import type { Kind } from "./kinds.ts";
import { CITING, KINDS } from "./kinds.ts";
import type { Names } from "./names.ts";
import { readProfile } from "./profiles.ts";
import { cite, learnNames, mayCite, resolveBare } from "./references.ts";

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

/**
 * Scans a tree for everything that is pinned, patched or cited. Pure but for loading its own readers: the same texts give the
 * same inventory and findings, in a stable order.
 */
export async function scan(tree: Tree, settings: ScanSettings, known_: Known): Promise<TreeScan> {
  const sources = new Map([...tree.files].map(([path, text]) => [path, { path, text }]));
  const context = contextOf(tree, sources, settings, known_);
  const found = await readAll(sources, context);
  const citing = [...sources.values()].filter(({ path, text }) => CITING.test(path) && mayCite(text) && !isGenerated(text));
  const names = learnNames(
    known_.names,
    citing.map(({ text }) => text),
  );
  const { references, findings: unclear } = resolveBare(
    citing.map((file) => cite(file, names, nearOf(file, found.images, names))),
    names,
  );
  found.pins.push(...citedCommits(tree, sources, found, known_));
  const paths = known(tree.paths);
  const inventory = inventoryOf({ tree: tree.origin, found, references, paths: tree.paths, settings, context });
  const live = (items: TreeFinding[]) => items.filter(({ file }) => !context.isArchived(file));
  return {
    inventory,
    paths: tree.paths,
    findings: [
      ...tree.findings,
      ...found.findings.filter(({ rule, file }) => rule === "syntax" || !context.isArchived(file)),
      ...imageFindings(inventory, settings),
      ...missingSources(inventory, paths),
      ...patchFolderFindings(inventory, context),
      ...live(unclear),
      ...live(documentFindings(sources, inventory, settings, paths, known_)),
      ...nothingFound(inventory, tree),
    ].sort(byLevelAndPlace),
  };
}

type Everything = { [K in keyof Required<Found>]: Required<Found>[K] };

async function readAll(sources: ReadonlyMap<string, SourceFile>, context: Context): Promise<Everything> {
  const all: Everything = { images: [], pins: [], mounts: [], invocations: [], starts: [], envFlags: [], findings: [] };
  for (const [, kind] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
    const mine = [...sources.values()].filter(({ path, text }) => kind.name(path, context) && kind.look.test(text));
    if (mine.length === 0) continue;
    const read = await kind.load();
    for (const file of mine) {
      const found = read(file, context);
      all.images.push(...(found.images ?? []));
      all.pins.push(...(found.pins ?? []));
      all.mounts.push(...(found.mounts ?? []));
      all.invocations.push(...(found.invocations ?? []));
      all.starts.push(...(found.starts ?? []));
      all.envFlags.push(...(found.envFlags ?? []));
      all.findings.push(...(found.findings ?? []));
    }
  }
  return all;
}

function contextOf(tree: Tree, sources: ReadonlyMap<string, SourceFile>, settings: ScanSettings, known_: Known): Context {
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
    isFlag: (name) => known_.flags.has(name) || (flags(name) && !SECRET.test(name)),
    pinOfEnv: known_.pinOfEnv,
  };
}

/** Pages that a program wrote cite what the rows cite; they are no evidence of their own. */
const isGenerated = (text: string) => /generated by (?:npm run )?landfall|^<!-- generated/im.test(text.slice(0, 600));

/** The upstream whose image a compose file runs: its bare numbers are most likely about that. */
function nearOf(file: SourceFile, images: Everything["images"], names: Names): string | undefined {
  const repos = new Set<string>();
  for (const use of images) {
    if (use.file !== file.path) continue;
    const [, ...parts] = use.image.replace(/[:@].*$/, "").split("/");
    const repo =
      names.repos.get(parts.join("/").toLowerCase()) ?? parts.flatMap((part) => names.repos.get(part.toLowerCase()) ?? []).at(-1);
    if (repo !== undefined) repos.add(repo);
  }
  return repos.size === 1 ? [...repos][0] : undefined;
}

/**
 * A pinned commit whose file is known by name only, as in an exported tree: the documents that cite the commit stand in for it,
 * so that the pin does not look unused.
 */
function citedCommits(tree: Tree, sources: ReadonlyMap<string, SourceFile>, found: Everything, { commits }: Known): PinUse[] {
  return commits.flatMap(({ name, commit, written }): PinUse[] => {
    const listedOnly = written.some((path) => tree.paths.has(path) && !tree.files.has(path));
    if (!listedOnly || found.pins.some((pin) => pin.kind === "git" && pin.name === name && commit.startsWith(pin.value))) return [];
    const short = commit.slice(0, 7);
    const uses = [...sources.values()].flatMap((file): PinUse[] => {
      if (!file.text.includes(short)) return [];
      return file.text.split("\n").flatMap((source, index): PinUse[] => {
        const value = new RegExp(`\\b${short}[0-9a-f]*`).exec(source)?.[0];
        return value !== undefined && commit.startsWith(value) ? [{ kind: "git", name, value, file: file.path, line: index + 1 }] : [];
      });
    });
    for (const path of written.filter((path) => tree.paths.has(path) && !tree.files.has(path))) {
      const stand = uses[0] ? ` Its commit ${uses[0].value} was taken from ${uses[0].file}:${uses[0].line}.` : "";
      found.findings.push(
        finding(
          "not-scanned",
          { file: path, line: 1 },
          `The file is listed, and its text is not in this tree, so what it pins of ${name} was not read.${stand}`,
        ),
      );
    }
    return uses;
  });
}

function documentFindings(
  sources: ReadonlyMap<string, SourceFile>,
  inventory: InventoryFile,
  settings: ScanSettings,
  paths: ReturnType<typeof known>,
  { pinOfEnv }: Known,
): TreeFinding[] {
  const users = new Map(
    inventory.images.map(({ image, users: all }) => [image, new Set(all.filter(({ archived }) => !archived).map(({ file }) => file)).size]),
  );
  const skip = matcher(settings.history);
  const isOurs = matcher(settings.cites);
  return [...sources.values()]
    .filter(({ path, text }) => CITING.test(path) && !skip(path) && !isGenerated(text))
    .flatMap((file) => [
      ...(/\.(md|mdx|markdown)$/i.test(file.path) ? wrongCounts(file, users) : []),
      ...missingCitations(file, paths, isOurs),
      ...statedPins(file, pinOfEnv),
    ]);
}

function nothingFound(inventory: InventoryFile, tree: Tree): TreeFinding[] {
  const { images, pins, mounts, references } = inventory;
  if (images.length + pins.length + mounts.length + references.length > 0) return [];
  const kinds = "compose files, Dockerfiles, shell scripts, requirements, lock files, Kubernetes and Helm files, workflows or references";
  return [
    finding(
      "nothing-found",
      { file: ".", line: 1 },
      tree.paths.size === 0
        ? "The tree has no files. Name the folder of the stack, or set scan.tree in data/tracker.yaml."
        : `Nothing pinned was found among ${tree.paths.size} files: no ${kinds}. Check the folder, and the include and ignore globs of scan in data/tracker.yaml.`,
    ),
  ];
}
