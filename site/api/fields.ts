/** One field of a document, for people. */
export interface Field {
  /** `items[].refs[].state` */
  path: string;
  type: string;
  optional: boolean;
  description: string;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  format?: string;
}

const MOST_WORDS = 10;

/** Flattens a JSON Schema into a list of its fields, in order. */
export function fieldsOf(schema: unknown, path = ""): Field[] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([name, inner]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const element = inner.type === "array" ? inner.items : undefined;
    const own: Field = {
      path: element ? `${at}[]` : at,
      type: typeOf(inner),
      optional: !required.includes(name),
      description: inner.description ?? "",
    };
    return [own, ...fieldsOf(element ?? inner, own.path)];
  });
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.length > MOST_WORDS ? "word" : schema.enum.join(" · ");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object" && !schema.properties)
    return `table of ${typeOf(schema.additionalProperties)}`;
  return schema.format === "uri" ? "address" : [schema.type ?? "anything"].flat().join(" or ");
}
