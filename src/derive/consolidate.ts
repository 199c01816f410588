import { shortRef } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import { SURVIVAL } from "../model/vocabulary.ts";
import type { Build } from "./build.ts";
import { evaluate, inWords } from "./condition.ts";
import type { Derived } from "./derive.ts";
import { propagation } from "./propagation.ts";
import type { PatchJudgement } from "./survival/judgement.ts";
import { variantsOf } from "./survival/together.ts";
import { isBroken, isRisky } from "./survival/verdicts.ts";

/** Whether a build could take the place of a pin's own, and what stands against it. */
export interface Serving {
  pin: string;
  /** Nothing stands against it, and everything could be checked. */
  can: "yes" | "no" | "unknown";
  because: string[];
}

export interface Consolidation {
  upstream: string;
  pins: string[];
  /** The smallest set of builds that is proved to serve every pin. */
  builds: { artifact: string; commit: string | undefined; pins: string[] }[];
  /** Pins whose build is gone, with no other that is proved to serve them. */
  unserved: string[];
  /** The set with one build fewer that has the least against it. Null: one build serves all. */
  smaller: { builds: { artifact: string; commit: string | undefined; pins: Serving[] }[] } | null;
}

/** Builds that are considered for a smaller set, the newest first. */
const CONSIDERED = 12;

/**
 * The smallest set of builds that can serve all live pins of an upstream, and why there is no smaller one.
 * A pin's own build always serves it. Another one does when it has everything the pin has, nothing that was taken back, when the
 * patches that the pin's variants need still work there, and when the pin's own condition for its retirement does not hold it back.
 * @param judged judgements of patches by source commit
 */
export function consolidate(
  derived: Derived,
  upstream: string,
  builds: readonly Build[],
  judged: (commit: string) => readonly PatchJudgement[] | undefined,
): Consolidation {
  const { model } = derived.world;
  const pins = Object.values(derived.pins).filter(
    (pin) => pin.live && model.pin[pin.id]?.upstream === upstream && model.pin[pin.id]?.mutability === "immutable",
  );
  const own = new Map(pins.map((pin) => [pin.id, pin.artifact]));
  const table = builds
    .filter((build) => build.available !== "gone" && build.commit !== undefined)
    .map((build) => ({
      build,
      pins: pins.map(({ id }) =>
        own.get(id) === build.artifact
          ? { pin: id, can: "yes" as const, because: [] }
          : serve(derived, id, build, judged(build.commit ?? "")),
      ),
    }));
  const ids = pins.map(({ id }) => id);
  const fits = (serving: Serving) => serving.can === "yes";
  const served = ids.filter((id) => table.some((row) => row.pins.some((serving) => serving.pin === id && fits(serving))));
  const proved = smallest(served, table, fits);
  return {
    upstream,
    pins: ids,
    builds: proved.map(({ build, pins: chosen }) => ({
      artifact: build.artifact,
      commit: build.commit,
      pins: chosen.map(({ pin }) => pin),
    })),
    unserved: ids.filter((id) => !served.includes(id)),
    smaller: proved.length > 1 ? leastAgainst(ids, table, proved.length - 1) : null,
  };
}

interface Row {
  build: Build;
  pins: Serving[];
}

function serve(derived: Derived, id: string, build: Build, judged: readonly PatchJudgement[] | undefined): Serving {
  const { world } = derived;
  const { model } = world;
  const pin = model.pin[id];
  const against: string[] = [];
  const open: string[] = [];
  const target = { name: build.name, repo: build.repo, commit: build.commit };
  for (const entry of derived.pins[id]?.verdicts ?? []) {
    const landing = derived.items[entry.item]?.landings[0];
    if (!landing || entry.stake === "watch" || entry.verdict !== "contained") continue;
    const there = propagation(world, landing, target);
    if (there.method === "reverted") against.push(`${shortRef(entry.ref)} (${entry.item}) is taken back in it`);
    else if (there.verdict === "not-contained" || there.verdict === "partial")
      against.push(`it lacks ${shortRef(entry.ref)} (${entry.item})`);
    else if (there.verdict === "unknown") open.push(`whether it has ${shortRef(entry.ref)} (${entry.item}) cannot be told`);
  }
  const needed = Object.keys(model.patch).filter(
    (name) =>
      !model.patch[name]?.dropped &&
      model.patch[name]?.upstream === pin?.upstream &&
      variantsOf(model, name).some((variant) => model.variant[variant]?.pin === id),
  );
  for (const name of needed) {
    const found = judged?.find(({ patch }) => patch === name);
    if (!found || found.verdict === "unknown") open.push(`whether ${name} works there was not checked`);
    else if (isBroken(found.verdict) || isRisky(found.verdict)) against.push(`${name}: ${SURVIVAL[found.verdict].words}`);
  }
  const held = pin?.retire && heldBack(derived, pin.retire.when, id, build);
  if (held?.truth === "no") against.push(`its own condition does not hold there: ${held.words}`);
  if (held?.truth === "unknown") open.push(`whether its own condition holds there cannot be told: ${held.words}`);
  if (build.available === "unknown" && !build.published) open.push(build.because);
  return { pin: id, can: against.length > 0 ? "no" : open.length > 0 ? "unknown" : "yes", because: [...against, ...open] };
}

