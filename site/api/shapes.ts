import { z } from "zod";
import { ATTENTION } from "../../src/derive/attention.ts";
import { measurement } from "../../src/model/shapes/measurement.ts";
import { variant } from "../../src/model/shapes/variant.ts";
import { DELIVERIES, FACETS, ROLES, STAKES, STATUSES, SURVIVAL, TRUTHS, VERDICTS } from "../../src/model/vocabulary.ts";

/**
 * The documents under `api/v1/`. Their shapes are the contract: within v1 fields are added, never renamed or taken away, so a reader
 * must pass over what it does not know. The schemas are made from these shapes, and the tests hold the documents to them.
 */
const words = <T extends Record<string, unknown>>(table: T) => z.enum(Object.keys(table) as [string, ...string[]]);
const text = (description: string) => z.string().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });
const list = <T extends z.ZodType>(of: T, description: string) => z.array(of).meta({ description });

const instant = text("ISO 8601, with zone; or a day where only the day is known");
const asOf = instant.meta({ description: "When the facts were observed that this was derived from" });
const id = text("The row's id: stable");
const page = z.url().meta({ description: "The row's page" });
const title = text("The row's heading");
const ref = text("A reference, such as owner/repo#12");
const stake = words(STAKES).meta({ description: "How much depends on it" });
const status = words(STATUSES).meta({ description: "One of the nine statuses" });
const verdict = z.enum(VERDICTS).meta({ description: "Whether the build has the change" });
const truth = z.enum(TRUTHS);
const users = z.number().int().nullable().meta({ description: "Places in the tree; null: no inventory was taken" });

const evidence = z.looseObject({
  source: text("Where the fact was read"),
  url: text("Where a person can read it").optional(),
  fact: text("The fact, in words; may hold upstream text"),
  asOf: z.string().nullable().meta({ description: "When it was seen to hold; null: not known" }),
});
const facts = list(evidence, "The facts it rests on");
const proof = z
  .looseObject({ verdict, method: text("How it was found out: ancestor, tag, cherry-pick, …; none: nothing could tell"), evidence: facts })
  .meta({ description: "How the verdict is known" });

export const statusShape = z.looseObject({
  asOf,
  items: list(
    z.looseObject({
      id,
      page,
      title,
      upstream: text("Id of the upstream it is about"),
      refs: list(
        z.looseObject({
          ref,
          role: words(ROLES).meta({ description: "What it is to the row" }),
          state: text("open, closed, merged, …; unknown: never seen"),
        }),
        "References, what each is to the row, and its state upstream",
      ),
      status,
      since: instant.nullable().meta({ description: "Since when it has that status; null: not known" }),
      facets: list(words(FACETS), "Remarks beside the status"),
      reaches: list(z.looseObject({ pin: text("Id of the pin"), verdict, proof }), "Pins the row waits for; empty before anything landed"),
      matters: text("Why it matters here"),
      because: text("Why that status"),
      changesWhen: list(z.looseObject({ when: text("An event, in words"), to: status }), "Events that would change the status"),
    }),
    "Every row",
  ),
  counts: z.record(z.string(), z.number().int()).meta({ description: "Rows by status" }),
  contradictions: list(
    z.looseObject({
      item: text("Id of the row"),
      ref,
      claim: z
        .looseObject({ says: text("The state that was believed"), on: text("The day it was believed"), note: text("A remark").optional() })
        .meta({ description: "What people wrote" }),
      fact: z
        .looseObject({
          state: text("The state that was seen"),
          since: instant.nullish().meta({ description: "Since when; null or absent: not known" }),
          source: text("Where it was read").optional(),
          asOf: z.string().nullish().meta({ description: "When it was seen to hold" }),
        })
        .meta({ description: "What was observed" }),
      kind: z.enum(["wrong-then", "outdated", "undated"]).meta({ description: "Whether it was wrong on its own day, or overtaken since" }),
    }),
    "Beliefs that the facts contradict",
  ),
});

