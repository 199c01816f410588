import { readFileSync, writeFileSync } from "node:fs";
import { ENDPOINTS } from "./rest/endpoints.ts";

/**
 * Cuts GitHub's OpenAPI description down to the operations that the stand answers, in plain JSON Schema:
 * descriptions and examples dropped, `nullable` and `oneOf` rewritten, the components that are referred to kept under their names.
 * The newer API version's removals (`x-github-breaking-changes`) are applied to copies of the components.
 *
 *     node test/stand/vendor-openapi.ts api.github.com.json
 *
 * The file is generated/api.github.com.json of the npm package @octokit/openapi.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Dict = { [key: string]: Json };
type Change = { version: string; patch: Json };

const isDict = (value: Json | undefined): value is Dict => typeof value === "object" && value !== null && !Array.isArray(value);
const dict = (value: Json | undefined): Dict => (isDict(value) ? value : {});

const DROPPED = new Set(["description", "example", "examples", "title", "externalDocs", "default", "deprecated", "readOnly", "nullable"]);

/** OpenAPI 3.0 schema -> JSON Schema. Inside `properties` every key is a name, not a keyword. */
function plain(schema: Json, names = false): Json {
  if (Array.isArray(schema)) return schema.map((entry) => plain(entry));
  if (!isDict(schema)) return schema;
  const out: Dict = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!names && (DROPPED.has(key) || key.startsWith("x-"))) continue;
    // The alternatives overlap where all their properties are optional (an error, and an error with details).
    const name = !names && key === "oneOf" ? "anyOf" : key;
    out[name] = key === "enum" || key === "required" ? value : plain(value, !names && key === "properties");
  }
  if (names || schema.nullable !== true) return out;
  if (Array.isArray(out.enum) && !out.enum.includes(null)) out.enum = [...out.enum, null];
  if (typeof out.type === "string" && !("anyOf" in out || "allOf" in out)) return { ...out, type: [out.type, "null"] };
  return { anyOf: [out, { type: "null" }] };
}

/** Names of properties that a version removes from a component. The patches come as JSON Merge Patch or JSON Patch. */
function removals(component: Dict, version: string): string[] {
  const changes = (component["x-github-breaking-changes"] ?? []) as unknown as Change[];
  return changes
    .filter((change) => change.version === version)
    .flatMap(({ patch }) => {
      if (isDict(patch)) return Object.entries(dict(patch.properties)).flatMap(([name, value]) => (value === null ? [name] : []));
      const operations = patch as unknown as { op: string; path: string }[];
      return operations.flatMap(({ op, path }) => (op === "remove" ? (/^\/properties\/(\w+)$/.exec(path)?.slice(1) ?? []) : []));
    });
}

function without(component: Dict, names: string[]): Dict {
  const properties = Object.fromEntries(Object.entries(dict(component.properties)).filter(([name]) => !names.includes(name)));
  const required = Array.isArray(component.required) ? component.required.filter((name) => !names.includes(String(name))) : [];
  return { ...component, properties, required };
}

/** The description asks for one label at least where its own text says that an empty list clears them all. */
function withoutMinimum(body: Json): Json {
  if (Array.isArray(body)) return body.map(withoutMinimum);
  if (!isDict(body)) return body;
  return Object.fromEntries(Object.entries(body).flatMap(([key, value]) => (key === "minItems" ? [] : [[key, withoutMinimum(value)]])));
}

function refsIn(value: Json, into: Set<string>): void {
  if (Array.isArray(value)) for (const entry of value) refsIn(entry, into);
  else if (isDict(value)) {
    if (typeof value.$ref === "string") into.add(value.$ref.replace("#/components/schemas/", ""));
    for (const entry of Object.values(value)) refsIn(entry, into);
  }
}

const [, , source] = process.argv;
if (source === undefined) throw new Error("usage: node test/stand/vendor-openapi.ts PATH_OF_api.github.com.json");
const whole = JSON.parse(readFileSync(source, "utf8")) as Dict;
const components = dict(whole.components);
const resolved = (value: Json | undefined): Dict => {
  const found = dict(value);
  if (typeof found.$ref !== "string") return found;
  return found.$ref
    .slice(2)
    .split("/")
    .reduce((at: Dict, key) => dict(at[key]), whole);
};
const jsonSchema = (holder: Dict): Json | undefined => dict(dict(holder.content)["application/json"]).schema;

const operations: Dict = {};
for (const endpoint of ENDPOINTS) {
  const [method = "", path = ""] = endpoint.split(" ");
  const operation = dict(dict(dict(whole.paths)[path])[method.toLowerCase()]);
  if (!operation.responses) throw new Error(`${endpoint} is not in the description`);
  const responses: Dict = {};
  for (const [status, response] of Object.entries(dict(operation.responses))) {
    const schema = jsonSchema(resolved(response));
    responses[status] = schema === undefined ? null : plain(schema);
  }
  const body = jsonSchema(resolved(operation.requestBody));
  operations[endpoint] = { responses, ...(body === undefined ? {} : { body: withoutMinimum(plain(body)) }) };
}

const VERSION = "2026-03-10";
const schemas: Dict = {};
const removed: Dict = {};
const wanted = new Set<string>();
refsIn(operations, wanted);
for (const name of wanted) {
  const component = dict(dict(components.schemas)[name]);
  schemas[name] = plain(component);
  const gone = removals(component, VERSION);
  if (gone.length > 0) removed[name] = gone;
  refsIn(schemas[name], wanted);
}
const newer = Object.fromEntries(
  Object.entries(removed).map(([name, gone]) => [name, plain(without(dict(dict(components.schemas)[name]), gone as string[]))]),
);

const vendored = { operations, schemas, versions: { [VERSION]: { removed, schemas: newer } } };
const text = `${JSON.stringify(vendored)}\n`;
writeFileSync(new URL("openapi.json", import.meta.url), text);
process.stdout.write(`${ENDPOINTS.length} operations, ${Object.keys(schemas).length} schemas, ${Math.round(text.length / 1024)} KB\n`);
