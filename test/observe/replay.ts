import { BROAD, NARROW, detailQuery, glanceQuery, rebaseQuery } from "../../src/observe/github/queries.ts";
import type { Asked, Query } from "../../src/observe/github/queries.ts";
import { callerOf } from "../stand/access.ts";
import type { Fault } from "../stand/faults.ts";
import { UNICORN, emptySilently, losePartly } from "../stand/faults.ts";
import type { Github } from "../stand/github.ts";
import { executeGraphql } from "../stand/graphql/execute.ts";

/** A request as a fault schedule sees it: what it asks for. */
export interface Seen {
  kind: "graphql" | "rest";
  /** `owner/name#n` for every thread it asks for; a repository or page of no thread has none. */
  refs: string[];
}

export interface Replay {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Every request with the fault that took effect on it. */
  log: (Seen & { fault: Fault["kind"] | undefined })[];
}

type Body = { data?: Record<string, unknown> | null; errors?: { path?: unknown[] }[] };

/** Answers that were made before, by what was asked. */
export type ReplayCache = Map<string, Body | { status: number; headers: [string, string][]; body: string }>;

/**
 * The answers of a stand, each made once: a batch is put together from what the stand answers to its elements alone, so that a
 * thousand runs cost hardly more than one. Faults are applied to the batch as the stand applies them.
 */
export function replayOf(github: Github, cache: ReplayCache, faults: (request: Seen) => Fault | undefined): Replay {
  const log: Replay["log"] = [];
  const single = (asked: Asked, make: (asked: Asked[]) => Query, shape: string, token: string): Body => {
    const key = `${shape} ${asked.discussion} ${asked.ref} ${token}`;
    const known = cache.get(key) as Body | undefined;
    if (known) return known;
    const caller = callerOf(github.world, token);
    const answer = executeGraphql(
      github.world,
      caller,
      { limit: 1e9, used: 0, reset: github.world.clock / 1000 },
      { query: make([asked]).text },
    );
    if (answer.ownFailures.length > 0) throw new Error(answer.ownFailures.join());
    // Stored as the wire carries it.
    const body = JSON.parse(JSON.stringify(answer.body)) as Body;
    cache.set(key, body);
    return body;
  };

  const graphql = (query: string, token: string): Body => {
    const [make, shape] = query.includes("...Rebased")
      ? [(asked: Asked[]) => rebaseQuery(asked, 2), "rebase"]
      : query.includes("fragment Detail")
        ? query.includes(`last: ${BROAD.talk}`)
          ? [(asked: Asked[]) => detailQuery(asked, BROAD), "broad"]
          : [(asked: Asked[]) => detailQuery(asked, NARROW), "narrow"]
        : [glanceQuery, "glance"];
    const data: Record<string, unknown> = { rateLimit: { cost: 1, remaining: 5000, resetAt: "2026-05-16T01:00:00Z" } };
    const errors: NonNullable<Body["errors"]> = [];
    for (const [repoAlias, repo, alias, number, discussion] of placesOf(query)) {
      const one = single({ ref: `${repo}#${number}`, discussion }, make, shape, token);
      const inner = one.data?.r0 as Record<string, unknown> | null | undefined;
      if (inner) data[repoAlias] = { ...((data[repoAlias] as object) ?? {}), ...inner };
      else data[repoAlias] ??= null;
      for (const error of one.errors ?? []) errors.push({ ...error, path: [repoAlias, ...(error.path ?? []).slice(1)] });
      if (inner && !(alias in inner)) throw new Error(`the answer about ${repo}#${number} has no ${alias}`);
    }
    return errors.length > 0 ? { data, errors } : { data };
  };

  const rest = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = init.headers as Record<string, string>;
    const key = `${url} ${headers.authorization ?? ""} ${headers["if-none-match"] ?? ""}`;
    let known = cache.get(key) as { status: number; headers: [string, string][]; body: string } | undefined;
    if (!known) {
      const response = await fetch(url, { ...init, signal: null });
      known = {
        status: response.status,
        headers: [...response.headers].filter(([name]) => !/ratelimit|encoding|length/.test(name)),
        body: await response.text(),
      };
      cache.set(key, known);
    }
    const body = known.status === 304 ? null : known.body;
    return Object.defineProperty(new Response(body, { status: known.status, headers: known.headers }), "url", { value: url });
  };

  return {
    log,
    fetch: async (url, init = {}) => {
      const token = (init.headers as Record<string, string>).authorization ?? "";
      const isGraphql = url.endsWith("/graphql");
      const query = isGraphql ? (JSON.parse(String(init.body)) as { query: string }).query : "";
      const seen: Seen = {
        kind: isGraphql ? "graphql" : "rest",
        refs: isGraphql ? placesOf(query).map(([, repo, , number]) => `${repo}#${number}`) : refsOfPath(new URL(url).pathname),
      };
      const entry: Replay["log"][number] = { ...seen, fault: undefined };
      log.push(entry);
      const fault = faults(seen);
      const replaced = fault && replacement(fault, seen.kind, init);
      if (replaced) {
        entry.fault = fault.kind;
        return replaced;
      }
      if (!isGraphql) {
        const response = await rest(url, init);
        if (fault?.kind !== "truncated" || response.status !== 200) return response;
        entry.fault = fault.kind;
        return Object.defineProperty(
          new Response(halfOf(await response.text(), fault.how), { status: 200, headers: response.headers }),
          "url",
          { value: url },
        );
      }
      const body = graphql(query, token);
      const spoiled = fault && spoil(body, fault);
      if (spoiled) entry.fault = fault.kind;
      const text = JSON.stringify(spoiled ?? body);
      if (fault?.kind === "truncated") entry.fault = fault.kind;
      const sent = fault?.kind === "truncated" ? halfOf(text, fault.how) : text;
      return new Response(sent, { headers: { "content-type": "application/json; charset=utf-8" } });
    },
  };
}

