import type { PhrasingContent, RootContent } from "mdast";
import type { Derived } from "../../derive/derive.ts";
import { clause } from "../../derive/proof.ts";
import type { Cliff } from "../../model/shapes/cliff.ts";
import type { Inline } from "../markdown/build.ts";
import {
  anchor,
  code,
  heading,
  join,
  label,
  lineBreak,
  link,
  list,
  page,
  paragraph,
  prose,
  refLink,
  strong,
  table,
} from "../markdown/build.ts";
import { symbolWords } from "../words.ts";
import { MEASUREMENT_COLUMNS, measurementRow } from "./measurements.ts";
import type { Page } from "./page.ts";
import { noteText } from "./page.ts";

const STANDING = { open: "Open", regressed: "Regressed", mitigated: "Mitigated", closed: "Closed" } as const;

/** The cliffs: what they are, when they fire, what helps, and what would make us test again. */
export function cliffsPage(derived: Derived): Page {
  const cliffs = Object.entries(derived.world.model.cliff).sort(([a, one], [b, two]) => one.order - two.order || (a < b ? -1 : 1));
  const children = [
    paragraph(
      "A cliff is a boundary of configuration or workload beyond which the server fails in the middle of a request: it starts, accepts the request, and runs out of memory on a small allocation.",
    ),
    ...(cliffs.length > 0 ? [heading(2, "Side by side"), comparison(derived, cliffs)] : [paragraph("No cliff is recorded.")]),
    ...cliffs.flatMap(([id, cliff]) => section(derived, id, cliff)),
  ];
  return { path: "content/CLIFFS.md", tree: page("Cliffs", "Where this stack's configurations fail, why, and what avoids it.", children) };
}

function comparison(derived: Derived, cliffs: [string, Cliff][]): RootContent {
  const row = (title: string, cell: (cliff: Cliff, id: string) => Inline): Inline[] => [
    strong(title),
    ...cliffs.map(([id, cliff]) => cell(cliff, id)),
  ];
  return table(
    ["", ...cliffs.map(([, cliff]) => cliff.short)],
    [
      row("What", (cliff, id) => link(`#${id}`, prose(cliff.title))),
      row("Standing", (cliff) => strong(STANDING[cliff.standing])),
      row("Trigger", (cliff) => prose(cliff.trigger)),
      row("Where it fails", (cliff) => prose(cliff.site)),
      row("Asked for when it fails", (cliff) => prose(cliff.allocation ?? "not known")),
      row("Affects", (cliff) => (cliff.affects.length > 0 ? join(cliff.affects.map((id) => code(id))) : "no configuration known today")),
      row("Ways around it", (cliff) =>
        join(
          cliff.escapes.map((way) => prose(clause(way.what))),
          "; ",
        ),
      ),
      row("Rows it waits for", (cliff) =>
        join(
          cliff.items.map((id) => itemLink(derived, id)),
          "; ",
        ),
      ),
    ],
  );
}

function itemLink(derived: Derived, id: string): PhrasingContent[] {
  const status = derived.items[id]?.status;
  return [link(`./UPSTREAM.md#${id}`, code(id)), ...(status ? prose(` ${symbolWords(status)}`) : [])];
}

