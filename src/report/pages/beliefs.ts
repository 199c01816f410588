import type { Derived } from "../../derive/derive.ts";
import { clause, day } from "../../derive/proof.ts";
import type { Inline } from "../markdown/build.ts";
import { code, foreign, heading, join, list, paragraph, prose, refLink, strong, table } from "../markdown/build.ts";
import { noteText, rowLink } from "./page.ts";
import type { RootContent } from "mdast";

export function contradictions(derived: Derived): RootContent[] {
  const rows = derived.contradictions.map(({ item, ref, claim, fact, kind }): Inline[] => [
    rowLink("item", item),
    refLink(ref, derived.world.facts.thread(ref)?.kind),
    `${claim.says}, ${claim.on}`,
    `${fact.state}${fact.since ? ` since ${day(fact.since)}` : ""}`,
    kind,
    [foreign(fact.source), ...(fact.asOf ? [`, seen ${day(fact.asOf)}`] : [", seen on an unknown day"])],
  ]);
  return [
    heading(2, "Claims that the facts contradict"),
    paragraph([
      code("wrong-then"),
      ": not so on the day of the claim. ",
      code("outdated"),
      ": overtaken on a known day. ",
      code("undated"),
      ": does not hold, since when is not known.",
    ]),
    rows.length > 0 ? table(["Row", "Reference", "Claimed", "Observed", "Kind", "Source"], rows) : paragraph("None."),
  ];
}

export function disagreements(derived: Derived): RootContent[] {
  const { disagreements: rows } = derived.world.model.tracker;
  if (rows.length === 0) return [];
  return [
    heading(2, "Documents that disagree"),
    paragraph("Both sides stand until somebody settles them."),
    list(
      rows.map((row) => [
        strong(prose(row.about)),
        ": ",
        ...join(
          row.says.map((side) => [...prose(side.where), ": ", ...prose(clause(side.text))]),
          " · ",
        ),
        ...(row.note ? [" ", ...prose(row.note)] : []),
      ]),
    ),
  ];
}

export function conventions(derived: Derived): RootContent[] {
  const { conventions: rows, notes } = derived.world.model.tracker;
  return [
    ...(rows.length > 0
      ? [
          heading(2, "Filing conventions"),
          list(
            rows.map((row) => prose(row)),
            true,
          ),
        ]
      : []),
    ...(notes.length > 0 ? [heading(2, "Notes"), list(notes.map((note) => noteText(note)))] : []),
  ];
}
