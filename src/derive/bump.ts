import type { Stake, Verdict } from "../model/vocabulary.ts";
import type { Build } from "./build.ts";
import type { Derived } from "./derive.ts";
import type { ItemOnPin } from "./pins.ts";
import type { PinExit } from "./pin-check.ts";
import type { PatchJudgement } from "./survival/judgement.ts";
import { isBroken } from "./survival/verdicts.ts";
import { variantsOf } from "./survival/together.ts";
import type { StaleClaim } from "./bump/claims.ts";
import { claimsOn } from "./bump/claims.ts";
import type { Droppable } from "./bump/droppable.ts";
import { droppableOn } from "./bump/droppable.ts";
import type { Conflict, Reanchor, Unchecked } from "./bump/patches.ts";
import { patchWork } from "./bump/patches.ts";
import type { Risk } from "./bump/risks.ts";
import { blocks, risksOf } from "./bump/risks.ts";
import type { Step } from "./bump/runbook.ts";
import { runbookOf } from "./bump/runbook.ts";

/** A change upstream that the candidate has and today's build has not, or the other way round. */
export interface Change {
  pin: string;
  item: string;
  ref: string;
  stake: Stake;
  was: Verdict;
  verdict: Verdict;
  because: string;
  /** A row waits for it on this pin. */
  waits: boolean;
  carried: boolean;
}

export interface TouchedVariant {
  pin: string;
  variant: string;
  compose: string;
  /** How many places of the source its patches depend on: files, anchors, hunks. */
  surface: number;
  patches: string[];
}

export interface FiredTrigger {
  kind: "trigger" | "followUp";
  id: string;
  title: string;
  because: string;
}

/** Everything a bump would change, for one candidate and the pins that would move to it. */
export interface Bump {
  candidate: Build;
  pins: { pin: string; artifact: string; commit: string | undefined }[];
  newlyContained: Change[];
  newlyReverted: Change[];
  newlyMissing: Change[];
  /** Blocking changes that the candidate lacks as today's build does. */
  stillMissing: Change[];
  /** Known today, and not to be told for the candidate. */
  untold: Change[];
  droppable: Droppable[];
  reanchor: Reanchor[];
  conflicts: Conflict[];
  unchecked: Unchecked[];
  variants: TouchedVariant[];
  triggers: FiredTrigger[];
  staleClaims: StaleClaim[];
  risks: Risk[];
  runbook: Step[];
  exitCode: PinExit;
}

/**
 * Compares a stack with the same stack on another build.
 * @param before derived as it is
 * @param after derived with the pins moved
 * @param judged the pins' patches at the candidate's source
 */
export function bumpOf(
  before: Derived,
  after: Derived,
  pins: readonly string[],
  candidate: Build,
  judged: readonly PatchJudgement[],
): Bump {
  const changes = pins.flatMap((pin) => changesOn(before, after, pin));
  const work = patchWork(before.world, pins, judged);
  const report = {
    candidate,
    pins: pins.map((pin) => ({ pin, artifact: before.pins[pin]?.artifact ?? "", commit: before.pins[pin]?.source.commit })),
    newlyContained: changes.filter(({ was, verdict, reverted }) => was !== "contained" && verdict === "contained" && !reverted).map(plain),
    newlyReverted: changes.filter(({ reverted, wasReverted }) => reverted && !wasReverted).map(plain),
    newlyMissing: changes.filter(({ was, verdict, reverted }) => was === "contained" && isOut(verdict) && !reverted).map(plain),
    stillMissing: changes
      .filter(({ was, verdict, stake, waits, carried }) => isOut(was) && isOut(verdict) && stake === "blocks" && waits && !carried)
      .map(plain),
    untold: changes.filter(({ was, verdict }) => was !== "unknown" && verdict === "unknown").map(plain),
    droppable: pins.flatMap((pin) => droppableOn(before, after, pin)),
    ...work,
    variants: variantsTouched(before, pins),
    triggers: fired(before, after),
    staleClaims: pins.flatMap((pin) => claimsOn(before.world, pin)),
  };
  const risks = risksOf(before.world, report);
  return { ...report, risks, runbook: runbookOf(before.world, report), exitCode: exitOf(before, report) };
}

