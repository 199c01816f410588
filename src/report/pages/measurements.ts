import type { PhrasingContent } from "mdast";
import type { Measurement } from "../../model/shapes/measurement.ts";
import { RESULTS } from "../../model/vocabulary.ts";
import type { Inline } from "../markdown/build.ts";
import { anchor, join, lineBreak, link, prose, strong, text } from "../markdown/build.ts";
import { thousands, tokens } from "../words.ts";

const SIGNS = { pass: "✔", fail: "✖", "boot-fail": "✖", refused: "✖", indeterminate: "?", untested: "·" } as const;

/** Columns of a table of measurements. */
export const MEASUREMENT_COLUMNS = ["Run", "Configuration", "Test", "Result", "Memory", "Speed"];

/** One measurement as a table row; numbers carry their unit. */
export function measurementRow(id: string, row: Measurement, withAnchor = true): Inline[] {
  return [
    [...(withAnchor ? [anchor(id)] : []), link(`../data/measurements/${id}.yaml`, row.on), lineBreak(), ...prose(row.title)],
    configText(row),
    [...prose(row.test), ...(row.prompt_tokens === undefined ? [] : [text(` (${tokens(row.prompt_tokens)} tokens)`)])],
    [
      strong(`${SIGNS[row.result]} ${row.result}`),
      text(`: ${row.outcome ?? RESULTS[row.result]}`),
      ...(row.superseded_by
        ? [lineBreak(), text("Superseded by "), link(`../data/measurements/${row.superseded_by}.yaml`, row.superseded_by)]
        : []),
    ],
    memoryText(row),
    speedText(row),
  ];
}

export function configText(row: Measurement): PhrasingContent[] {
  const { config } = row;
  const parts = [
    config.context === undefined ? undefined : tokens(config.context),
    config.mem_util === undefined ? undefined : `mem-util ${config.mem_util}`,
    config.kv,
    config.vision === undefined ? undefined : config.vision ? "vision" : "no vision",
    config.drafter === undefined ? undefined : config.drafter === "none" ? "no drafter" : config.drafter,
    config.cards !== undefined && config.cards > 1 ? `${config.cards} cards` : undefined,
    config.batched_tokens === undefined ? undefined : `${thousands(config.batched_tokens)} batched tokens`,
    ...(config.patches.length > 0 ? [config.patches.join(" + ")] : []),
    config.other,
  ].filter((part) => part !== undefined);
  return join(
    parts.map((part) => prose(part)),
    ", ",
  );
}

function memoryText(row: Measurement): string {
  return [
    row.allocation_mib === undefined ? undefined : `asked for ${thousands(row.allocation_mib)} MiB`,
    row.free_mib === undefined ? undefined : `${thousands(row.free_mib)} MiB free`,
    row.boot_mib === undefined ? undefined : `${thousands(row.boot_mib)} MiB after start`,
    row.vram_gb === undefined ? undefined : `${row.vram_gb} GB in use`,
    row.kv_gib === undefined ? undefined : `KV pool ${row.kv_gib} GiB`,
    row.kv_tokens === undefined ? undefined : `KV pool ${thousands(row.kv_tokens)} tokens`,
    row.concurrency === undefined ? undefined : `${row.concurrency}× concurrency`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

function speedText(row: Measurement): string {
  const { tps } = row;
  return [
    row.wall_s === undefined ? undefined : `${thousands(row.wall_s)} s`,
    tps?.narrative === undefined ? undefined : `${tps.narrative} TPS narrative`,
    tps?.code === undefined ? undefined : `${tps.code} TPS code`,
    tps?.decode === undefined ? undefined : `${tps.decode} TPS decode`,
    tps?.prefill === undefined ? undefined : `${tps.prefill} tokens/s prefill`,
    row.acceptance_length === undefined ? undefined : `acceptance length ${row.acceptance_length}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}
