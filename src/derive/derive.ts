import type { Model } from "../model/kinds.ts";
import type { Observed } from "../model/shapes/observed.ts";
import type { Status } from "../model/vocabulary.ts";
import { STATUSES } from "../model/vocabulary.ts";
import { attentionOf } from "./attention.ts";
import type { Attention } from "./attention.ts";
import { contradictionOf } from "./contradictions.ts";
import type { Contradiction } from "./contradictions.ts";
import type { World } from "./facts.ts";
import { worldOf } from "./facts.ts";
import { derivePatch } from "./patches.ts";
import type { DerivedPatch } from "./patches.ts";
import { derivePin } from "./pins.ts";
import type { DerivedPin } from "./pins.ts";
import { decide } from "./status.ts";
import type { Decision } from "./status.ts";
import { deriveTrigger } from "./triggers.ts";
import type { DerivedTrigger } from "./triggers.ts";

/** The one derived object. Pages, terminal, JSON and the pull request are renderings of it, so they cannot disagree. */
export interface Derived {
  asOf: string;
  world: World;
  items: Record<string, Decision>;
  pins: Record<string, DerivedPin>;
  patches: Record<string, DerivedPatch>;
  triggers: Record<string, DerivedTrigger>;
  followUps: Record<string, DerivedTrigger>;
  contradictions: Contradiction[];
  counts: Record<Status, number>;
  attention: Attention[];
}

/** Derives everything from the authored rows and the observed facts. Pure and total: the same input gives the same output. */
export function derive(model: Model, observed: Observed): Derived {
  return deriveWorld(worldOf(model, observed));
}

/** {@link derive}, with the facts behind an interface: who asks what can be seen there. */
export function deriveWorld(world: World): Derived {
  const { model, asOf } = world;
  const contradictions: Contradiction[] = [];
  const items = mapRows(model.item, (id, item) => {
    const decision = decide(world, item);
    const contradiction = contradictionOf(world, id, item, decision);
    if (!contradiction) return decision;
    contradictions.push(contradiction);
    const facets: Decision["facets"] = [...decision.facets, "contradicts-claim"];
    return { ...decision, facets: facets.sort() };
  });
  const counts = Object.fromEntries(Object.keys(STATUSES).map((status) => [status, 0])) as Record<Status, number>;
  for (const decision of Object.values(items)) counts[decision.status] += 1;
  const derived = {
    asOf,
    world,
    items,
    pins: mapRows(model.pin, (id, pin) => derivePin(world, id, pin, items)),
    patches: mapRows(model.patch, (id, patch) => derivePatch(world, id, patch)),
    triggers: mapRows(model.trigger, (id, row) => deriveTrigger(world, id, row)),
    followUps: mapRows(model.followUp, (id, row) => deriveTrigger(world, id, row)),
    contradictions,
    counts,
  };
  return { ...derived, attention: attentionOf(derived) };
}

function mapRows<T, U>(rows: Record<string, T>, change: (id: string, row: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, change(id, row)]));
}
