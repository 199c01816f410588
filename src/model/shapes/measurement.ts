import { z } from "zod";
import { RESULTS } from "../vocabulary.ts";
import { day, id, keys, note, positive, source, text } from "./common.ts";

/** The configuration a measurement or a variant ran with. Units are in the key names. */
export const setup = {
  model: text.optional(),
  engine: text.optional(),
  cards: z.number().int().positive().optional().meta({ description: "GPUs used." }),
  context: positive.optional().meta({ description: "Maximum context in tokens; 180K is 180000." }),
  mem_util: positive.optional().meta({ description: "Fraction of GPU memory the engine may use." }),
  kv: text.optional().meta({ description: "KV cache format." }),
  vision: z.boolean().optional(),
  drafter: text.optional().meta({ description: "Speculative decoding: none, or its kind and depth." }),
};

/** `data/measurements/*.yaml`: one run and its outcome. */
export const measurement = z.strictObject({
  title: text,
  on: day.meta({ description: "The day of the run." }),
  rig: text.meta({ description: "Hardware it ran on." }),
  pins: z.array(id).default([]).meta({ description: "Pins it ran on." }),
  build: text.optional().meta({ description: "Builds it ran on, when they are not pins here." }),
  variant: id.optional(),
  config: z.strictObject({
    ...setup,
    patches: z.array(text).default([]).meta({ description: "Patches or patch-layer flags that were on." }),
    batched_tokens: positive.optional().meta({ description: "Tokens a prefill chunk may hold." }),
    other: text.optional(),
  }),
  test: text.meta({ description: "What was run." }),
  prompt_tokens: positive.optional().meta({ description: "Length of the prompt or accumulated context in tokens." }),
  result: keys(RESULTS),
  allocation_mib: positive.optional().meta({ description: "The allocation that failed, in MiB." }),
  free_mib: z.number().nonnegative().optional().meta({ description: "Free memory at the failure or the end of the run, in MiB." }),
  boot_mib: positive.optional().meta({ description: "Memory resident after the start, in MiB." }),
  vram_gb: positive.optional().meta({ description: "Memory in use, in GB." }),
  kv_gib: positive.optional().meta({ description: "KV pool in GiB." }),
  kv_tokens: positive.optional().meta({ description: "KV pool in tokens." }),
  concurrency: positive.optional().meta({ description: "Requests of full context the KV pool holds." }),
  wall_s: positive.optional().meta({ description: "Wall time in seconds." }),
  tps: z
    .strictObject({
      narrative: positive.optional(),
      code: positive.optional(),
      decode: positive.optional(),
      prefill: positive.optional(),
    })
    .optional()
    .meta({ description: "Tokens a second." }),
  acceptance_length: positive.optional().meta({ description: "Mean accepted tokens a speculative step." }),
  outcome: text.optional().meta({ description: "What happened, in a sentence." }),
  source,
  superseded_by: id.optional(),
  notes: z.array(note).default([]),
});
export type Measurement = z.infer<typeof measurement>;
