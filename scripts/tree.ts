import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { x } from "tinyexec";
import type { InventoryFile } from "../src/model/shapes/observed.ts";
import type { ScanSettings } from "../src/model/shapes/scan.ts";
import type { TreeFinding } from "../src/model/tree.ts";
import { finding } from "../src/model/tree.ts";
import { couldPin, isInteresting } from "../src/scan/kinds.ts";
import type { Tree } from "../src/scan/context.ts";
import { UserError } from "./cli.ts";

/** Never part of a stack: installed packages and caches. */
const NEVER = [
  "**/.git/**",
  "**/node_modules/**",
  "**/.venv/**",
  "**/venv/**",
  "**/__pycache__/**",
  "**/.landfall/**",
  "**/.astro/**",
  "**/.terraform/**",
];

/**
 * Reads a tree for a scan: walks it without following links, leaves out what git ignores, and reads what may matter.
 * A file that cannot be read is a finding, and the others go on.
 */
export async function readTree(folder: string, repo: string, settings: ScanSettings): Promise<Tree> {
  const root = resolve(folder);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (!stat)
    throw new UserError(
      `There is no ${folder}. Name the folder of the stack's own tree: npm run scan -- FOLDER, or scan.tree in data/tracker.yaml.`,
    );
  if (!stat.isDirectory()) throw new UserError(`${folder} is a file. Name a folder: npm run scan -- FOLDER.`);
  const git = gitFacts(root);
  // The rows themselves are no evidence for what the tree cites and pins.
  const own = existsSync(join(root, "data/tracker.yaml")) ? ["data/**"] : [];
  const findings: TreeFinding[] = [];
  const names = walk(root, settings, own, findings);
  const { ignored, links, head } = await git;
  const files = new Map<string, string>();
  const paths = new Set<string>(links);
  const limit = settings.max_megabytes * 1024 * 1024;
  for (const path of names.sort()) {
    if (ignored(path)) continue;
    paths.add(path);
    if (!isInteresting(path) && path !== settings.stamp) continue;
    const text = readText(root, path, limit, findings);
    if (text !== undefined) files.set(path, text);
  }
  const stamp = files.get(settings.stamp);
  for (const path of listed(files, settings)) paths.add(path);
  return { files, paths, origin: { repo, ...(stampOf(stamp) ?? head ?? { commit: null, date: null }) }, findings };
}

/** Lists the files. A folder that cannot be listed is a finding: what is in it would look as if it were not there. */
function walk(root: string, settings: ScanSettings, own: string[], findings: TreeFinding[]): string[] {
  const list = ((path: string, options: never) => {
    try {
      return readdirSync(path, options);
    } catch (error) {
      const folder = relative(root, String(path)).replaceAll("\\", "/") || ".";
      const why = `The folder cannot be listed (${messageOf(error)}), so what it holds is not known. Give read access, or ignore it.`;
      findings.push(finding("unreadable", { file: folder, line: 1 }, why));
      throw error;
    }
  }) as typeof readdirSync;
  return globSync(settings.include, {
    cwd: root,
    ignore: [...NEVER, ...own, ...settings.ignore],
    dot: true,
    followSymbolicLinks: false,
    onlyFiles: true,
    fs: { readdirSync: list },
  });
}

