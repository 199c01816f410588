import type { OwnAnswer } from "../../model/source.ts";
import { keyOf } from "../../model/source.ts";
import type { Patch } from "../../model/shapes/patch.ts";
import type { SurvivalFile, SurvivalRecord } from "../../model/shapes/survival.ts";
import type { World } from "../facts.ts";
import type { Case } from "./cases.ts";
import { casesOf } from "./cases.ts";
import { flagSource } from "./flags.ts";
import type { PatchJudgement } from "./judgement.ts";
import type { Place } from "./assemble.ts";
import { assemble } from "./assemble.ts";
import type { Known } from "./sources.ts";
import { locksOf } from "./together.ts";

/**
 * What was recorded of a patch at a commit. Void when the patch or the layer that ships it is written differently now: a record
 * answers what was asked, not what is asked today.
 */
function recordFor(world: World, known: Known | undefined, id: string, patch: Patch, { commit }: Place): SurvivalRecord | undefined {
  const kept = world.facts.survival(id);
  const record = kept?.at[commit];
  if (!kept || !record || kept.written !== writtenAs(world, patch)) return undefined;
  if (!known) return record;
  return Object.entries(record.own ?? {}).some(([path, hash]) => (ownHash(known, path) ?? hash) !== hash) ? undefined : record;
}

/** Fills in from the record what could not be told now: targets and flags, each on its own. */
export function withRecord(world: World, known: Known, judged: PatchJudgement): PatchJudgement {
  const patch = world.model.patch[judged.patch];
  const record = patch && recordFor(world, known, judged.patch, patch, judged);
  if (!record) return judged;
  let used = false;
  const tells = ({ verdict, anchors = [] }: { verdict: string; anchors?: readonly { verdict: string }[] }) =>
    verdict !== "unknown" || anchors.some((anchor) => anchor.verdict !== "unknown");
  const fill = <T extends { verdict: string }>(now: T, then: T | undefined): T => {
    if (tells(now) || !then || !tells(then)) return now;
    used = true;
    return then;
  };
  const targets = judged.targets.map((now) =>
    fill(
      now,
      record.targets.find(({ path }) => path === now.path),
    ),
  );
  const flags = judged.flags.map((now) =>
    fill(
      now,
      record.flags.find(({ flag }) => flag === now.flag),
    ),
  );
  if (!used) return judged;
  return {
    ...assemble(judged.patch, judged, targets, flags, judged.clashes),
    recorded: { source: record.source, asOf: record.asOf },
  };
}

/**
 * What can be said of patches without reading any source: by rows, inventory and records.
 * @param cases by default every carried patch on its live pins
 */
export function recordedJudgements(world: World, cases: readonly Case[] = casesOf(world).cases): PatchJudgement[] {
  return cases.flatMap(({ patch: id, place }) => {
    const patch = world.model.patch[id];
    if (!patch) return [];
    const record = recordFor(world, undefined, id, patch, place);
    const locks = locksOf(world, id, patch, place.pins);
    if (!record) return locks.length > 0 ? [assemble(id, place, [], [], locks)] : [];
    const { targets, flags, source, asOf } = record;
    return [{ ...assemble(id, place, targets, flags, locks), recorded: { source, asOf } }];
  });
}

/** Hash of a file of the stack; undefined when it was not read, such as in a tracker that stands outside its stack. */
function ownHash({ answers, sha256 }: Known, path: string): string | undefined {
  const answer = answers.get(keyOf({ ask: "own", path })) as OwnAnswer | undefined;
  return answer?.state === "text" ? sha256(answer.text) : undefined;
}

/** Everything authored that a judgement of targets and flags rests on. */
export function writtenAs(world: World, patch: Patch): string {
  const { delivery, files, targets, diffs, base, env, validated } = patch;
  const layer = env.length > 0 ? flagSource(world, patch, "") : "";
  const on = base === undefined ? validated.map(({ pin, on: day }) => [pin ?? "", day]) : [];
  return JSON.stringify([delivery, files, targets, diffs ?? [], base ?? "", env, layer, on]);
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
  if ([...judged.targets, ...judged.flags].every(({ verdict }) => verdict === "unknown")) return undefined;
  const { repo, targets, flags } = judged;
  const files = [...patch.files, ...targets.flatMap(({ path }) => patch.targets.find((target) => target.path === path)?.file ?? [])];
  const own = Object.fromEntries(files.flatMap((path) => [[path, ownHash(known, path)] as const]).filter(([, hash]) => hash !== undefined));
  return {
    repo,
    ...(Object.keys(own).length > 0 ? { own: own as Record<string, string> } : {}),
    targets,
    flags,
    ...provenance,
  };
}

/** Records beside those that stand already. Those of a patch that is written otherwise now are void and go. */
export function merged(
  world: World,
  before: SurvivalFile | undefined,
  records: readonly { patch: string; commit: string; record: SurvivalRecord }[],
): SurvivalFile {
  const all: SurvivalFile = { ...before };
  for (const { patch, commit, record } of records) {
    const row = world.model.patch[patch];
    if (!row) continue;
    const written = writtenAs(world, row);
    const kept = all[patch]?.written === written ? all[patch].at : {};
    all[patch] = { written, at: { ...kept, [commit]: record } };
  }
  const sorted = <T>(table: Record<string, T>) => Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(Object.fromEntries(Object.entries(all).map(([patch, { written, at }]) => [patch, { written, at: sorted(at) }])));
}
