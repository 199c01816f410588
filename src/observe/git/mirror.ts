import type { Look } from "../look.ts";
import { clone } from "./clone.ts";
import { keep } from "./keep.ts";
import type { History } from "./read.ts";
import { ifDamaged, isWhole, readHistory } from "./read.ts";
import type { Site } from "./site.ts";
import { MINUTE, failed, here, network, onDisk, reason, stall } from "./site.ts";
import type { GitResult, Mirror, MirrorHost, OpenOptions } from "./types.ts";
import { digestOf, folderOf, isGitUrl, scrub, withoutCredentials } from "./url.ts";

/** Own branches and tags only: `refs/pull/*` of a large project would be a hundred thousand refs more. */
const REFSPECS = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];

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
  // Read while the upstream is asked: most of the time there is nothing new.
  const listing = there && !offline ? listUpstream(site) : undefined;
  const before = there ? await readHistory(site).catch(ifDamaged) : undefined;
  if (offline) {
    return before
      ? mirrorOf(site, before, "this run is offline", {})
      : failed(`The mirror of ${site.shown} is damaged, and this run is offline.`);
  }
  const listed = await listing;
  const update: Update = before === undefined || listed === undefined ? { history: undefined } : await bringUpToDate(site, before, listed);
  if (before !== undefined && "stale" in update) return mirrorOf(site, before, update.stale, {});
  let history = "history" in update ? update.history : undefined;
  const lacking = ({ graph }: History) => [...new Set(commits)].filter((sha) => !graph.at.has(sha));
  if (history !== undefined && lacking(history).length > 0 && !(await isWhole(site))) history = undefined;
  if (history === undefined) {
    if (there) site.host.say?.(`The mirror of ${site.shown} is damaged; cloning it again`);
    const problem = await clone(site);
    if (problem) return problem;
    history = await readHistory(site).catch(ifDamaged);
    if (history === undefined) return failed(`${site.shown} was cloned, and cannot be read. Delete ${site.dir} and run again.`);
  }
  if (history.graph.shas.length === 0) return failed(`${site.shown} has no commits.`);
  const wanted = lacking(history);
  const missing = await keep(site, wanted);
  return mirrorOf(site, wanted.length > Object.keys(missing).length ? await readHistory(site) : history, undefined, missing);
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

/** The history as it is now, why it stays as it was, or neither: the mirror is damaged. */
type Update = { history: History | undefined } | { stale: string };

const listUpstream = (site: Site): Promise<GitResult> =>
  network(site, [], ["ls-remote", "--heads", "--tags", "--", site.url], 2 * stall(site));

async function bringUpToDate(site: Site, before: History, listed: GitResult): Promise<Update> {
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

/** `<hash> <name>` or `<hash>\t<name>` lines of the upstream's own branches and tags. */
function ownRefs(listing: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of listing.split("\n")) {
    const name = line.slice(41);
    if (name.startsWith("refs/heads/") || name.startsWith("refs/tags/")) refs.set(name, line.slice(0, 40));
  }
  return refs;
}
