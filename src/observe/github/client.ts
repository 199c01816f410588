import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { ThrottlingOptions } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { PUBLIC_API } from "./endpoint.ts";
import { GithubFailure, failureOf, isSecondaryLimit, oneLine, usedUp } from "./failure.ts";

/** Version of the REST API that answers are read in; always sent, so that a new default cannot change what a field means (C26). */
export const API_VERSION = "2022-11-28";

export interface ClientOptions {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  now: () => Date;
  token?: string | undefined;
  /** REST base, see `endpoint.ts`. */
  api?: string;
  /** Milliseconds that one second of waiting takes; tests take 0. */
  secondMs?: number;
  /** Milliseconds until a request counts as stalled. */
  timeoutMs?: number;
  /** Seconds that a limit on the pace may hold the run up; longer, and the rest is left for the next run. */
  patience?: number;
  /** HTTP requests the run may make; shared with other sources. */
  budget?: Budget;
  /** Progress, one line; never the token. */
  say?: (line: string) => void;
}

/** What a run may spend and has spent. */
export interface Budget {
  requests: { graphql: number; rest: number; git: number; registry: number };
  max: number | undefined;
  /** What GitHub says is left of the hour, as far as it has said. */
  left: { graphql?: number; rest?: number };
}

export const newBudget = (max?: number): Budget => ({ requests: { graphql: 0, rest: 0, git: 0, registry: 0 }, max, left: {} });
export const spent = ({ requests }: Budget): number => requests.graphql + requests.rest + requests.git + requests.registry;

export interface GraphqlError {
  type?: string;
  message?: string;
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
}
export interface GraphqlAnswer {
  /** Always an object: an answer without data is a failure. */
  data: Record<string, unknown>;
  errors: readonly GraphqlError[];
}

export interface RestAnswer {
  /** 200, 304, 404, 410 or 451. */
  status: number;
  data: unknown;
  headers: Record<string, string | undefined>;
  /** Where the answer came from after redirects. */
  url: string;
}

export interface GithubClient {
  api: string;
  hasToken: boolean;
  budget: Budget;
  /** @throws {GithubFailure} */
  graphql: (query: string, retries: number) => Promise<GraphqlAnswer>;
  /** A path such as `/repos/o/r/issues/1`, or an absolute address from a Link header. @throws {GithubFailure} */
  get: (path: string, options?: { anonymous?: boolean; etag?: string | undefined }) => Promise<RestAnswer>;
  /** As octokit's own request: throws an error with `status` and `response`. For adapters that speak it. */
  request: (
    route: string,
    parameters: Record<string, string | number>,
  ) => Promise<{ status: number; data: unknown; headers: Record<string, string | number | undefined> }>;
}

/** Answers about the thing asked for, as opposed to about the request. */
const ABOUT_THE_THING = [304, 404, 410, 451];
/** Never asked again with the same words. 429 is here because the throttling plugin has decided about it already. */
const FINAL = [400, 401, 403, 404, 410, 422, 429, 451];

/** The one way to GitHub: every request passes here, is counted, has a time limit and an explicit version, and hides the token. */
export function githubClient(options: ClientOptions): GithubClient {
  const { now, token, api = PUBLIC_API, budget = newBudget() } = options;
  const hide = (text: string) => (token ? text.replaceAll(token, "[token]") : text);
  const signedIn = octokitFor(options, budget, token);
  const anonymous = token ? octokitFor(options, budget, undefined) : signedIn;
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (budget.max !== undefined && spent(budget) >= budget.max) {
      throw new GithubFailure("limit", `the ${budget.max} requests this run was allowed are used up`);
    }
    try {
      return await work();
    } catch (error) {
      throw failureOf(error, now, hide);
    }
  };
  return {
    api,
    hasToken: token !== undefined,
    budget,
    graphql: (query, retries) =>
      guard(async () => {
        try {
          return { data: asData(await signedIn.graphql<unknown>(query, { request: { retries } })), errors: [] };
        } catch (error) {
          if (!isPartial(error)) throw error;
          const errors = error.errors.map((one) => ({ ...one, message: hide(oneLine(one.message ?? "")) }));
          // A used-up limit comes as an error inside a 200 (C03); the throttling plugin knows only one of its names.
          if (errors.some(({ type }) => type?.startsWith("RATE_LIMIT"))) throw usedUp(error.headers);
          return { data: asData(error.data, errors), errors };
        }
      }),
    get: (path, { anonymous: unnamed = false, etag } = {}) =>
      guard(async () => {
        const client = unnamed ? anonymous : signedIn;
        try {
          const answer = await client.request({ method: "GET", url: path, headers: etag === undefined ? {} : { "if-none-match": etag } });
          if (String(answer.headers["x-github-sso"] ?? "").startsWith("partial-results"))
            throw new GithubFailure("refused", "an organization's single sign-on keeps a part of the answer back");
          if (typeof answer.data !== "object" || answer.data === null)
            throw new GithubFailure("broken", "GitHub's answer is cut off or not JSON");
          return { status: answer.status, data: answer.data, headers: headersOf(answer.headers), url: answer.url };
        } catch (error) {
          const { status, response } = error as { status?: number; response?: { headers: object; data: unknown; url?: string } };
          if (!response || status === undefined || !ABOUT_THE_THING.includes(status)) throw error;
          return { status, data: response.data, headers: headersOf(response.headers), url: response.url ?? path };
        }
      }),
    request: async (route, parameters) => {
      if (budget.max !== undefined && spent(budget) >= budget.max)
        throw new GithubFailure("limit", `the ${budget.max} requests this run was allowed are used up`);
      return signedIn.request(route, parameters);
    },
  };
}

