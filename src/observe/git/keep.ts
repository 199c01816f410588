import type { Site } from "./site.ts";
import { MINUTE, here, network, onDisk, reason } from "./site.ts";

/** Commits that are kept although no branch has them, such as the source of a pin whose branch was rewritten. */
const KEPT = "refs/landfall/";

/**
 * Keeps commits that no branch has from being pruned: those that a branch here had until it was rewritten, or else those that the
 * upstream hands over by hash, as it does for forks and rewritten branches.
 * @returns why, for each that could not be had
 */
export async function keep(site: Site, wanted: readonly string[]): Promise<Record<string, string>> {
  const away: string[] = [];
  for (const sha of wanted) {
    // Refused by git when the commit is not here.
    if ((await onDisk(site, ["update-ref", KEPT + sha, sha])).code !== 0) away.push(sha);
  }
  const fetch = (shas: readonly string[]) =>
    network(site, here(site), ["fetch", "--no-tags", "--quiet", "origin", ...shas.map((sha) => `+${sha}:${KEPT}${sha}`)], 5 * MINUTE);
  const missing: Record<string, string> = {};
  // One commit that is refused refuses them all, so only then one by one.
  if (away.length === 0 || (away.length > 1 && (await fetch(away)).code === 0)) return missing;
  for (const sha of away) {
    const answer = await fetch([sha]);
    if (answer.code === 0) continue;
    const refused = /not our ref|unadvertised object|no such remote ref|couldn't find remote ref|bad object/.test(answer.stderr);
    missing[sha] = refused ? `${site.shown} does not have commit ${sha}` : `commit ${sha} could not be fetched: ${reason(site, answer)}`;
  }
  return missing;
}
