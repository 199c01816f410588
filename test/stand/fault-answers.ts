import { type Budget, budgetHeaders } from "./access.ts";
import { emptySilently, type Fault, losePartly, UNICORN } from "./faults.ts";
import type { LoggedRequest } from "./request-log.ts";
import { jsonAnswer, type Prepared, parseJson } from "./respond.ts";
import { failure } from "./rest/context.ts";

/** The answer in place of the real one, for faults that replace it whole; undefined for the others. */
export function answerInstead(logged: LoggedRequest, budget: Budget, fault: Fault): Prepared | undefined {
  const resource = logged.kind === "graphql" ? "graphql" : "core";
  const none = budgetHeaders({ ...budget, used: budget.limit }, resource);
  switch (fault.kind) {
    case "limit": {
      const message = fault.primary
        ? "API rate limit exceeded for user ID 1."
        : "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
      const retry: Record<string, string> = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      const headers = { ...retry, ...(fault.primary ? none : budgetHeaders(budget, resource)) };
      return jsonAnswer(fault.status, failure(fault.status, message).body, headers);
    }
    case "unicorn":
      return { status: fault.status, headers: { "content-type": "text/html" }, body: Buffer.from(UNICORN) };
    case "error":
      return jsonAnswer(fault.status, fault.body, fault.headers);
    case "graphql-limit": {
      const error = { type: "RATE_LIMIT", code: "graphql_rate_limit", message: "API rate limit already exceeded for user ID 1." };
      return logged.kind === "graphql" ? jsonAnswer(200, { errors: [error] }, none) : undefined;
    }
    default:
      return undefined;
  }
}

/** The GraphQL answer with part of it spoiled. Undefined: it is no GraphQL answer, or there was nothing to spoil. */
export function spoil(logged: LoggedRequest, prepared: Prepared, fault: Fault): Prepared | undefined {
  if (logged.kind !== "graphql") return undefined;
  const body = parseJson(prepared.body?.toString() ?? "") as { data?: Record<string, unknown> | null } | undefined;
  if (!body?.data) return undefined;
  const spoiled =
    fault.kind === "partial"
      ? losePartly(body, fault)
      : fault.kind === "silent-empty"
        ? emptySilently(body, fault)
        : tooCostly(body.data, fault);
  return spoiled && { ...prepared, body: Buffer.from(JSON.stringify(spoiled)) };
}

function tooCostly(data: Record<string, unknown>, fault: Fault) {
  if (fault.kind !== "too-costly") return undefined;
  const aliases = Object.keys(data);
  const message = "Resource limits for this query exceeded.";
  return {
    data: fault.data === "null" ? null : Object.fromEntries(aliases.map((alias) => [alias, null])),
    errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", path: aliases.slice(0, 1), message }],
  };
}
