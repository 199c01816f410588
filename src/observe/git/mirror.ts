import type { Failed, Look } from "../look.ts";
import type { Graph } from "./graph.ts";
import { DamagedMirror, parseGraph } from "./graph.ts";
import type { GitResult, Mirror, MirrorHost, OpenOptions } from "./types.ts";
import { digestOf, folderOf, isGitUrl, scrub, withoutCredentials } from "./url.ts";

const MINUTE = 60_000;
/** Own branches and tags only: `refs/pull/*` of a large project would be a hundred thousand refs more. */
const REFSPECS = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
/** Commits that are kept although no branch has them, such as the source of a pin whose branch was rewritten. */
const KEPT = "refs/landfall/";

/** One mirror on this machine, while its lock is held. */
interface Site {
  host: MirrorHost;
  url: string;
  /** The URL as people may see it. */
  shown: string;
  dir: string;
}

/**
 * Clones a commits-only mirror of any git URL, or brings the one there is up to date, and reads its history.
 * When nothing is new that is one `ls-remote`. Without trees (`--filter=tree:0`) the mirror of a 20,000-commit project takes
 * about 10 MB, and the commit-graph makes walks over it ten times faster.
 *
 * A dead host leaves the mirror as it was (`stale`). A damaged mirror, such as a killed process or a full disk can leave, is
 * replaced by a new clone. A shallow repository is refused: ancestry cannot be told in it (field case B11).
 */
export async function openMirror(host: MirrorHost, url: string, options: OpenOptions = {}): Promise<Look<Mirror>> {
  const shown = withoutCredentials(url);
  if (!isGitUrl(url)) return failed(`${shown} is no git URL. Use https://, ssh://, git://, file:// or user@host:path.`);
  const site: Site = { host, url, shown, dir: `${host.cache}/${await folderOf(shown)}` };
  let release: () => Promise<void>;
  try {
    await host.files.makeFolder(host.cache);
    release = await host.lock(site.dir);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failed(`The mirror of ${shown} could not be locked (${why}). Try again when the other run is done.`);
  }
  try {
    return await open(site, options);
  } catch (error) {
    return failed(`The mirror of ${shown} could not be written: ${scrub(error instanceof Error ? error.message : String(error), url)}`);
  } finally {
    await release();
  }
}

async function open(site: Site, { offline = false, commits = [] }: OpenOptions): Promise<Look<Mirror>> {
  const there = await site.host.files.exists(site.dir);
  if (offline) {
    if (!there) return failed(`There is no mirror of ${site.shown} yet, and this run is offline.`);
    return read(site, "this run is offline", []).catch(unreadable(site));
  }
  if (there) {
    const update = await bringUpToDate(site);
    if (update !== "damaged") {
      const look = await read(site, update.stale, update.stale === undefined ? commits : []).catch(unreadable(site));
      if (look.state === "seen") return look;
    }
    site.host.say?.(`The mirror of ${site.shown} is damaged; cloning it again`);
  }
  const problem = await clone(site);
  return problem ?? read(site, undefined, commits).catch(unreadable(site));
}

/** Into a folder beside, moved into place when complete: a run killed at any instant leaves no half mirror. */
async function clone(site: Site): Promise<Failed | undefined> {
  const { host, dir, shown } = site;
  const fresh = `${dir}.new`;
  await host.files.remove(fresh);
  host.say?.(`Cloning the commits of ${shown}`);
  const args = ["clone", "--bare", "--filter=tree:0", "--no-local", "--template=", "--quiet", "--", site.url, fresh];
  const cloned = await network(site, [], args, 20 * MINUTE);
  if (cloned.code !== 0) return failed(`${shown} could not be cloned: ${reason(site, cloned)}`);
  const inside = (args: readonly string[]) => host.git([`--git-dir=${fresh}`, ...args], { timeoutMs: 5 * MINUTE });
  const shallow = await inside(["rev-parse", "--is-shallow-repository"]);
  if (shallow.stdout.trim() !== "false") {
    await host.files.remove(fresh);
    return failed(`${shown} is a shallow repository, in which ancestry cannot be told. Name the full repository.`);
  }
  // Without a URL git cannot quietly fetch objects while it reads; each fetch names it. It also keeps credentials out of the file.
  await inside(["config", "--unset-all", "remote.origin.url"]);
  await inside(["commit-graph", "write", "--reachable"]);
  await host.files.remove(`${dir}.old`);
  if (await host.files.exists(dir)) await host.files.rename(dir, `${dir}.old`);
  await host.files.rename(fresh, dir);
  await host.files.remove(`${dir}.old`);
  return undefined;
}

type Update = { stale: string | undefined } | "damaged";

