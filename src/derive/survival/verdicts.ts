import type { Survival } from "../../model/vocabulary.ts";
import { SURVIVAL } from "../../model/vocabulary.ts";

const ORDER = Object.keys(SURVIVAL) as Survival[];

/** The worst of some verdicts; "nothing-to-check" for none. */
export const worst = (verdicts: readonly Survival[]): Survival =>
  verdicts.reduce<Survival>((found, next) => (ORDER.indexOf(next) < ORDER.indexOf(found) ? next : found), "nothing-to-check");

/** The patch does not do what it is for on that source. */
export const isBroken = (verdict: Survival): boolean => SURVIVAL[verdict].level === "broken";
/** It may, but somebody has to look: an overlay takes back what upstream changed, or two patches meet. */
export const isRisky = (verdict: Survival): boolean => SURVIVAL[verdict].level === "risky";
