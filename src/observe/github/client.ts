import type { Budget } from "./budget.ts";
import { newBudget, spent } from "./budget.ts";
import { PUBLIC_API } from "./endpoint.ts";
import { GithubFailure, failureOf, oneLine, usedUp } from "./failure.ts";
import { octokitFor } from "./octokit.ts";

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
