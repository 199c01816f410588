import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Budget, budgetHeaders, type Caller, callerOf, createBudgets } from "./access.ts";
import { createFaultCounts, emptySilently, type Fault, type FaultCounts, type FaultSchedule, losePartly, UNICORN } from "./faults.ts";
import { createGate, DEFAULT_VERSION } from "./gate.ts";
import { answerGit, isGitPath } from "./git-http.ts";
import { executeGraphql, type GraphqlRequest } from "./graphql/execute.ts";
import { afterPush, protectedRefsOf } from "./merging.ts";
import { createRecorder, type LoggedRequest, type RequestLog } from "./request-log.ts";
import { failure, type Reply } from "./rest/context.ts";
import type { Endpoint } from "./rest/endpoints.ts";
import { nameById, route } from "./rest/router.ts";
import { instant, type World } from "./world.ts";

export type GithubOptions = {
  faults?: FaultSchedule;
  /** Budgets an hour: REST requests, GraphQL points, REST requests without a token. */
  limits?: { core?: number; graphql?: number; anonymous?: number };
  /** As GitHub Enterprise Server: REST under /api/v3, GraphQL under /api/graphql (C21). */
  enterprise?: boolean;
};

/** A response of the stand that GitHub could not have sent. The client got a 500 in its place. */
export type OwnFailure = { request: string; status: number; problem: string };

export type Github = {
  /** Base URL of REST, as octokit's `baseUrl`. */
  url: string;
  graphqlUrl: string;
  /** Git remotes are `${gitUrl}/owner/name.git`. */
  gitUrl: string;
  world: World;
  requests: RequestLog;
  faults: FaultCounts;
  /** Replaces the schedule; undefined ends the faults. */
  setFaults(schedule: FaultSchedule | undefined): void;
  /** REST responses that validated against GitHub's description. */
  validated(): number;
  /** Must stay empty; `close` throws when it did not. */
  ownFailures: OwnFailure[];
  close(): Promise<void>;
};

