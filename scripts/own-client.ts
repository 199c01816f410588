import { retry } from "@octokit/plugin-retry";
import { Octokit } from "@octokit/rest";
import { apiBase } from "../src/observe/github/endpoint.ts";
import { API_VERSION } from "../src/observe/github/endpoint.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface OwnAccess {
  octokit: Octokit;
  /** Takes the token out of a text. */
  hide: (text: string) => string;
}

/**
 * The client for the stack's own repository, apart from the one that reads upstreams: another token, and perhaps another GitHub
 * (field cases C17, C21). Undefined without a token. Reading is tried again; writing is not, because the next run carries on.
 */
export function ownClient(env: Env, request?: typeof fetch): OwnAccess | undefined {
  const token = [env.LANDFALL_TOKEN, env.GITHUB_TOKEN, env.GH_TOKEN].map((value) => value?.trim()).find((value) => value);
  if (!token) return undefined;
  const silent = () => {};
  const octokit = new (Octokit.plugin(retry))({
    auth: token,
    baseUrl: apiBase(env.GITHUB_API_URL),
    userAgent: "landfall",
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...(request ? { request: { fetch: request } } : {}),
  });
  octokit.hook.before("request", (options) => {
    options.headers["x-github-api-version"] = API_VERSION;
    if (options.method !== "GET") options.request = { ...options.request, retries: 0 };
  });
  return { octokit, hide: (text) => text.replaceAll(token, "[token]") };
}
