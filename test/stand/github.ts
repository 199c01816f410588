import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Caller, callerOf, createBudgets } from "./access.ts";
import { createAnswers, type OwnFailure } from "./answers.ts";
import { answerInstead, spoil } from "./fault-answers.ts";
import { createFaultCounts, type Fault, type FaultCounts, type FaultSchedule } from "./faults.ts";
import { answerGit, isGitPath } from "./git-http.ts";
import { afterPush, protectedRefsOf } from "./merging.ts";
import { createRecorder, type LoggedRequest, type RequestLog } from "./request-log.ts";
import { jsonAnswer, type Prepared, parseJson, send } from "./respond.ts";
import type { World } from "./world.ts";

export type GithubOptions = {
  faults?: FaultSchedule;
  /** Budgets an hour: REST requests, GraphQL points, REST requests without a token. */
  limits?: { core?: number; graphql?: number; anonymous?: number };
  /** As GitHub Enterprise Server: REST under /api/v3, GraphQL under /api/graphql (C21). */
  enterprise?: boolean;
};

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

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Starts a mini-GitHub over a world, on a free port of the loopback interface. */
export async function startGithub(world: World, options: GithubOptions = {}): Promise<Github> {
  const budgets = createBudgets(world, { core: 5000, graphql: 5000, anonymous: 60, ...options.limits });
  const [restPrefix, graphqlPath] = options.enterprise ? ["/api/v3", "/api/graphql"] : ["", "/graphql"];
  let origin = "";
  const answers = createAnswers(world, budgets, () => origin + restPrefix, restPrefix);
  const recorder = createRecorder();
  const faults = createFaultCounts();
  let schedule = options.faults;

  const produce = async (request: IncomingMessage, url: URL, raw: Buffer, logged: LoggedRequest, caller: Caller): Promise<Prepared> => {
    if (logged.kind === "graphql") return answers.graphql(logged, caller);
    if (logged.kind === "rest") return answers.rest(logged, url, caller);
    const answer = await answerGit(world, caller, request, url, raw, (name) => protectedRefsOf(world, name));
    if (url.pathname.endsWith("git-receive-pack")) afterPush(world);
    return answer;
  };

  const hit = (logged: LoggedRequest, fault: Fault): void => {
    logged.fault = fault.kind;
    faults.hits.push({ index: logged.index, kind: fault.kind });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", origin);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
    const caller = callerOf(world, headers.authorization);
    const kind = isGitPath(url.pathname) ? "git" : url.pathname === graphqlPath ? "graphql" : "rest";
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

    const date = new Date(world.clock).toUTCString();
    const fault = schedule?.(logged);
    const instead = fault && answerInstead(logged, budgets.of(caller, kind === "graphql" ? "graphql" : "core"), fault);
    if (fault && (instead || fault.kind === "reset" || fault.kind === "stall")) {
      hit(logged, fault);
      const runs = ("executed" in fault && fault.executed === true) || (fault.kind === "stall" && fault.headers === true);
      const real = runs ? await produce(request, url, raw, logged, caller) : jsonAnswer(200, {});
      return send(response, logged, instead ?? real, date, fault);
    }
    const real = await produce(request, url, raw, logged, caller);
    const spoiled = fault && spoil(logged, real, fault);
    const truncates = fault?.kind === "truncated" && (real.body?.length ?? 0) > 1;
    if (fault && (spoiled || truncates)) hit(logged, fault);
    send(response, logged, spoiled ?? real, date, truncates ? fault : undefined);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return; // The client went away while sending.
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      answers.ownFailures.push({ request: `${request.method} ${request.url}`, status: 0, problem });
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
    validated: answers.validated,
    ownFailures: answers.ownFailures,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      const [first] = answers.ownFailures;
      if (first) throw new Error(`The stand answered what GitHub could not have: ${first.request}: ${first.problem}`);
    },
  };
}
