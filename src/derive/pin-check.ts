import { isMissing, isTakenBack, isUntold } from "./attention.ts";
import { NEVER_OBSERVED } from "../model/vocabulary.ts";
import type { Derived } from "./derive.ts";
import type { DerivedPin } from "./pins.ts";
import type { PatchJudgement } from "./survival/judgement.ts";
import { recordedJudgements } from "./survival/recorded.ts";
import { isBroken } from "./survival/verdicts.ts";

/** 0 fine · 1 a live pin lacks, has a reverted change, is gone, or a load-bearing patch is undelivered or broken · 2 could not tell. 1 beats 2. */
export type PinExit = 0 | 1 | 2;

export interface PinCheck {
  pins: DerivedPin[];
  /** Load-bearing patches that do not do what they are for on one of these pins. */
  broken: PatchJudgement[];
  exitCode: PinExit;
  summary: string;
}

/**
 * Judges today's pins: the answer before a bump.
 * @param only a pin's id; undefined judges every live pin
 * @param judged what is known of the patches at the pins' sources; by default what was recorded of them
 */
export function checkPins(
  derived: Derived,
  only?: string,
  judged: readonly PatchJudgement[] = recordedJudgements(derived.world),
): PinCheck {
  const pins = Object.values(derived.pins).filter((pin) => (only === undefined ? pin.live : pin.id === only));
  const count = (judge: (pin: DerivedPin) => number) => pins.reduce((sum, pin) => sum + judge(pin), 0);
  const missing = count((pin) => pin.verdicts.filter(isMissing).length);
  const takenBack = count((pin) => pin.verdicts.filter(isTakenBack).length);
  const untold = count((pin) => pin.verdicts.filter(isUntold).length);
  const gone = pins.filter((pin) => pin.availability.state === "gone").length;
  const undelivered = only === undefined ? Object.values(derived.patches).filter((patch) => patch.undelivered).length : 0;
  const ids = new Set(pins.map(({ id }) => id));
  const broken = judged.filter(
    ({ patch, verdict, pins: on }) =>
      isBroken(verdict) && derived.world.model.patch[patch]?.load_bearing === true && on.some((id) => ids.has(id)),
  );
  const droppable = Object.values(derived.patches).filter((patch) => patch.carried && patch.droppable === "yes").length;
  const retirable = pins.filter((pin) => pin.retirement.ready === "yes").length;
  const blind =
    derived.asOf === NEVER_OBSERVED && pins.some(({ verdicts }) => verdicts.some(({ waits, verdict }) => waits && verdict === "unknown"));
  const parts = [
    missing > 0 && `${missing} blocking ${missing > 1 ? "changes are" : "change is"} missing`,
    takenBack > 0 && `${takenBack} reverted ${takenBack > 1 ? "changes are" : "change is"} in a pin`,
    gone > 0 && `${gone} ${gone > 1 ? "images are" : "image is"} gone`,
    undelivered > 0 && `${undelivered} load-bearing ${undelivered > 1 ? "patches are" : "patch is"} delivered nowhere`,
    broken.length > 0 && `${broken.length} load-bearing ${broken.length > 1 ? "patches do" : "patch does"} not work`,
    droppable > 0 && `${droppable} ${droppable > 1 ? "patches" : "patch"} can go`,
    retirable > 0 && `${retirable} ${retirable > 1 ? "pins" : "pin"} can be retired`,
    blind && "nothing was observed upstream yet, so what is missing is not known",
    untold > 0 && `${untold} blocking ${untold > 1 ? "changes" : "change"} cannot be told`,
  ].filter((part) => part !== false);
  const exitCode = missing + takenBack + gone + undelivered + broken.length > 0 ? 1 : untold > 0 ? 2 : 0;
  return {
    pins,
    broken,
    exitCode,
    summary: `${pins.length} ${pins.length === 1 ? "pin" : "pins"}: ${parts.length > 0 ? parts.join(", ") : "nothing missing"}.`,
  };
}
