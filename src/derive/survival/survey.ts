import type { Question } from "../../model/source.ts";
import type { World } from "../facts.ts";
import type { Case } from "./cases.ts";
import type { PatchJudgement } from "./judgement.ts";
import { judgePatch } from "./patch.ts";
import { withRecord } from "./recorded.ts";
import type { Known } from "./sources.ts";
import { sourcesOf } from "./sources.ts";

export interface Survey {
  judgements: PatchJudgement[];
  /** Cases that wait for an answer. */
  open: Case[];
  questions: Question[];
}

/**
 * Judges cases with what is known so far, and says what else has to be asked. What cannot be answered
 * from sources falls back on what was recorded, when the patch is still written the same.
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
    else judgements.push(withRecord(world, known, judged));
  }
  return { judgements, open, questions: [...asked.values()] };
}
