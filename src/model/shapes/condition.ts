import { z } from "zod";
import { day, id, ref, text } from "./common.ts";

/**
 * A three-valued condition, shared by drops, retirements, triggers and follow-ups.
 * Exactly one operator a node; `all`, `any` and `not` nest.
 */
export interface Condition {
  merged?: string | undefined;
  closed?: string | undefined;
  contained?: { ref: string; in: string } | undefined;
  built?: { ref: string; stream: string } | undefined;
  released?: string | undefined;
  replied?: { ref: string; by: string; since: string } | undefined;
  updated?: { ref: string; since: string } | undefined;
  available?: string | undefined;
  after?: string | undefined;
  manual?: { what: string; done?: string | undefined } | undefined;
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
}

export const condition: z.ZodType<Condition> = z
  .strictObject({
    merged: ref.optional().meta({ description: "The pull request is merged on a branch that counts." }),
    closed: ref.optional().meta({ description: "The issue or pull request is closed, with or without a fix." }),
    contained: z
      .strictObject({
        ref: ref.meta({ description: "The change." }),
        in: text.meta({ description: "A pin's id, or a tag of the change's repository, such as v0.20.0." }),
      })
      .optional()
      .meta({ description: "The change is proved to be in a pin or a tag." }),
    built: z
      .strictObject({ ref, stream: text.meta({ description: "A stream of builds named by an upstream." }) })
      .optional()
      .meta({ description: "Some published build of the stream contains the change." }),
    released: z
      .string()
      .regex(/^(pypi|npm|github):\S+\s+\S/, 'is not a release; write "pypi:name >=1.2.0"')
      .optional()
      .meta({ description: 'A version in the range is published, such as "pypi:transformers >=5.8.0".' }),
    replied: z
      .strictObject({ ref, by: text, since: day })
      .optional()
      .meta({ description: "An account answered in the thread on or after a day." }),
    updated: z.strictObject({ ref, since: day }).optional().meta({ description: "The asset changed on or after a day." }),
    available: id.optional().meta({ description: "The pin's artifact can be fetched from its registry." }),
    after: day.optional().meta({ description: "The day has passed, in the stack's zone." }),
    manual: z
      .strictObject({ what: text.meta({ description: "What a person has to do or decide." }), done: day.optional() })
      .optional()
      .meta({ description: "Yes once a person wrote the day it was done." }),
    get all() {
      return z.array(condition).min(1).optional().meta({ description: "Every one of these." });
    },
    get any() {
      return z.array(condition).min(1).optional().meta({ description: "At least one of these." });
    },
    get not() {
      return condition.optional().meta({ description: "The opposite." });
    },
  })
  .refine((value) => Object.keys(value).length === 1, { error: "names not exactly one operator; nest several under all or any" })
  .meta({ id: "Condition", description: "Exactly one operator.", minProperties: 1, maxProperties: 1 });
