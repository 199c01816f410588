import type { World } from "../facts.ts";
import type { Case } from "./cases.ts";
import { casesOf, concernedBy } from "./cases.ts";

/**
 * The stack in which patches are judged at a candidate. As it is, because what an overlay was made for does not move with the pin;
 * with the pins moved only when one of them is a patch layer, whose flags are then those of the candidate.
 */
export const worldAt = (before: World, after: World, pins: readonly string[]): World =>
  Object.values(before.model.patch).some(({ part_of: layer }) => layer !== undefined && pins.includes(layer)) ? after : before;

/**
 * Patches to judge for some pins on another build: those that their variants need, and those that nobody is said to need, at the
 * candidate's source. When a pin is a patch layer, its patches are judged where they are applied, with the layer moved.
 * @param world see {@link worldAt}
 */
export function casesAt(world: World, pins: readonly string[], build: { repo: string | undefined; commit: string | undefined }): Case[] {
  const { model } = world;
  const own = Object.entries(model.patch).flatMap(([id, patch]): Case[] => {
    const upstreams = pins.map((pin) => model.pin[pin]?.upstream);
    if (patch.dropped || !upstreams.includes(patch.upstream) || build.repo === undefined || build.commit === undefined) return [];
    const variants = concernedBy(world, id);
    const on = pins.filter((pin) => variants.length === 0 || variants.some((name) => model.variant[name]?.pin === pin));
    return on.length > 0 ? [{ patch: id, place: { repo: build.repo, commit: build.commit, pins: on } }] : [];
  });
  const layered = Object.entries(model.patch)
    .filter(([, patch]) => patch.part_of !== undefined && pins.includes(patch.part_of) && !patch.dropped)
    .map(([id]) => id);
  return [...own, ...(layered.length > 0 ? casesOf(world, layered).cases : [])];
}
