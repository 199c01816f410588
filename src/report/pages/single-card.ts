import type { PhrasingContent, RootContent } from "mdast";
import type { Derived } from "../../derive/derive.ts";
import { clause } from "../../derive/proof.ts";
import type { Variant } from "../../model/shapes/variant.ts";
import type { Inline } from "../markdown/build.ts";
import { anchor, code, heading, join, label, lineBreak, link, list, page, paragraph, prose, strong, table } from "../markdown/build.ts";
import { tokens } from "../words.ts";
import { MEASUREMENT_COLUMNS, measurementRow } from "./measurements.ts";
import type { Page } from "./page.ts";
import { noteText } from "./page.ts";

/** What a standing means to somebody who has to choose. The order is the order of the page. */
export const STANDINGS = {
  safe: { title: "Safe paths", means: "No known cliff fires on these for the workloads named." },
  recommended: {
    title: "Recommended where their caveats do not apply",
    means: "First choice for the workloads named; a cliff fires outside them.",
  },
  available: { title: "Available", means: "They run; another configuration usually serves better." },
  diagnostic: { title: "For diagnosis", means: "To tell a problem of the stack from one of its layers." },
  experimental: { title: "Experimental", means: "Not settled; numbers may move." },
} as const;

/** Which configuration to run: safe paths first, every number with its measurement, and why not the others. */
export function singleCardPage(derived: Derived): Page {
  const { model } = derived.world;
  const variants = Object.entries(model.variant).sort(
    ([a, one], [b, two]) => rank(one) - rank(two) || one.order - two.order || (a < b ? -1 : 1),
  );
  const single = variants.filter(([, variant]) => variant.cards === 1);
  const more = variants.filter(([, variant]) => variant.cards > 1);
  const children: RootContent[] = [
    paragraph(
      "Which configuration fits one 24 GB card, and when two cards are the honest answer. Safe paths come first; every number links to its measurement.",
    ),
    heading(2, "Pick by workload, one card"),
    table(
      ["Workload", "Configuration", "Safe?", "Context", "TPS narrative / code", "Memory a card"],
      single.flatMap(([id, variant]) => variant.workloads.map((workload) => pickRow(id, variant, workload))),
    ),
    ...warning(derived, single),
    ...Object.entries(STANDINGS).flatMap(([standing, { title, means }]) => {
      const rows = single.filter(([, variant]) => variant.standing === standing);
      return rows.length > 0
        ? [heading(2, title), paragraph(means), ...rows.flatMap(([id, variant]) => variantSection(derived, id, variant))]
        : [];
    }),
    heading(2, "With more cards"),
    paragraph("Configurations for two or more cards, where the single-card cliffs are split across cards or do not exist."),
    table(
      ["Workload", "Configuration", "Safe?", "Context", "TPS narrative / code", "Memory a card"],
      more.map(([id, variant]) => pickRow(id, variant, variant.workloads.join("; "), true)),
    ),
    ...more.flatMap(([id, variant]) => variantSection(derived, id, variant)),
    ...measurements(derived),
  ];
  return {
    path: "content/SINGLE_CARD.md",
    tree: page("Single card: what fits, what is safe", "Pick a configuration for one 24 GB card by workload; safe paths first.", children),
  };
}

const rank = (variant: Variant) => Object.keys(STANDINGS).indexOf(variant.standing);

function pickRow(id: string, variant: Variant, workload: string, cards = false): Inline[] {
  return [
    prose(workload),
    [
      link(`#${id}`, strong(prose(variant.title))),
      lineBreak(),
      code(variant.slug ?? id),
      ...(cards ? [lineBreak(), `${variant.cards} cards`] : []),
    ],
    safety(variant),
    variant.context === undefined ? "" : tokens(variant.context),
    speed(variant),
    variant.vram_gb === undefined ? "" : `${variant.vram_gb} GB`,
  ];
}

