import { z } from "zod";
import { parseRef } from "../ref.ts";

/** Compiling a parser for each shape costs more than a short command's rows take to check. */
z.config({ jitless: true });

/** Text that people read: never empty, never only spaces. */
export const text = z.string().trim().min(1, "must not be empty");

/** A calendar day of the stack's zone, `2026-05-12`. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "is not a date; write YYYY-MM-DD")
  .refine((value) => !Number.isNaN(Date.parse(`${value}T00:00:00Z`)) && new Date(`${value}T00:00:00Z`).toISOString().startsWith(value), {
    error: "is not a day of the calendar",
  });

/** The name of another row: its file name without `.yaml`. */
export const id = z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, "is not an id; use lower-case letters, digits, dots and dashes");

/** A commit hash of 7 to 40 hexadecimal digits. */
export const sha = z.string().regex(/^[0-9a-f]{7,40}$/, "is not a commit; write 7 to 40 hexadecimal digits, quoted");

/** A reference in one of the forms of `ref.ts`. */
export const ref = z.string().refine((value) => parseRef(value) !== undefined, {
  error:
    "is not a reference; write owner/repo#12, owner/repo@sha, pypi:name@range, npm:name@range, hf:owner/name, oci:image or page:https://…",
});

/** `owner/repo` on GitHub. */
export const repo = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/, "is not owner/repo");

/** An enumeration of a vocabulary's words. */
export const keys = <T extends Record<string, unknown>>(table: T) =>
  z.enum(Object.keys(table) as [keyof T & string, ...(keyof T & string)[]]);

export const positive = z.number().positive();
export const count = z.number().int().nonnegative();

/** A dated remark by a person. */
export const note = z.strictObject({
  on: day.optional().meta({ description: "When it was said or seen." }),
  by: text.optional().meta({ description: "Who said it, by public account name." }),
  text: text.meta({ description: "The remark, in plain words." }),
  ref: ref.optional().meta({ description: "Where it was said." }),
});
export type Note = z.infer<typeof note>;

/** What a human believed about a reference. Never an input to the status. */
export const claimOn = day.meta({
  description: "The day the belief was held: the day the row itself states, else the day of the document.",
});

/** Where something comes from. */
export const source = z.strictObject({
  what: text.meta({ description: "The document or run it was read from." }),
  ref: ref.optional().meta({ description: "A reference to it, if public." }),
});
