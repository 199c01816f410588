import type { RootContent } from "mdast";
import type { Bump, Change } from "../derive/bump.ts";
import type { Consolidation } from "../derive/consolidate.ts";
import type { PlannedBuild, Want } from "../derive/plan.ts";
import { ends } from "../derive/plan.ts";
import { shortRef } from "../model/ref.ts";
import { checklist, code, heading, list, paragraph } from "./markdown/build.ts";
import { plural } from "./words.ts";

/** What `check-pins --to` adds to `check-pins --json`. Fields are added, never renamed. */
export const bumpJson = (bump: Bump) => ({
  candidate: {
    artifact: bump.candidate.artifact,
    name: bump.candidate.name,
    repo: bump.candidate.repo ?? null,
    commit: bump.candidate.commit ?? null,
    why: bump.candidate.why ?? null,
    date: bump.candidate.date ?? null,
    available: bump.candidate.available,
    because: bump.candidate.because,
    size: null,
  },
  from: bump.pins.map(({ pin, artifact, commit }) => ({ pin, artifact, commit: commit ?? null })),
  newlyContained: bump.newlyContained,
  newlyReverted: bump.newlyReverted,
  newlyMissing: bump.newlyMissing,
  stillMissing: bump.stillMissing,
  untold: bump.untold,
  droppable: bump.droppable,
  reanchor: bump.reanchor,
  conflicts: bump.conflicts,
  unchecked: bump.unchecked,
  variants: bump.variants,
  wouldFire: bump.triggers,
  staleClaims: bump.staleClaims,
  risks: bump.risks,
  runbook: bump.runbook,
  exitCode: bump.exitCode,
});

/** `plan --json`. Fields are added, never renamed. */
export function planJson(
  wants: readonly Want[],
  builds: readonly PlannedBuild[],
  consolidation: readonly Consolidation[],
  notChecked: readonly string[],
) {
  const one = ({ build, satisfies, answers, cost }: PlannedBuild) => ({
    artifact: build.artifact,
    name: build.name,
    commit: build.commit ?? null,
    date: build.date ?? null,
    available: build.available,
    published: build.published,
    satisfies,
    answers,
    cost,
  });
  const { earliest, newest } = ends(builds);
  return {
    wants: wants.map(({ text }) => text),
    builds: builds.map(one),
    earliest: earliest && one(earliest),
    newest: newest && one(newest),
    consolidation: consolidation.map((found) => ({
      ...found,
      builds: found.builds.map((build) => ({ ...build, commit: build.commit ?? null })),
    })),
    notChecked,
  };
}

const LEVELS = { stop: "Stop", work: "Work", check: "Look", gain: "Gain" } as const;

/** The bump report as Markdown, for pages and the pull request. */
export function bumpSection(bump: Bump, depth: 2 | 3 = 2): RootContent[] {
  const names = bump.pins.map(({ pin }) => pin).join(", ");
  const risks = bump.risks.map(({ level, text }) => `${LEVELS[level]}: ${text}`);
  return [
    heading(depth, `${names} to ${bump.candidate.name}`),
    paragraph([
      code(bump.candidate.artifact),
      bump.candidate.commit === undefined ? ", source not known" : ` (${bump.candidate.commit.slice(0, 10)})`,
    ]),
    ...(risks.length > 0 ? [list(risks)] : [paragraph("Nothing is known that would change.")]),
    heading(depth === 2 ? 3 : 4, "Runbook"),
    checklist(bump.runbook.map(({ title, detail }) => ({ done: false, text: `${title}: ${detail.slice(0, 8).join(" ")}` }))),
  ];
}

/** Why the pins of an upstream cannot be brought to fewer builds yet. */
export function consolidationSection(found: Consolidation, depth: 2 | 3 = 2): RootContent[] {
  const content: RootContent[] = [
    heading(depth, "Why we cannot consolidate yet"),
    paragraph(`${plural(found.pins.length, "pin")} of ${found.upstream} need ${plural(found.builds.length, "build")}.`),
    list(found.builds.map((build) => [code(build.artifact), ` serves ${build.pins.join(", ")}`])),
  ];
  if (!found.smaller) return [...content, paragraph("One build serves them all.")];
  for (const build of found.smaller.builds) {
    content.push(
      paragraph(["With one build fewer, ", code(build.artifact), " would have to take over more; what stands against it:"]),
      list(
        build.pins.flatMap(({ pin, can, because }) =>
          can === "yes" ? [`${pin}: nothing`] : because.slice(0, 12).map((reason) => `${pin}: ${reason}`),
        ),
      ),
    );
  }
  return content;
}

/** A change in one line. */
export const changeText = (change: Change): string =>
  `${change.pin}: ${shortRef(change.ref)} (${change.item}), ${change.stake}${change.carried ? ", carried here" : ""}: ${change.because}`;
