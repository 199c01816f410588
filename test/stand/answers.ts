import { createHash } from "node:crypto";
import { type Budget, type Budgets, budgetHeaders, type Caller } from "./access.ts";
import { createGate, DEFAULT_VERSION } from "./gate.ts";
import { executeGraphql, type GraphqlRequest } from "./graphql/execute.ts";
import type { LoggedRequest } from "./request-log.ts";
import { jsonAnswer, type Prepared } from "./respond.ts";
import { failure, type Reply } from "./rest/context.ts";
import type { Endpoint } from "./rest/endpoints.ts";
import { nameById, route } from "./rest/router.ts";
import type { World } from "./world.ts";

/** A response of the stand that GitHub could not have sent. The client got a 500 in its place. */
export type OwnFailure = { request: string; status: number; problem: string };

export type Answers = {
  rest(logged: LoggedRequest, url: URL, caller: Caller): Prepared;
  graphql(logged: LoggedRequest, caller: Caller): Prepared;
  /** REST responses that validated against GitHub's description. */
  validated(): number;
  ownFailures: OwnFailure[];
};

/** GitHub's refusal when a budget is spent; undefined while it is not. */
function spent(budget: Budget, caller: Caller): string | undefined {
  if (budget.used < budget.limit) return undefined;
  return `API rate limit exceeded for ${caller.grant ? `user ID ${caller.grant.login}` : "127.0.0.1"}.`;
}

const aboutToken = (caller: Caller): Record<string, string> => ({
  ...(caller.grant?.kind === "classic" ? { "x-oauth-scopes": caller.grant.scopes.join(", ") } : {}),
  ...(caller.grant?.expires ? { "github-authentication-token-expiration": caller.grant.expires } : {}),
});

/** @param api base of the API's URLs, known once the server listens; @param prefix path before every REST path */
export function createAnswers(world: World, budgets: Budgets, api: () => string, prefix: string): Answers {
  const gate = createGate();
  const ownFailures: OwnFailure[] = [];
  let validated = 0;

  const fail = (logged: LoggedRequest, status: number, problem: string): Prepared => {
    ownFailures.push({ request: `${logged.method} ${logged.path}`, status, problem });
    return jsonAnswer(500, { message: `The stand cannot answer this as GitHub would: ${problem}` });
  };

  /** Checks the response against the description, adds the headers, and turns an unchanged one into a 304 (C07). */
  const finish = (
    logged: LoggedRequest,
    endpoint: Endpoint,
    version: string,
    budget: Budget,
    about: Record<string, string>,
    reply: Reply,
  ): Prepared => {
    let prepared: Prepared;
    if (reply.headers?.["content-type"] !== undefined) {
      prepared = { status: reply.status, headers: {}, body: Buffer.from(reply.body as string | Buffer) };
    } else {
      const body = gate.trim(version, endpoint, reply.body);
      const wrong = gate.response(version, endpoint, reply.status, body);
      if (wrong !== undefined) return fail(logged, reply.status, wrong);
      validated += 1;
      prepared = jsonAnswer(reply.status, body);
    }
    const reads = logged.method === "GET" && reply.status === 200;
    const etag = `W/"${createHash("sha256")
      .update(prepared.body ?? "")
      .digest("hex")}"`;
    const unchanged = reads && logged.headers["if-none-match"] === etag;
    if (!unchanged && endpoint !== "GET /rate_limit") budget.used += 1;
    const headers = {
      ...prepared.headers,
      ...about,
      ...reply.headers,
      ...budgetHeaders(budget, "core"),
      ...(reads ? { etag, "cache-control": "private, max-age=60, s-maxage=60", vary: "Accept, Authorization" } : {}),
    };
    return unchanged ? { status: 304, headers, body: undefined } : { ...prepared, headers };
  };

  return {
    ownFailures,
    validated: () => validated,
    rest(logged, url, caller) {
      const version = logged.headers["x-github-api-version"] ?? DEFAULT_VERSION;
      if (!gate.versions.includes(version)) return jsonAnswer(400, failure(400, `The API version "${version}" is not supported.`).body);
      const about = { "x-github-api-version-selected": version, "x-github-media-type": "github.v3; format=json", ...aboutToken(caller) };
      if (caller.bad) return jsonAnswer(401, failure(401, "Bad credentials").body, about);
      const budget = budgets.of(caller, "core");
      const path = url.pathname.slice(prefix.length);
      const found = route(logged.method, path, nameById(world));
      const limited = found?.endpoint === "GET /rate_limit" ? undefined : spent(budget, caller);
      if (limited !== undefined) return jsonAnswer(403, failure(403, limited).body, { ...about, ...budgetHeaders(budget, "core") });
      if (!found) return fail(logged, 404, `the stand has no endpoint ${logged.method} ${path}`);
      const problem = gate.request(version, found.endpoint, logged.body ?? {});
      if (problem !== undefined)
        return finish(logged, found.endpoint, version, budget, about, failure(422, `Invalid request.\n\n${problem}`));
      const reply = found.run({
        world,
        api: api(),
        caller,
        method: logged.method,
        query: url.searchParams,
        body: (logged.body ?? {}) as Record<string, unknown>,
        headers: logged.headers,
        budget,
        graphqlBudget: budgets.of(caller, "graphql"),
      });
      return finish(logged, found.endpoint, version, budget, about, reply);
    },
    graphql(logged, caller) {
      if (caller.bad) return jsonAnswer(401, failure(401, "Bad credentials").body);
      if (!caller.grant) return jsonAnswer(401, failure(401, "This endpoint requires you to be authenticated.").body);
      const budget = budgets.of(caller, "graphql");
      const limited = spent(budget, caller);
      if (limited !== undefined) {
        const error = { type: "RATE_LIMIT", code: "graphql_rate_limit", message: limited };
        return jsonAnswer(200, { errors: [error] }, budgetHeaders(budget, "graphql"));
      }
      const answer = executeGraphql(world, caller, budget, (logged.body ?? {}) as GraphqlRequest);
      logged.cost = answer.cost;
      if (answer.ownFailures.length > 0) return fail(logged, 200, answer.ownFailures.join("; "));
      budget.used += answer.cost;
      return jsonAnswer(200, answer.body, { ...budgetHeaders(budget, "graphql"), ...aboutToken(caller) });
    },
  };
}
