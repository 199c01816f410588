import { z } from "zod";
import { DELIVERIES } from "../vocabulary.ts";
import { claimOn, count, id, keys, note, ref, sha, text } from "./common.ts";
import { condition } from "./condition.ts";

/** Text that is compared as it stands: spaces and line ends at its edges are part of it. Never empty. */
const exact = z.string().refine((value) => value.trim() !== "", { error: "holds no visible text, so it would match everywhere" });

const anchor = z
  .strictObject({
    id: text.optional().meta({ description: "Its name in reports. Default: its place in the list, from 1." }),
    text: exact.optional().meta({ description: "Text that must be present in the target, byte for byte." }),
    file: text.optional().meta({ description: "File of the stack that holds the anchor text." }),
    pattern: exact.optional().meta({ description: "Regular expression instead of text; ^ and $ mean line ends." }),
    hash: z
      .strictObject({
        sha256: z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256; write 64 hexadecimal digits"),
        lines: z.number().int().positive().meta({ description: "How many lines the text has." }),
        starts: exact.meta({ description: "Its first line, without the indentation." }),
      })
      .optional()
      .meta({ description: "Hash of the anchor text, where the text itself is not kept in the stack." }),
    required: z.boolean().default(true).meta({ description: "False: the patch goes on without this place." }),
    count: z.number().int().positive().default(1).meta({ description: "How often it must match." }),
    replacement: exact.optional().meta({ description: "What takes the place of the anchor." }),
    marker: exact.optional().meta({ description: "Text the replacement leaves, by which the loader knows that it was applied." }),
  })
  .refine(({ text, file, pattern, hash }) => [text, file, pattern, hash].filter((way) => way !== undefined).length === 1, {
    error: "says not in exactly one way what to look for; write one of text, file, pattern or hash",
  });
export type Anchor = z.infer<typeof anchor>;

const target = z.strictObject({
  path: text.meta({ description: "Path in the upstream's source." }),
  file: text.optional().meta({ description: "File of the stack that replaces it, when the names do not tell." }),
  adds: z.boolean().optional().meta({ description: "True: the patch adds this file; upstream has none." }),
  anchors: z.array(anchor).default([]).meta({ description: "Places in the target that the patch looks for." }),
  drift: z
    .array(exact)
    .optional()
    .meta({ description: "Texts in the target by which the loader decides that upstream has the change already." }),
});
export type PatchTarget = z.infer<typeof target>;

/** `data/patches/*.yaml`: a local change carried on top of an upstream build. */
export const patch = z.strictObject({
  title: text,
  upstream: id.meta({ description: "The upstream whose code it changes." }),
  delivery: keys(DELIVERIES).meta({ description: "How it reaches the running server." }),
  files: z.array(text).default([]).meta({ description: "Files of the stack it consists of." }),
  targets: z.array(target).default([]).meta({ description: "What it changes upstream." }),
  diffs: z
    .array(
      z.strictObject({
        file: text.meta({ description: "Unified diff in the stack." }),
        strip: z.number().int().nonnegative().default(1).meta({ description: "Leading path parts to drop, as patch -p does." }),
        root: text.optional().meta({ description: "Folder of the upstream's source that the diff's paths start from." }),
      }),
    )
    .optional()
    .meta({
      description: "Unified diffs it consists of; they name their targets themselves. Files that end in .diff or .patch count too.",
    }),
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
