import { z } from "zod";
import { CLAIMS, LOCALS, REF_KINDS, ROLES, STAKES, STATUSES } from "../vocabulary.ts";
import { claimOn, day, id, keys, note, ref, text } from "./common.ts";
import { condition } from "./condition.ts";

export const itemRef = z.strictObject({
  ref: ref.meta({ description: "The reference." }),
  role: keys(ROLES).meta({ description: "What the reference is to the row." }),
  ours: z.boolean().optional().meta({ description: "Filed by this stack." }),
  kind: keys(REF_KINDS)
    .optional()
    .meta({ description: "What the row takes the reference for. Another kind upstream makes the status unknown." }),
  title: text.optional().meta({
    description: "What the row remembers the thread to be called. A title about something else upstream makes the status unknown.",
  }),
  confirmed: day.optional().meta({ description: "The day a person checked that a differing kind or title is meant." }),
  note: text.optional(),
});
export type ItemRef = z.infer<typeof itemRef>;

/** `data/items/*.yaml`: one thing the stack waits for, carries or keeps in mind. */
export const item = z.strictObject({
  title: text.meta({ description: "The row's heading." }),
  upstream: id.meta({ description: "The upstream in data/upstreams/." }),
  refs: z.array(itemRef).default([]).meta({ description: "References, with their role. A row without any is valid." }),
  stake: keys(STAKES).meta({ description: "How much depends on it." }),
  why: text.meta({ description: "Why it matters to this stack." }),
  reaches: z
    .array(id)
    .optional()
    .meta({ description: "Pins that must contain the fix. Default: every active pin of the upstream that has a user." }),
  reaches_because: text.optional().meta({ description: "Why reaches is narrower or wider than the default." }),
  local: keys(LOCALS).meta({ description: "What is done about it here." }),
  workaround: z
    .strictObject({
      what: text.meta({ description: "What avoids the problem today." }),
      patches: z.array(id).default([]).meta({ description: "Patches in data/patches/ that carry it." }),
      drop: condition.optional().meta({ description: "When the workaround can go." }),
    })
    .optional(),
  resolves_us: z
    .enum(["yes", "partly", "no"])
    .default("yes")
    .meta({ description: "Whether the fix, once landed, resolves the problem here." }),
  pursued: z.boolean().default(true).meta({ description: "False: upstream does not pursue it." }),
  fixes: z.enum(["any", "all"]).default("any").meta({ description: "Whether one fix reference is enough or all are needed." }),
  filed: z.boolean().default(true).meta({ description: "False: nothing is filed upstream, on purpose or not yet." }),
  lands_when: condition.optional().meta({ description: "For assets and packages: when it counts as landed." }),
  override: z
    .strictObject({
      status: keys(STATUSES),
      because: text,
      until: z.union([z.literal("never"), day, condition]).meta({ description: "A day, a CONDITION, or never." }),
    })
    .optional()
    .meta({ description: "A status set by hand. An expired or needless override is an error." }),
  claim: z
    .strictObject({
      on: claimOn,
      says: keys(CLAIMS).meta({ description: "The state class believed." }),
      about: ref.optional().meta({ description: "The reference the belief is about. Default: the first deciding one." }),
      symbol: text.optional().meta({ description: "The status symbol that stood in the old tracker." }),
      note: text.optional(),
    })
    .optional()
    .meta({ description: "What the maintainers believed. Compared with the facts, never an input to the status." }),
  cliffs: z.array(id).default([]).meta({ description: "Cliffs it bears on." }),
  notes: z.array(note).default([]),
});
export type Item = z.infer<typeof item>;
