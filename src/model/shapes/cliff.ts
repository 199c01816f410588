import { z } from "zod";
import { day, id, note, ref, text } from "./common.ts";

/** `data/cliffs/*.yaml`: a configuration boundary beyond which the server fails. */
export const cliff = z.strictObject({
  title: text,
  short: text.meta({ description: "Its short name, such as Cliff 2b." }),
  order: z.number().int().default(100),
  standing: z.enum(["open", "regressed", "mitigated", "closed"]).meta({ description: "What the stack's maintainers hold it to be." }),
  summary: text,
  trigger: text.meta({ description: "What makes it fire." }),
  site: text.meta({ description: "Where it fails." }),
  allocation: text.optional().meta({ description: "What is asked for when it fails." }),
  mechanisms: z
    .array(z.strictObject({ name: text, text: text, ref: ref.optional() }))
    .default([])
    .meta({ description: "Why it happens." }),
  beliefs: z
    .array(z.strictObject({ believed: text, from: text.optional(), corrected_on: text, because: text }))
    .default([])
    .meta({ description: "Earlier explanations that turned out wrong." }),
  thresholds: z.array(z.strictObject({ what: text, value: text, note: text.optional() })).default([]),
  patterns: z
    .array(z.strictObject({ pattern: text, fires: z.enum(["yes", "no", "borderline", "other-cliff"]), because: text.optional() }))
    .default([])
    .meta({ description: "Workload patterns and whether they fire it." }),
  affects: z.array(id).default([]).meta({ description: "Variants it can fire on." }),
  mitigations: z
    .array(
      z.strictObject({
        what: text,
        works: z.enum(["yes", "partly", "no", "untested"]),
        why: text,
        patches: z.array(id).default([]),
        items: z.array(id).default([]),
      }),
    )
    .default([]),
  escapes: z
    .array(z.strictObject({ what: text, why: text, variants: z.array(id).default([]) }))
    .default([])
    .meta({ description: "Ways to run where it does not exist." }),
  landscape: z
    .array(z.strictObject({ actor: text, fix: text, likelihood: text, effort: text, ref: ref.optional() }))
    .default([])
    .meta({ description: "Who could fix it." }),
  recommended: z.array(text).default([]).meta({ description: "The recommended path, in order." }),
  out_of_scope: z.array(text).default([]),
  backends: z
    .array(z.strictObject({ backend: text, usable: z.enum(["yes", "no", "partly", "unknown"]), why: text }))
    .default([])
    .meta({ description: "Other backends that were evaluated." }),
  tables: z
    .array(z.strictObject({ title: text, columns: z.array(text).min(2), rows: z.array(z.array(text)), note: text.optional() }))
    .default([])
    .meta({ description: "Comparisons that are not measurements, such as sizes of tensors." }),
  bisections: z
    .array(z.strictObject({ title: text, measurements: z.array(id).min(1), conclusion: text.optional() }))
    .default([])
    .meta({ description: "Series of measurements that belong together." }),
  history: z
    .array(z.strictObject({ on: day, pin: text.optional(), text: text, ref: ref.optional() }))
    .default([])
    .meta({ description: "How its standing changed." }),
  open_questions: z.array(text).default([]),
  items: z.array(id).default([]).meta({ description: "Rows that bear on it." }),
  triggers: z.array(id).default([]).meta({ description: "Re-test triggers." }),
  references: z.array(z.strictObject({ ref, what: text })).default([]),
  notes: z.array(note).default([]),
});
export type Cliff = z.infer<typeof cliff>;
