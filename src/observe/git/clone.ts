import type { Failed } from "../look.ts";
import type { Site } from "./site.ts";
import { MINUTE, failed, network, reason } from "./site.ts";
import { localPath } from "./url.ts";

/** Into a folder beside, moved into place when complete: a run killed at any instant leaves no half mirror. */
export async function clone(site: Site): Promise<Failed | undefined> {
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

const SHALLOW = (shown: string) => `${shown} is a shallow repository, in which ancestry cannot be told. Name the full repository.`;
