import type { Derived } from "../../src/derive/derive.ts";
import type { Evidence, Never } from "../../src/derive/proof.ts";
import type { Life } from "../../src/derive/triggers.ts";
import type { Note } from "../../src/model/shapes/common.ts";
import type { Kind } from "../../src/model/vocabulary.ts";

export const LIVES: Record<Life, string> = {
  fired: "Fired",
  acknowledged: "Taken up",
  unknown: "Cannot be told",
  waiting: "Waiting",
  done: "Done",
};

export interface TriggerRow {
  kind: "trigger" | "followUp";
  id: string;
  title: string;
  when: string;
  proof: Evidence[];
  never: Never | undefined;
  rerun: string[];
  acceptance: string | undefined;
  decide: string | undefined;
  why: string | undefined;
  acknowledged: string | undefined;
  done: { on: string; outcome: string } | undefined;
  ties: { kind: Kind; id: string }[];
  notes: Note[];
}

const tie = (kind: Kind, ids: readonly string[]) => ids.map((id) => ({ kind, id }));

/** Triggers and follow-ups by where they are in their life, those that fired first. */
export function triggerGroups(derived: Derived): { life: Life; rows: TriggerRow[] }[] {
  const { model } = derived.world;
  const rows = [
    ...Object.entries(model.trigger).map(([id, row]): [Life, TriggerRow] => [
      derived.triggers[id]?.life ?? "unknown",
      {
        kind: "trigger",
        id,
        title: row.title,
        when: derived.triggers[id]?.when ?? "",
        proof: derived.triggers[id]?.proof ?? [],
        never: derived.triggers[id]?.never,
        rerun: row.rerun,
        acceptance: row.acceptance,
        decide: undefined,
        why: row.why,
        acknowledged: row.acknowledged,
        done: row.done,
        ties: [...tie("item", row.items), ...tie("cliff", row.cliffs), ...tie("variant", row.variants)],
        notes: row.notes,
      },
    ]),
    ...Object.entries(model.followUp).map(([id, row]): [Life, TriggerRow] => [
      derived.followUps[id]?.life ?? "unknown",
      {
        kind: "followUp",
        id,
        title: row.title,
        when: derived.followUps[id]?.when ?? "",
        proof: derived.followUps[id]?.proof ?? [],
        never: derived.followUps[id]?.never,
        rerun: [],
        acceptance: undefined,
        decide: row.decide,
        why: row.why_deferred,
        acknowledged: row.acknowledged,
        done: row.done,
        ties: [...tie("item", row.items), ...tie("pin", row.pins)],
        notes: row.notes,
      },
    ]),
  ];
  return (Object.keys(LIVES) as Life[])
    .map((life) => ({ life, rows: rows.filter(([found]) => found === life).map(([, row]) => row) }))
    .filter((group) => group.rows.length > 0);
}
