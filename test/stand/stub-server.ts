import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { answerInstead } from "./fault-answers.ts";
import { createFaultCounts, type FaultCounts, type FaultSchedule } from "./faults.ts";
import { createRecorder, type LoggedRequest, type RequestLog } from "./request-log.ts";
import { jsonAnswer, type Prepared, parseJson, send } from "./respond.ts";

/** A small HTTP server with the log and the faults of the mini-GitHub, for the registries. */
export type Stub = {
  url: string;
  requests: RequestLog;
  faults: FaultCounts;
  setFaults(schedule: FaultSchedule | undefined): void;
  close(): Promise<void>;
};
export type StubRequest = { method: string; url: URL; headers: IncomingMessage["headers"]; body: Buffer };

const NO_BUDGET = { limit: 0, used: 0, reset: 0 };

/** An answer with an ETag, or 304 when the client has it already. */
export function conditional(request: StubRequest, answer: Prepared): Prepared {
  const etag = `"${createHash("md5")
    .update(answer.body ?? "")
    .digest("hex")}"`;
  const headers = { ...answer.headers, etag };
  return request.headers["if-none-match"] === etag ? { status: 304, headers, body: undefined } : { ...answer, headers };
}

/** @param now ISO 8601 or epoch milliseconds of the Date header; the wall clock unless given */
export async function startStub(
  handler: (request: StubRequest) => Prepared | Promise<Prepared>,
  now: () => number = Date.now,
): Promise<Stub> {
  const recorder = createRecorder();
  const faults = createFaultCounts();
  let schedule: FaultSchedule | undefined;
  let origin = "";

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const logged: LoggedRequest = {
      index: recorder.log.all.length,
      kind: "rest",
      method: request.method ?? "GET",
      path: url.pathname + url.search,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()])),
      body: undefined,
      status: 0,
    };
    recorder.opened(logged);
    response.on("close", recorder.done);
    const date = new Date(now()).toUTCString();
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      logged.body = parseJson(body.toString());
      const fault = schedule?.(logged);
      const instead = fault && answerInstead(logged, NO_BUDGET, fault);
      const silent = fault?.kind === "reset" || fault?.kind === "stall";
      const answer = instead ?? (await handler({ method: logged.method, url, headers: request.headers, body }));
      const truncates = fault?.kind === "truncated" && (answer.body?.length ?? 0) > 1 && logged.method !== "HEAD";
      if (fault && (instead || silent || truncates)) {
        logged.fault = fault.kind;
        faults.hits.push({ index: logged.index, kind: fault.kind });
      }
      send(response, logged, answer, date, silent || truncates ? fault : undefined);
    } catch (error) {
      if (!response.headersSent && !response.destroyed) send(response, logged, jsonAnswer(500, { message: String(error) }), date);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    requests: recorder.log,
    faults,
    setFaults(next) {
      schedule = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Passes a request on to a real server. The Host header stays, so that the server's own addresses lead through the proxy. */
export function forward(port: number, { method, url, headers, body }: StubRequest): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const call = httpRequest({ host: "127.0.0.1", port, method, path: url.pathname + url.search, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { "transfer-encoding": _, connection: __, ...passed } = response.headers;
      const own = Object.fromEntries(Object.entries(passed).map(([name, value]) => [name, String(value)]));
      // The answer to HEAD keeps the length of the body it does not send.
      const without = method === "HEAD" || response.statusCode === 304;
      resolve({ status: response.statusCode ?? 0, headers: own, body: without ? undefined : Buffer.concat(chunks) });
    });
    call.on("error", reject);
    call.end(body);
  });
}
