import type { Failed, Look } from "../look.ts";
import type { Graph } from "./graph.ts";
import { DamagedMirror, parseGraph } from "./graph.ts";
import type { GitResult, Mirror, MirrorHost, OpenOptions } from "./types.ts";
import { digestOf, folderOf, isGitUrl, localPath, scrub, withoutCredentials } from "./url.ts";

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
  if (offline && !there) return failed(`There is no mirror of ${site.shown} yet, and this run is offline.`);
  const before = there ? await readHistory(site).catch(ifDamaged) : undefined;
  if (offline) {
    return before
      ? mirrorOf(site, before, "this run is offline", {})
      : failed(`The mirror of ${site.shown} is damaged, and this run is offline.`);
  }
  const update: Update = before === undefined ? { history: undefined } : await bringUpToDate(site, before);
  if (before !== undefined && "stale" in update) return mirrorOf(site, before, update.stale, {});
  let history = "history" in update ? update.history : undefined;
  if (history === undefined) {
    if (there) site.host.say?.(`The mirror of ${site.shown} is damaged; cloning it again`);
    const problem = await clone(site);
    if (problem) return problem;
    history = await readHistory(site).catch(ifDamaged);
    if (history === undefined) return failed(`${site.shown} was cloned, and cannot be read. Delete ${site.dir} and run again.`);
  }
  if (history.graph.shas.length === 0) return failed(`${site.shown} has no commits.`);
  const wanted = [...new Set(commits)].filter((sha) => !history.graph.at.has(sha));
  const missing = await keep(site, wanted);
  return mirrorOf(site, wanted.length > Object.keys(missing).length ? await readHistory(site) : history, undefined, missing);
}

interface History {
  graph: Graph;
  /** Output of `git show-ref --dereference`. */
  refs: string;
}

async function mirrorOf(
  site: Site,
  { graph, refs }: History,
  stale: string | undefined,
  missing: Record<string, string>,
): Promise<Look<Mirror>> {
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

async function readHistory(site: Site): Promise<History> {
  const list = await onDisk(site, ["rev-list", "--all", "--topo-order", "--parents", "--timestamp"]);
  if (list.code !== 0) throw new DamagedMirror(reason(site, list));
  const refs = await onDisk(site, ["show-ref", "--dereference"]);
  // Exit code 1 without a word means that there are no refs; everything else is a failure.
  if (refs.code !== 0 && (refs.code !== 1 || refs.stderr !== "")) throw new DamagedMirror(reason(site, refs));
  return { graph: parseGraph(list.stdout, refs.stdout), refs: refs.stdout };
}

function ifDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedMirror)) throw error;
}

/**
 * Reads every commit from the packs, past the commit-graph. Before a fetch it must be sure that all are there: git before 2.45
 * answers a missing one in a partial clone by starting a fetch for it, which starts a fetch for it, and so on.
 */
async function isWhole(site: Site): Promise<boolean> {
  return (await onDisk(site, ["-c", "core.commitGraph=false", "rev-list", "--all", "--count"])).code === 0;
}

/** Into a folder beside, moved into place when complete: a run killed at any instant leaves no half mirror. */
async function clone(site: Site): Promise<Failed | undefined> {
  const { host, dir, shown } = site;
  const fresh = `${dir}.new`;
  await host.files.remove(fresh);
  // Asked beforehand, because git 2.39 never ends when it clones a part of a shallow repository.
  const local = localPath(site.url);
  if (local !== undefined && (await host.git(["-C", local, "rev-parse", "--is-shallow-repository"])).stdout.trim() === "true")
    return failed(SHALLOW(shown));
  host.say?.(`Cloning the commits of ${shown}`);
  const args = ["clone", "--bare", "--filter=tree:0", "--reject-shallow", "--no-local", "--template=", "--quiet", "--", site.url, fresh];
  const cloned = await network(site, [], args, 20 * MINUTE);
  if (/source repository is shallow/.test(cloned.stderr)) return failed(SHALLOW(shown));
  if (cloned.code !== 0) return failed(`${shown} could not be cloned: ${reason(site, cloned)}`);
  const inside = (args: readonly string[]) => host.git([`--git-dir=${fresh}`, ...args], { timeoutMs: 5 * MINUTE });
  // A mirror that does not know where its trees are can never start to fetch them while it is read, and the file holds no
  // credentials. Each fetch names the place.
  await inside(["config", "--remove-section", "remote.origin"]);
  await inside(["commit-graph", "write", "--reachable"]);
  await host.files.remove(`${dir}.old`);
  if (await host.files.exists(dir)) await host.files.rename(dir, `${dir}.old`);
  await host.files.rename(fresh, dir);
  await host.files.remove(`${dir}.old`);
  return undefined;
}

