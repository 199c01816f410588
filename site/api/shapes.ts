import { z } from "zod";
import { ATTENTION } from "../../src/derive/attention.ts";
import { FACETS, ROLES, STAKES, STATUSES, TRUTHS, VERDICTS } from "../../src/model/vocabulary.ts";

/**
 * The documents under `api/v1/`. Their shapes are the contract: within v1 fields are added, never renamed or taken away, so a reader
 * must pass over what it does not know. The schemas are made from these shapes, and the tests hold the documents to them.
 */
const words = <T extends Record<string, unknown>>(table: T) => z.enum(Object.keys(table) as [string, ...string[]]);
const instant = z.string().meta({ description: "ISO 8601, with zone; or a day where only the day is known" });
const asOf = instant.meta({ description: "When the facts were observed that this was derived from" });
const id = z.string().meta({ description: "The row's id: stable" });
const page = z.url().meta({ description: "The row's page" });
const truth = z.enum(TRUTHS);
const evidence = z.looseObject({
  source: z.string().meta({ description: "Where the fact was read" }),
  url: z.string().optional(),
  fact: z.string().meta({ description: "The fact, in words; may hold upstream text" }),
  asOf: z.string().nullable().meta({ description: "When it was seen to hold; null: not known" }),
});
const proof = z.looseObject({ verdict: z.enum(VERDICTS), method: z.string(), evidence: z.array(evidence) });
const status = words(STATUSES).meta({ description: "One of the nine statuses" });

export const statusShape = z.looseObject({
  asOf,
  items: z.array(
    z.looseObject({
      id,
      page,
      title: z.string(),
      upstream: z.string(),
      refs: z
        .array(z.looseObject({ ref: z.string(), role: words(ROLES), state: z.string() }))
        .meta({ description: "References, what each is to the row, and its state upstream" }),
      status,
      since: instant.nullable().meta({ description: "Since when it has that status; null: not known" }),
      facets: z.array(words(FACETS)).meta({ description: "Remarks beside the status" }),
      reaches: z
        .array(z.looseObject({ pin: z.string(), verdict: z.enum(VERDICTS), proof }))
        .meta({ description: "Pins the row waits for; empty before anything landed" }),
      matters: z.string().meta({ description: "Why it matters here" }),
      because: z.string().meta({ description: "Why that status" }),
      changesWhen: z.array(z.looseObject({ when: z.string(), to: status })).meta({ description: "Events that would change the status" }),
    }),
  ),
  counts: z.record(z.string(), z.number().int()).meta({ description: "Rows by status" }),
  contradictions: z.array(
    z.looseObject({
      item: z.string(),
      ref: z.string(),
      claim: z.looseObject({ says: z.string(), on: z.string() }),
      fact: z.looseObject({ state: z.string() }),
      kind: z.enum(["wrong-then", "outdated", "undated"]),
    }),
  ),
});

export const pinsShape = z.looseObject({
  asOf,
  pins: z.array(
    z.looseObject({
      id,
      page,
      artifact: z.string(),
      source: z.looseObject({ repo: z.string().optional(), commit: z.string().optional() }),
      availability: z.looseObject({ state: z.enum(["yes", "gone", "unknown"]), because: z.string() }),
      users: z.number().int().nullable().meta({ description: "Places in the tree; null: no inventory was taken" }),
      verdicts: z.array(
        z.looseObject({
          item: z.string(),
          ref: z.string(),
          verdict: z.enum(VERDICTS),
          proof,
          stake: words(STAKES),
          waits: z.boolean().meta({ description: "The row waits for this pin" }),
          carried: z.boolean().meta({ description: "Something here stands in for the change" }),
          reverted: z.boolean(),
        }),
      ),
      retirement: z.looseObject({ ready: truth, because: z.string(), todo: z.array(z.string()) }),
    }),
  ),
  droppable: z.array(z.looseObject({ patch: z.string(), because: z.string() })),
  triggers: z.array(z.looseObject({ id, fired: z.boolean(), proof: z.array(evidence) })),
  summary: z.string(),
  exitCode: z.number().int().meta({ description: "As of check-pins: 0 fine, 1 something is missing, 2 it cannot be told" }),
});

export const attentionShape = z.looseObject({
  asOf,
  attention: z
    .array(
      z.looseObject({ kind: words(ATTENTION), means: z.string(), about: z.looseObject({ kind: z.string(), id }), page, text: z.string() }),
    )
    .meta({ description: "The most urgent first" }),
});

export const changesShape = z.looseObject({
  asOf,
  changes: z
    .array(
      z.looseObject({
        id: z.string().meta({ description: "Stable: the same event has it in every build" }),
        at: instant,
        kind: z.enum(["status", "opened", "merged", "closed", "reopened"]),
        items: z.array(z.string()),
        text: z.string().meta({ description: "May hold upstream text" }),
        ref: z.string().optional(),
        url: z.string().optional(),
        from: status.optional(),
        to: status.optional(),
      }),
    )
    .meta({ description: "The newest first" }),
});

export const patchesShape = z.looseObject({
  asOf,
  patches: z.array(
    z.looseObject({
      id,
      page,
      title: z.string(),
      upstream: z.string(),
      delivery: z.string(),
      covers: z.array(z.string()).meta({ description: "References it stands in for" }),
      carried: z.boolean(),
      droppable: truth.meta({ description: "Whether its end has come" }),
      because: z.string(),
      delivered: z.number().int().nullable().meta({ description: "Places in the tree; null: no inventory was taken" }),
      undelivered: z.boolean().meta({ description: "Load-bearing, and delivered nowhere" }),
    }),
  ),
});

export const triggersShape = z.looseObject({
  asOf,
  triggers: z.array(
    z.looseObject({
      id,
      page,
      kind: z.enum(["trigger", "followUp"]),
      title: z.string(),
      life: z.string(),
      fired: z.boolean(),
      when: z.string(),
      proof: z.array(evidence),
    }),
  ),
});

export const measurementsShape = z.looseObject({
  asOf,
  measurements: z.array(
    z.looseObject({
      id,
      page,
      title: z.string(),
      on: z.string(),
      rig: z.string(),
      result: z.string(),
      config: z.looseObject({
        context: z.number().optional().meta({ description: "Tokens" }),
        mem_util: z.number().optional().meta({ description: "Share of GPU memory" }),
      }),
    }),
  ),
});

export const variantsShape = z.looseObject({
  asOf,
  variants: z.array(
    z.looseObject({
      id,
      page,
      title: z.string(),
      standing: z.string(),
      cards: z.number().int(),
      context: z.number().optional().meta({ description: "Tokens" }),
      vision: z.boolean().optional(),
      pin: z.string().optional(),
      cliffs: z.array(z.string()).meta({ description: "Cliffs that can fire on it" }),
      workloads: z.array(z.string()),
      measured: z.array(z.string()).meta({ description: "Measurements behind its numbers" }),
    }),
  ),
});
