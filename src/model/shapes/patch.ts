import { z } from "zod";
import { DELIVERIES } from "../vocabulary.ts";
import { claimOn, count, id, keys, note, ref, sha, text } from "./common.ts";
import { condition } from "./condition.ts";

const anchor = z.strictObject({
  id: text.optional(),
  text: text.optional().meta({ description: "Text that must be present in the target." }),
  file: text.optional().meta({ description: "File that holds the anchor text." }),
  pattern: text.optional().meta({ description: "Regular expression instead of text." }),
  required: z.boolean().default(true),
  count: z.number().int().positive().default(1).meta({ description: "How often it must match." }),
});

/** `data/patches/*.yaml`: a local change carried on top of an upstream build. */
export const patch = z.strictObject({
  title: text,
  upstream: id.meta({ description: "The upstream whose code it changes." }),
  delivery: keys(DELIVERIES).meta({ description: "How it reaches the running server." }),
  files: z.array(text).default([]).meta({ description: "Files of the stack it consists of." }),
  targets: z
    .array(z.strictObject({ path: text.meta({ description: "Path in the upstream's source." }), anchors: z.array(anchor).default([]) }))
    .default([])
    .meta({ description: "What it changes upstream." }),
  base: sha.optional().meta({ description: "The upstream commit it was made for." }),
  env: z.array(text).default([]).meta({ description: "Environment flags that switch it on." }),
  part_of: id.optional().meta({ description: "The pin of the patch layer that ships it." }),
  covers: z.array(ref).default([]).meta({ description: "Upstream changes or reports it stands in for." }),
  required_by: z.array(id).default([]).meta({ description: "Variants that need it." }),
  load_bearing: z.boolean().default(false).meta({ description: "True: a variant breaks without it, so it must be delivered." }),
  drop: condition.optional().meta({ description: "When it can go." }),
  dropped: z.strictObject({ on: text, because: text }).optional().meta({ description: "Set when it is no longer carried." }),
  validated: z
    .array(z.strictObject({ pin: id.optional(), on: text, result: text }))
    .default([])
    .meta({ description: "What it was validated on." }),
  claim: z.strictObject({ on: claimOn, users: count.optional(), note: text.optional() }).optional(),
  notes: z.array(note).default([]),
});
export type Patch = z.infer<typeof patch>;
