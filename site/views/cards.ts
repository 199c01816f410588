import type { Model } from "../../src/model/kinds.ts";
import type { Variant } from "../../src/model/shapes/variant.ts";
import { STANDINGS } from "../../src/report/pages/single-card.ts";
import type { Workload } from "../client/pick.ts";
import { cliffOrder } from "./cliff.ts";

const RANK = Object.keys(STANDINGS);

/** Configurations as the picker lists them without a wish: safe ones first, fewer cards first. */
export const variantOrder = (model: Model): [string, Variant][] =>
  Object.entries(model.variant).sort(
    ([a, one], [b, two]) =>
      RANK.indexOf(one.standing) - RANK.indexOf(two.standing) || one.cards - two.cards || one.order - two.order || (a < b ? -1 : 1),
  );

/** What people do that fires a cliff which is not closed; from the cliffs' own patterns. */
export function workloads(model: Model): Workload[] {
  return cliffOrder(model).flatMap(([id, cliff]) =>
    cliff.standing === "closed"
      ? []
      : cliff.patterns.flatMap((row, index) =>
          row.fires === "yes" || row.fires === "borderline"
            ? [{ key: `${id}.${index + 1}`, does: row.pattern.trim(), cliff: id, cliffName: cliff.short, fires: row.fires }]
            : [],
        ),
  );
}

/** The measurement behind a number of a configuration: the one that has that very number. Undefined: none has it. */
export function measuredBy(model: Model, variant: Variant, number: "narrative" | "code" | "vram_gb"): string | undefined {
  const wanted = number === "vram_gb" ? variant.vram_gb : variant.tps?.[number];
  if (wanted === undefined) return undefined;
  return variant.measured.find((id) => {
    const row = model.measurement[id];
    return (number === "vram_gb" ? row?.vram_gb : row?.tps?.[number]) === wanted;
  });
}
