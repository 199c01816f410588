import { fileOf } from "../../model/paths.ts";
import { sizeWords } from "../build.ts";
import type { BumpFindings, TouchedVariant } from "../bump.ts";
import type { World } from "../facts.ts";
import { changeName } from "../survival/judgement.ts";
import { isBroken } from "../survival/verdicts.ts";
import { blocks, uncheckedLines } from "./risks.ts";

/** One entry of the runbook. */
export interface Step {
  title: string;
  /** What exactly: one line each. */
  detail: string[];
  /** What must hold before the next step; when it does not, go back and stop. Empty: nothing is to be tested. */
  gates: string[];
  variant?: string;
}

/** Gates where the stack names none (data/tracker.yaml, gates). */
const GATES = [
  "Start it and follow its log; the first traceback stops the bump.",
  "The stack's full check and its stress test pass.",
  "It is as fast as before, within 5%.",
];

/**
 * The order of a bump: first what stands against it and the patches, before anything runs; then one variant at a time, the one with
 * the fewest patched places first, each through its gates; then what the new build makes needless; then the old build.
 */
export function runbookOf(world: World, report: BumpFindings): Step[] {
  const step = (title: string, detail: string[], gates: string[] = []): Step[] => (detail.length > 0 ? [{ title, detail, gates }] : []);
  return [
    ...step(`Make sure that ${report.candidate.name} can be fetched`, fetchLines(report), [
      "The image is there, and it says that it is built from that commit.",
    ]),
    ...step("Settle what stands against it, or stay", blockers(report), ["Each of them has an answer that is written down."]),
    ...step("Redo the patches that do not fit, on a branch", patchLines(report), ["npm run patches -- --at BUILD finds nothing broken."]),
    ...step("Look at what may not do what it did", lookLines(report)),
    ...step(
      "Point the pins at the new build",
      report.pins.map(({ pin }) => pinLine(pin, report)),
    ),
    ...report.variants.map((touched) => moveStep(world, report, touched)),
    ...step("Drop what the new build makes needless", report.droppable.map(dropLine)),
    ...step(
      "Run the tests that are due",
      report.triggers.map(({ title, id }) => `${title} (${id}).`),
    ),
    ...step(
      "Look anew at what was claimed on the old build",
      report.staleClaims.map(({ kind, id, on, what }) => `${kind} ${id}, ${on}: ${short(what)}`),
    ),
    ...step(
      "Let the old build go, when nothing uses it any more",
      report.pins.map(
        ({ artifact }) => `Remove the cached ${artifact.replace(/^\w+:/, "")}; npm run retire -- ID lists what goes with a pin.`,
      ),
    ),
  ];
}

function moveStep(world: World, { candidate }: BumpFindings, { variant, compose, pin, surface, patches }: TouchedVariant): Step {
  const line = world.model.pin[pin]?.written.find(({ file }) => file === compose)?.line;
  const places = surface === 0 ? "no patched place" : `${surface} patched ${surface === 1 ? "place" : "places"}: ${patches.join(", ")}`;
  return {
    title: `Move ${variant}`,
    variant,
    detail: [`${compose}${line === undefined ? "" : ` (line ${line})`}: use ${candidate.artifact.replace(/^oci:/, "")} (${places}).`],
    gates: world.model.tracker.gates ?? GATES,
  };
}

function fetchLines({ candidate, pins }: BumpFindings): string[] {
  const image = candidate.artifact.replace(/^oci:/, "");
  if (candidate.available === "gone") return [`${image} is gone (${candidate.because}). Choose another build: npm run plan.`];
  if (!candidate.artifact.startsWith("oci:")) {
    const images = pins.some(({ artifact }) => artifact.startsWith("oci:"));
    return images ? [`${candidate.name} is a commit, and the pins are images: find the image that is built from it.`] : [];
  }
  const known = candidate.available === "yes" ? `its registry has it (${candidate.because})` : `not known: ${candidate.because}`;
  return [`docker pull ${image} (${known}; ${sizeWords(candidate)}).`];
}

const blockers = (report: BumpFindings): string[] => [
  ...report.newlyReverted.filter(({ waits }) => waits).map(({ item, because }) => `${item}: ${because}.`),
  ...[...report.newlyMissing, ...report.stillMissing].filter(blocks).map(({ item, because }) => `${item}: ${because}.`),
];

const patchLines = (report: BumpFindings): string[] => [
  ...report.reanchor.map(
    ({ patch, anchor, target, lostAt }) =>
      `${patch}: find ${anchor} anew in ${target}${lostAt ? `; ${changeName(lostAt)} took it away` : ""}.`,
  ),
  ...report.conflicts
    .filter(({ verdict }) => isBroken(verdict))
    .map(({ patch, target, because }) => `${patch}${target ? `, ${target}` : ""}: ${because}.`),
];

const lookLines = (report: BumpFindings): string[] => [
  ...report.conflicts
    .filter(({ verdict }) => !isBroken(verdict))
    .map(({ patch, target, because }) => `${patch}${target ? `, ${target}` : ""}: ${because}.`),
  ...uncheckedLines(report),
];

const pinLine = (pin: string, { candidate }: BumpFindings): string =>
  `${fileOf("pin", pin)}: artifact: "${candidate.artifact}"${candidate.commit === undefined ? "" : `, source: { commit: "${candidate.commit}" }`}.`;

const dropLine = ({ patch, item, because, by }: BumpFindings["droppable"][number]): string =>
  patch === undefined
    ? `${item}: ${because}`
    : `npm run retire -- ${patch}: ${because}${by === "covered" ? " Its own condition does not say so; correct it, or drop the patch by hand." : ""}`;

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
