import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formatsPlugin from "ajv-formats";
import type { Endpoint } from "./rest/endpoints.ts";

type Operation = { responses: Record<string, unknown>; body?: unknown };
type Vendored = {
  operations: Record<string, Operation>;
  schemas: Record<string, unknown>;
  versions: Record<string, { removed: Record<string, string[]>; schemas: Record<string, unknown> }>;
};

export const DEFAULT_VERSION = "2022-11-28";

/** Checks bodies against GitHub's OpenAPI description (the excerpt beside this file). Schemas compile on first use. */
export type Gate = {
  versions: string[];
  /**
   * What is wrong with a response of the stand; undefined when it validates. Statuses that the description does not list
   * or gives no shape (451, a limit, a bad token) must have the shape of GitHub's basic error.
   */
  response(version: string, endpoint: Endpoint, status: number, body: unknown): string | undefined;
  /** What is wrong with a request body; undefined when it is fine or the operation takes none. */
  request(version: string, endpoint: Endpoint, body: unknown): string | undefined;
  /** The body without the properties that a version has removed. */
  trim(version: string, endpoint: Endpoint, body: unknown): unknown;
};

const vendored = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")) as Vendored;
/** A document that a version's schemas refer to by `#/components/...`, as in GitHub's description. */
const documents: Record<string, object> = {
  [DEFAULT_VERSION]: { operations: vendored.operations, components: { schemas: vendored.schemas } },
};
for (const [version, { schemas }] of Object.entries(vendored.versions)) {
  documents[version] = { operations: vendored.operations, components: { schemas: { ...vendored.schemas, ...schemas } } };
}

const compiled = new Map<string, ValidateFunction>();
const checkers = new Map<string, Ajv>();

function checkerOf(version: string): Ajv {
  const existing = checkers.get(version);
  if (existing) return existing;
  const ajv = new Ajv({
    strict: false,
    allErrors: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  formatsPlugin.default(ajv);
  ajv.addFormat("repo.nwo", /^[^/]+\/[^/]+$/);
  ajv.addSchema({ $id: "github", ...documents[version] });
  checkers.set(version, ajv);
  return ajv;
}

function check(version: string, pointer: string, body: unknown): string | undefined {
  const key = `${version} ${pointer}`;
  let validate = compiled.get(key);
  if (!validate) {
    validate = checkerOf(version).compile({ $ref: `github#${pointer}` });
    compiled.set(key, validate);
  }
  if (validate(body)) return undefined;
  return (validate.errors ?? []).map((error) => `${error.instancePath || "the body"} ${error.message}`).join("; ");
}

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** The gate keeps no state of its own: compiled schemas are shared by all stands of a process. */
export function createGate(): Gate {
  const strip = (value: unknown, gone: Set<string>): unknown => {
    if (Array.isArray(value)) return value.map((entry) => strip(entry, gone));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (gone.has(key) ? [] : [[key, strip(inner, gone)]])));
  };
  return {
    versions: Object.keys(documents),
    response(version, endpoint, status, body) {
      const responses = vendored.operations[endpoint]?.responses ?? {};
      // Errors are often listed without a schema, or not at all.
      const described = responses[status] !== undefined && (responses[status] !== null || status < 400);
      if (!described) return check(version, pointer("components", "schemas", "basic-error"), body);
      if (responses[status] === null) return body === undefined ? undefined : "a body where the description has none";
      return check(version, pointer("operations", endpoint, "responses", String(status)), body);
    },
    request(version, endpoint, body) {
      if (vendored.operations[endpoint]?.body === undefined) return undefined;
      return check(version, pointer("operations", endpoint, "body"), body);
    },
    trim(version, endpoint, body) {
      const removed = vendored.versions[version]?.removed;
      if (!removed) return body;
      // Only the rate limit has a `rate`; other bodies may use that word for something that stays.
      const names = Object.entries(removed).flatMap(([schema, gone]) =>
        schema === "rate-limit-overview" && endpoint !== "GET /rate_limit" ? [] : gone,
      );
      return strip(body, new Set(names));
    },
  };
}
