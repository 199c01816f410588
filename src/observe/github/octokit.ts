import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import type { ThrottlingOptions } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import type { Budget } from "./budget.ts";
import { spent } from "./budget.ts";
import type { ClientOptions, GraphqlError } from "./client.ts";
import { API_VERSION, PUBLIC_API } from "./endpoint.ts";
import { isSecondaryLimit } from "./failure.ts";

/** Never asked again with the same words. 429 is here because the throttling plugin has decided about it already. */
const FINAL = [400, 401, 403, 404, 410, 422, 429, 451];

/** The throttling plugin spaces GraphQL a second apart as if it wrote. Nothing is written here, and reads need no such pause. */
const UNSPACED = { key: () => ({ schedule: (_: object, job: () => Promise<void>) => job() }) } as unknown as NonNullable<
  Extract<ThrottlingOptions, { write?: unknown }>["write"]
>;

/** Octokit with retries and throttling, every request counted and limited in time. */
export function octokitFor(options: ClientOptions, budget: Budget, token: string | undefined): Octokit {
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
