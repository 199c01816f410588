import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

/** What one build of the site is told from outside, through the environment, because Astro loads its configuration by itself. */
export interface SiteOptions {
  /** Folder of the stack: holds data/. */
  root: string;
  /** Folder of this project: holds site/ and the guides. */
  home: string;
  /** Path under which the site is served, with a slash at both ends. */
  base: string;
  /** Origin of the published site, for feeds, the sitemap and cards. Undefined: those that need one are left out. */
  origin: string | undefined;
  /** Address under which a file of the stack can be edited, ending in a slash. Undefined: no edit links. */
  edit: string | undefined;
}

/** Reads the options of this build. `LANDFALL_ROOT`, `LANDFALL_BASE`, `LANDFALL_ORIGIN` and `LANDFALL_EDIT` are set by `npm run build`. */
export function siteOptions(env: Record<string, string | undefined>, home: string): SiteOptions {
  const root = resolve(env.LANDFALL_ROOT || home);
  return {
    root,
    home,
    base: normaliseBase(env.LANDFALL_BASE ?? "/"),
    origin: env.LANDFALL_ORIGIN || undefined,
    edit: env.LANDFALL_EDIT || undefined,
  };
}

/** `club-3090`, `/club-3090` and `/club-3090/` are one base: `/club-3090/` (field case F01). */
export function normaliseBase(base: string): string {
  const inner = base.replaceAll(/^\/+|\/+$/g, "");
  return inner === "" ? "/" : `/${inner}/`;
}

/** The stack's name, read without the whole model: the configuration needs it before anything else is loaded. */
export function stackTitle(root: string): string {
  const file = join(root, "data/tracker.yaml");
  const tracker: unknown = existsSync(file) ? parse(readFileSync(file, "utf8")) : undefined;
  return tracker !== null && typeof tracker === "object" && "title" in tracker && typeof tracker.title === "string"
    ? tracker.title
    : "Landfall";
}
