import { groupBy } from "../../model/group.ts";
import type { World } from "../facts.ts";
import type { Target } from "../propagation.ts";
import { pinTarget } from "../propagation.ts";
import { isLive } from "../users.ts";
import type { Place } from "./assemble.ts";
import { variantsOf } from "./together.ts";

export interface Case {
  patch: string;
  place: Place;
}

/** Every carried patch at the source of every live pin whose variants need it; of every live pin of its upstream when none does. */
export function casesOf(world: World, only?: readonly string[]): { cases: Case[]; notChecked: string[] } {
  const notChecked: string[] = [];
  const live = Object.entries(world.model.pin)
    .filter(([, pin]) => isLive(world.facts.inventory, pin))
    .map(([id, pin]) => ({ id, upstream: pin.upstream, target: pinTarget(world, id, pin) }));
  const cases = Object.entries(world.model.patch).flatMap(([id, patch]) => {
    if (patch.dropped || (only && !only.includes(id))) return [];
    const { places, without } = placesOf(
      world,
      id,
      live.filter(({ upstream }) => upstream === patch.upstream),
    );
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

interface LivePin {
  id: string;
  target: Target;
}

function placesOf(world: World, id: string, live: readonly LivePin[]): { places: Place[]; without: string[] } {
  if (live.length === 0) return { places: [], without: [] };
  const needed = new Set(concernedBy(world, id).map((name) => world.model.variant[name]?.pin));
  const needing = live.filter((pin) => needed.has(pin.id));
  const chosen = needing.length > 0 ? needing : live;
  const groups = groupBy(
    chosen.filter(({ target }) => target.repo !== undefined && target.commit !== undefined),
    ({ target }) => `${target.repo}@${target.commit}`,
  );
  return {
    places: [...groups.values()].map((same) => ({
      repo: same[0]?.target.repo ?? "",
      commit: same[0]?.target.commit ?? "",
      pins: same.map((pin) => pin.id),
    })),
    without: chosen.flatMap(({ id: pin, target }) =>
      target.commit === undefined ? [`patches on ${pin}: ${target.why ?? "no source commit is known"}`] : [],
    ),
  };
}
