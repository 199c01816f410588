import type { PhrasingContent, RootContent } from "mdast";
import type { Bump, Change } from "../derive/bump.ts";
import type { Step } from "../derive/bump/runbook.ts";
import type { Consolidation } from "../derive/consolidate.ts";
import type { PlannedBuild, Want } from "../derive/plan.ts";
import { ends } from "../derive/plan.ts";
import { shortRef } from "../model/ref.ts";
import type { Inline } from "./markdown/build.ts";
import { checklist, code, heading, list, paragraph } from "./markdown/build.ts";
import { quiet, quietRef } from "./pull-request/quiet.ts";

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
    size: bump.candidate.size ?? null,
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

/** A change in one line. */
export const changeText = (change: Change): string =>
  `${change.pin}: ${shortRef(change.ref)} (${change.item}), ${change.stake}${change.carried ? ", carried here" : ""}: ${change.because}`;

/** What a level of risk asks for, in a word. */
export const RISK_WORDS = { stop: "Stop", work: "Work", check: "Look", gain: "Gain" } as const;
const SIGNS = { stop: "✖", work: "!", check: "?", gain: "✔" } as const;
/** Lines of one step; a report to be read is no log. */
const LINES = 12;

/**
 * The report as Markdown, to be pasted or published: what the bump would bring, by risk, and the runbook as a checklist.
 * It notifies nobody upstream: numbers of pull requests become quiet links, and everything else that is loud stands in code.
 * @param depth of its heading
 */
export function bumpSection(bump: Bump, depth: 2 | 3 = 2): RootContent[] {
  const { artifact, commit } = bump.candidate;
  return [
    heading(depth, quiet(bumpTitle(bump))),
    paragraph([code(artifact), commit === undefined ? ", source not known" : ` (source ${commit.slice(0, 10)})`]),
    bump.risks.length > 0 ? list(riskLines(bump)) : paragraph("Nothing is known that would change."),
    heading(depth === 2 ? 3 : 4, ["Runbook to ", ...quiet(bump.candidate.name)]),
    runbookList(bump),
  ];
}

export const bumpTitle = ({ pins, candidate }: Bump): string => `${pins.map(({ pin }) => pin).join(", ")} to ${candidate.name}`;

/** Of each step the gates that are told at it: variants go through the same ones, so these stand at the first variant alone. */
export function gatesTold(steps: readonly Step[]): string[][] {
  const first = steps.findIndex(({ variant }) => variant !== undefined);
  return steps.map(({ gates, variant }, index) => (variant === undefined || index === first ? gates : []));
}

/** What is said of the gates of the variants; undefined when there are none. */
export const gatesNote = (steps: readonly Step[]): string | undefined =>
  steps.some(({ variant, gates }) => variant !== undefined && gates.length > 0)
    ? "Every variant goes through the same gates before the next one moves. When one fails: put the old build back, and stop."
    : undefined;

/** What a bump would bring, the worst first, one line each. */
export const riskLines = ({ risks, candidate }: Bump): Inline[] =>
  risks.map(({ level, text }): Inline => [`${SIGNS[level]} ${RISK_WORDS[level]}: `, ...linked(text, candidate.repo)]);

function runbookList({ runbook, candidate: { repo } }: Bump): RootContent {
  return checklist(
    runbook.map(({ title, detail, gates }) => {
      const rest = detail.length - LINES;
      const lines = [...detail.slice(0, LINES), ...(rest > 0 ? [`And ${rest} more.`] : []), ...gates.map((gate) => `Gate: ${gate}`)];
      return { done: false, text: `${title}.`, details: lines.map((line) => linked(line, repo)) };
    }),
  );
}

/** A line may name every patch of the stack, which is no text of other people. */
const LONGEST = 4000;

function linked(words: string, repo: string | undefined): PhrasingContent[] {
  if (repo === undefined) return quiet(words, LONGEST);
  return words
    .split(/(?<![\w/#])#(\d+)\b/)
    .flatMap((part, index) => (index % 2 === 1 ? [quietRef(`${repo}#${part}`, "pull-request")] : part === "" ? [] : quiet(part, LONGEST)));
}
