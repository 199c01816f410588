import type { Question } from "../../model/source.ts";
import { groupBy } from "../../model/group.ts";
import type { Patch } from "../../model/shapes/patch.ts";
import type { World } from "../facts.ts";
import { pinTarget } from "../propagation.ts";
import { isLive } from "../users.ts";
import type { PatchJudgement } from "./judgement.ts";
import { judgePatch } from "./patch.ts";
import type { Place } from "./patch.ts";
import { recordedOf } from "./recorded.ts";
import type { Known } from "./sources.ts";
import { sourcesOf } from "./sources.ts";
import { variantsOf } from "./together.ts";

export interface Case {
  patch: string;
  place: Place;
}

export interface Survey {
  judgements: PatchJudgement[];
  /** Cases that wait for an answer. */
  open: Case[];
  questions: Question[];
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

function placesOf(world: World, id: string, patch: Patch): { places: Place[]; without: string[] } {
  const { model, facts } = world;
  const live = Object.entries(model.pin).filter(([, pin]) => pin.upstream === patch.upstream && isLive(facts.inventory, pin));
  const needed = new Set(variantsOf(model, id).map((name) => model.variant[name]?.pin));
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

/**
 * Judges cases with what is known so far, and says what else has to be asked. A case that cannot be answered from sources
 * falls back on what was recorded of it, when the patch is still written the same.
 */
export function survey(world: World, known: Known, cases: readonly Case[]): Survey {
  const { sources, asked } = sourcesOf(known);
  const judgements: PatchJudgement[] = [];
  const open: Case[] = [];
  for (const one of cases) {
    const patch = world.model.patch[one.patch];
    if (!patch) continue;
    const judged = judgePatch(world, sources, one.patch, patch, one.place);
    if (judged === undefined) open.push(one);
    else judgements.push(better(judged, recordedOf(world, known, one.patch, patch, one.place)));
  }
  return { judgements, open, questions: [...asked.values()] };
}

/** What was seen now, unless a record tells more of it. */
const better = (seen: PatchJudgement, recorded: PatchJudgement | undefined): PatchJudgement =>
  recorded && unknowns(recorded) < unknowns(seen) ? recorded : seen;

const unknowns = ({ targets, remarks }: PatchJudgement) => [...targets, ...remarks].filter(({ verdict }) => verdict === "unknown").length;