/** The history as it is now, why it stays as it was, or neither: the mirror is damaged. */
type Update = { history: History | undefined } | { stale: string };

async function bringUpToDate(site: Site, before: History): Promise<Update> {
  const listed = await network(site, [], ["ls-remote", "--heads", "--tags", "--", site.url], 2 * stall(site));
  if (listed.code !== 0) return { stale: `${site.shown} did not answer: ${reason(site, listed)}` };
  const known = ownRefs(before.refs);
  const now = ownRefs(listed.stdout);
  // A host that suddenly lists nothing is ill; believing it would delete every branch and tag here.
  if (now.size === 0 && known.size > 0) return { stale: `${site.shown} answered with no branch and no tag at all` };
  if (now.size === known.size && [...now].every(([name, sha]) => known.get(name) === sha)) return { history: before };
  if (!(await isWhole(site))) return { history: undefined };
  site.host.say?.(`Fetching new commits of ${site.shown}`);
  const fetched = await network(site, here(site), ["fetch", "--prune", "--no-tags", "--quiet", "origin", ...REFSPECS], 20 * MINUTE);
  if (fetched.code === -1) return { stale: `${site.shown} stalled: ${reason(site, fetched)}` };
  if (fetched.code !== 0) {
    // The host has just answered, so the trouble may be here: a new clone tells, and when that fails too nothing is lost.
    const problem = await clone(site);
    if (problem) return { stale: problem.why };
  } else {
    await onDisk(site, ["commit-graph", "write", "--reachable", "--split"]);
  }
  return { history: await readHistory(site).catch(ifDamaged) };
}

/** Fetches commits that no branch has (forks and rewritten branches answer too) and keeps them from being pruned. */
async function keep(site: Site, wanted: readonly string[]): Promise<Record<string, string>> {
  const missing: Record<string, string> = {};
  const fetch = (shas: readonly string[]) =>
    network(site, here(site), ["fetch", "--no-tags", "--quiet", "origin", ...shas.map((sha) => `+${sha}:${KEPT}${sha}`)], 5 * MINUTE);
  // One commit that is refused refuses them all, so only then one by one.
  if (wanted.length === 0 || !(await isWhole(site)) || (wanted.length > 1 && (await fetch(wanted)).code === 0)) return missing;
  for (const sha of wanted) {
    const answer = await fetch([sha]);
    if (answer.code === 0) continue;
    const refused = /not our ref|unadvertised object|no such remote ref|couldn't find remote ref|bad object/.test(answer.stderr);
    missing[sha] = refused ? `${site.shown} does not have commit ${sha}` : `commit ${sha} could not be fetched: ${reason(site, answer)}`;
  }
  return missing;
}

const stall = (site: Site) => site.host.stallMs ?? 30_000;
const here = (site: Site) => [
  `--git-dir=${site.dir}`,
  ...[`url=${site.url}`, "promisor=true", "partialclonefilter=tree:0"].flatMap((setting) => ["-c", `remote.origin.${setting}`]),
];

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

const SHALLOW = (shown: string) => `${shown} is a shallow repository, in which ancestry cannot be told. Name the full repository.`;

const reason = (site: Site, result: GitResult): string => scrub(result.stderr, site.url) || `git ended with exit code ${result.code}`;

const failed = (why: string): Failed => ({ state: "failed", why });
