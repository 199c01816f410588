import { join, resolve } from "node:path";
import type { Model } from "../src/model/kinds.ts";
import type { Observed } from "../src/model/shapes/observed.ts";
import { commitFinder } from "../src/observe/find-commit.ts";
import { comparedHistories, gitHistories, mirrorsOf } from "../src/observe/git-histories.ts";
import type { GithubClient } from "../src/observe/github/client.ts";
import type { Budget } from "../src/observe/github/budget.ts";
import { githubClient } from "../src/observe/github/client.ts";
import { newBudget, spent } from "../src/observe/github/budget.ts";
import { siteOf, upstreamAccess } from "../src/observe/github/endpoint.ts";
import { noWay } from "../src/observe/github/failure.ts";
import { proxyProblem } from "../src/observe/github/proxy.ts";
import { threadReader } from "../src/observe/github/reader.ts";
import type { ThreadReader } from "../src/observe/github/reader.ts";
import type { Eyes } from "../src/observe/github/reading.ts";
import type { Net } from "../src/observe/net.ts";
import { artifactSources } from "../src/observe/sources.ts";
import { UserError } from "./cli.ts";
import { mirrorHost } from "./git-host.ts";
import type { Outside } from "./sync-run.ts";

export interface OutsideOptions {
  root: string;
  offline: boolean;
  maxRequests?: number | undefined;
  /** Milliseconds that a second of waiting takes; tests take 0. */
  secondMs?: number;
  say: (line: string) => void;
  /** Aborted on shutdown: requests end at once, and their facts stay as they were. */
  signal?: AbortSignal | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The real world: this machine's clock, network and git, and the token of the environment. The token leaves only towards its GitHub. */
export function outside(
  { root, offline, maxRequests, secondMs = 1000, say, signal }: OutsideOptions,
  env: Env = process.env,
): Outside & { hide: (text: string) => string } {
  const access = accessOf(env);
  const budget = newBudget(maxRequests);
  const git = gitLogin(env, siteOf(access.api));
  const secrets = [access.token, git?.token, git?.encoded].filter((secret) => secret !== undefined);
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "[token]"), text);
  const notes: string[] = [];
  const proxy = proxyProblem(env, process.execArgv);
  if (proxy) notes.push(proxy);
  let reader: ThreadReader | undefined;
  let client: GithubClient | undefined;
  return {
    hide,
    budget,
    now: () => clockOf(env),
    say: (line) => say(hide(line)),
    notes: () => [...notes, ...(reader?.notes ?? [])].map(hide),
    sources: async (model, observed) => {
      if (!offline) {
        client = githubClient({
          fetch: signal ? stoppable(signal) : fetch,
          now: () => clockOf(env),
          token: access.token,
          api: access.api,
          budget,
          secondMs,
          say: (line) => say(hide(line)),
        });
        reader = threadReader(client, eyesOf(model, observed));
        if (!access.token)
          notes.push(
            `Reading without a token${access.from ? ` (${access.from})` : ""}: 60 requests an hour, what matters most first. Set GITHUB_TOKEN for all of it.`,
          );
      }
      const host = mirrorHost(join(resolve(root), ".landfall/git"), {
        say: (line) => say(hide(line)),
        ...(git ? { headers: git.headers } : {}),
      });
      const hasGit = (await host.git(["--version"])).code === 0;
      if (!hasGit)
        notes.push(
          "git is not installed: containment is asked of GitHub pair by pair, and tags, reverts and cherry-picks are not looked for.",
        );
      const mirrors = mirrorsOf({
        host,
        base: env.LANDFALL_GIT_URL ?? siteOf(access.api),
        offline,
        spend: () => {
          if (budget.max !== undefined && spent(budget) >= budget.max) return false;
          budget.requests.git += 1;
          return true;
        },
      });
      const findCommit = hasGit ? commitFinder(mirrors) : undefined;
      return {
        threads: reader,
        artifact: offline ? undefined : artifactSources({ net: netOf(env, budget, secondMs), github: client, findCommit }),
        history: hasGit ? gitHistories(mirrors) : client && comparedHistories(client.request),
      };
    },
  };
}

