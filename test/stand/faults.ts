import type { LoggedRequest } from "./request-log.ts";

/**
 * What can go wrong between a client and GitHub. `executed` says that the request took effect before its answer was
 * lost: the case in which a blind retry writes twice.
 */
export type Fault =
  /** A limit. `primary`: the hourly budget (remaining 0 and a reset time); else secondary, with or without Retry-After. */
  | { kind: "limit"; status: 403 | 429; retryAfter?: number; primary?: boolean }
  /** The hourly GraphQL budget is used up: an error in a 200, remaining 0 (C03). */
  | { kind: "graphql-limit" }
  /** RESOURCE_LIMITS_EXCEEDED: every alias null, or no data at all; no budget is touched (C12). */
  | { kind: "too-costly"; data?: "null" | "aliases" }
  /** Aliases answered null with an error each. Paths are `r0` for a whole alias and `r0.i3` for one inside it. */
  | { kind: "partial"; lose: (path: string, index: number) => boolean; type?: string }
  /** Connections answer `nodes: []` while totalCount stays. `field` limits it to fields or aliases. */
  | { kind: "silent-empty"; field?: (name: string) => boolean }
  /** The HTML page of an overloaded GitHub (C13, C25). */
  | { kind: "unicorn"; status: 502 | 504; executed?: boolean }
  /** No answer ever; `headers` sends the head and part of the body first. */
  | { kind: "stall"; headers?: boolean; executed?: boolean }
  /** Part of the body. `clean` ends well (broken JSON); `cut` breaks the connection before the promised length. */
  | { kind: "truncated"; how: "clean" | "cut" }
  /** The connection breaks without an answer. */
  | { kind: "reset"; executed?: boolean }
  | { kind: "error"; status: number; body: unknown; headers?: Record<string, string>; executed?: boolean };

/** Decides for each request whether something goes wrong. It sees the request as logged, before it is answered. */
export type FaultSchedule = (request: LoggedRequest) => Fault | undefined;

/** Faults that took effect; a fault that met nothing to spoil (no connection to empty, no alias to lose) is not counted. */
export type FaultCounts = { hits: { index: number; kind: Fault["kind"] }[]; count(kind?: Fault["kind"]): number };

export function createFaultCounts(): FaultCounts {
  const hits: FaultCounts["hits"] = [];
  return { hits, count: (kind) => (kind ? hits.filter((hit) => hit.kind === kind).length : hits.length) };
}

export const UNICORN = `<!DOCTYPE html>
<html><head><title>Unicorn! &middot; GitHub</title></head>
<body><p><strong>We couldn't respond to your request in time.</strong></p>
<p>Sorry about that. Please try refreshing and contact us if the problem persists.</p></body></html>
`;

type GraphqlBody = { data?: Record<string, unknown> | null; errors?: unknown[] };
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The body with aliases lost; undefined when there was none to lose. */
export function losePartly(body: GraphqlBody, fault: Extract<Fault, { kind: "partial" }>): GraphqlBody | undefined {
  const errors: unknown[] = [];
  const type = fault.type ?? "NOT_FOUND";
  let index = 0;
  const lose = (path: string[]): null => {
    errors.push({ type, path, locations: [{ line: 1, column: 1 }], message: `Could not resolve to a node (${type}).` });
    return null;
  };
  const data = Object.fromEntries(
    Object.entries(body.data ?? {}).map(([alias, value]) => {
      if (alias === "rateLimit" || !isObject(value)) return [alias, value];
      if (fault.lose(alias, index++)) return [alias, lose([alias])];
      const inner = Object.entries(value).map(([name, child]) =>
        isObject(child) && fault.lose(`${alias}.${name}`, index++) ? [name, lose([alias, name])] : [name, child],
      );
      return [alias, Object.fromEntries(inner)];
    }),
  );
  return errors.length === 0 ? undefined : { ...body, data, errors: [...(body.errors ?? []), ...errors] };
}

/** The body with connections emptied; undefined when none had a node. */
export function emptySilently(body: GraphqlBody, fault: Extract<Fault, { kind: "silent-empty" }>): GraphqlBody | undefined {
  let emptied = 0;
  const walk = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((entry) => walk(entry, name));
    if (!isObject(value)) return value;
    const hit = Array.isArray(value.nodes) && value.nodes.length > 0 && (fault.field?.(name) ?? true);
    if (hit) emptied += 1;
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, hit && key === "nodes" ? [] : walk(child, key)]));
  };
  const data = walk(body.data, "data") as GraphqlBody["data"];
  return emptied === 0 ? undefined : { ...body, data };
}
