import type { Fault } from "./faults.ts";

export type RequestKind = "rest" | "graphql" | "git";
export type LoggedRequest = {
  /** 0 for the first request of a stand. */
  index: number;
  kind: RequestKind;
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string | undefined>;
  /** Decoded JSON of a REST or GraphQL body. */
  body: unknown;
  /** 0 until answered, and for a connection that was cut or left to stall. */
  status: number;
  /** The token as sent; undefined without one. */
  token?: string;
  /** Points of a GraphQL request. */
  cost?: number;
  fault?: Fault["kind"];
};

/** Every request that reached the stand, in order of arrival. */
export type RequestLog = {
  all: LoggedRequest[];
  /** Requests since the start or the last `clear`. */
  count(kind?: RequestKind): number;
  /** Requests whose method writes (anything but GET and HEAD), GraphQL mutations included. */
  writes(): LoggedRequest[];
  counts(): Record<RequestKind, number>;
  /** Most requests that were open at one time. */
  mostAtOnce(): number;
  clear(): void;
};

export type Recorder = { log: RequestLog; opened(request: LoggedRequest): void; done(): void };

export function createRecorder(): Recorder {
  const all: LoggedRequest[] = [];
  let [open, most] = [0, 0];
  const count = (kind?: RequestKind): number => (kind ? all.filter((request) => request.kind === kind).length : all.length);
  const isWrite = (request: LoggedRequest): boolean => {
    if (request.kind === "git") return request.path.includes("git-receive-pack");
    if (request.kind === "rest") return request.method !== "GET" && request.method !== "HEAD";
    return /^\s*mutation\b/m.test(String((request.body as { query?: unknown } | undefined)?.query ?? ""));
  };
  return {
    log: {
      all,
      count,
      writes: () => all.filter(isWrite),
      counts: () => ({ rest: count("rest"), graphql: count("graphql"), git: count("git") }),
      mostAtOnce: () => most,
      clear() {
        all.length = 0;
        most = open;
      },
    },
    opened(request) {
      all.push(request);
      open += 1;
      most = Math.max(most, open);
    },
    done() {
      open -= 1;
    },
  };
}