function section(derived: Derived, id: string, cliff: Cliff): RootContent[] {
  const { model } = derived.world;
  const part = (title: string, content: RootContent[]): RootContent[] =>
    content.length > 0 ? [heading(3, `${cliff.short}: ${title}`), ...content] : [];
  const optional = <T>(values: readonly T[], make: (values: readonly T[]) => RootContent): RootContent[] =>
    values.length > 0 ? [make(values)] : [];
  return [
    heading(2, cliff.short),
    paragraph([anchor(id), strong(`${STANDING[cliff.standing]}.`), " ", ...prose(clause(cliff.title)), ". ", ...prose(cliff.summary)]),
    ...part(
      "why it happens",
      optional(cliff.mechanisms, (rows) =>
        list(rows.map((row) => [strong(prose(row.name)), ": ", ...prose(row.text), ...(row.ref ? [" (", refLink(row.ref), ")"] : [])])),
      ),
    ),
    ...part("when it fires", [
      ...optional(cliff.patterns, (rows) =>
        table(
          ["Workload", "Fires?", "Because"],
          rows.map((row) => [prose(row.pattern), strong(FIRES[row.fires]), prose(row.because ?? "")]),
        ),
      ),
      ...optional(cliff.thresholds, (rows) =>
        table(
          ["Threshold", "Value", "Note"],
          rows.map((row) => [prose(row.what), prose(row.value), prose(row.note ?? "")]),
        ),
      ),
    ]),
    ...part(
      "measurements",
      cliff.bisections.flatMap((series) => [
        heading(4, `${cliff.short}: ${series.title}`),
        table(
          MEASUREMENT_COLUMNS,
          series.measurements.flatMap((name) => {
            const row = model.measurement[name];
            return row ? [measurementRow(name, row, false)] : [];
          }),
        ),
        ...(series.conclusion ? [paragraph([...label("Conclusion"), ...prose(series.conclusion)])] : []),
      ]),
    ),
    ...part(
      "figures",
      cliff.tables.flatMap((one) => [
        paragraph([strong(prose(one.title))]),
        table(
          one.columns,
          one.rows.map((row) => row.map((cell) => prose(cell))),
        ),
        ...(one.note ? [paragraph(prose(one.note))] : []),
      ]),
    ),
    ...part(
      "mitigations",
      optional(cliff.mitigations, (rows) =>
        table(
          ["Mitigation", "Works?", "Why", "Rows and patches"],
          rows.map((row) => [
            prose(row.what),
            strong(row.works),
            prose(row.why),
            join([...row.items.map((name) => itemLink(derived, name)), ...row.patches.map((name) => [code(name)])]),
          ]),
        ),
      ),
    ),
    ...part(
      "ways around it",
      optional(cliff.escapes, (rows) =>
        list(
          rows.map((row) => [
            strong(prose(row.what)),
            ": ",
            ...prose(row.why),
            ...(row.variants.length > 0
              ? [" Configurations: ", ...join(row.variants.map((name) => link(`./SINGLE_CARD.md#${name}`, code(name)))), "."]
              : []),
          ]),
        ),
      ),
    ),
    ...part(
      "who could fix it",
      optional(cliff.landscape, (rows) =>
        table(
          ["Who", "Fix", "Likelihood", "Effort", "Reference"],
          rows.map((row) => [prose(row.actor), prose(row.fix), prose(row.likelihood), prose(row.effort), row.ref ? refLink(row.ref) : ""]),
        ),
      ),
    ),
    ...part(
      "recommended path",
      optional(cliff.recommended, (rows) =>
        list(
          rows.map((row) => prose(row)),
          true,
        ),
      ),
    ),
    ...part(
      "out of scope",
      optional(cliff.out_of_scope, (rows) => list(rows.map((row) => prose(row)))),
    ),
    ...part(
      "other backends",
      optional(cliff.backends, (rows) =>
        table(
          ["Backend", "Usable?", "Why"],
          rows.map((row) => [prose(row.backend), strong(row.usable), prose(row.why)]),
        ),
      ),
    ),
    ...part("when to test again", triggersOf(derived, cliff)),
    ...part(
      "what was believed before",
      optional(cliff.beliefs, (rows) =>
        table(
          ["Believed", "Since", "Corrected", "Because"],
          rows.map((row) => [prose(row.believed), prose(row.from ?? ""), prose(row.corrected_on), prose(row.because)]),
        ),
      ),
    ),
    ...part(
      "history",
      optional(cliff.history, (rows) =>
        table(
          ["Date", "Build", "What changed"],
          rows.map((row) => [row.on, prose(row.pin ?? ""), [...prose(row.text), ...(row.ref ? [" (", refLink(row.ref), ")"] : [])]]),
        ),
      ),
    ),
    ...part(
      "open questions",
      optional(cliff.open_questions, (rows) => list(rows.map((row) => prose(row)))),
    ),
    ...part("references", [
      ...optional(cliff.references, (rows) => list(rows.map((row) => [refLink(row.ref), ": ", ...prose(row.what)]))),
      ...optional(cliff.notes, (rows) => list(rows.map((row) => noteText(row)))),
    ]),
  ];
}

const FIRES = { yes: "Yes", no: "No", borderline: "Borderline", "other-cliff": "Another cliff fires first" } as const;

function triggersOf(derived: Derived, cliff: Cliff): RootContent[] {
  const rows = cliff.triggers.flatMap((id): Inline[][] => {
    const row = derived.world.model.trigger[id];
    const state = derived.triggers[id];
    if (!row || !state) return [];
    return [
      [
        [link(`./UPSTREAM.md#${id}`, code(id)), lineBreak(), ...prose(row.title)],
        state.when,
        strong(state.life),
        join(
          row.rerun.map((step) => prose(clause(step))),
          "; ",
        ),
        prose(row.acceptance),
      ],
    ];
  });
  return rows.length > 0 ? [table(["Trigger", "Fires when", "State", "Run again", "Accepted when"], rows)] : [];
}
