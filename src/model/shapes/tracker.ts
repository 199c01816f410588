import { z } from "zod";
import { note, repo, text } from "./common.ts";
import { outputs } from "./outputs.ts";
import { scanSettings } from "./scan.ts";

/** `data/tracker.yaml`: the stack itself. */
export const tracker = z.strictObject({
  title: text.meta({ description: "The stack's name." }),
  repo: repo.meta({ description: "The stack's own repository." }),
  summary: text.optional().meta({ description: "One or two sentences a stranger understands." }),
  zone: z
    .string()
    .refine((value) => Intl.supportedValuesOf("timeZone").includes(value) || value === "UTC", {
      error: "is not a time zone; write one such as Europe/Berlin or UTC",
    })
    .meta({ description: "The zone in which dates such as after: are meant." }),
  thresholds: z
    .strictObject({
      stalled_after_days: z
        .number()
        .int()
        .positive()
        .meta({ description: "Days without human activity after which an open pull request is stalled." }),
      claim_stale_after_days: z
        .number()
        .int()
        .positive()
        .meta({ description: "Days after which a claim that names an old pin counts as stale." }),
    })
    .meta({ description: "Limits in days." }),
  accounts: z.array(text).optional().meta({
    description: "The stack's own accounts: what they say upstream is no upstream activity. Default: the owner of its repository.",
  }),
  scan: scanSettings.optional().meta({ description: "How the stack's own tree is scanned for pins, patches and references." }),
  gates: z
    .array(text)
    .optional()
    .meta({ description: "Checks that must pass after a variant moved to another build, in order; the runbook of a bump names them." }),
  pull_request: z
    .strictObject({
      branch: text.default("landfall/upstream").meta({ description: "The branch of the rolling pull request." }),
      base: text.optional().meta({ description: "The branch it goes to. Default: the repository's default branch." }),
      every_days: z.number().int().nonnegative().default(7).meta({ description: "Days between updates that are not urgent." }),
      snooze_label: text
        .default("landfall:snooze")
        .meta({ description: "Closing with this label keeps it closed until something urgent happens." }),
    })
    .optional()
    .meta({ description: "The rolling pull request." }),
  outputs: outputs.optional().meta({ description: "Where news goes beside the pull request." }),
  schedule: z
    .strictObject({
      cron: text.default("17 5 * * *").meta({ description: "When to sync, as a cron expression in UTC." }),
      jitter_minutes: z.number().int().nonnegative().default(10).meta({ description: "Longest random delay of a run, in minutes." }),
    })
    .optional()
    .meta({ description: "When npm run schedule syncs." }),
  conventions: z
    .array(text)
    .default([])
    .meta({ description: "How contributors file and keep rows; shown at the end of the upstream page." }),
  notes: z.array(note).default([]).meta({ description: "Remarks about the stack as a whole." }),
  disagreements: z
    .array(
      z.strictObject({
        about: text.meta({ description: "What is disagreed on." }),
        says: z.array(z.strictObject({ where: text, text: text })).min(2),
        note: text.optional(),
      }),
    )
    .default([])
    .meta({ description: "Places where two documents of the stack contradict each other; both stand until settled." }),
});
export type Tracker = z.infer<typeof tracker>;
