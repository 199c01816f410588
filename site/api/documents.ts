import { z } from "zod";
import { ATTENTION } from "../../src/derive/attention.ts";
import type { AttentionKind } from "../../src/derive/attention.ts";
import { pinsJson, statusJson } from "../../src/report/json.ts";
import { rowPath } from "../links.ts";
import { fullUrl } from "../origin.ts";
import { stack } from "../stack.ts";
import { allEvents, pinCheck, since } from "../views/cached.ts";
import {
  statusShape,
  pinsShape,
  attentionShape,
  changesShape,
  patchesShape,
  triggersShape,
  measurementsShape,
  variantsShape,
} from "./shapes.ts";

/** A document under `api/v1/`: what it holds, its shape, and how it is made. */
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
  const { $schema, ...schema } = z.toJSONSchema(document.shape, {
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Record<string, unknown>;
  return {
    $schema,
    $id: fullUrl(`api/v1/schemas/${document.name}.schema.json`),
    title: document.name,
    description: document.about,
    ...schema,
  };
}
