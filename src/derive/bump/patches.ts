import type { Survival } from "../../model/vocabulary.ts";
import { SURVIVAL } from "../../model/vocabulary.ts";
import type { World } from "../facts.ts";
import type { PatchJudgement } from "../survival/judgement.ts";
import { isBroken, isRisky } from "../survival/verdicts.ts";

/** An anchor that has to be found anew. */
export interface Reanchor {
  pins: string[];
  patch: string;
  target: string;
  anchor: string;
  required: boolean;
  because: string;
  /** Null: since when is not known. */
  lostAt: { commit: string; pr: number | null } | null;
}

/** Anything else about a patch that does not work, or that somebody has to look at. */
export interface Conflict {
  pins: string[];
  patch: string;
  target: string | null;
  verdict: Survival;
  because: string;
  /** The change that caused it, when it is known. */
  since: { commit: string; pr: number | null } | null;
}

export interface Unchecked {
  pins: string[];
  patch: string;
  /** Null: it is about the patch as a whole. */
  target: string | null;
  because: string;
}

/** What the patches of some pins need on a candidate, the broken ones first. */
export function patchWork(world: World, pins: readonly string[], judged: readonly PatchJudgement[]) {
  const reanchor: Reanchor[] = [];
  const conflicts: Conflict[] = [];
  const unchecked: Unchecked[] = [];
  for (const { patch, targets, remarks, flags } of judged) {
    const base = { pins: [...pins], patch };
    for (const { path, verdict, because, anchors, since } of targets) {
      const lost = anchors.filter((anchor) => anchor.verdict === "anchor-lost");
      for (const { id, required, because: why, lostAt } of lost) {
        if (verdict === "already-upstream") continue;
        reanchor.push({
          ...base,
          target: path,
          anchor: id,
          required,
          because: why,
          lostAt: lostAt && { commit: lostAt.commit, pr: lostAt.pr },
        });
      }
      if (verdict === "unknown") unchecked.push({ ...base, target: path, because });
      else if ((isBroken(verdict) || isRisky(verdict)) && verdict !== "anchor-lost") {
        conflicts.push({ ...base, target: path, verdict, because, since: since ? { commit: since.commit, pr: since.pr } : null });
      }
    }
    for (const { verdict, because } of remarks) {
      if (verdict === "unknown") unchecked.push({ ...base, target: null, because });
      else conflicts.push({ ...base, target: null, verdict, because, since: null });
    }
    const delivery = world.model.patch[patch]?.delivery;
    if (targets.length === 0 && flags.length === 0 && (delivery === "sidecar" || delivery === "install-script")) {
      unchecked.push({ ...base, target: null, because: "what it changes upstream is not written down (targets:)" });
    }
  }
  const order = Object.keys(SURVIVAL);
  const bears = (id: string) => (world.model.patch[id]?.load_bearing ? 0 : 1);
  return {
    reanchor: reanchor.sort((a, b) => Number(b.required) - Number(a.required) || bears(a.patch) - bears(b.patch)),
    conflicts: conflicts.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || bears(a.patch) - bears(b.patch)),
    unchecked,
  };
}