/** The network towards registries: counted, within the run's limit, with credentials only for hosts that have some. */
function netOf(env: Env, budget: Budget, secondMs: number): Net {
  /** Hosts to which there is no way from here, with the error: waiting would not make one. */
  const lost = new Map<string, unknown>();
  let latest = "";
  return {
    now: () => clockOf(env),
    wait: (ms) => (lost.has(latest) ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, (ms * secondMs) / 1000))),
    fetch: async (url, init) => {
      if (budget.max !== undefined && spent(budget) >= budget.max)
        throw new Error(`the ${budget.max} requests this run was allowed are used up`);
      latest = new URL(url).host;
      if (lost.has(latest)) throw lost.get(latest);
      budget.requests.registry += 1;
      try {
        return await fetch(url, init);
      } catch (error) {
        if (noWay(error) !== undefined) lost.set(latest, error);
        throw error;
      }
    },
    login: (host) => loginOf(env, host),
    mirror: () => env.LANDFALL_OCI_URL,
    bases: {
      ...(env.LANDFALL_PYPI_URL ? { pypi: env.LANDFALL_PYPI_URL } : {}),
      ...(env.LANDFALL_NPM_URL ? { npm: env.LANDFALL_NPM_URL } : {}),
      ...(env.LANDFALL_HF_URL ? { huggingface: env.LANDFALL_HF_URL } : {}),
      ...(env.LANDFALL_DOCKER_HUB_URL ? { dockerHub: env.LANDFALL_DOCKER_HUB_URL } : {}),
    },
  };
}

/** `LANDFALL_REGISTRY_LOGINS`: JSON of host to `user:password`, for private images; a token alone for Hugging Face. */
function loginOf(env: Env, host: string): { username: string; password: string } | undefined {
  if (env.LANDFALL_REGISTRY_LOGINS === undefined) return undefined;
  let logins: Record<string, string>;
  try {
    logins = JSON.parse(env.LANDFALL_REGISTRY_LOGINS) as Record<string, string>;
  } catch {
    throw new UserError('LANDFALL_REGISTRY_LOGINS is not JSON. Write {"ghcr.io": "user:password"}.');
  }
  const found = logins[host];
  if (found === undefined) return undefined;
  const [username = "", ...password] = found.split(":");
  return password.length === 0 ? { username: "", password: username } : { username, password: password.join(":") };
}

const stoppable =
  (signal: AbortSignal) =>
  (url: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal });

/** `LANDFALL_GIT_TOKEN` clones private upstreams. Public ones need none, and one that is refused would close them too. */
export function gitLogin(env: Env, site: string): { token: string; encoded: string; headers: Record<string, string> } | undefined {
  const token = env.LANDFALL_GIT_TOKEN?.trim();
  if (!token) return undefined;
  const encoded = Buffer.from(`x-access-token:${token}`).toString("base64");
  return { token, encoded, headers: { [`${env.LANDFALL_GIT_URL ?? site}/`]: `Authorization: Basic ${encoded}` } };
}

function accessOf(env: Env): ReturnType<typeof upstreamAccess> {
  try {
    return upstreamAccess(env);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}

/** `LANDFALL_NOW` stands in for the clock where a recorded time is played. */
function clockOf(env: Env): Date {
  if (env.LANDFALL_NOW === undefined) return new Date();
  const now = new Date(env.LANDFALL_NOW);
  if (Number.isNaN(now.getTime()))
    throw new UserError(`LANDFALL_NOW is "${env.LANDFALL_NOW}", which is no moment. Write 2026-05-16T00:00:00Z.`);
  return now;
}

/** What the mapper has to know of the stack: its own accounts and repository, and under which names facts keep repositories. */
export function eyesOf(model: Model, observed: Observed): Eyes {
  const { repo, accounts } = model.tracker;
  const names = new Map<string, string>();
  for (const [name, file] of Object.entries(observed.github)) {
    if (file.repository.renamedTo !== undefined) names.set(file.repository.renamedTo.toLowerCase(), name);
  }
  for (const upstream of Object.values(model.upstream)) {
    if (upstream.repo === undefined) continue;
    for (const name of [upstream.repo, ...upstream.former]) names.set(name.toLowerCase(), upstream.repo);
  }
  for (const name of Object.keys(observed.github)) if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return {
    own: new Set((accounts ?? [repo.split("/")[0] ?? ""]).map((account) => account.toLowerCase())),
    ownRepo: repo,
    localName: (name) => names.get(name.toLowerCase()) ?? name,
  };
}