type Prepared = { status: number; headers: Record<string, string>; body: Buffer | undefined };

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Starts a mini-GitHub over a world, on a free port of the loopback interface. */
export async function startGithub(world: World, options: GithubOptions = {}): Promise<Github> {
  const gate = createGate();
  const budgets = createBudgets(world, { core: 5000, graphql: 5000, anonymous: 60, ...options.limits });
  const recorder = createRecorder();
  const faults = createFaultCounts();
  const ownFailures: OwnFailure[] = [];
  const [restPrefix, graphqlPath] = options.enterprise ? ["/api/v3", "/api/graphql"] : ["", "/graphql"];
  let schedule = options.faults;
  let validated = 0;
  let origin = "";

  const json = (status: number, body: unknown, headers: Record<string, string> = {}): Prepared => ({
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });

  const fail = (logged: LoggedRequest, status: number, problem: string): Prepared => {
    ownFailures.push({ request: `${logged.method} ${logged.path}`, status, problem });
    return json(500, { message: `The stand cannot answer this as GitHub would: ${problem}` });
  };

  /** What a request costs and whether its budget is spent; GitHub's own words for the refusal. */
  const spent = (budget: Budget, caller: Caller): string | undefined => {
    if (budget.used < budget.limit) return undefined;
    return caller.grant ? `API rate limit exceeded for user ID ${caller.grant.login}.` : "API rate limit exceeded for 127.0.0.1.";
  };

  const scopeHeaders = (caller: Caller): Record<string, string> => ({
    ...(caller.grant?.kind === "classic" ? { "x-oauth-scopes": caller.grant.scopes.join(", ") } : {}),
    ...(caller.grant?.expires ? { "github-authentication-token-expiration": caller.grant.expires } : {}),
  });

  const answerRest = (logged: LoggedRequest, url: URL, caller: Caller): Prepared => {
    const version = logged.headers["x-github-api-version"] ?? DEFAULT_VERSION;
    if (!gate.versions.includes(version)) {
      return json(400, failure(400, `The API version "${version}" is not supported.`).body);
    }
    const budget = budgets.of(caller, "core");
    const common = { "x-github-api-version-selected": version, "x-github-media-type": "github.v3; format=json", ...scopeHeaders(caller) };
    if (caller.bad) return json(401, failure(401, "Bad credentials").body, common);
    const path = url.pathname.slice(restPrefix.length);
    const found = route(logged.method, path, nameById(world));
    const limited = found?.endpoint === "GET /rate_limit" ? undefined : spent(budget, caller);
    if (limited !== undefined) return json(403, failure(403, limited).body, { ...common, ...budgetHeaders(budget, "core") });
    if (!found) return fail(logged, 404, `the stand has no endpoint ${logged.method} ${path}`);

    const problem = gate.request(version, found.endpoint, logged.body ?? {});
    const reply: Reply =
      problem === undefined
        ? found.run({
            world,
            api: origin + restPrefix,
            caller,
            method: logged.method,
            query: url.searchParams,
            body: (logged.body ?? {}) as Record<string, unknown>,
            headers: logged.headers,
            budget,
            graphqlBudget: budgets.of(caller, "graphql"),
          })
        : failure(422, `Invalid request.\n\n${problem}`);
    return finish(logged, found.endpoint, version, budget, common, reply);
  };

  /** Checks the response against the description, adds the headers, and turns an unchanged one into a 304. */
  const finish = (
    logged: LoggedRequest,
    endpoint: Endpoint,
    version: string,
    budget: Budget,
    common: Record<string, string>,
    reply: Reply,
  ): Prepared => {
    const raw = reply.headers?.["content-type"] !== undefined;
    const body = raw ? reply.body : gate.trim(version, endpoint, reply.body);
    if (!raw) {
      const wrong = gate.response(version, endpoint, reply.status, body);
      if (wrong !== undefined) return fail(logged, reply.status, wrong);
      validated += 1;
    }
    const prepared = raw ? { status: reply.status, headers: {}, body: Buffer.from(body as string | Buffer) } : json(reply.status, body);
    const headers: Record<string, string> = { ...prepared.headers, ...common, ...reply.headers };
    const reads = logged.method === "GET" && reply.status === 200;
    const etag = `W/"${createHash("sha256")
      .update(prepared.body ?? "")
      .digest("hex")}"`;
    const unchanged = reads && logged.headers["if-none-match"] === etag;
    if (!unchanged && endpoint !== "GET /rate_limit") budget.used += 1;
    Object.assign(headers, budgetHeaders(budget, "core"), reads ? { etag, "cache-control": "private, max-age=60" } : {});
    return unchanged ? { status: 304, headers, body: undefined } : { ...prepared, headers };
  };

  const answerGraphql = (logged: LoggedRequest, caller: Caller): Prepared => {
    if (caller.bad) return json(401, failure(401, "Bad credentials").body);
    if (!caller.grant) return json(401, failure(401, "This endpoint requires you to be authenticated.").body);
    const budget = budgets.of(caller, "graphql");
    const limited = spent(budget, caller);
    if (limited !== undefined) {
      return json(
        200,
        { errors: [{ type: "RATE_LIMIT", code: "graphql_rate_limit", message: limited }] },
        budgetHeaders(budget, "graphql"),
      );
    }
    const answer = executeGraphql(world, caller, budget, (logged.body ?? {}) as GraphqlRequest);
    logged.cost = answer.cost;
    if (answer.ownFailures.length > 0) return fail(logged, 200, answer.ownFailures.join("; "));
    budget.used += answer.cost;
    return json(200, answer.body, { ...budgetHeaders(budget, "graphql"), ...scopeHeaders(caller) });
  };

  const hit = (logged: LoggedRequest, fault: Fault): void => {
    logged.fault = fault.kind;
    faults.hits.push({ index: logged.index, kind: fault.kind });
  };

  /** The answer in place of the real one, for faults that replace it whole. */
  const replaced = (logged: LoggedRequest, caller: Caller, fault: Fault): Prepared | undefined => {
    const resource = logged.kind === "graphql" ? "graphql" : "core";
    const budget = budgets.of(caller, resource);
    const none = budgetHeaders({ ...budget, used: budget.limit }, resource);
    switch (fault.kind) {
      case "limit": {
        const message = fault.primary
          ? "API rate limit exceeded for user ID 1."
          : "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        const retry: Record<string, string> = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
        return json(fault.status, failure(fault.status, message).body, {
          ...retry,
          ...(fault.primary ? none : budgetHeaders(budget, resource)),
        });
      }
      case "unicorn":
        return { status: fault.status, headers: { "content-type": "text/html" }, body: Buffer.from(UNICORN) };
      case "error":
        return json(fault.status, fault.body, fault.headers);
      case "graphql-limit": {
        const error = { type: "RATE_LIMIT", code: "graphql_rate_limit", message: "API rate limit already exceeded for user ID 1." };
        return logged.kind === "graphql" ? json(200, { errors: [error] }, none) : undefined;
      }
      default:
        return undefined;
    }
  };

  /** Faults that spoil part of a GraphQL answer. Undefined: there was nothing to spoil. */
  const spoiled = (prepared: Prepared, fault: Fault): Prepared | undefined => {
    const body = parseJson(prepared.body?.toString() ?? "") as { data?: Record<string, unknown> | null } | undefined;
    if (!body?.data) return undefined;
    if (fault.kind === "partial") return withBody(prepared, losePartly(body, fault));
    if (fault.kind === "silent-empty") return withBody(prepared, emptySilently(body, fault));
    if (fault.kind !== "too-costly") return undefined;
    const aliases = Object.keys(body.data);
    const data = fault.data === "null" ? null : Object.fromEntries(aliases.map((alias) => [alias, null]));
    const message = "Resource limits for this query exceeded.";
    return withBody(prepared, { data, errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", path: aliases.slice(0, 1), message }] });
  };
  const withBody = (prepared: Prepared, body: unknown): Prepared | undefined =>
    body === undefined ? undefined : { ...prepared, body: Buffer.from(JSON.stringify(body)) };

  const send = (response: ServerResponse, logged: LoggedRequest, prepared: Prepared, fault?: Fault): void => {
    const length = prepared.body?.length ?? 0;
    const half = prepared.body?.subarray(0, Math.floor(length / 2)) ?? Buffer.alloc(0);
    const headers = {
      date: new Date(world.clock).toUTCString(),
      server: "github.com",
      "x-github-request-id": `STAND:${logged.index}`,
      ...prepared.headers,
    };
    if (fault?.kind === "reset") return void response.destroy();
    if (fault?.kind === "stall") {
      if (fault.headers) response.writeHead(prepared.status, { ...headers, "content-length": length }).write(half);
      return;
    }
    if (fault?.kind === "truncated" && fault.how === "cut") {
      response.writeHead(prepared.status, { ...headers, "content-length": length });
      return void response.write(half, () => response.destroy());
    }
    logged.status = prepared.status;
    const body = fault?.kind === "truncated" ? half : prepared.body;
    response.writeHead(prepared.status, body === undefined ? headers : { ...headers, "content-length": body.length }).end(body);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", origin);
    const kind = isGitPath(url.pathname) ? "git" : url.pathname === graphqlPath ? "graphql" : "rest";
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
    const caller = callerOf(world, headers.authorization);
    const logged: LoggedRequest = {
      index: recorder.log.all.length,
      kind,
      method: request.method ?? "GET",
      path: url.pathname + url.search,
      headers,
      body: undefined,
      status: 0,
      ...(caller.token === undefined ? {} : { token: caller.token }),
    };
    recorder.opened(logged);
    response.on("close", recorder.done);
    const raw = await readBody(request);
    if (kind !== "git" && raw.length > 0) logged.body = parseJson(raw.toString());

    const fault = schedule?.(logged);
    const instead = fault && replaced(logged, caller, fault);
    const silent = fault?.kind === "reset" || fault?.kind === "stall";
    if (fault && (instead || silent)) {
      hit(logged, fault);
      const executed = "executed" in fault && fault.executed === true;
      const needed = executed || (fault.kind === "stall" && fault.headers === true);
      const real = needed ? await produce(request, url, raw, logged, caller) : json(200, {});
      return send(response, logged, instead ?? real, fault);
    }
    const real = await produce(request, url, raw, logged, caller);
    const changed = fault && spoiled(real, fault);
    const truncates = fault?.kind === "truncated" && (real.body?.length ?? 0) > 1;
    if (fault && (changed || truncates)) hit(logged, fault);
    send(response, logged, changed ?? real, truncates ? fault : undefined);
  };

  const produce = async (request: IncomingMessage, url: URL, raw: Buffer, logged: LoggedRequest, caller: Caller): Promise<Prepared> => {
    if (logged.kind === "graphql") return answerGraphql(logged, caller);
    if (logged.kind === "rest") return answerRest(logged, url, caller);
    const answer = await answerGit(world, caller, request, url, raw, (name) => protectedRefsOf(world, name));
    if (url.pathname.endsWith("git-receive-pack")) afterPush(world);
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    return { status: answer.status, headers, body: answer.body };
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      ownFailures.push({ request: `${request.method} ${request.url}`, status: 0, problem });
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ message: problem }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: origin + restPrefix,
    graphqlUrl: origin + graphqlPath,
    gitUrl: origin,
    world,
    requests: recorder.log,
    faults,
    setFaults(next) {
      schedule = next;
    },
    validated: () => validated,
    ownFailures,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (ownFailures.length > 0)
        throw new Error(`the stand answered what GitHub could not have (${instant(world.clock)}): ${JSON.stringify(ownFailures[0])}`);
    },
  };
}
