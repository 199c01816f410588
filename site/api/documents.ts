import { z } from "zod";
import { ATTENTION } from "../../src/derive/attention.ts";
import type { AttentionKind } from "../../src/derive/attention.ts";
import { FACETS, ROLES, STAKES, STATUSES, TRUTHS, VERDICTS } from "../../src/model/vocabulary.ts";
import { pinsJson, statusJson } from "../../src/report/json.ts";
import { rowPath } from "../links.ts";
import { fullUrl } from "../origin.ts";
import { stack } from "../stack.ts";
import { allEvents, pinCheck, since } from "../views/cached.ts";

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

const statusShape = z.looseObject({
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

const pinsShape = z.looseObject({
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

const attentionShape = z.looseObject({
  asOf,
  attention: z
    .array(
      z.looseObject({ kind: words(ATTENTION), means: z.string(), about: z.looseObject({ kind: z.string(), id }), page, text: z.string() }),
    )
    .meta({ description: "The most urgent first" }),
});

const changesShape = z.looseObject({
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

const patchesShape = z.looseObject({
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

const triggersShape = z.looseObject({
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

const measurementsShape = z.looseObject({
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

const variantsShape = z.looseObject({
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

interface Document {
  name: string;
  about: string;
  shape: z.ZodType;
  make: () => unknown;
}

const derived = () => stack().derived;
const paged = <T extends { id: string }>(kind: Parameters<typeof rowPath>[0], row: T): T & { page: string } => ({
  ...row,
  page: fullUrl(rowPath(kind, row.id)),
});

export const DOCUMENTS: readonly Document[] = [
  {
    name: "status",
    about: "Every row with its status, proof, references and what would change it.",
    shape: statusShape,
    make: () => {
      const all = statusJson(derived());
      return { ...all, items: all.items.map((item) => ({ ...paged("item", item), since: since(item.id)?.at ?? null })) };
    },
  },
  {
    name: "pins",
    about: "Live pins: what each has and lacks, who uses it, when it can go. As check-pins --json.",
    shape: pinsShape,
    make: () => {
      const all = pinsJson(derived(), pinCheck());
      return { ...all, pins: all.pins.map((pin) => paged("pin", pin)) };
    },
  },
  {
    name: "attention",
    about: "What needs a person, the most urgent first.",
    shape: attentionShape,
    make: () => ({
      asOf: derived().asOf,
      attention: derived().attention.map((entry) => ({
        ...entry,
        means: ATTENTION[entry.kind as AttentionKind],
        page: fullUrl(rowPath(entry.about.kind, entry.about.id)),
      })),
    }),
  },
  {
    name: "changes",
    about: "What happened, the newest first.",
    shape: changesShape,
    make: () => ({ asOf: derived().asOf, changes: allEvents() }),
  },
  {
    name: "patches",
    about: "Patches: what each stands in for, where it is delivered, whether it can go.",
    shape: patchesShape,
    make: () => ({
      asOf: derived().asOf,
      patches: Object.values(derived().patches).map((patch) => {
        const row = derived().world.model.patch[patch.id];
        const { id: name, carried, droppable, because, undelivered } = patch;
        const authored = { title: row?.title, upstream: row?.upstream, delivery: row?.delivery, covers: row?.covers };
        return {
          ...paged("patch", { id: name }),
          ...authored,
          carried,
          droppable,
          because,
          delivered: patch.delivered?.length ?? null,
          undelivered,
        };
      }),
    }),
  },
  {
    name: "triggers",
    about: "Re-test triggers and follow-ups, and whether they fired.",
    shape: triggersShape,
    make: () => {
      const { model } = derived().world;
      const row = (kind: "trigger" | "followUp") =>
        Object.values(kind === "trigger" ? derived().triggers : derived().followUps).map(
          ({ id: name, life, fired, when, proof: facts }) => ({
            ...paged(kind, { id: name }),
            kind,
            title: model[kind][name]?.title,
            life,
            fired,
            when,
            proof: facts,
          }),
        );
      return { asOf: derived().asOf, triggers: [...row("trigger"), ...row("followUp")] };
    },
  },
  {
    name: "variants",
    about: "Configurations: cards, context, pin, cliffs that can fire, measurements.",
    shape: variantsShape,
    make: () => ({
      asOf: derived().asOf,
      variants: Object.entries(derived().world.model.variant).map(([name, row]) => ({ ...paged("variant", { id: name }), ...row })),
    }),
  },
  {
    name: "measurements",
    about: "Runs: configuration, result and numbers with units.",
    shape: measurementsShape,
    make: () => ({
      asOf: derived().asOf,
      measurements: Object.entries(derived().world.model.measurement).map(([name, row]) => ({
        ...paged("measurement", { id: name }),
        ...row,
      })),
    }),
  },
];

/** The list of documents, itself one. */
export function indexDocument() {
  const { tracker } = derived().world.model;
  return {
    asOf: derived().asOf,
    stack: { title: tracker.title, repo: tracker.repo, site: fullUrl("") },
    documents: DOCUMENTS.map(({ name, about }) => ({
      name,
      about,
      url: fullUrl(`api/v1/${name}.json`),
      schema: fullUrl(`api/v1/schemas/${name}.schema.json`),
    })),
  };
}

/** A document's JSON Schema. Unknown fields are allowed: they are how v1 grows. */
export function schemaOf(document: Document): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(document.shape, { target: "draft-2020-12" }) as Record<string, unknown>;
  return {
    $schema,
    $id: fullUrl(`api/v1/schemas/${document.name}.schema.json`),
    title: document.name,
    description: document.about,
    ...schema,
  };
}
