import { z } from "zod";
import { day, id, note, text } from "./common.ts";
import { condition } from "./condition.ts";
import { itemRef } from "./item.ts";

const life = {
  acknowledged: day.optional().meta({ description: "The day somebody took it up after it fired." }),
  done: z.strictObject({ on: day, outcome: text }).optional().meta({ description: "What came of it." }),
};

/** `data/triggers/*.yaml`: when something is worth testing again. Whether it fired is derived. */
export const trigger = z.strictObject({
  title: text,
  when: condition.meta({ description: "Fires when this is yes." }),
  rerun: z.array(text).min(1).meta({ description: "What to run again." }),
  acceptance: text.meta({ description: "What counts as success." }),
  cliffs: z.array(id).default([]),
  variants: z.array(id).default([]),
  items: z.array(id).default([]),
  why: text.optional(),
  ...life,
  notes: z.array(note).default([]),
});
export type Trigger = z.infer<typeof trigger>;

/** `data/follow-ups/*.yaml`: a decision put off. */
export const followUp = z.strictObject({
  title: text,
  why_deferred: text,
  when: condition.optional().meta({ description: "Revisit when this is yes." }),
  decide: text.meta({ description: "What to do or decide." }),
  refs: z.array(itemRef).default([]).meta({ description: "Threads it is about, whether or not they head a row." }),
  items: z.array(id).default([]),
  pins: z.array(id).default([]),
  ...life,
  notes: z.array(note).default([]),
});
export type FollowUp = z.infer<typeof followUp>;