function* places(query: string): Generator<[string, string, string, string, boolean]> {
  let repoAlias = "";
  let repo = "";
  for (const line of query.split("\n")) {
    const open = /^(r\d+): repository\(owner: "([^"]+)", name: "([^"]+)"\)/.exec(line);
    if (open) [repoAlias, repo] = [open[1] ?? "", `${open[2]}/${open[3]}`];
    const thread = /^\s*(([id])(\d+)): (?:issueOrPullRequest|discussion)\(/.exec(line);
    if (thread) yield [repoAlias, repo, thread[1] ?? "", thread[3] ?? "", thread[2] === "d"];
  }
}
const placesOf = (query: string) => [...places(query)];

function refsOfPath(path: string): string[] {
  const [, repo, number] = /^\/repos\/([^/]+\/[^/]+)\/(?:issues|pulls)\/(\d+)/.exec(path) ?? [];
  return number === undefined ? [] : [`${repo}#${number}`];
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json; charset=utf-8", ...headers } });
const NONE_LEFT = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1779000000" };

/** Faults that take the answer's place. */
function replacement(fault: Fault, kind: Seen["kind"], init: RequestInit): Promise<Response> | Response | undefined {
  switch (fault.kind) {
    case "limit":
      return json(
        fault.status,
        { message: fault.primary ? "API rate limit exceeded for user ID 1." : "You have exceeded a secondary rate limit." },
        { ...(fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }), ...(fault.primary ? NONE_LEFT : {}) },
      );
    case "graphql-limit":
      return kind === "graphql"
        ? json(200, { errors: [{ type: "RATE_LIMIT", message: "API rate limit already exceeded." }] }, NONE_LEFT)
        : undefined;
    case "unicorn":
      return new Response(UNICORN, { status: fault.status, headers: { "content-type": "text/html" } });
    case "error":
      return json(fault.status, fault.body, fault.headers);
    case "reset":
      return Promise.reject(new TypeError("fetch failed", { cause: new Error("other side closed") }));
    case "stall":
      return new Promise((_, reject) => {
        const { signal } = init;
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
    default:
      return undefined;
  }
}

/** Faults that spoil a part of a GraphQL answer; undefined when there was nothing to spoil. */
function spoil(body: Body, fault: Fault): Body | undefined {
  if (!body.data) return undefined;
  if (fault.kind === "partial") return losePartly(body, fault) as Body | undefined;
  if (fault.kind === "silent-empty") return emptySilently(body, fault) as Body | undefined;
  if (fault.kind !== "too-costly") return undefined;
  const aliases = Object.keys(body.data).filter((alias) => alias !== "rateLimit");
  const data = fault.data === "null" ? null : Object.fromEntries(aliases.map((alias) => [alias, null]));
  return {
    data,
    errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", path: aliases.slice(0, 1), message: "Resource limits for this query exceeded." } as never],
  };
}

function halfOf(text: string, how: "clean" | "cut"): ReadableStream | string {
  const half = text.slice(0, Math.floor(text.length / 2));
  if (how === "clean") return half;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(half));
      controller.error(new TypeError("terminated"));
    },
  });
}