/** A pin's condition for its retirement, with "some build has it" read as "this build has it". */
function heldBack(derived: Derived, when: Condition, id: string, build: Build) {
  const here = rewritten(when, id);
  const pin = derived.world.model.pin[id];
  if (!pin) return undefined;
  const model = {
    ...derived.world.model,
    pin: {
      ...derived.world.model.pin,
      [id]: {
        ...pin,
        artifact: build.artifact,
        mutability: "immutable" as const,
        source: build.commit === undefined ? {} : { commit: build.commit },
      },
    },
  };
  return { truth: evaluate({ ...derived.world, model }, here).truth, words: inWords(when) };
}

function rewritten(condition: Condition, id: string): Condition {
  if (condition.all) return { all: condition.all.map((inner) => rewritten(inner, id)) };
  if (condition.any) return { any: condition.any.map((inner) => rewritten(inner, id)) };
  if (condition.not) return { not: rewritten(condition.not, id) };
  return condition.built ? { contained: { ref: condition.built.ref, in: id } } : condition;
}

/** Smallest cover, exactly: pins are few. Among equals the one with the newer builds. */
function smallest(ids: readonly string[], table: readonly Row[], fits: (serving: Serving) => boolean): Row[] {
  const newest = [...table].reverse();
  for (let size = 1; size <= ids.length; size++) {
    for (const rows of choose(distinct(newest, fits), size)) {
      const left = new Set(ids);
      const taken = rows.map((row) => ({ ...row, pins: row.pins.filter((serving) => fits(serving) && left.delete(serving.pin)) }));
      if (left.size === 0) return taken;
    }
  }
  return [];
}

/** Of builds that serve the same pins only the newest matters. */
function distinct(rows: readonly Row[], fits: (serving: Serving) => boolean): Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = row.pins.map((serving) => (fits(serving) ? "1" : "0")).join("");
    if (!key.includes("1") || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The set of `size` builds with the fewest reasons against it: each pin goes where the least stands against it. */
function leastAgainst(ids: readonly string[], table: readonly Row[], size: number): Consolidation["smaller"] {
  const rows = [...table]
    .sort((a, b) => weight(a.pins) - weight(b.pins) || ((a.build.date ?? "") > (b.build.date ?? "") ? -1 : 1))
    .slice(0, CONSIDERED);
  let best: { total: number; rows: Row[] } | undefined;
  for (const chosen of choose(rows, Math.min(size, 3))) {
    const assigned = ids.map((id) =>
      chosen.map((row) => row.pins.find(({ pin }) => pin === id)).reduce((a, b) => (weigh(b) < weigh(a) ? b : a)),
    );
    const total = assigned.reduce((sum, serving) => sum + weigh(serving), 0);
    if (best && total >= best.total) continue;
    best = { total, rows: chosen.map((row) => ({ ...row, pins: row.pins.filter((serving) => assigned.includes(serving)) })) };
  }
  return best ? { builds: best.rows.map(({ build, pins }) => ({ artifact: build.artifact, commit: build.commit, pins })) } : null;
}

/** What is known to stand against a move weighs more than what could not be checked. */
const weigh = (serving: Serving | undefined): number =>
  serving === undefined ? 1e6 : serving.can === "yes" ? 0 : serving.because.length + (serving.can === "no" ? 100 : 0);
const weight = (servings: readonly Serving[]): number => servings.reduce((sum, serving) => sum + weigh(serving), 0);

function* choose<T>(all: readonly T[], size: number, from = 0): Generator<T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= all.length - size; index++) {
    for (const rest of choose(all, size - 1, index + 1)) yield [all[index] as T, ...rest];
  }
}
