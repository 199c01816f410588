import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import lockfile from "proper-lockfile";
import { globSync } from "tinyglobby";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** What a built site depends on; a test file that finds it unchanged takes the site that another one built. */
const INPUTS = ["astro.config.mjs", "package-lock.json", "scripts/build.ts", "site/**", "src/**", "content/**", "data/**", "!**/*.test.ts"];

export interface BuiltSite {
  folder: string;
  base: string;
}

/**
 * Builds a stack's site through the command that users call, once for all test files, into a folder named after everything the build
 * depends on.
 * @param root the stack; default: this repository's own
 */
export async function builtSite({ root = home, base = "/" }: { root?: string; base?: string }): Promise<BuiltSite> {
  const key = createHash("sha256").update(`${root}\n${base}\n`);
  for (const [folder, patterns] of [
    [home, INPUTS],
    [root, ["data/**", "content/**"]],
  ] as const)
    for (const name of globSync([...patterns], { cwd: folder, dot: true }).sort())
      key.update(name).update(readFileSync(join(folder, name)));
  const parent = join(tmpdir(), "landfall-sites");
  const folder = join(parent, key.digest("hex").slice(0, 16));
  mkdirSync(parent, { recursive: true });
  const done = `${folder}.done`;
  const release = await lockfile.lock(parent, {
    lockfilePath: `${folder}.lock`,
    retries: { retries: 240, minTimeout: 500, maxTimeout: 1000 },
    stale: 120_000,
  });
  try {
    if (!existsSync(done)) {
      removeOld(parent);
      await build(["--root", root, "--base", base, "--out", folder]);
      writeFileSync(done, "");
    }
  } finally {
    await release();
  }
  return { folder, base };
}

/** Sites of a day ago are nobody's any more; younger ones may be looked at by another run. */
function removeOld(parent: string): void {
  const limit = Date.now() - 24 * 60 * 60 * 1000;
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (statSync(path).mtimeMs < limit) rmSync(path, { recursive: true, force: true });
  }
}

function build(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(home, "scripts/run.mjs"), "build", ...args], {
      cwd: home,
      env: { ...process.env, LANDFALL_SET_UP: "1", NODE_ENV: "production", VITEST: "" },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`build ${args.join(" ")} ended with ${code}:\n${said}`))));
  });
}

/** The hostile stack: titles, notes and file names that try to become markup. */
export const HOSTILE = join(home, "test/fixtures/hostile");

/** Addresses of every page of a built site, without the base. */
export const pagesOf = ({ folder }: BuiltSite): string[] =>
  globSync("**/*.html", { cwd: folder })
    .map((name) => name.replace(/(^|\/)index\.html$/, "$1"))
    .sort();

/** One page of each kind, by the first page of each folder; the others differ in their rows only. */
export function kindsOf(site: BuiltSite): string[] {
  const kinds = new Map<string, string>();
  for (const page of pagesOf(site)) {
    const [folder = "", row] = page.split("/");
    const kind = row ? (["guides", "reference", "reports"].includes(folder) ? page : `${folder}/*`) : page;
    if (!kinds.has(kind)) kinds.set(kind, page);
  }
  return [...kinds.values()];
}
