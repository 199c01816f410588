import type { Model } from "../model/kinds.ts";
import { parseRef, shortRef } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import type { Truth } from "../model/vocabulary.ts";
import { moved } from "./bump/moved.ts";
import type { Build } from "./build.ts";
import { buildsOf } from "./candidate.ts";
import { evaluate, inWords } from "./condition.ts";
import type { World } from "./facts.ts";
import type { PatchJudgement } from "./survival/judgement.ts";
import { isBroken, isRisky } from "./survival/verdicts.ts";

/** Something a build should satisfy. In a condition that names a pin of the upstream, the pin stands for the build. */
export interface Want {
  text: string;
  condition: Condition;
}

/** What a move to a build would take. Null counts: the patches were not judged there. */
export interface Cost {
  /** Patches that would not work as they are. */
  lost: string[];
  /** Anchors to find anew. */
  reanchor: number;
  /** Patches that somebody has to look at. */
  look: string[];
  /** Patches that could not be checked. */
  unchecked: string[];
}

export interface PlannedBuild {
  build: Build;
  satisfies: Truth;
  /** Each want with its answer. */
  answers: { want: string; truth: Truth; because: string }[];
  cost: Cost | null;
}

/** The stand-in by which a want without a pin names the build itself. */
export const HERE = "this-build";

/**
 * Reads what a person wants of a build: a reference ("vllm-project/vllm#42102": the build contains it; with "!" before it: it does
 * not), or a condition as rows write it. Undefined: neither.
 */
export function wantOf(world: World, asked: string, parsed: Condition | undefined): Want | undefined {
  if (parsed) return { text: inWords(parsed), condition: parsed };
  const not = asked.startsWith("!");
  const ref = fullRef(world, not ? asked.slice(1) : asked);
  if (ref === undefined) return undefined;
  const contained: Condition = { contained: { ref, in: HERE } };
  return { text: `${not ? "lacks" : "contains"} ${shortRef(ref)}`, condition: not ? { not: contained } : contained };
}

/** `vllm#42102` for the upstream of that name. */
function fullRef(world: World, asked: string): string | undefined {
  if (parseRef(asked)) return asked;
  const [, name = "", rest = ""] = /^([\w.-]+)([#@].+)$/.exec(asked) ?? [];
  const upstream = Object.entries(world.model.upstream).find(
    ([id, row]) => id === name || row.aliases.includes(name) || row.repo?.split("/")[1] === name,
  )?.[1];
  const ref = upstream?.repo === undefined ? undefined : `${upstream.repo}${rest}`;
  return ref !== undefined && parseRef(ref) ? ref : undefined;
}

/** Upstreams that wants speak of, by the repositories of their references and the pins they name. */
export function upstreamsOf(world: World, wants: readonly Want[]): string[] {
  const found = new Set<string>();
  const look = (condition: Condition): void => {
    for (const inner of [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])]) look(inner);
    const place = condition.contained?.in ?? condition.available;
    const pin = place === undefined ? undefined : world.model.pin[place];
    if (pin) found.add(pin.upstream);
    const parsed = parseRef(condition.contained?.ref ?? condition.built?.ref ?? condition.merged ?? "");
    if (!parsed || !("repo" in parsed)) return;
    const repo = world.facts.canonical(parsed.repo);
    for (const [id, upstream] of Object.entries(world.model.upstream)) if (upstream.repo === repo) found.add(id);
  };
  for (const { condition } of wants) look(condition);
  return [...found];
}

/**
 * Every known build of an upstream with the answer to each want, oldest first. Costs are not worked out yet.
 * @param listen wraps the world in which a build is judged, such as to hear what could not be told
 */
export function planBuilds(
  world: World,
  upstream: string,
  wants: readonly Want[],
  listen: (world: World) => World = (heard) => heard,
): PlannedBuild[] {
  const { model } = world;
  const stand = Object.keys(model.pin).filter((id) => model.pin[id]?.upstream === upstream);
  return buildsOf(world, upstream).map((build) => {
    const after = listen(moved({ ...world, model: withStandIn(model, upstream, build) }, stand, build));
    const answers = wants.map(({ text, condition }) => {
      const { truth, evidence } = evaluate(after, condition);
      return { want: text, truth, because: evidence.map(({ fact }) => fact).join("; ") };
    });
    const satisfies: Truth = answers.some(({ truth }) => truth === "no")
      ? "no"
      : answers.some(({ truth }) => truth === "unknown")
        ? "unknown"
        : "yes";
    return { build, satisfies, answers, cost: null };
  });
}

/** A pin by the name {@link HERE} that is the build. */
function withStandIn(model: Model, upstream: string, build: Build): Model {
  const pin: Model["pin"][string] = {
    title: build.name,
    upstream,
    artifact: build.artifact,
    ...(build.commit === undefined ? {} : { source: { commit: build.commit } }),
    mutability: "immutable",
    reason: "to be judged",
    written: [],
    notes: [],
  };
  return { ...model, pin: { ...model.pin, [HERE]: pin } };
}

export function costOf(judged: readonly PatchJudgement[]): Cost {
  const named = (judge: (one: PatchJudgement) => boolean) => judged.filter(judge).map(({ patch }) => patch);
  return {
    lost: named(({ verdict }) => isBroken(verdict)),
    reanchor: judged.reduce(
      (sum, { targets }) =>
        sum + targets.flatMap(({ anchors }) => anchors).filter(({ verdict, required }) => required && verdict === "anchor-lost").length,
      0,
    ),
    look: named(({ verdict }) => isRisky(verdict)),
    unchecked: named(({ verdict }) => verdict === "unknown"),
  };
}

/** Builds that satisfy everything and may exist, the earliest and the newest of them. */
export function ends(builds: readonly PlannedBuild[]): { earliest: PlannedBuild | null; newest: PlannedBuild | null } {
  const fit = builds.filter(({ satisfies, build }) => satisfies === "yes" && build.available !== "gone");
  return { earliest: fit[0] ?? null, newest: fit.at(-1) ?? null };
}
