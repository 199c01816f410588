import type { Patch } from "../../model/shapes/patch.ts";
import type { World } from "../facts.ts";
import { day } from "../proof.ts";
import { pinTarget } from "../propagation.ts";
import { diffsOf, judgeDiffs } from "./diff.ts";
import { overlayFile } from "./files.ts";
import { flagSource, judgeFlags } from "./flags.ts";
import type { FlagJudgement, PatchJudgement, Remark, TargetJudgement } from "./judgement.ts";
import { judgeOverlay } from "./overlay.ts";
import type { Base } from "./overlay.ts";
import { assemble } from "./assemble.ts";
import type { Place } from "./assemble.ts";
import type { Sources } from "./sources.ts";
import { judgeTarget } from "./target.ts";
import { clash, neighboursOf } from "./together.ts";

/** Judges one patch at one source commit. Undefined: questions are open. */
export function judgePatch(world: World, sources: Sources, id: string, patch: Patch, place: Place): PatchJudgement | undefined {
  const targets = judgeTargets(world, sources, patch, place);
  const flags = judgePatchFlags(world, sources, patch, place.commit);
  const clashes = judgeClashes(world, sources, id, patch, place);
  return targets === undefined || flags === undefined || clashes === undefined ? undefined : assemble(id, place, targets, flags, clashes);
}

function judgeTargets(world: World, sources: Sources, patch: Patch, place: Place): TargetJudgement[] | undefined {
  const overlay = patch.delivery === "overlay";
  const base = overlay ? baseOf(world, patch, place.repo) : undefined;
  const own = patch.targets.map((target) => {
    if (!overlay || target.anchors.length > 0) return judgeTarget(sources, place, target);
    return judgeOverlay(sources, place, target, overlayFile(patch, target), base);
  });
  const diffs = judgeDiffs(sources, place, diffsOf(patch));
  const whole = overlay && base === undefined && patch.targets.length === 0 && patch.files.length > 0;
  const missing: TargetJudgement[] = whole
    ? [
        {
          path: patch.files[0] ?? "",
          verdict: "unknown",
          because: "which files it replaces upstream is not written down (targets:)",
          anchors: [],
        },
      ]
    : [];
  return diffs === undefined || own.some((one) => one === undefined) ? undefined : [...(own as TargetJudgement[]), ...diffs, ...missing];
}

/**
 * What an overlay was made for: its base, else the build of the pin it was last validated on. A pin moves, and a claim stays behind;
 * so the latter counts only when the pin's build is not younger than the claim.
 */
function baseOf(world: World, patch: Patch, repo: string): Base | undefined {
  if (patch.base !== undefined) {
    return { commit: world.facts.commit(repo, patch.base)?.sha ?? patch.base, from: "its base" };
  }
  for (const { pin: id, on } of [...patch.validated].reverse()) {
    const pin = id === undefined ? undefined : world.model.pin[id];
    const target = id !== undefined && pin ? pinTarget(world, id, pin) : undefined;
    if (target?.commit === undefined || target.repo !== repo) continue;
    const built = world.facts.commit(repo, target.commit)?.fact.committedAt;
    if (built !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(on) && day(built) <= on)
      return { commit: target.commit, from: `it was validated on ${id}, ${on}` };
  }
  return undefined;
}

function judgePatchFlags(world: World, sources: Sources, patch: Patch, commit: string): FlagJudgement[] | undefined {
  if (patch.env.length === 0) return [];
  const own = patch.files.filter((file) => /\.(py|sh)$/.test(file)).map((file) => sources.own(file));
  if (own.some((answer) => answer === undefined)) return undefined;
  const inOwn = (flag: string) => own.some((answer) => answer?.state === "text" && new RegExp(`\\b${flag}\\b`).test(answer.text));
  const elsewhere = patch.env.filter((flag) => !inOwn(flag.split("=")[0] ?? flag));
  const known: FlagJudgement[] = patch.env
    .filter((flag) => !elsewhere.includes(flag))
    .map((flag) => ({ flag: flag.split("=")[0] ?? flag, verdict: "known", because: "a script of the patch reads it" }));
  if (elsewhere.length === 0) return known;
  const from = flagSource(world, patch, commit);
  if (typeof from === "string") return [...known, ...elsewhere.map((flag): FlagJudgement => ({ flag, verdict: "unknown", because: from }))];
  const judged = judgeFlags(sources, from, elsewhere);
  return judged && [...known, ...judged];
}

function judgeClashes(world: World, sources: Sources, id: string, patch: Patch, place: Place): Remark[] | undefined {
  const found: Remark[] = [];
  let open = false;
  for (const target of patch.targets) {
    for (const neighbour of neighboursOf(world, id, target.path, place.pins)) {
      const other = world.model.patch[neighbour.patch];
      if (!other) continue;
      const file =
        patch.delivery === "overlay" || other.delivery === "overlay" ? undefined : sources.file(place.repo, place.commit, target.path);
      const remark = clash(world, sources, patch, target, neighbour, other, file?.state === "text" ? file.text : undefined);
      if (remark === undefined) open = true;
      else if (remark !== null) found.push(remark);
    }
  }
  return open ? undefined : found;
}
