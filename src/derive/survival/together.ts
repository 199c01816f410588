import type { Model } from "../../model/kinds.ts";
import type { Patch, PatchTarget } from "../../model/shapes/patch.ts";
import type { World } from "../facts.ts";
import { needleOf, placesOf } from "./anchors.ts";
import type { Remark } from "./judgement.ts";
import type { Sources } from "./sources.ts";
import { overlayFile } from "./files.ts";

/** Variants that need a patch: those it names, and those that name it. */
export const variantsOf = (model: Model, id: string): string[] =>
  Object.entries(model.variant)
    .filter(([name, variant]) => variant.patches.includes(id) || model.patch[id]?.required_by.includes(name))
    .map(([name]) => name);

export interface Neighbour {
  patch: string;
  target: PatchTarget;
  variants: string[];
}

/** Other carried patches that change the same file in the same variant; only in variants on some pins, when these are named. */
export function neighboursOf(world: World, id: string, path: string, pins: readonly string[] = []): Neighbour[] {
  const { model } = world;
  const own = model.patch[id];
  const on = (variant: string) => {
    const pin = model.variant[variant]?.pin;
    return pins.length === 0 || pin === undefined || pins.includes(pin);
  };
  const mine = new Set(variantsOf(model, id).filter(on));
  return Object.entries(model.patch).flatMap(([other, patch]) => {
    if (other === id || patch.dropped || patch.upstream !== own?.upstream) return [];
    const target = patch.targets.find((known) => known.path === path);
    const variants = target ? variantsOf(model, other).filter((name) => mine.has(name)) : [];
    return target && variants.length > 0 ? [{ patch: other, target, variants }] : [];
  });
}

/**
 * What two patches on one target do to each other. Two overlays: one is never seen. An overlay under a script: the script's anchors
 * must stand in the overlay and not upstream, and a read-only mount stops it (pain D5). Two scripts: only anchors that overlap clash.
 * Undefined: a question is open; null: they do not disturb each other.
 */
export function clash(
  world: World,
  sources: Sources,
  patch: Patch,
  target: PatchTarget,
  neighbour: Neighbour,
  other: Patch,
  upstream: string | undefined,
): Remark | null | undefined {
  const where = placeWords(neighbour);
  const say = (verdict: Remark["verdict"], because: string): Remark => ({ verdict, because: `${target.path}: ${because}` });
  const [mine, theirs] = [patch.delivery === "overlay", other.delivery === "overlay"];
  if (mine && theirs) return say("same-target", `${neighbour.patch} replaces the same file ${where}; only one of the two is seen`);
  if (mine) return null;
  if (!theirs) return upstream === undefined ? null : overlap(sources, target, neighbour, upstream, where, say);
  const locked = lock(world, target, neighbour, other);
  if (locked) return locked;
  const file = overlayFile(other, neighbour.target);
  const own = file === undefined ? undefined : sources.own(file);
  if (file !== undefined && own === undefined) return undefined;
  if (target.anchors.length === 0 || own?.state !== "text") {
    return say(
      "unknown",
      `${neighbour.patch} replaces the file ${where}, so what this patch looks for must stand there and not upstream; that was not checked`,
    );
  }
  const missing = target.anchors.filter((anchor) => {
    const needle = needleOf(sources, anchor);
    return anchor.required && needle && (placesOf(needle, own.text, sources.sha256)?.length ?? 0) < anchor.count;
  });
  if (missing.length === 0) return null;
  return say(
    "same-target",
    `${neighbour.patch} replaces the file ${where}, and its copy lacks ${missing.map((anchor) => anchor.id ?? "an anchor").join(", ")}`,
  );
}

/** Overlays that mount a target of this patch read-only, where it is to be changed in place: told from rows and inventory alone. */
export function locksOf(world: World, id: string, patch: Patch, pins: readonly string[]): Remark[] {
  if (patch.delivery === "overlay") return [];
  return patch.targets.flatMap((target) =>
    neighboursOf(world, id, target.path, pins).flatMap((neighbour) => {
      const other = world.model.patch[neighbour.patch];
      return (other?.delivery === "overlay" && lock(world, target, neighbour, other)) || [];
    }),
  );
}

function lock(world: World, target: PatchTarget, neighbour: Neighbour, other: Patch): Remark | undefined {
  const place = readonlyIn(world, overlayFile(other, neighbour.target), neighbour.variants);
  if (place === undefined) return undefined;
  const because = `${target.path}: ${neighbour.patch} mounts its copy read-only ${placeWords(neighbour)} (${place}), so this patch cannot change it`;
  return { verdict: "target-locked", because };
}

const placeWords = ({ variants }: Neighbour): string => `in ${variants.length > 3 ? `${variants.length} variants` : variants.join(", ")}`;

/** Where a file is mounted read-only in one of some variants; undefined when it is not, or that is not known. */
function readonlyIn({ model, facts }: World, file: string | undefined, variants: readonly string[]): string | undefined {
  const composes = new Set(variants.map((name) => model.variant[name]?.compose));
  const mount = facts.inventory?.mounts.find((found) => found.source === file && found.readonly === true && composes.has(found.file));
  return mount && `${mount.file}:${mount.line}`;
}

/** Anchors of both that stand on the same text: whoever comes second finds it changed. */
function overlap(
  sources: Sources,
  target: PatchTarget,
  neighbour: Neighbour,
  text: string,
  where: string,
  say: (verdict: Remark["verdict"], because: string) => Remark,
): Remark | null | undefined {
  const places = (anchors: PatchTarget["anchors"]) =>
    anchors.map((anchor) => {
      const needle = needleOf(sources, anchor);
      return needle && { id: anchor.id ?? "an anchor", places: placesOf(needle, text, sources.sha256) ?? [] };
    });
  const [mine, theirs] = [places(target.anchors), places(neighbour.target.anchors)];
  if ([...mine, ...theirs].some((one) => one === undefined)) return undefined;
  for (const left of mine) {
    for (const right of theirs) {
      const hit = left?.places.some((a) => right?.places.some((b) => a.from < b.to && b.from < a.to));
      if (hit)
        return say(
          "same-target",
          `${left?.id} and ${right?.id} of ${neighbour.patch} stand on the same text ${where}; the second one will not find it`,
        );
    }
  }
  return null;
}
