import { SURVIVAL } from "../../model/vocabulary.ts";
import type { FlagJudgement, PatchJudgement, Remark, TargetJudgement } from "./judgement.ts";
import { worst } from "./verdicts.ts";

/** A source commit to judge patches at, with the pins that stand for it. */
export interface Place {
  repo: string;
  commit: string;
  pins: string[];
}

/** A judgement from its parts. */
export function assemble(
  id: string,
  { repo, commit, pins }: Place,
  targets: TargetJudgement[],
  flags: FlagJudgement[],
  clashes: Remark[],
): PatchJudgement {
  const remarks: Remark[] = [
    ...clashes,
    ...flags.flatMap(({ verdict, because }): Remark[] => (verdict === "known" ? [] : [{ verdict, because }])),
  ];
  return { patch: id, pins, repo, commit, ...sum(targets, remarks), targets, remarks, flags, clashes };
}

/** The patch's verdict from its parts, and the reason in a sentence. */
function sum(targets: readonly TargetJudgement[], remarks: readonly Remark[]): { verdict: PatchJudgement["verdict"]; because: string } {
  const verdict = worst([...targets, ...remarks].map((part) => part.verdict));
  const reasons = [
    ...targets.filter((target) => target.verdict === verdict).map((target) => `${target.path}: ${target.because}`),
    ...new Set(remarks.filter((remark) => remark.verdict === verdict).map((remark) => remark.because)),
  ];
  const rest = reasons.length - 1;
  return { verdict, because: `${reasons[0] ?? SURVIVAL[verdict].words}${rest > 0 ? ` (and ${rest} more)` : ""}` };
}
