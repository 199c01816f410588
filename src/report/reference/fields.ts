import type { RootContent } from "mdast";
import { jsonSchemas, kebab } from "../../model/json-schema.ts";
import { KINDS } from "../../model/vocabulary.ts";
import type { Kind } from "../../model/vocabulary.ts";
import type { Inline } from "../markdown/build.ts";
import { code, heading, paragraph, table } from "../markdown/build.ts";
import { write } from "../markdown/write.ts";
import { referencePage } from "./page.ts";

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  pattern?: string;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  /** With one part: a reference that has a description of its own. */
  allOf?: Schema[];
  $ref?: string;
  definitions?: Record<string, Schema>;
}

/** What people write most comes first. */
const ORDER: Kind[] = ["item", ...(Object.keys(KINDS) as Kind[]).filter((kind) => kind !== "item" && kind !== "tracker"), "tracker"];

const CONDITION = "Condition";

/** Every field of every kind of row, from the shapes that check them. */
export function fieldReference(): { path: string; content: string } {
  const schemas = new Map(jsonSchemas().map(({ path, content }) => [path, JSON.parse(content) as Schema]));
  const kinds = ORDER.map((kind) => ({ kind, schema: schemas.get(`schemas/${kebab(kind)}.schema.json`) ?? {} }));
  const condition = kinds.map(({ schema }) => schema.definitions?.[CONDITION]).find((found) => found !== undefined);
  const tree = referencePage(
    "Fields",
    "Every field of every kind of row: what it is, whether it is needed, what it means.",
    30,
    "npm run reference",
    [
      paragraph([
        "One row a file; the file's name is the row's id. An unknown field is an error. Every id, sha, version and tag is a string: write it in quotes when YAML would read it as a number. Editors complete and explain all of this through the first line of each file.",
      ]),
      ...kinds.flatMap(({ kind, schema }) => section(kind, schema)),
      ...(condition
        ? [
            heading(2, "A condition"),
            paragraph("Exactly one operator; several nest under all or any. The answer is yes, no or unknown, always with its proof."),
            fieldTable(condition),
          ]
        : []),
    ],
  );
  return { path: "content/reference/fields.md", content: write(tree) };
}

function section(kind: Kind, schema: Schema): RootContent[] {
  const place = kind === "tracker" ? `data/${KINDS.tracker}` : `data/${KINDS[kind]}/ID.yaml`;
  return [heading(2, kebab(kind)), paragraph(code(place)), fieldTable(schema)];
}

const fieldTable = (schema: Schema) => table(["Field", "Is", "Means"], fields(schema, ""));

function fields(schema: Schema, path: string): Inline[][] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): Inline[][] => {
    const at = path === "" ? name : `${path}.${name}`;
    const element = field.type === "array" ? field.items : undefined;
    const inner = element ?? field;
    const need = required.includes(name)
      ? "needed"
      : field.default === undefined || isEmpty(field.default)
        ? ""
        : `default ${JSON.stringify(field.default)}`;
    const row: Inline[] = [
      code(element ? `${at}[]` : at),
      [words(field), ...(need ? [`, ${need}`] : [])],
      field.description ?? inner.description ?? "",
    ];
    return [row, ...(isCondition(inner) ? [] : fields(inner, element ? `${at}[]` : at))];
  });
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isCondition = (schema: Schema): boolean =>
  schema.$ref?.endsWith(`/${CONDITION}`) === true || (schema.allOf?.length === 1 && schema.allOf.every(isCondition));

function words(schema: Schema): string {
  if (isCondition(schema)) return "condition";
  if (schema.enum) return schema.enum.join(" · ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf) return schema.anyOf.map(words).join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? words(schema.items) : "anything"}`;
  if (schema.type === "string") return schema.pattern === "^\\d{4}-\\d{2}-\\d{2}$" ? "day" : "text";
  if (schema.type === "integer") return "whole number";
  if (schema.type === "boolean") return "true or false";
  return schema.type ?? "anything";
}
