import { sizeWords } from "../../derive/build.ts";
import type { Bump } from "../../derive/bump.ts";
import type { Risk } from "../../derive/bump/risks.ts";
import { changeText, gatesNote, gatesTold } from "../bump.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../words.ts";

/** What a bump would bring, by risk, and how to go about it. */
export function bumpText(bump: Bump, paint: Paint): string {
  const { candidate } = bump;
  const from = bump.pins.map(({ pin, commit }) => `${pin} (${commit?.slice(0, 10) ?? "source not known"})`).join(", ");
  const source =
    candidate.commit === undefined ? `source not known: ${candidate.why ?? "not observed"}` : `source ${candidate.commit.slice(0, 10)}`;
  return [
    `${paint.bold(`${from} → ${candidate.name}`)}\n  ${candidate.artifact}\n  ${source}${candidate.date ? ` of ${candidate.date}` : ""}; ${availability(bump)}`,
    ...levels(bump.risks, paint),
    ...section("Changes it would bring", bump.newlyContained.map(changeText), paint),
    ...section("Changes it would lose", bump.newlyMissing.map(changeText), paint),
    ...section(
      "Variants to move, in this order",
      bump.variants.map(
        ({ variant, surface, pin }) => `${variant} (${pin}): ${surface === 0 ? "no patched place" : plural(surface, "patched place")}`,
      ),
      paint,
    ),
    ...section(
      "Claims about the build of today",
      bump.staleClaims.map(({ kind, id, on, what }) => `${kind} ${id}, ${on}: ${what.slice(0, 100)}`),
      paint,
      20,
    ),
    runbook(bump, paint),
    summary(bump),
  ].join("\n\n");
}

/** Lines of one step that are printed; `--json` has them all. */
const LINES = 6;

function runbook({ runbook: steps }: Bump, paint: Paint): string {
  const gates = gatesTold(steps);
  const note = gatesNote(steps);
  const lines = steps.flatMap(({ title, detail }, index) => {
    const rest = detail.length - LINES;
    return [
      `  ${index + 1}. [ ] ${title}`,
      ...detail.slice(0, LINES).map((line) => `         ${line}`),
      ...(rest > 0 ? [`         and ${rest} more: --json`] : []),
      ...(gates[index] ?? []).map((gate) => paint.dim(`         gate: ${gate}`)),
    ];
  });
  return [paint.bold("Runbook"), ...lines, ...(note === undefined ? [] : [`  ${note}`])].join("\n");
}

const FETCHED = { yes: "its registry has it", gone: "its registry no longer has it", unknown: "whether it can be fetched is not known" };
const availability = ({ candidate }: Bump): string => `${FETCHED[candidate.available]} (${candidate.because}); ${sizeWords(candidate)}`;

function levels(risks: readonly Risk[], paint: Paint): string[] {
  const parts = {
    stop: [paint.red("✖ Stands against it"), "✖"],
    work: [paint.yellow("! To be done for it"), "!"],
    check: [paint.yellow("? To be looked at"), "?"],
    gain: [paint.green("✔ What it brings"), "✔"],
  } as const;
  return (Object.keys(parts) as (keyof typeof parts)[]).flatMap((level) => {
    const found = risks.filter((risk) => risk.level === level);
    return found.length === 0
      ? []
      : [`${parts[level][0]} (${found.length})\n${found.map(({ text }) => `  ${parts[level][1]} ${text}`).join("\n")}`];
  });
}

function section(title: string, lines: readonly string[], paint: Paint, most = 30): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - most;
  return [
    `${paint.bold(`${title} (${lines.length})`)}\n${lines
      .slice(0, most)
      .map((line) => `  ${line}`)
      .join("\n")}${rest > 0 ? `\n  and ${rest} more: --json` : ""}`,
  ];
}

function summary(bump: Bump): string {
  const stops = bump.risks.filter(({ level }) => level === "stop").length;
  const works = bump.reanchor.length + bump.conflicts.length;
  return [
    stops > 0 ? `${plural(stops, "thing")} ${stops === 1 ? "stands" : "stand"} against it` : "Nothing known stands against it",
    `${plural(bump.newlyContained.length, "change")} newly contained`,
    `${plural(bump.droppable.length, "patch or workaround", "patches or workarounds")} can go`,
    works > 0 ? `${plural(works, "place")} in patches to redo or look at` : "no known work on patches",
    `${plural(bump.unchecked.length, "part")} of patches not checked`,
  ]
    .join(", ")
    .concat(".");
}
