import type { ServerResponse } from "node:http";
import type { Fault } from "./faults.ts";
import type { LoggedRequest } from "./request-log.ts";

/** An answer before it is sent. */
export type Prepared = { status: number; headers: Record<string, string>; body: Buffer | undefined };

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): Prepared => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
});

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends an answer, or as much of it as the fault lets through. Records the status that the client gets to see. */
export function send(response: ServerResponse, logged: LoggedRequest, prepared: Prepared, date: string, fault?: Fault): void {
  const length = prepared.body?.length ?? 0;
  const half = prepared.body?.subarray(0, Math.floor(length / 2)) ?? Buffer.alloc(0);
  const headers = { date, "x-github-request-id": `STAND:${logged.index}`, ...prepared.headers };
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
}
