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
  const taken = new Set<string>();
  const rows = upstreams.map((one, index) => {
    const row = upstreamRow(one, taken, (index + 1) * 10, schemas);
    taken.add(row.id);
    return { path: row.path, content: row.content };
  });
  const path = "data/tracker.yaml";
  const content = writeRow("tracker", tracker, schemas && `${schemas.replace("../../", "../")}tracker.schema.json`);
  readBack("tracker", path, content);
  return [{ path, content }, ...rows];
}

/**
 * The row of an upstream of which the repository alone is known, read back through the model before anybody writes it.
 * @param taken ids of the upstreams there are
 * @param schemas where the schemas lie, seen from a row; undefined when the stack has none
 */
export function upstreamRow(repo: string, taken: ReadonlySet<string>, order: number, schemas: string | undefined) {
  const [owner = "", name = repo] = repo.split("/");
  const short = slug(name, "upstream");
  const id = taken.has(short) ? slug(`${owner} ${name}`, "upstream") : short;
  const path = fileOf("upstream", id);
  const content = writeRow("upstream", { title: name, repo, aliases: [name], order }, schemas && `${schemas}upstream.schema.json`);
  readBack("upstream", path, content);
  return { id, path, content };
}

/**
 * `.gitignore` with what the tool leaves in a stack and git is not to keep; undefined when nothing is lacking.
 * @param before its text so far
 * @param dist the tree has a `dist/` of its own. Ours is a site: committed, it would be scanned as if people had written it.
 */
export function ignoreLines(before: string, dist: boolean): string | undefined {
  const bare = (line: string) => line.trim().replace(/^\/|\/$/g, "");
  const there = new Set(before.split("\n").map(bare));
  const lacking = ["node_modules/", ".landfall/", ...(dist ? [] : ["dist/"])].filter((line) => !there.has(bare(line)));
  if (lacking.length === 0) return undefined;
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${lacking.join("\n")}\n`;
}

/** Where the workflow goes. */
export const WORKFLOW = ".github/workflows/landfall.yml";

/**
 * The text of the workflow: a weekly look upstream, and a check of every pull request. It runs the tool among the repository's own
 * packages and installs no other of its name.
 */
export function workflow(): string {
  return `# Looks upstream once a week and keeps one pull request with what changed; checks every pull request.
# Runs the landfall among this repository's own packages (npm install --save-dev); package-lock.json has to be committed.
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
          node-version: 24
      - run: npm ci
      # Exit code 2: something could not be observed; the log says what, and the rest is worth having.
      - run: npx --no landfall sync --pr || test $? -eq 2
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
          node-version: 24
      - run: npm ci
      - run: npx --no landfall check-data
      - run: npx --no landfall check-pins || test $? -eq 2
`;
}