/** Safety in words: the cliffs that fire, or that none does. */
export function safety(variant: Variant): PhrasingContent[] {
  if (variant.cliffs.length === 0)
    return variant.standing === "safe" ? [strong("Safe"), ...prose(": no known cliff")] : [...prose("No cliff recorded")];
  return [
    strong("With limits"),
    ...prose(": "),
    ...join(variant.cliffs.map((id) => link(`./CLIFFS.md#${id}`, code(id)))),
    ...prose(" can fire"),
  ];
}

function speed(variant: Variant): Inline {
  const { tps } = variant;
  if (!tps) return "not measured";
  const words = `${tps.narrative ?? "–"} / ${tps.code ?? "–"}`;
  const [first] = variant.measured;
  return first ? link(`#${first}`, words) : words;
}

function warning(derived: Derived, single: [string, Variant][]): RootContent[] {
  const cliffs = Object.entries(derived.world.model.cliff).filter(
    ([id, cliff]) => cliff.standing !== "closed" && single.some(([, variant]) => variant.cliffs.includes(id)),
  );
  if (cliffs.length === 0) return [];
  return [
    heading(2, "Read first"),
    list(
      cliffs.map(([id, cliff]) => [
        link(`./CLIFFS.md#${id}`, strong(cliff.short)),
        ` (${cliff.standing}): `,
        ...prose(cliff.trigger),
        " Ways around it: ",
        ...join(
          cliff.escapes.map((way) => prose(clause(way.what))),
          "; ",
        ),
        ".",
      ]),
    ),
  ];
}

function variantSection(derived: Derived, id: string, variant: Variant): RootContent[] {
  const { model } = derived.world;
  const facts: Inline[][] = [
    ["Compose file", code(variant.compose)],
    ...(variant.pin ? [["Pin", link(`./UPSTREAM.md#${variant.pin}`, code(variant.pin))] as Inline[]] : []),
    ["Cards", String(variant.cards)],
    ...(variant.model ? [["Model", prose(variant.model)] as Inline[]] : []),
    ["Context", variant.context === undefined ? "not stated" : `${tokens(variant.context)} tokens`],
    ["Memory share", variant.mem_util === undefined ? "not stated" : String(variant.mem_util)],
    ["KV format", variant.kv ?? "not stated"],
    ["Vision", variant.vision === undefined ? "not stated" : variant.vision ? "yes" : "no"],
    ["Drafter", variant.drafter ?? "not stated"],
    ["Safe?", safety(variant)],
  ];
  return [
    heading(3, variant.title),
    paragraph([anchor(id), ...prose(variant.summary)]),
    paragraph([
      ...label("For"),
      ...join(
        variant.workloads.map((row) => prose(clause(row))),
        "; ",
      ),
      ".",
      ...(variant.avoid_for.length > 0
        ? [
            " ",
            ...label("Not for"),
            ...join(
              variant.avoid_for.map((row) => prose(clause(row))),
              "; ",
            ),
            ".",
          ]
        : []),
    ]),
    table(["Setting", "Value"], facts),
    ...(variant.caveats.length > 0 ? [paragraph([strong("Caveats")]), list(variant.caveats.map((row) => prose(row)))] : []),
    ...(variant.measured.length > 0
      ? [
          paragraph([
            ...label("Measured"),
            ...join(
              variant.measured.flatMap((name) => {
                const row = model.measurement[name];
                return row ? [[link(`#${name}`, prose(row.title)), ` (${row.result}, ${row.on})`]] : [];
              }),
              "; ",
            ),
            ".",
          ]),
        ]
      : [paragraph("No measurement is recorded.")]),
    ...(variant.notes.length > 0 ? [list(variant.notes.map((note) => noteText(note)))] : []),
  ];
}

function measurements(derived: Derived): RootContent[] {
  const { model } = derived.world;
  const used = new Set(Object.values(model.variant).flatMap((variant) => variant.measured));
  const rows = Object.entries(model.measurement).filter(([id]) => used.has(id));
  return [
    heading(2, "Measurements behind the numbers"),
    table(
      MEASUREMENT_COLUMNS,
      rows.map(([id, row]) => measurementRow(id, row)),
    ),
  ];
}
