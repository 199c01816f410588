import { z } from "zod";
import { MUTABILITIES } from "../vocabulary.ts";
import { claimOn, count, day, id, keys, note, repo, sha, text } from "./common.ts";
import { condition } from "./condition.ts";

/** `data/pins/*.yaml`: one upstream build the stack runs. Who uses it is computed from the inventory. */
export const pin = z.strictObject({
  title: text.meta({ description: "What the pin is, in a few words." }),
  upstream: id,
  artifact: z
    .string()
    .regex(
      /^(oci|git|pypi|npm|hf):\S+$/,
      "is not an artifact; write oci:image:tag, git:owner/repo@sha, pypi:name@version, npm:name@version or hf:owner/name@revision",
    )
    .meta({ description: "The artifact that is fetched." }),
  source: z
    .strictObject({ repo: repo.optional().meta({ description: "Default: the upstream's repository." }), commit: sha.optional() })
    .optional()
    .meta({ description: "The source the artifact was built from." }),
  version: text.optional().meta({ description: "The version string the artifact reports." }),
  mutability: keys(MUTABILITIES),
  env: text.optional().meta({ description: "Environment variable that overrides it." }),
  written: z
    .array(z.strictObject({ file: text, line: z.number().int().positive().optional() }))
    .default([])
    .meta({ description: "Files of the stack where the pin is written." }),
  reason: text.meta({ description: "Why this build and no other." }),
  retire: z
    .strictObject({
      when: condition,
      to: id.optional().meta({ description: "The pin that takes over." }),
      note: text.optional(),
    })
    .optional(),
  retired: z
    .strictObject({ on: day, because: text, replaced_by: id.optional() })
    .optional()
    .meta({ description: "Set when the pin is no longer used." }),
  claim: z
    .strictObject({ on: claimOn, users: count.optional(), note: text.optional() })
    .optional()
    .meta({ description: "What a document of the stack says about it, such as a typed count of users." }),
  notes: z.array(note).default([]),
});
export type Pin = z.infer<typeof pin>;
