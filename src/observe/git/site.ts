import type { Failed } from "../look.ts";
import type { GitResult, MirrorHost } from "./types.ts";
import { scrub } from "./url.ts";

export const MINUTE = 60_000;

/** One mirror on this machine, while its lock is held. */
export interface Site {
  host: MirrorHost;
  url: string;
  /** The URL as people may see it. */
  shown: string;
  dir: string;
}

export const stall = (site: Site) => site.host.stallMs ?? 30_000;
export const here = (site: Site) => [
  `--git-dir=${site.dir}`,
  ...[`url=${site.url}`, "promisor=true", "partialclonefilter=tree:0"].flatMap((setting) => ["-c", `remote.origin.${setting}`]),
];

export const onDisk = (site: Site, args: readonly string[], input?: string): Promise<GitResult> =>
  site.host.git([`--git-dir=${site.dir}`, ...args], { input, timeoutMs: 5 * MINUTE });

export const network = (site: Site, before: readonly string[], args: readonly string[], timeoutMs: number): Promise<GitResult> =>
  site.host.git(
    [
      ...before,
      "-c",
      "http.lowSpeedLimit=1",
      "-c",
      `http.lowSpeedTime=${Math.ceil(stall(site) / 1000)}`,
      "-c",
      "gc.autoDetach=false",
      ...args,
    ],
    { timeoutMs },
  );

export const reason = (site: Site, result: GitResult): string =>
  scrub(result.stderr, site.url) || `git ended with exit code ${result.code}`;

export const failed = (why: string): Failed => ({ state: "failed", why });
