import type { Consolidation } from "../../derive/consolidate.ts";
import type { PlannedBuild, Want } from "../../derive/plan.ts";
import { ends } from "../../derive/plan.ts";
import type { Paint } from "../paint.ts";
import { plural } from "../words.ts";

/** Which builds satisfy what is wanted, what each would cost, and the fewest builds that serve all pins. */
export function planText(
  wants: readonly Want[],
  builds: readonly PlannedBuild[],
  consolidation: readonly Consolidation[],
  notChecked: readonly string[],
  paint: Paint,
): string {
  return [
    ...(wants.length > 0 ? [wantedText(wants, builds, paint)] : []),
    ...consolidation.map((found) => consolidationText(found, paint)),
    ...(notChecked.length > 0 ? [paint.dim(`Not checked: ${notChecked.join("; ")}.`)] : []),
  ].join("\n\n");
}

function wantedText(wants: readonly Want[], builds: readonly PlannedBuild[], paint: Paint): string {
  const fit = builds.filter(({ satisfies, build }) => satisfies === "yes" && build.available !== "gone");
  const { earliest, newest } = ends(builds);
  const unknown = builds.filter(({ satisfies }) => satisfies === "unknown");
  const head = `${paint.bold(`Wanted: ${wants.map(({ text }) => text).join(" and ")}`)}`;
  const lines = [
    ...fit.map((one) => `  ${paint.green("✔")} ${line(one)}${one === earliest ? "  ← earliest" : ""}${one === newest ? "  ← newest" : ""}`),
    ...unknownLine(unknown),
  ];
  const rest = builds.length - fit.length - unknown.length;
  const none = fit.length === 0 ? [`  No known build is proved to satisfy it.`] : [];
  return [head, ...lines, ...none, `  ${plural(rest, "known build does", "known builds do")} not satisfy it.`].join("\n");
}

/** Builds that cannot be told are named in one line; there may be many, for the same reason. */
function unknownLine(unknown: readonly PlannedBuild[]): string[] {
  const why = unknown[0]?.answers.find(({ truth }) => truth === "unknown")?.because;
  if (why === undefined) return [];
  const names = unknown.map(({ build }) => build.name);
  const shown = names.length > 8 ? `${names.slice(0, 4).join(", ")} … ${names.slice(-3).join(", ")}` : names.join(", ");
  return [`  ? ${plural(unknown.length, "known build")} cannot be told (${shown}), such as: ${why}`];
}

function line({ build, cost }: PlannedBuild): string {
  const exists = { yes: "in its registry", gone: "gone", unknown: build.published ? "registry never asked" : build.because }[
    build.available
  ];
  return `${build.name.padEnd(22)} ${build.date ?? "no date   "}  ${build.commit?.slice(0, 10) ?? "?".padEnd(10)}  ${exists}${cost ? `; ${costText(cost)}` : ""}`;
}

function costText(cost: NonNullable<PlannedBuild["cost"]>): string {
  const parts = [
    cost.lost.length > 0 &&
      `${plural(cost.lost.length, "patch", "patches")} lost (${cost.lost.slice(0, 4).join(", ")}${cost.lost.length > 4 ? ", …" : ""})`,
    cost.reanchor > 0 && `${plural(cost.reanchor, "anchor")} to redo`,
    cost.look.length > 0 && `${cost.look.length} to look at`,
    cost.unchecked.length > 0 && `${cost.unchecked.length} not checked`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(", ") : "no patch lost";
}

function consolidationText(found: Consolidation, paint: Paint): string {
  const lines = [
    paint.bold(`${found.upstream}: ${plural(found.pins.length, "live pin")}, ${plural(found.builds.length, "build")} at least`),
    ...found.builds.map(
      ({ artifact, pins }) => `  ${artifact.replace(/^\w+:/, "").replace(/([0-9a-f]{10})[0-9a-f]{30}/, "$1")} serves ${pins.join(", ")}`,
    ),
    ...(found.unserved.length > 0 ? [`  ${paint.red("✖")} nothing is proved to serve ${found.unserved.join(", ")}`] : []),
  ];
  for (const build of found.smaller?.builds ?? []) {
    lines.push(
      `  One build fewer: ${build.artifact.replace(/^\w+:/, "").replace(/([0-9a-f]{10})[0-9a-f]{30}/, "$1")} comes nearest. Against it:`,
    );
    for (const { pin, can, because } of build.pins) {
      if (can === "yes") lines.push(`    ${paint.green("✔")} ${pin}: nothing`);
      else
        lines.push(
          `    ${can === "no" ? paint.red("✖") : "?"} ${pin}:`,
          ...because.slice(0, 8).map((why) => `        ${why}`),
          ...(because.length > 8 ? [`        and ${because.length - 8} more`] : []),
        );
    }
  }
  return lines.join("\n");
}
