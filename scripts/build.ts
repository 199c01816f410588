import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Derived } from "../src/derive/derive.ts";
import type { PlannedFile } from "../src/publish/files.ts";
import { renderPages } from "../src/report/pages/pages.ts";
import { EXIT, UserError, cli, print, progress } from "./cli.ts";
import { HOME } from "./home.ts";
import { openStack } from "./stack.ts";

export interface BuildOptions {
  root: string;
  base: string;
  out: string;
  /** Origin of the published site, such as https://example.org. Default: GitHub Pages of the stack's own repository. */
  origin?: string | undefined;
  /** Address under which files of the stack are edited. Default: the stack's own repository on GitHub. */
  edit?: string | undefined;
  /** Show what Astro says. */
  verbose?: boolean | undefined;
}

export interface BuiltSite {
  pages: number;
  seconds: number;
  /** What it shows, and the generated pages as they stand in it. */
  derived: Derived;
  reports: PlannedFile[];
}

export const command = () =>
  cli("build", "Builds the site into a folder. Makes no network call.")
    .option("--base <path>", "path under which the site is served, such as /club-3090/", "/")
    .option("--out <dir>", "folder to write the site to", "dist")
    .option("--origin <url>", "where the site is published, for feeds and the sitemap (default: GitHub Pages of the stack's repository)")
    .option("--edit <url>", "where files of the stack are edited (default: its repository on GitHub)")
    .option("--verbose", "show what the site generator says")
    .action(async (options: BuildOptions) => {
      const { pages, seconds } = await buildSite(options);
      print(`Built ${pages} pages into ${options.out} in ${seconds.toFixed(1)} s.`);
    });

/**
 * Builds the site of a stack with Astro, in a process of its own.
 * The folder of Astro's cache is named after everything that decides how Markdown is rendered, because a page kept from an earlier
 * build with other options would be shown again; folders of other options are removed.
 * @throws {UserError} when the build fails, with the end of what it said
 */
export async function buildSite(options: BuildOptions): Promise<BuiltSite> {
  refuseOldNode();
  const started = performance.now();
  const root = resolve(options.root);
  const out = resolve(options.out);
  refuseOddOutput(root, out);
  const { loaded, derived } = await openStack(root);
  const { repo } = loaded.model.tracker;
  const cache = cacheFolder(root, options.base);
  const staging = join(cache, `out-${process.pid}`);
  const reports = renderPages(derived);
  const handedOver = join(cache, `reports-${process.pid}.json`);
  writeFileSync(handedOver, JSON.stringify(reports));
  const env = {
    ...withoutViteNames(process.env),
    NODE_ENV: "production",
    ASTRO_TELEMETRY_DISABLED: "1",
    LANDFALL_ROOT: root,
    LANDFALL_BASE: options.base,
    LANDFALL_OUT: staging,
    LANDFALL_CACHE: cache,
    LANDFALL_REPORTS: handedOver,
    LANDFALL_ORIGIN: options.origin ?? `https://${(repo.split("/")[0] ?? "").toLowerCase()}.github.io`,
    LANDFALL_EDIT: options.edit ?? `https://github.com/${repo}/edit/HEAD/`,
  };
  const said = await run(process.execPath, [astroBin(), "build"], env, options.verbose === true).finally(() =>
    rmSync(handedOver, { force: true }),
  );
  if (said.code !== 0) {
    rmSync(staging, { recursive: true, force: true });
    throw new UserError(`The site could not be built.\n${said.text.trimEnd().split("\n").slice(-25).join("\n")}`);
  }
  replace(staging, out);
  return { pages: countPages(out), seconds: (performance.now() - started) / 1000, derived, reports };
}

/** Names that the site's code reads as its own settings: whoever has them in the environment means something else by them. */
const VITE_NAMES = ["BASE_URL", "MODE", "DEV", "PROD", "SSR", "SITE", "ASSETS_PREFIX"];
const withoutViteNames = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !VITE_NAMES.includes(name)));

/** A finished site takes the place of the old one; a failed build leaves the old one as it was. */
function replace(staging: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(dirname(out), { recursive: true });
  try {
    renameSync(staging, out);
  } catch {
    // Another file system: copy instead.
    cpSync(staging, out, { recursive: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The output folder is emptied, so it must not be one that holds something else. */
function refuseOddOutput(root: string, out: string): void {
  if (`${root}/`.startsWith(`${out}/`) || `${HOME}/`.startsWith(`${out}/`))
    throw new UserError(`--out ${out} holds the stack or this project and would be emptied. Give a folder of its own.`);
  const looksLikeSite = !existsSync(out) || readdirSync(out).length === 0 || existsSync(join(out, "404.html"));
  if (!looksLikeSite) throw new UserError(`--out ${out} is not empty and holds no site. Give an empty folder, or remove what is in it.`);
}

/** Astro needs a newer Node than every other command. */
function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  throw new UserError(`The site needs Node 22.12 or later; this is ${process.versions.node}. Every other command runs on it.`);
}

/** Where Astro is installed: beside this project, or wherever npm put it for the installed package. */
function astroBin(): string {
  const manifest = createRequire(join(HOME, "package.json")).resolve("astro/package.json");
  return join(dirname(manifest), "bin/astro.mjs");
}

function cacheFolder(root: string, base: string): string {
  const installed = !existsSync(join(HOME, "node_modules"));
  const parent = installed ? join(root, ".landfall/cache/site") : join(HOME, "node_modules/.cache/landfall/site");
  const lock = installed ? "package.json" : "package-lock.json";
  const decisive = ["astro.config.mjs", "site/page-html.ts", "site/docs.ts", "site/content-loader.ts", lock];
  const options = createHash("sha256");
  for (const file of decisive) options.update(readFileSync(join(HOME, file)));
  const version = options.digest("hex").slice(0, 12);
  if (existsSync(parent))
    for (const name of readdirSync(parent)) if (!name.startsWith(version)) rmSync(join(parent, name), { recursive: true, force: true });
  const folder = join(parent, `${version}-${createHash("sha256").update(`${root}\n${base}`).digest("hex").slice(0, 8)}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function run(file: string, args: string[], env: NodeJS.ProcessEnv, show: boolean): Promise<{ code: number; text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd: HOME, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const hear = (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (show) progress(chunk.toString("utf8").trimEnd());
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? EXIT.problems, text }));
  });
}

function countPages(out: string): number {
  return readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html")).length;
}
