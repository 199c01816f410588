import { groupBy } from "../../model/group.ts";
import type { Patch } from "../../model/shapes/patch.ts";
import type { World } from "../facts.ts";
import { pinTarget } from "../propagation.ts";
import { isLive } from "../users.ts";
import type { Place } from "./patch.ts";
import { variantsOf } from "./together.ts";

export interface Case {
  patch: string;
  place: Place;
}

/** Every carried patch at the source of every live pin whose variants need it; of every live pin of its upstream when none does. */
export function casesOf(world: World, only?: readonly string[]): { cases: Case[]; notChecked: string[] } {
  const notChecked: string[] = [];
  const cases = Object.entries(world.model.patch).flatMap(([id, patch]) => {
    if (patch.dropped || (only && !only.includes(id))) return [];
    const { places, without } = placesOf(world, id, patch);
    if (patch.targets.length + patch.env.length + (patch.diffs?.length ?? 0) > 0 || patch.delivery === "overlay")
      notChecked.push(...without);
    return places.map((place) => ({ patch: id, place }));
  });
  return { cases, notChecked: [...new Set(notChecked)] };
}

/** Variants that need a patch; when none does, those whose compose has a trace of it, such as its flag switched off. */
export function concernedBy({ model, facts }: World, id: string): string[] {
  const patch = model.patch[id];
  const needed = variantsOf(model, id);
  if (!patch || needed.length > 0) return needed;
  const flags = new Set(patch.env.map((flag) => flag.split("=")[0]));
  const files = new Set([
    ...(facts.inventory?.envFlags ?? []).filter(({ name }) => flags.has(name)).map(({ file }) => file),
    ...(facts.inventory?.mounts ?? []).filter(({ source }) => patch.files.includes(source)).map(({ file }) => file),
  ]);
  return Object.entries(model.variant).flatMap(([name, variant]) => (files.has(variant.compose) ? [name] : []));
}

function placesOf(world: World, id: string, patch: Patch): { places: Place[]; without: string[] } {
  const { model, facts } = world;
  const live = Object.entries(model.pin).filter(([, pin]) => pin.upstream === patch.upstream && isLive(facts.inventory, pin));
  const needed = new Set(concernedBy(world, id).map((name) => model.variant[name]?.pin));
  const chosen = live.some(([name]) => needed.has(name)) ? live.filter(([name]) => needed.has(name)) : live;
  const targets = chosen.map(([name, pin]) => pinTarget(world, name, pin));
  const without = targets
    .filter(({ commit }) => commit === undefined)
    .map(({ name, why }) => `patches on ${name}: ${why ?? "no source commit is known"}`);
  const seen = targets.filter(
    (target): target is typeof target & { repo: string; commit: string } => target.repo !== undefined && target.commit !== undefined,
  );
  return {
    places: [...groupBy(seen, ({ repo, commit }) => `${repo}@${commit}`).values()].map((same) => ({
      repo: same[0]?.repo ?? "",
      commit: same[0]?.commit ?? "",
      pins: same.map(({ name }) => name),
    })),
    without,
  };
}
