import type { Measurement } from "../../src/model/shapes/measurement.ts";
import { thousands, tokens } from "../../src/report/words.ts";

/** Every number of a run with its unit, in the order in which a reader wants them; what was not noted is left out. */
export function numbersOf(row: Measurement): { name: string; value: string }[] {
  const unit = (name: string, value: number | undefined, words: string) =>
    value === undefined ? [] : [{ name, value: `${thousands(value)} ${words}` }];
  return [
    ...unit("Prompt", row.prompt_tokens, "tokens"),
    ...unit("Narrative", row.tps?.narrative, "tokens a second"),
    ...unit("Code", row.tps?.code, "tokens a second"),
    ...unit("Decode", row.tps?.decode, "tokens a second"),
    ...unit("Prefill", row.tps?.prefill, "tokens a second"),
    ...unit("Allocation that failed", row.allocation_mib, "MiB"),
    ...unit("Free at the end", row.free_mib, "MiB"),
    ...unit("Resident after the start", row.boot_mib, "MiB"),
    ...unit("Memory in use, a card", row.vram_gb, "GB"),
    ...unit("KV pool", row.kv_gib, "GiB"),
    ...unit("KV pool", row.kv_tokens, "tokens"),
    ...unit("Full contexts the pool holds", row.concurrency, "requests"),
    ...unit("Wall time", row.wall_s, "seconds"),
    ...unit("Accepted tokens a step, mean", row.acceptance_length, "tokens"),
  ];
}

/** The configuration of a run, with units. */
export function setupOf({ config }: Measurement): { name: string; value: string }[] {
  const say = (name: string, value: string | number | undefined) => (value === undefined ? [] : [{ name, value: String(value) }]);
  return [
    ...say("Model", config.model),
    ...say("Engine", config.engine),
    ...say("Cards", config.cards),
    ...say("Maximum context", config.context === undefined ? undefined : `${tokens(config.context)} tokens`),
    ...say("Share of GPU memory", config.mem_util),
    ...say("KV format", config.kv),
    ...say("Vision", config.vision === undefined ? undefined : config.vision ? "yes" : "no"),
    ...say("Drafter", config.drafter),
    ...say("Prefill chunk", config.batched_tokens === undefined ? undefined : `${thousands(config.batched_tokens)} tokens`),
    ...say("Patches", config.patches.length > 0 ? config.patches.join(", ") : undefined),
    ...say("Besides", config.other),
  ];
}