export const pinsShape = z.looseObject({
  asOf,
  pins: list(
    z.looseObject({
      id,
      page,
      artifact: text("The image, commit or package that is pinned"),
      source: z
        .looseObject({
          repo: text("Its source repository").optional(),
          commit: text("The commit it was built from").optional(),
          why: text("Why the commit is not known").optional(),
        })
        .meta({ description: "What it was built from" }),
      availability: z
        .looseObject({
          state: z.enum(["yes", "gone", "unknown"]).meta({ description: "Whether it can be fetched" }),
          because: text("How that is known"),
        })
        .meta({ description: "Whether its registry still has it" }),
      users,
      verdicts: list(
        z.looseObject({
          item: text("Id of the row"),
          ref,
          landing: text("The reference that landed in its place; the same where none was superseded"),
          verdict,
          proof,
          stake,
          waits: flag("The row waits for this pin"),
          carried: flag("Something here stands in for the change"),
          reverted: flag("Upstream took the change back"),
        }),
        "Landed changes of its upstream, and whether it has them",
      ),
      retirement: z
        .looseObject({
          ready: truth.meta({ description: "Whether it can go" }),
          because: text("Why"),
          todo: list(z.string(), "What is left to do when it can go"),
        })
        .meta({ description: "When it can go" }),
    }),
    "Live pins",
  ),
  droppable: list(z.looseObject({ patch: text("Id of the patch"), because: text("Why it can go") }), "Patches that can go"),
  broken: list(
    z.looseObject({
      patch: text("Id of the patch"),
      pins: list(z.string(), "Pins on which it does not work"),
      verdict: words(SURVIVAL).meta({ description: "What became of it" }),
      because: text("Why"),
    }),
    "Load-bearing patches that do not do what they are for",
  ),
  triggers: list(z.looseObject({ id, fired: flag("Its condition has come true"), proof: facts }), "Re-test triggers"),
  summary: text("The answer in one sentence"),
  exitCode: z.number().int().meta({ description: "As of check-pins: 0 fine, 1 something is missing, 2 it cannot be told" }),
});

export const attentionShape = z.looseObject({
  asOf,
  attention: list(
    z.looseObject({
      kind: words(ATTENTION).meta({ description: "What kind of thing it is" }),
      means: text("The kind, in words"),
      about: z.looseObject({ kind: text("Kind of the row"), id }).meta({ description: "The row it is about" }),
      page,
      text: text("What is the matter; may hold upstream text"),
    }),
    "The most urgent first",
  ),
});

export const changesShape = z.looseObject({
  asOf,
  changes: list(
    z.looseObject({
      id: text("Stable: the same event has it in every build"),
      at: instant,
      kind: z.enum(["status", "opened", "merged", "closed", "reopened"]).meta({ description: "status: a row's; the others: upstream" }),
      items: list(z.string(), "Ids of the rows it concerns"),
      text: text("May hold upstream text"),
      ref: ref.optional(),
      url: text("Where a person can read it").optional(),
      from: status.optional(),
      to: status.optional(),
    }),
    "The newest first",
  ),
});

export const patchesShape = z.looseObject({
  asOf,
  patches: list(
    z.looseObject({
      id,
      page,
      title,
      upstream: text("Id of the upstream it changes"),
      delivery: words(DELIVERIES).meta({ description: "How it gets there" }),
      covers: list(z.string(), "References it stands in for"),
      carried: flag("It is still carried"),
      droppable: truth.meta({ description: "Whether its end has come" }),
      because: text("Why"),
      delivered: users,
      undelivered: flag("Load-bearing, and delivered nowhere"),
    }),
    "Patches, those no longer carried among them",
  ),
});

export const triggersShape = z.looseObject({
  asOf,
  triggers: list(
    z.looseObject({
      id,
      page,
      kind: z.enum(["trigger", "followUp"]).meta({ description: "Something to test again, or a decision put off" }),
      title,
      life: text("waiting, fired, acknowledged, done; unknown: it cannot be told"),
      fired: flag("Its condition has come true"),
      when: text("The condition, in words"),
      proof: facts,
    }),
    "Re-test triggers and follow-ups",
  ),
});

/** Authored rows stand in these two as they are written; their fields are those of the field reference. */
export const measurementsShape = z.looseObject({
  asOf,
  measurements: list(z.looseObject({ id, page, ...measurement.shape }), "Every run"),
});

export const variantsShape = z.looseObject({
  asOf,
  variants: list(z.looseObject({ id, page, ...variant.shape }), "Every configuration"),
});
