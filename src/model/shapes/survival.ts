import { z } from "zod";
import { SURVIVAL } from "../vocabulary.ts";
import { id, keys, repo, text } from "./common.ts";

const fullSha = z.string().regex(/^[0-9a-f]{40}$/);
const verdict = keys(SURVIVAL);

/** The change with which something went away. */
const loss = z.strictObject({
  commit: fullSha,
  at: text,
  subject: text,
  pr: z.number().int().nullable(),
  by: z.enum(["walk", "bisect"]),
});

const anchor = z.strictObject({
  id: text,
  required: z.boolean(),
  verdict,
  because: text,
  matches: z.number().int().nonnegative().nullable(),
  wanted: z.number().int(),
  lines: z.array(z.number().int()),
  lostAt: loss.nullable(),
});

const target = z.strictObject({
  path: text,
  verdict,
  because: text,
  anchors: z.array(anchor),
  followedTo: text.optional(),
  since: loss.optional(),
  hunks: z
    .array(
      z.strictObject({
        hunk: z.number().int(),
        heading: z.string(),
        state: z.enum(["clean", "offset", "failed"]),
        line: z.number().int(),
        offset: z.number().int(),
        landsIn: text.optional(),
        missing: text.optional(),
      }),
    )
    .optional(),
  changed: z
    .strictObject({
      base: text,
      added: z.number().int().nullable(),
      removed: z.number().int().nullable(),
      changes: z.array(loss),
    })
    .optional(),
});

const flag = z.strictObject({
  flag: text,
  verdict: z.enum(["known", "flag-unknown", "unknown"]),
  because: text,
  near: text.optional(),
});

/** What became of a patch at a commit: never changes for a patch that is written the same, so it may be kept for ever. */
const record = z.strictObject({
  repo,
  /** Hashes of the stack's own files that were read for it. */
  own: z.record(text, z.string()).optional(),
  targets: z.array(target),
  flags: z.array(flag),
  source: text,
  asOf: text.nullable(),
});
export type SurvivalRecord = z.infer<typeof record>;

/** `observed/survival.json`: patch -> how it was written, and by source commit what was found. Written otherwise now, all of it is void. */
export const survivalFile = z.record(id, z.strictObject({ written: text, at: z.record(fullSha, record) }));
export type SurvivalFile = z.infer<typeof survivalFile>;
