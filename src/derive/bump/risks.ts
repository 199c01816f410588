import { groupBy } from "../../model/group.ts";
import { shortRef } from "../../model/ref.ts";
import { SURVIVAL } from "../../model/vocabulary.ts";
import type { BumpFindings, Change } from "../bump.ts";
import type { World } from "../facts.ts";
import { isBroken } from "../survival/verdicts.ts";

/** What a bump brings, the worst first. stop: settle it first, or do not bump; work: to be done for it; check: somebody has to look; gain. */
export interface Risk {
  level: "stop" | "work" | "check" | "gain";
  text: string;
}

/** Everything a bump brings, by level and within a level in the order in which it matters. */
export function risksOf(world: World, report: BumpFindings): Risk[] {
  const of = (level: Risk["level"], texts: readonly string[]): Risk[] => texts.map((text) => ({ level, text: oneStop(text) }));
  const patches = patchRisks(world, report);
  const named = (one: Change) => `${shortRef(one.ref)} (${one.item})`;
  const lost = report.newlyMissing.filter(blocks);
  return [
    ...of("stop", report.candidate.available === "gone" ? [`${report.candidate.artifact} is gone: ${report.candidate.because}.`] : []),
    ...of(
      "stop",
      report.newlyReverted.filter(({ waits }) => waits).map((one) => `${one.pin} would have ${named(one)} and its revert: ${one.because}.`),
    ),
    ...of(
      "stop",
      lost.map((one) => `${one.pin} would lose ${named(one)}, which blocks: ${one.because}.`),
    ),
    ...of(
      "stop",
      report.stillMissing.map((one) => `The candidate lacks ${named(one)} too, which blocks: ${one.because}.`),
    ),
    ...patches.filter(({ level }) => level === "stop"),
    ...patches.filter(({ level }) => level === "work"),
    ...of("check", candidateDoubts(report)),
    ...of(
      "check",
      report.untold.map((one) => `Whether the candidate has ${named(one)} cannot be told: ${one.because}.`),
    ),
    ...of(
      "check",
      report.newlyMissing.filter((one) => !blocks(one)).map((one) => `${one.pin} would lose ${named(one)}: ${one.because}.`),
    ),
    ...patches.filter(({ level }) => level === "check"),
    ...of("check", uncheckedLines(report)),
    ...of(
      "check",
      report.triggers.map((one) => `${one.title} (${one.id}) would be due: ${one.because}.`),
    ),
    ...of(
      "check",
      report.staleClaims.length > 0 ? [`${report.staleClaims.length} claims name the build of today and would need a new look.`] : [],
    ),
    ...of(
      "gain",
      report.droppable.map((one) => `${one.patch ?? one.item} can go${one.today ? " (today already)" : ""}: ${one.because}`),
    ),
    ...of(
      "gain",
      report.newlyContained.filter(({ waits }) => waits).map((one) => `${one.pin} would have ${named(one)}.`),
    ),
  ];
}

/** Broken patches: those that a variant cannot do without stop the bump, the others are work. */
function patchRisks(world: World, report: BumpFindings): Risk[] {
  const bears = (patch: string) => world.model.patch[patch]?.load_bearing === true;
  const gone = new Set(
    report.conflicts
      .filter(({ verdict }) => verdict === "target-gone" || verdict === "target-renamed")
      .map(({ patch, target }) => `${patch} ${target}`),
  );
  return [
    ...report.conflicts.map(
      (one): Risk => ({
        level: isBroken(one.verdict) ? (bears(one.patch) ? "stop" : "work") : "check",
        text: oneStop(`${one.patch}: ${SURVIVAL[one.verdict].words}${one.target ? `, ${one.target}` : ""}: ${one.because}.`),
      }),
    ),
    // A file that is gone took its anchors along; one line says so.
    ...report.reanchor
      .filter(({ patch, target }) => !gone.has(`${patch} ${target}`))
      .map(
        (one): Risk => ({
          level: one.required ? (bears(one.patch) ? "stop" : "work") : "check",
          text: oneStop(`${one.patch}: anchor ${one.anchor} in ${one.target} ${one.because}.`),
        }),
      ),
  ];
}

function candidateDoubts({ candidate }: BumpFindings): string[] {
  return [
    ...(candidate.commit === undefined
      ? [`What the candidate is built from is not known: ${candidate.why ?? "no source commit of it was observed"}.`]
      : []),
    ...(candidate.available === "unknown" ? [`Whether ${candidate.name} can be fetched is not known: ${candidate.because}.`] : []),
  ];
}

/** One line for each reason: a source that is not here leaves many patches unchecked at once. */
export function uncheckedLines({ unchecked }: BumpFindings): string[] {
  return [...groupBy(unchecked, ({ because }) => because)].map(([because, some]) => {
    const patches = [...new Set(some.map(({ patch }) => patch))];
    return `${patches.join(", ")} ${patches.length === 1 ? "was" : "were"} not checked: ${because}.`;
  });
}

export const blocks = ({ stake, waits, carried }: Pick<Change, "stake" | "waits" | "carried">): boolean =>
  stake === "blocks" && waits && !carried;

const oneStop = (text: string): string => text.replace(/([.!?])\.$/, "$1");
