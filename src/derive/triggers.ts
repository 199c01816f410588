import type { FollowUp, Trigger } from "../model/shapes/trigger.ts";
import type { Truth } from "../model/vocabulary.ts";
import { evaluate, inWords } from "./condition.ts";
import type { World } from "./facts.ts";
import type { Evidence, Never } from "./proof.ts";

/** The life of a re-test trigger or a follow-up. */
export type Life = "waiting" | "fired" | "acknowledged" | "done" | "unknown";

export interface DerivedTrigger {
  id: string;
  fired: boolean;
  truth: Truth;
  life: Life;
  when: string;
  proof: Evidence[];
  never?: Never | undefined;
}

/** Whether a trigger or follow-up fired, with its proof. Acknowledged and done are written by people. */
export function deriveTrigger(world: World, id: string, row: Trigger | FollowUp): DerivedTrigger {
  const outcome = row.when && evaluate(world, row.when);
  const truth = outcome?.truth ?? "unknown";
  const fired = truth === "yes";
  const life: Life = row.done
    ? "done"
    : fired
      ? row.acknowledged
        ? "acknowledged"
        : "fired"
      : truth === "unknown"
        ? "unknown"
        : "waiting";
  return {
    id,
    fired: fired && !row.done,
    truth,
    life,
    when: row.when ? inWords(row.when) : "",
    proof: outcome?.evidence ?? [],
    never: row.done ? undefined : outcome?.never,
  };
}
