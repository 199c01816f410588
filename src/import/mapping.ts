import { parseDocument } from "yaml";
import { z } from "zod";
import { day, id, keys, repo, text } from "../model/shapes/common.ts";
import { CLAIMS } from "../model/vocabulary.ts";

const field = z.union([
  text,
  z.strictObject({
    to: text.meta({ description: "The field, such as config.mem_util." }),
    match: text
      .refine((pattern) => isPattern(pattern), { error: "is not a regular expression" })
      .optional()
      .meta({ description: "Regular expression; its first group, or the whole match, is the value." }),
    words: z
      .record(text, z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .meta({ description: "Text in the cell -> value." }),
  }),
]);

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

export const TABLE_KINDS = [
  "items",
  "follow-ups",
  "pins",
  "retired-pins",
  "measurements",
  "variants",
  "patches",
  "triggers",
  "notes",
] as const;

const constants = z.record(text, z.unknown()).meta({ description: "Fields every row gets: a path, such as source.what, and its value." });

/**
 * The mapping file: what the headings alone do not tell. Everything in it is optional.
 * Tables of a tracker (items, follow-ups, pins) need none; measurements, variants, patches and YAML stores do.
 */
export const mapping = z.strictObject({
  repo: repo.optional().meta({ description: "The stack's own repository." }),
  as_of: day.optional().meta({ description: "The day of the document; claims are held on it." }),
  upstreams: z
    .record(
      text,
      z.strictObject({
        id: id.optional(),
        repo: repo.optional(),
        title: text.optional(),
        former: z.array(repo).optional(),
        aliases: z.array(text).optional(),
      }),
    )
    .optional()
    .meta({ description: "Heading of a section (or a part of it) -> the upstream it is about." }),
  statuses: z.record(text, keys(CLAIMS)).optional().meta({ description: "Status symbol or first words -> what they claim." }),
  tables: z
    .array(
      z.strictObject({
        section: text.optional().meta({ description: "Part of the heading the table stands under." }),
        headings: z.array(text).optional().meta({ description: "Headings the table has, all of them." }),
        as: z.enum(TABLE_KINDS),
        upstream: id.optional(),
        columns: z
          .record(text, z.union([field, z.array(field).min(1)]))
          .optional()
          .meta({ description: "Heading -> field, or several fields." }),
        row: constants.optional(),
        id: text.optional().meta({ description: "Start of the ids of its rows." }),
      }),
    )
    .optional(),
  other_tables: z
    .enum(["ask", "notes", "leave"])
    .optional()
    .meta({ description: "Tables nobody knows: ask (default), keep as notes, or leave out and report." }),
  store: z
    .strictObject({
      rows: text.meta({ description: "Where the rows are, such as patches, or a path with dots." }),
      as: z.enum(["patches", "variants", "measurements", "triggers"]),
      id: text.optional().meta({ description: "Field that names a row; default: id, or the key of a map." }),
      columns: z.record(text, z.union([field, z.array(field).min(1)])).optional(),
      row: constants.optional(),
    })
    .optional()
    .meta({ description: "How to read a YAML file of rows." }),
});
export type Mapping = z.infer<typeof mapping>;
export type TableMapping = NonNullable<Mapping["tables"]>[number];
export type FieldMapping = z.infer<typeof field>;
export type StoreMapping = NonNullable<Mapping["store"]>;

/** The mapping file cannot be read, or says something that is not known. */
export class MappingError extends Error {}

/**
 * Reads a mapping file. Every mistake is listed.
 * @throws {MappingError}
 */
export function readMapping(name: string, source: string): Mapping {
  const doc = parseDocument(source, { version: "1.2", logLevel: "silent" });
  if (doc.errors.length > 0) throw new MappingError(`${name}: ${doc.errors.map(({ message }) => message.split("\n")[0]).join("; ")}`);
  const outcome = mapping.safeParse(contentOf(name, doc) ?? {});
  if (outcome.success) return outcome.data;
  const said = outcome.error.issues.map(({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`);
  throw new MappingError(`${name} is not a mapping file:\n${said.join("\n")}`);
}

/** The value of the document; one whose aliases expand without end has none. */
function contentOf(name: string, doc: ReturnType<typeof parseDocument>): unknown {
  try {
    return doc.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new MappingError(
      `${name}: its aliases cannot be resolved (${error instanceof Error ? error.message : String(error)}). Write the values out.`,
    );
  }
}