const headersOf = (headers: object): RestAnswer["headers"] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value === undefined ? undefined : String(value)]));

function isPartial(error: unknown): error is { errors: GraphqlError[]; data: unknown; headers: object } {
  return error instanceof Error && error.name === "GraphqlResponseError" && Array.isArray((error as { errors?: unknown }).errors);
}

/** @throws {GithubFailure} when there is no data: null with a resource limit (C12), or an answer that was cut off. */
function asData(data: unknown, errors: readonly GraphqlError[] = []): Record<string, unknown> {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  const first = errors[0];
  if (!first) throw new GithubFailure("broken", "GitHub's answer is cut off or not JSON");
  if (isCostly(first)) throw new GithubFailure("cost", `GitHub says it is too much at once (${first.type})`);
  throw new GithubFailure("setup", `GitHub does not understand the query (${first.message ?? first.type ?? "no reason given"})`);
}

export const isCostly = ({ type, message }: GraphqlError): boolean =>
  /RESOURCE_LIMITS|NODE_LIMIT|EXCESSIVE|TIMEOUT/i.test(type ?? "") || /timeout|resource limits|something went wrong/i.test(message ?? "");

/** The throttling plugin spaces GraphQL a second apart as if it wrote. Nothing is written here, and reads need no such pause. */
const UNSPACED = { key: () => ({ schedule: (_: object, job: () => Promise<void>) => job() }) } as unknown as NonNullable<
  Extract<ThrottlingOptions, { write?: unknown }>["write"]
>;

function octokitFor(options: ClientOptions, budget: Budget, token: string | undefined): Octokit {
  const { api = PUBLIC_API, secondMs = 1000, patience = 120, say = () => {} } = options;
  const silent = () => {};
  const Client = Octokit.plugin(namesLimits, throttling, retry);
  return new Client({
    ...(token === undefined ? {} : { auth: token }),
    baseUrl: api,
    userAgent: "landfall",
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: countedFetch(options, budget) },
    retry: { doNotRetry: FINAL, retries: 2, retryAfterBaseValue: secondMs },
    throttle: {
      id: token === undefined ? "anonymous" : "token",
      write: UNSPACED,
      fallbackSecondaryRateRetryAfter: 60,
      retryAfterBaseValue: secondMs,
      onRateLimit: () => false,
      onSecondaryRateLimit: (seconds: number, _: object, __: object, tries: number) => {
        const left = budget.max === undefined || spent(budget) < budget.max;
        const wait = tries < 2 && seconds <= patience && left;
        if (wait) say(`GitHub asks for a slower pace; waiting ${seconds} s`);
        return wait;
      },
    },
  });
}

function countedFetch({ fetch, timeoutMs = 30_000 }: ClientOptions, budget: Budget) {
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const kind = /\/graphql$/.test(new URL(url).pathname) ? "graphql" : "rest";
    budget.requests[kind] += 1;
    const headers = { ...(init.headers as Record<string, string>), "x-github-api-version": API_VERSION };
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    const left = response.headers.get("x-ratelimit-remaining");
    if (left !== null) budget.left[kind] = Number(left);
    return response;
  };
}

/** Octokit plugin: gives limits on the pace the words by which the throttling plugin knows them, whatever words GitHub used (C02, C03). */
function namesLimits(octokit: Pick<Octokit, "hook">): Record<string, never> {
  const named = (status: number, response: object, request: object) =>
    Object.assign(new Error("secondary rate limit"), { status, response, request });
  octokit.hook.after("request", (response, request) => {
    const errors = (response.data as { errors?: GraphqlError[] } | undefined)?.errors;
    if (errors?.some(({ type, message }) => type !== "RATE_LIMITED" && /secondary rate limit/i.test(message ?? "")))
      throw named(403, response, request);
  });
  octokit.hook.error("request", (error, request) => {
    const { response, status } = error as { response?: { headers: Record<string, string>; data?: unknown }; status?: number };
    if (response && isSecondaryLimit(status, response.headers, error.message)) throw named(status ?? 403, response, request);
    throw error;
  });
  return {};
}
