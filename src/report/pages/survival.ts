import type { RootContent, Table } from "mdast";
import { resolveCandidate } from "../../derive/candidate.ts";
import { consolidate } from "../../derive/consolidate.ts";
import type { Consolidation } from "../../derive/consolidate.ts";
import type { Derived } from "../../derive/derive.ts";
import { changeName } from "../../derive/survival/judgement.ts";
import { recordedJudgements } from "../../derive/survival/recorded.ts";
import { groupBy } from "../../model/group.ts";
import { DELIVERED, SURVIVAL } from "../../model/vocabulary.ts";
import type { Inline } from "../markdown/build.ts";
import { code, heading, list, paragraph, table } from "../markdown/build.ts";
import type { PatchRow } from "../survival.ts";
import { patchRows, survivalSign } from "../survival.ts";
import { plural } from "../words.ts";

/** Patches against the pins they run on, from what was recorded of the upstreams' sources. */
export function survival(derived: Derived): RootContent[] {
  const found = survivalTable(derived);
  if (!found) return [];
  return [
    heading(2, "Do the patches still apply?"),
    paragraph(
      "Judged on each pin's own source, as recorded. “Applies” is necessary, not sufficient: a patch can apply and still do nothing.",
    ),
    found,
  ];
}

/** A table of patches against the pins they run on: one row a patch, one column a pin. For pages and the pull request. */
export function survivalTable(derived: Derived): Table | undefined {
  const rows = patchRows(derived, recordedJudgements(derived.world)).filter(({ commit }) => commit !== null);
  const pins = [...new Set(rows.flatMap((row) => row.pins))].sort();
  const patches = [...new Set(rows.map(({ patch }) => patch))];
  return rows.length === 0
    ? undefined
    : table(
        ["Patch", ...pins],
        patches.map((patch): Inline[] => [
          code(patch),
          ...pins.map((pin) => cell(rows.find((row) => row.patch === patch && row.pins.includes(pin)))),
        ]),
      );
}

/** Why the pins of an upstream are not fewer, where it has several. */
export function consolidations(derived: Derived): RootContent[] {
  const { world } = derived;
  const judgements = groupBy(recordedJudgements(world), ({ commit }) => commit);
  const live = Object.values(derived.pins).filter(({ id, live: is }) => is && world.model.pin[id]?.mutability === "immutable");
  return [...groupBy(live, ({ id }) => world.model.pin[id]?.upstream ?? "")].flatMap(([upstream, pins]) => {
    if (pins.length < 2) return [];
    const builds = pins.flatMap(({ artifact }) => {
      const found = resolveCandidate(world, artifact, [upstream]);
      return found.state === "unclear" ? [] : [found.build];
    });
    return consolidationSection(consolidate(derived, upstream, builds, (commit) => judgements.get(commit)));
  });
}

function cell(row: PatchRow | undefined): Inline {
  if (!row) return "–";
  const lost = row.judgement?.targets.flatMap(({ anchors }) => anchors).find(({ lostAt }) => lostAt !== null)?.lostAt;
  const since = row.judgement?.targets.find((target) => target.since)?.since ?? lost;
  const missed = row.delivery.filter(({ verdict }) => DELIVERED[verdict].fails).length;
  const parts = [
    `${survivalSign(row.verdict)} ${SURVIVAL[row.verdict].words}`,
    ...(since && SURVIVAL[row.verdict].level !== "fine" ? [` since ${changeName(since)}`] : []),
    ...(missed > 0 ? [`; not delivered to ${missed} of ${row.delivery.length} variants`] : []),
  ];
  return parts.join("");
}

/** Why the pins of an upstream cannot be brought to fewer builds yet. */
function consolidationSection(found: Consolidation): RootContent[] {
  const content: RootContent[] = [
    heading(3, `Why ${found.upstream} is not on fewer builds yet`),
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