/** A bump before it is put in order. */
export type BumpFindings = Omit<Bump, "risks" | "runbook" | "exitCode">;

interface Compared extends Change {
  reverted: boolean;
  wasReverted: boolean;
}

const isOut = (verdict: Verdict) => verdict === "not-contained" || verdict === "partial";
const plain = ({ reverted: _now, wasReverted: _then, ...change }: Compared): Change => change;

function changesOn(before: Derived, after: Derived, pin: string): Compared[] {
  const then = new Map((before.pins[pin]?.verdicts ?? []).map((entry) => [entry.item, entry]));
  return (after.pins[pin]?.verdicts ?? []).map((entry): Compared => {
    const old: ItemOnPin | undefined = then.get(entry.item);
    const { item, ref, stake, verdict, waits, carried, reverted } = entry;
    return {
      pin,
      item,
      ref,
      stake,
      was: old?.verdict ?? "unknown",
      verdict,
      because: entry.proof.evidence[0]?.fact ?? "",
      waits: waits || (old?.waits ?? false),
      carried,
      reverted,
      wasReverted: old?.reverted ?? false,
    };
  });
}

/** Variants on the pins, those with the fewest patched places first: the order in which they should move. */
function variantsTouched({ world }: Derived, pins: readonly string[]): TouchedVariant[] {
  const { model } = world;
  const places = (id: string) => {
    const patch = model.patch[id];
    if (!patch || patch.dropped) return 0;
    const anchors = patch.targets.reduce((sum, target) => sum + Math.max(1, target.anchors.length), 0);
    return Math.max(anchors, patch.targets.length === 0 ? patch.files.length : 0, 1);
  };
  return Object.entries(model.variant)
    .flatMap(([variant, row]) => {
      if (row.pin === undefined || !pins.includes(row.pin)) return [];
      const patches = Object.keys(model.patch).filter((id) => !model.patch[id]?.dropped && variantsOf(model, id).includes(variant));
      const surface = patches.reduce((sum, id) => sum + places(id), 0);
      return [{ pin: row.pin, variant, compose: row.compose, surface, patches }];
    })
    .sort((a, b) => a.surface - b.surface || (a.variant < b.variant ? -1 : 1));
}

function fired(before: Derived, after: Derived): FiredTrigger[] {
  const { model } = before.world;
  const found = (["triggers", "followUps"] as const).flatMap((kind) =>
    Object.values(after[kind])
      .filter((row) => row.fired && before[kind][row.id]?.fired !== true)
      .map(
        (row): FiredTrigger => ({
          kind: kind === "triggers" ? "trigger" : "followUp",
          id: row.id,
          title: (kind === "triggers" ? model.trigger[row.id]?.title : model.followUp[row.id]?.title) ?? row.id,
          because: row.proof.map(({ fact }) => fact).join("; "),
        }),
      ),
  );
  return found;
}

/** As for today's pins: 1 when the candidate lacks, takes back or breaks something that must work, or is gone; 2 when that cannot be told. */
function exitOf(before: Derived, report: BumpFindings): PinExit {
  const bears = (patch: string) => before.world.model.patch[patch]?.load_bearing === true;
  const bad =
    report.candidate.available === "gone" ||
    report.newlyReverted.some(({ waits }) => waits) ||
    [...report.newlyMissing, ...report.stillMissing].some(blocks) ||
    report.reanchor.some(({ patch, required }) => required && bears(patch)) ||
    report.conflicts.some(({ patch, verdict }) => isBroken(verdict) && bears(patch));
  if (bad) return 1;
  const untold = report.candidate.commit === undefined || report.untold.some(blocks) || report.unchecked.some(({ patch }) => bears(patch));
  return untold ? 2 : 0;
}
