import { sameArtifact } from "./build.ts";
import type { World } from "./facts.ts";
import { daysBetween } from "./proof.ts";
import type { StreamBuild } from "./streams.ts";
import { streamBuilds } from "./streams.ts";

/** A pin is told when so many builds, or days, are left. */
const BUILDS_LEFT = 3;
const DAYS_LEFT = 7;

/**
 * Why the image of a pin will soon leave its registry, by what its stream keeps and what the registry listed (field case B17).
 * Undefined: it will not, nobody wrote down what is kept, or the registry was never asked.
 */
export function expiryOf(world: World, id: string): string | undefined {
  const pin = world.model.pin[id];
  const upstream = pin && world.model.upstream[pin.upstream];
  if (!upstream) return undefined;
  for (const { name, artifact, keeps } of upstream.streams) {
    const builds = keeps && streamBuilds(world, upstream, artifact);
    const newer = builds?.findIndex((listed) => sameArtifact(pin.artifact, listed.artifact)) ?? -1;
    const build = builds?.[newer];
    if (!keeps || !build) continue;
    if (keeps.builds !== undefined && keeps.builds - newer <= BUILDS_LEFT)
      return `${newer} newer builds are out, and ${name} keeps about ${keeps.builds}`;
    const age = ageOf(build, world.asOf);
    if (keeps.days !== undefined && age !== undefined && keeps.days - age <= DAYS_LEFT)
      return `it was published ${age} days ago, and ${name} keeps builds for about ${keeps.days}`;
  }
  return undefined;
}

const ageOf = ({ pushedAt }: StreamBuild, asOf: string): number | undefined =>
  pushedAt === null ? undefined : daysBetween(pushedAt, asOf);
