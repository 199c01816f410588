import type { OwnAnswer } from "../../model/source.ts";
import { keyOf } from "../../model/source.ts";
import type { Patch } from "../../model/shapes/patch.ts";
import type { SurvivalFile, SurvivalRecord } from "../../model/shapes/survival.ts";
import type { World } from "../facts.ts";
import { flagSource } from "./flags.ts";
import type { PatchJudgement } from "./judgement.ts";
import type { Place } from "./patch.ts";
import { sum } from "./patch.ts";
import type { Known } from "./sources.ts";
import { neighboursOf } from "./together.ts";

/**
 * What was recorded of a patch at a commit. Void when the patch, the layer that ships it or a neighbour on one of its targets is
 * written differently now: a record answers what was asked, not what is asked today.
 */
export function recordedOf(world: World, known: Known, id: string, patch: Patch, place: Place): PatchJudgement | undefined {
  const record = world.facts.survival(id, place.commit);
  if (!record || record.written !== writtenAs(world, known.sha256, id, patch, place)) return undefined;
  if (Object.entries(record.own ?? {}).some(([path, hash]) => (ownHash(known, path) ?? hash) !== hash)) return undefined;
  const { targets, remarks, flags, source, asOf } = record;
  return {
    patch: id,
    pins: place.pins,
    repo: place.repo,
    commit: place.commit,
    ...sum(targets, remarks),
    targets,
    remarks,
    flags,
    recorded: { source, asOf },
  };
}

/** Hash of a file of the stack; undefined when it was not read, such as in a tracker that stands outside its stack. */
function ownHash({ answers, sha256 }: Known, path: string): string | undefined {
  const answer = answers.get(keyOf({ ask: "own", path })) as OwnAnswer | undefined;
  return answer?.state === "text" ? sha256(answer.text) : undefined;
}

/** Hash of everything authored that a judgement rests on. */
export function writtenAs(world: World, sha256: (text: string) => string, id: string, patch: Patch, place: Place): string {
  const { delivery, files, targets, diffs, base, env, validated } = patch;
  const layer = env.length > 0 ? flagSource(world, patch, place.commit) : "";
  const neighbours = targets.flatMap((target) =>
    neighboursOf(world, id, target.path).map((other) => [other.patch, other.target, other.variants]),
  );
  return sha256(
    JSON.stringify([delivery, files, targets, diffs ?? [], base ?? "", env, layer, neighbours, validated.map(({ pin }) => pin ?? "")]),
  );
}

/** A judgement as it is recorded. A part that could not be checked is not a fact, so such a judgement is not recorded. */
export function recordOf(
  world: World,
  known: Known,
  judged: PatchJudgement,
  provenance: { source: string; asOf: string },
): SurvivalRecord | undefined {
  const patch = world.model.patch[judged.patch];
  if (!patch || judged.recorded || judged.verdict === "nothing-to-check") return undefined;
  const parts = [...judged.targets, ...judged.targets.flatMap((target) => target.anchors), ...judged.remarks];
  if (parts.every(({ verdict }) => verdict === "unknown")) return undefined;
  const { repo, targets, remarks, flags } = judged;
  const files = [...patch.files, ...targets.flatMap(({ path }) => patch.targets.find((target) => target.path === path)?.file ?? [])];
  const own = Object.fromEntries(files.flatMap((path) => [[path, ownHash(known, path)] as const]).filter(([, hash]) => hash !== undefined));
  return {
    repo,
    written: writtenAs(world, known.sha256, judged.patch, patch, judged),
    ...(Object.keys(own).length > 0 ? { own: own as Record<string, string> } : {}),
    targets,
    remarks,
    flags,
    ...provenance,
  };
}

/** Records beside those that stand already; the newer one of a patch at a commit stays. */
export function merged(
  before: SurvivalFile | undefined,
  records: readonly { patch: string; commit: string; record: SurvivalRecord }[],
): SurvivalFile {
  const all: SurvivalFile = structuredClone(before ?? {});
  for (const { patch, commit, record } of records) all[patch] = { ...all[patch], [commit]: record };
  return Object.fromEntries(
    Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([patch, commits]) => [patch, Object.fromEntries(Object.entries(commits).sort(([a], [b]) => (a < b ? -1 : 1)))]),
  );
}
