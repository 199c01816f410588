import { z } from "zod";
import { id, note, positive, text } from "./common.ts";
import { setup } from "./measurement.ts";

/** `data/variants/*.yaml`: one configuration a user can start. */
export const variant = z.strictObject({
  title: text,
  slug: text.optional().meta({ description: "The name the stack's switch script knows." }),
  compose: text.meta({ description: "Compose file of the stack." }),
  pin: id.optional().meta({ description: "The image pin it runs." }),
  ...setup,
  cards: z.number().int().positive().meta({ description: "GPUs it needs." }),
  standing: z.enum(["recommended", "safe", "available", "diagnostic", "experimental"]).meta({
    description: "safe: no known cliff for its workloads; recommended: first choice where no cliff is met; the rest are not first choices.",
  }),
  order: z.number().int().default(100).meta({ description: "Place in the picker among its standing; lower comes first." }),
  workloads: z.array(text).min(1).meta({ description: "What it is for." }),
  avoid_for: z.array(text).default([]).meta({ description: "What it is not safe for." }),
  tps: z
    .strictObject({ narrative: positive.optional(), code: positive.optional() })
    .optional()
    .meta({ description: "Tokens a second, as published." }),
  vram_gb: positive.optional().meta({ description: "Memory a card in GB." }),
  measured: z.array(id).default([]).meta({ description: "Measurements behind the numbers." }),
  patches: z.array(id).default([]).meta({ description: "Patches it needs." }),
  cliffs: z.array(id).default([]).meta({ description: "Cliffs that can fire on it." }),
  summary: text.meta({ description: "What it is, in one or two sentences." }),
  caveats: z.array(text).default([]),
  notes: z.array(note).default([]),
});
export type Variant = z.infer<typeof variant>;
