import { fileOf } from "../model/paths.ts";
import { parseRef } from "../model/ref.ts";
import type { InventoryFile } from "../model/shapes/observed.ts";
import { slug } from "./ids.ts";
import { readBack, writeRow } from "./write-row.ts";

/** A repository that the tree cites. */
export interface CitedRepo {
  repo: string;
  /** References to its threads and commits, archived files left out. */
  references: number;
  files: number;
}

/** Repositories cited in a tree, most cited first; the stack's own is none of its upstreams. */
export function citedRepos(inventory: InventoryFile, own: string): CitedRepo[] {
  const found = new Map<string, { references: number; files: Set<string>; names: Map<string, number> }>();
  for (const { ref, file, archived } of inventory.references) {
    const parsed = parseRef(ref);
    if (archived || parsed === undefined || !("repo" in parsed) || parsed.repo.toLowerCase() === own.toLowerCase()) continue;
    const entry = found.get(parsed.repo.toLowerCase()) ?? { references: 0, files: new Set(), names: new Map() };
    entry.references += 1;
    entry.files.add(file);
    entry.names.set(parsed.repo, (entry.names.get(parsed.repo) ?? 0) + 1);
    found.set(parsed.repo.toLowerCase(), entry);
  }
  return [...found.values()]
    .map(({ references, files, names }) => ({ repo: [...names].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "", references, files: files.size }))
    .sort((a, b) => b.references - a.references || (a.repo < b.repo ? -1 : 1));
}

/** Folder of engine profiles, when a tree has one: at least two YAML files that each say `install:` with a `spec:`. */
export function profileGlobs(files: ReadonlyMap<string, string>): string[] {
  const folders = new Map<string, number>();
  for (const [path, text] of files) {
    if (!/\.ya?ml$/.test(path) || !/^install:[ \t]*(?:#.*)?\n(?:[ \t]+.*\n|\n)*?[ \t]+spec:/m.test(text)) continue;
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return [...folders].filter(([, count]) => count > 1).map(([folder]) => `${folder === "" ? "" : `${folder}/`}*.{yml,yaml}`);
}

/** Documents that look like trackers kept by hand: tables with many links to threads, the fullest first. */
export function handKept(files: ReadonlyMap<string, string>): { path: string; rows: number }[] {
  return [...files]
    .filter(([path]) => /\.(?:md|markdown)$/i.test(path))
    .map(([path, text]) => ({
      path,
      rows: text.split("\n").filter((line) => /^\s*\|.*github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull|discussions)\/\d+/.test(line)).length,
    }))
    .filter(({ rows }) => rows > 2)
    .sort((a, b) => b.rows - a.rows);
}

export interface FirstStack {
  repo: string;
  title: string;
  zone: string;
  /** Globs of files to look at; undefined: everything. */
  include: string[] | undefined;
  profiles: string[];
  upstreams: string[];
  /** Where the schemas lie, seen from a row; undefined when the stack has none. */
  schemas: string | undefined;
}

/** The first rows of a stack: the tracker and its upstreams. Each is read back through the model before anybody writes it. */
export function firstRows({ repo, title, zone, include, profiles, upstreams, schemas }: FirstStack): { path: string; content: string }[] {
  const scan = { ...(include ? { include } : {}), ...(profiles.length > 0 ? { profiles: { files: profiles } } : {}) };
  const tracker = {
    title,
    repo,
    zone,
    thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 },
    ...(Object.keys(scan).length > 0 ? { scan } : {}),
  };
  const ids = new Set<string>();
  const rows = upstreams.map((one, index) => {
    const [owner = "", name = one] = one.split("/");
    let id = slug(name, "upstream");
    if (ids.has(id)) id = slug(`${owner} ${name}`, "upstream");
    ids.add(id);
    return {
      path: fileOf("upstream", id),
      kind: "upstream" as const,
      value: { title: name, repo: one, aliases: [name], order: (index + 1) * 10 },
    };
  });
  return [{ path: "data/tracker.yaml", kind: "tracker" as const, value: tracker }, ...rows].map(({ path, kind, value }) => {
    const content = writeRow(
      kind,
      value,
      schemas === undefined ? undefined : `${kind === "tracker" ? schemas.replace("../../", "../") : schemas}${kind}.schema.json`,
    );
    readBack(kind, path, content);
    return { path, content };
  });
}

/** Where the workflow goes. */
export const WORKFLOW = ".github/workflows/landfall.yml";

/**
 * The text of the workflow: a weekly look upstream, and a check of every pull request.
 * @param dependency the repository installs the tool with its own packages
 */
export function workflow(dependency: boolean): string {
  const install = dependency ? "\n      - run: npm ci" : "";
  const run = dependency ? "npx landfall" : "npx --yes landfall";
  return `# Looks upstream once a week and keeps one pull request with what changed; checks every pull request.
name: Landfall
on:
  schedule:
    # Not on the hour: scheduled runs are late or dropped when everybody starts at once.
    - cron: "17 5 * * 1"
  workflow_dispatch:
  pull_request:
permissions:
  contents: read
concurrency:
  group: landfall-\${{ github.event_name }}-\${{ github.ref }}
  cancel-in-progress: false
jobs:
  sync:
    if: github.event_name != 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      contents: write
      pull-requests: write
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24${install}
      - run: ${run} sync --pr
        env:
          GITHUB_TOKEN: \${{ github.token }}
  check:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24${install}
      - run: ${run} check-data
      - run: ${run} check-pins
`;
}
