import type { Derived } from "../derive/derive.ts";
import type { DeliveryJudgement } from "../derive/survival/delivery.ts";
import { judgeDelivery } from "../derive/survival/delivery.ts";
import type { PatchJudgement } from "../derive/survival/judgement.ts";
import { isBroken } from "../derive/survival/verdicts.ts";
import type { Survival } from "../model/vocabulary.ts";
import { DELIVERED, SURVIVAL } from "../model/vocabulary.ts";

/** A patch at one commit, with its way into the variants that run on it. The one object behind terminal, JSON and pages. */
export interface PatchRow {
  patch: string;
  title: string;
  pins: string[];
  /** Null: it changes no source of a pinned upstream, so only its delivery is judged. */
  commit: string | null;
  verdict: Survival;
  because: string;
  judgement: PatchJudgement | undefined;
  delivery: DeliveryJudgement[];
  bears: boolean;
}

/** One row for every carried patch and source commit. */
export function patchRows(derived: Derived, judgements: readonly PatchJudgement[], only?: readonly string[]): PatchRow[] {
  const { model } = derived.world;
  return Object.entries(model.patch).flatMap(([patch, row]): PatchRow[] => {
    if (row.dropped || (only && only.length > 0 && !only.includes(patch))) return [];
    const found = judgements.filter((judgement) => judgement.patch === patch);
    const base = { patch, title: row.title, bears: row.load_bearing };
    if (found.length === 0) {
      const delivery = judgeDelivery(derived.world, patch, row);
      return [{ ...base, pins: [], commit: null, ...without(row), judgement: undefined, delivery }];
    }
    return found.map((judgement) => ({
      ...base,
      pins: judgement.pins,
      commit: judgement.commit,
      verdict: judgement.verdict,
      because: judgement.because,
      judgement,
      delivery: judgeDelivery(derived.world, patch, row, judgement.flags).filter(({ variant }) => {
        const pin = model.variant[variant]?.pin;
        return pin === undefined || judgement.pins.length === 0 || judgement.pins.includes(pin);
      }),
    }));
  });
}

/** A patch that no pin's source could be found for. */
function without(row: { targets: unknown[]; env: unknown[]; delivery: string }): { verdict: Survival; because: string } {
  return row.targets.length + row.env.length > 0 || row.delivery === "overlay"
    ? { verdict: "unknown", because: "no live pin of its upstream names a source commit" }
    : { verdict: "nothing-to-check", because: SURVIVAL["nothing-to-check"].words };
}

/** 1: a load-bearing patch is broken or reaches no variant that needs it. 2: that could not be told. 1 beats 2. */
export function patchesExit(rows: readonly PatchRow[]): 0 | 1 | 2 {
  const bearing = rows.filter(({ bears }) => bears);
  const failed = bearing.some(
    ({ verdict, delivery }) => isBroken(verdict) || (delivery.length > 0 && delivery.every((one) => DELIVERED[one.verdict].fails)),
  );
  if (failed) return 1;
  return bearing.some(({ verdict, delivery }) => verdict === "unknown" || delivery.some((one) => one.verdict === "unknown")) ? 2 : 0;
}

/** `patches --json`. Fields are added, never renamed. */
export const patchesJson = (rows: readonly PatchRow[]) =>
  rows.map(({ patch, commit, pins, verdict, because, judgement, delivery, bears }) => ({
    patch,
    commit,
    pins,
    verdict,
    because,
    loadBearing: bears,
    targets: (judgement?.targets ?? []).map(({ path, verdict: of, because: why, anchors, followedTo, since, hunks, changed }) => ({
      path,
      verdict: of,
      because: why,
      anchors: anchors.map(({ id, required, matches, wanted, lines, verdict: state, because: reason, lostAt }) => ({
        id,
        required,
        matches,
        wanted,
        lines,
        verdict: state,
        because: reason,
        lostAt,
      })),
      ...(followedTo === undefined ? {} : { followedTo }),
      ...(since ? { since } : {}),
      ...(hunks ? { hunks } : {}),
      ...(changed ? { changed } : {}),
    })),
    remarks: judgement?.remarks ?? [],
    flags: judgement?.flags ?? [],
    ...(judgement?.recorded ? { recorded: judgement.recorded } : {}),
    delivery,
  }));

/** A sign beside the words, never instead of them. */
export const survivalSign = (verdict: Survival): string => ({ broken: "✖", risky: "!", unknown: "?", fine: "✔" })[SURVIVAL[verdict].level];
