import type { Patch } from "../model/shapes/patch.ts";
import type { Truth } from "../model/vocabulary.ts";
import { DELIVERED } from "../model/vocabulary.ts";
import { evaluate, inWords } from "./condition.ts";
import type { World } from "./facts.ts";
import type { Evidence, Never } from "./proof.ts";
import type { DeliveryJudgement } from "./survival/delivery.ts";
import { judgeDelivery } from "./survival/delivery.ts";
import type { Delivery } from "./users.ts";
import { deliveriesOf } from "./users.ts";

export interface DerivedPatch {
  id: string;
  carried: boolean;
  droppable: Truth;
  because: string;
  evidence: Evidence[];
  never?: Never | undefined;
  /** Undefined: no inventory was taken. */
  delivered: Delivery[] | undefined;
  /** Load-bearing, carried, and delivered nowhere but in archived trees, or to none of the variants that need it. */
  undelivered: boolean;
  /** Variants that need it and do not get it, as far as the inventory tells. */
  missedBy: DeliveryJudgement[];
}

/** Whether a patch can go, and whether it reaches what needs it. */
export function derivePatch(world: World, id: string, patch: Patch): DerivedPatch {
  const delivered = deliveriesOf(world.facts.inventory, patch);
  const ways = patch.dropped ? [] : judgeDelivery(world, id, patch);
  const missedBy = ways.filter(({ verdict }) => DELIVERED[verdict].fails);
  const nowhere = delivered?.every(({ archived }) => archived) === true || (ways.length > 0 && missedBy.length === ways.length);
  const base = { id, carried: !patch.dropped, delivered, undelivered: patch.load_bearing && !patch.dropped && nowhere, missedBy };
  if (patch.dropped) return { ...base, droppable: "no", because: `Dropped ${patch.dropped.on}: ${patch.dropped.because}`, evidence: [] };
  if (!patch.drop) return { ...base, droppable: "unknown", because: "No condition for dropping it is written down.", evidence: [] };
  const outcome = evaluate(world, patch.drop);
  const words = inWords(patch.drop);
  const because =
    outcome.truth === "yes"
      ? `It can go: ${words}.`
      : outcome.truth === "no"
        ? `Stays until ${words}.`
        : `Cannot be told whether ${words}.`;
  return { ...base, droppable: outcome.truth, because, evidence: outcome.evidence, never: outcome.never };
}