function readText(root: string, path: string, limit: number, findings: TreeFinding[]): string | undefined {
  const at = { file: path, line: 1 };
  try {
    const full = join(root, path);
    const stat = lstatSync(full);
    // A link is read where it points to, if that is in the tree; a pipe or a device would never end.
    if (!stat.isFile()) return undefined;
    if (stat.size > limit) {
      if (couldPin(path))
        findings.push(
          finding(
            "too-large",
            at,
            `The file has ${Math.round(stat.size / 1024 / 1024)} MB and was not read, so what it pins is not known; the limit is ${limit / 1024 / 1024} MB (scan.max_megabytes in data/tracker.yaml). Raise the limit, or list the file under scan.ignore.`,
          ),
        );
      return undefined;
    }
    const bytes = readFileSync(full);
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      findings.push(finding("unreadable", at, "The file is UTF-16. Save it as UTF-8."));
      return undefined;
    }
    const text = bytes.toString("utf8");
    if (text.includes("\0")) return undefined;
    const bad = text.indexOf("\uFFFD");
    if (bad >= 0 && !bytes.includes("\uFFFD")) {
      const line = text.slice(0, bad).split("\n").length;
      findings.push(
        finding("encoding", { file: path, line }, "The file is not valid UTF-8; what could be read was scanned. Save it as UTF-8."),
      );
    }
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch (error) {
    findings.push(
      finding(
        "unreadable",
        at,
        `The file cannot be read (${messageOf(error)}), so what it pins is not known. Give read access, or ignore it.`,
      ),
    );
    return undefined;
  }
}

/** Paths that an exported tree lists because it left their files out. */
function listed(files: ReadonlyMap<string, string>, settings: ScanSettings): string[] {
  const patterns = settings.listings.map((glob) => new RegExp(`^${glob.replace(/[\\^$.|+()[\]{}]/g, "\\$&").replaceAll("*", "[^/]*")}$`));
  return [...files].flatMap(([path, text]) =>
    patterns.some((pattern) => pattern.test(path))
      ? text
          .split("\n")
          .map((line) => line.trim().replace(/^\.\//, ""))
          .filter((line) => line !== "")
      : [],
  );
}

type Origin = Pick<InventoryFile["tree"], "commit" | "date">;

/** `COMMIT.txt` of an exported tree: the commit, then its date. */
function stampOf(text: string | undefined): Origin | undefined {
  const [commit = "", date = ""] = text?.split("\n") ?? [];
  if (!/^[0-9a-f]{40}$/.test(commit.trim())) return undefined;
  const at = new Date(date.trim().replace(/^(\S+) (\S+) ([+-]\d{2}):?(\d{2})$/, "$1T$2$3:$4"));
  return { commit: commit.trim(), date: Number.isNaN(at.getTime()) ? null : at.toISOString().replace(".000Z", "Z") };
}

/** Is the folder inside a checkout? A look that is cheaper than asking git. */
function isCheckout(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}

interface GitFacts {
  ignored: (path: string) => boolean;
  /** Links, which the walk leaves out although they exist. */
  links: string[];
  head: Origin | undefined;
}

/** Head commit, ignored files and links of a checkout; none of them for a folder that is no checkout, or without git. */
async function gitFacts(root: string): Promise<GitFacts> {
  if (!isCheckout(root)) return { ignored: () => false, links: [], head: undefined };
  const run = async (...args: string[]) => {
    const outcome = await x("git", ["-C", root, ...args], { nodeOptions: { env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" } } });
    return outcome.exitCode === 0 ? outcome.stdout : undefined;
  };
  try {
    const [log, out, staged] = await Promise.all([
      run("log", "-1", "--format=%H %cI"),
      run("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"),
      run("ls-files", "--stage", "-z"),
    ]);
    const [commit, date] = log?.trim().split(" ") ?? [];
    const exact = new Set<string>();
    const folders: string[] = [];
    for (const path of out?.split("\0") ?? []) {
      if (path.endsWith("/")) folders.push(path);
      else if (path !== "") exact.add(path);
    }
    return {
      ignored: (path) => exact.has(path) || folders.some((folder) => path.startsWith(folder)),
      links: (staged ?? "").split("\0").flatMap((entry) => /^120000 \S+ \d\t(.*)$/.exec(entry)?.[1] ?? []),
      head: commit !== undefined && date !== undefined ? { commit, date: new Date(date).toISOString().replace(".000Z", "Z") } : undefined,
    };
  } catch {
    return { ignored: () => false, links: [], head: undefined };
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message.replace(/,? '.*'$/, "") : String(error));