async function bringUpToDate(site: Site): Promise<Update> {
  const local = await onDisk(site, ["show-ref", "--dereference"]);
  // Exit code 1 without a word means that there are no refs; everything else is a failure.
  if (local.code !== 0 && !(local.code === 1 && local.stderr === "")) return "damaged";
  const listed = await network(site, [], ["ls-remote", "--heads", "--tags", "--", site.url], 2 * stall(site));
  if (listed.code !== 0) return { stale: `${site.shown} did not answer: ${reason(site, listed)}` };
  const before = ownRefs(local.stdout);
  const now = ownRefs(listed.stdout);
  // A host that suddenly lists nothing is ill; believing it would delete every branch and tag here.
  if (now.size === 0 && before.size > 0) return { stale: `${site.shown} answered with no branch and no tag at all` };
  if (now.size === before.size && [...now].every(([name, sha]) => before.get(name) === sha)) return { stale: undefined };
  site.host.say?.(`Fetching new commits of ${site.shown}`);
  const fetched = await network(
    site,
    [`--git-dir=${site.dir}`, ...here(site)],
    ["fetch", "--prune", "--no-tags", "--quiet", "origin", ...REFSPECS],
    20 * MINUTE,
  );
  if (fetched.code === -1) return { stale: `${site.shown} stalled: ${reason(site, fetched)}` };
  // The host has just answered, so the trouble may be here: a new clone tells, and when that fails too nothing is lost.
  if (fetched.code !== 0) {
    const problem = await clone(site);
    return problem === undefined ? { stale: undefined } : { stale: problem.why };
  }
  await onDisk(site, ["commit-graph", "write", "--reachable", "--split"]);
  return { stale: undefined };
}

async function read(site: Site, stale: string | undefined, commits: readonly string[]): Promise<Look<Mirror>> {
  let { graph, refs } = await readGraph(site);
  if (graph.shas.length === 0) return failed(`${site.shown} has no commits.`);
  const wanted = [...new Set(commits)].filter((sha) => !graph.at.has(sha));
  const missing = await keep(site, wanted);
  if (wanted.length > Object.keys(missing).length) ({ graph, refs } = await readGraph(site));
  const mirror: Mirror = {
    url: site.shown,
    dir: site.dir,
    graph,
    git: (args, input) => onDisk(site, args, input),
    fingerprint: await digestOf(refs),
    stale,
    missing,
  };
  return { state: "seen", value: mirror, source: `git history of ${site.shown}` };
}

async function readGraph(site: Site): Promise<{ graph: Graph; refs: string }> {
  const list = await onDisk(site, ["rev-list", "--all", "--topo-order", "--parents", "--timestamp"]);
  const refs = await onDisk(site, ["show-ref", "--dereference"]);
  if (list.code !== 0) throw new DamagedMirror(reason(site, list));
  if (refs.code !== 0 && list.stdout !== "") throw new DamagedMirror(reason(site, refs));
  return { graph: parseGraph(list.stdout, refs.stdout), refs: refs.stdout };
}

/** Fetches commits that no branch has (forks and rewritten branches answer too) and keeps them from being pruned. */
async function keep(site: Site, wanted: readonly string[]): Promise<Record<string, string>> {
  const missing: Record<string, string> = {};
  const fetch = (shas: readonly string[]) =>
    network(
      site,
      [`--git-dir=${site.dir}`, ...here(site)],
      ["fetch", "--no-tags", "--quiet", "origin", ...shas.map((sha) => `+${sha}:${KEPT}${sha}`)],
      5 * MINUTE,
    );
  // One commit that is refused refuses them all, so only then one by one.
  if (wanted.length === 0 || (wanted.length > 1 && (await fetch(wanted)).code === 0)) return missing;
  for (const sha of wanted) {
    const answer = await fetch([sha]);
    if (answer.code === 0) continue;
    const refused = /not our ref|unadvertised object|no such remote ref|couldn't find remote ref|bad object/.test(answer.stderr);
    missing[sha] = refused ? `${site.shown} does not have commit ${sha}` : `commit ${sha} could not be fetched: ${reason(site, answer)}`;
  }
  return missing;
}

const stall = (site: Site) => site.host.stallMs ?? 30_000;
const here = (site: Site) => ["-c", `remote.origin.url=${site.url}`];

const onDisk = (site: Site, args: readonly string[], input?: string): Promise<GitResult> =>
  site.host.git([`--git-dir=${site.dir}`, ...args], { input, timeoutMs: 5 * MINUTE });

const network = (site: Site, before: readonly string[], args: readonly string[], timeoutMs: number): Promise<GitResult> =>
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

/** `<hash> <name>` or `<hash>\t<name>` lines of the upstream's own branches and tags. */
function ownRefs(listing: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of listing.split("\n")) {
    const name = line.slice(41);
    if (name.startsWith("refs/heads/") || name.startsWith("refs/tags/")) refs.set(name, line.slice(0, 40));
  }
  return refs;
}

const reason = (site: Site, result: GitResult): string => scrub(result.stderr, site.url) || `git ended with exit code ${result.code}`;

const unreadable = (site: Site) => (error: unknown) => {
  if (!(error instanceof DamagedMirror)) throw error;
  return failed(`The mirror of ${site.shown} cannot be read: ${error.message}. Delete ${site.dir} and run again.`);
};

const failed = (why: string): Failed => ({ state: "failed", why });
