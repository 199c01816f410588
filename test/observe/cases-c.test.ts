import { afterEach, describe, expect, it } from "vitest";
import { githubClient } from "../../src/observe/github/client.ts";
import { newBudget } from "../../src/observe/github/budget.ts";
import { apiBase, siteOf, upstreamAccess } from "../../src/observe/github/endpoint.ts";
import { GithubFailure } from "../../src/observe/github/failure.ts";
import { API_VERSION } from "../../src/observe/github/endpoint.ts";
import { proxyProblem } from "../../src/observe/github/proxy.ts";
import type { Fault, FaultSchedule } from "../stand/faults.ts";
import type { Github } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import { addEvent, addIssue, addPull, close, comment, crossReference, linkPull } from "../stand/threads.ts";
import { addRepo, addToken, advanceTo, createWorld, fakeSha, refTo } from "../stand/world.ts";
import type { Repo, World } from "../stand/world.ts";
import { TOKEN, factOf, lookAt, lookOnce } from "./looking.ts";

let running: Github | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

function place(count = 0, kind: "issues" | "pulls" = "issues"): { world: World; repo: Repo; refs: string[] } {
  const world = createWorld();
  addToken(world, TOKEN);
  const repo = addRepo(world, "u/r");
  const refs = Array.from({ length: count }, (_, index) => {
    const options = { title: `Thread ${index + 1} of many` };
    const { number } = kind === "issues" ? addIssue(world, repo, options) : addPull(world, repo, options);
    return `u/r#${number}`;
  });
  return { world, repo, refs };
}
/** The same fault for the first requests of a kind. */
const first = (count: number, fault: Fault, kind: "graphql" | "rest" = "graphql"): FaultSchedule => {
  let left = count;
  return (request) => (request.kind === kind && left-- > 0 ? fault : undefined);
};

describe("limits", () => {
  it("C01 the hourly limit ends the run; what was fetched stays, the rest is said, and the next run takes it first", async () => {
    const { world, refs } = place(60);
    running = await startGithub(world, {
      faults: (request) => (request.index === 1 ? { kind: "limit", status: 403, primary: true } : undefined),
    });
    const one = await lookAt(running, refs, { client: {} });
    const seen = refs.filter((ref) => factOf(one.observed, ref));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length + one.failed.length).toBe(60);
    expect(one.failed[0]?.why).toMatch(/hourly rate limit is used up until 20/);
    expect(running.requests.count()).toBeLessThan(6);
    running.setFaults(undefined);
    advanceTo(world, "2026-05-16T02:00:00Z");
    running.requests.clear();
    const two = await lookAt(running, refs, { known: one.observed, memory: one.memory });
    expect(two.failed).toEqual([]);
    for (const ref of seen) expect(factOf(two.observed, ref)).toEqual(factOf(one.observed, ref));
  });

  it("C01 without a token 60 requests an hour: what matters most first, and it is said", async () => {
    const { world, refs } = place(80);
    const { failed, observed, budget } = await lookOnce(world, refs, { token: null, urgency: (ref) => -Number(ref.split("#")[1]) });
    expect(budget.requests.rest).toBeLessThanOrEqual(61);
    expect(factOf(observed, "u/r#80")).toBeDefined();
    expect(factOf(observed, "u/r#1")).toBeUndefined();
    expect(failed[0]?.why).toMatch(/60 requests an hour. Set GITHUB_TOKEN/);
  });

  it.each([
    ["403 with Retry-After", { kind: "limit", status: 403, retryAfter: 2 }],
    ["429 without Retry-After", { kind: "limit", status: 429 }],
    [
      "other words than today's",
      {
        kind: "error",
        status: 403,
        body: { message: "You have triggered an abuse detection mechanism." },
        headers: { "retry-after": "3" },
      },
    ],
  ] satisfies [string, Fault][])("C02 a limit on the pace is waited for, by status and headers: %s", async (_, fault) => {
    const { world, refs } = place(3);
    running = await startGithub(world, { faults: first(1, fault) });
    const { failed, observed, said } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(3);
    expect(said.some((line) => /slower pace; waiting \d+ s/.test(line))).toBe(true);
    expect(running.faults.count()).toBe(1);
  });

  it("C02 a limit on the pace that does not end stops the run, bounded", async () => {
    const { world, refs } = place(200);
    running = await startGithub(world, { faults: () => ({ kind: "limit", status: 403, retryAfter: 60 }) });
    const { failed } = await lookAt(running, refs);
    expect(failed).toHaveLength(200);
    expect(failed[0]?.why).toMatch(/slower pace/);
    expect(running.requests.count()).toBeLessThanOrEqual(12);
  });

  it("C02 reads are few at a time", async () => {
    const { world, refs } = place(300);
    running = await startGithub(world);
    await lookAt(running, refs);
    expect(running.requests.mostAtOnce()).toBeLessThanOrEqual(3);
  });

  it("C03 a limit on the pace inside a 200 is waited for", async () => {
    const { world, refs } = place(3);
    const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    running = await startGithub(world, {
      faults: first(1, { kind: "error", status: 200, body: { errors: [{ message }] }, headers: { "retry-after": "5" } }),
    });
    const { failed, said } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(said).toContain("GitHub asks for a slower pace; waiting 5 s");
  });

  it("C03 a limit inside a 200 is a limit", async () => {
    const { world, refs } = place(3);
    running = await startGithub(world, { faults: () => ({ kind: "graphql-limit" }) });
    const { failed, observed } = await lookAt(running, refs);
    expect(observed.github).toEqual({});
    expect(failed.map(({ why }) => why)).toEqual(Array(3).fill(expect.stringMatching(/hourly rate limit is used up until/)));
    expect(running.requests.counts()).toEqual({ graphql: 1, rest: 0, git: 0 });
  });

  it("the run's own limit of requests holds", async () => {
    const { world, refs } = place(300);
    const { failed, budget } = await lookOnce(world, refs, { budget: newBudget(4) });
    expect(budget.requests.graphql).toBeLessThanOrEqual(4 + 2);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]?.why).toMatch(/4 requests this run was allowed are used up/);
  });
});

describe("answers that are not whole", () => {
  it("C07 a validator is sent as it came, and 304 is no failure", async () => {
    const { world, refs } = place(2);
    running = await startGithub(world);
    const one = await lookAt(running, refs, { token: null });
    const etag = one.memory.threads["u/r#1"]?.etag;
    expect(etag).toMatch(/^W\/"/);
    running.requests.clear();
    const two = await lookAt(running, refs, { token: null, known: one.observed, memory: one.memory });
    expect(running.requests.all.map(({ path, status }) => [path, status])).toEqual([
      ["/repos/u/r/issues/1", 304],
      ["/repos/u/r/issues/2", 304],
    ]);
    expect(running.requests.all[0]?.headers["if-none-match"]).toBe(etag);
    expect(two.failed).toEqual([]);
    expect(two.observed).toEqual(one.observed);
    const three = await lookAt(running, refs, { token: null, known: two.observed, memory: two.memory });
    expect(three.observed).toEqual(one.observed);
  });

  it("C09 one missing alias does not lose the others", async () => {
    const { world, refs } = place(100);
    running = await startGithub(world);
    const { failed, observed } = await lookAt(running, [...refs, "u/r#9999"]);
    expect(failed.map(({ ref }) => ref)).toEqual(["u/r#9999"]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(100);
  });

  it("C09 null without a reason, or an error below an alias, says nothing about it", async () => {
    const { world, refs } = place(10);
    running = await startGithub(world, { faults: first(1, { kind: "partial", lose: (path) => path === "r0.i3", type: "SOMETHING_ELSE" }) });
    const { failed, observed } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(10);
    expect(running.faults.count()).toBe(1);
  });

  it.each(["aliases", "null"] as const)("C12 RESOURCE_LIMITS_EXCEEDED halves the batch and is no wait: data %s", async (data) => {
    const { world, refs } = place(40);
    // Too much as long as more than six are asked for.
    running = await startGithub(world, {
      faults: (request) => (aliasesOf(request.body) > 6 ? { kind: "too-costly", data } : undefined),
    });
    const { failed, observed, said, budget } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(40);
    expect(said.some((line) => line.includes("waiting"))).toBe(false);
    expect(budget.requests.rest).toBe(0);
  });

  it("C12 down to one, then REST", async () => {
    const { world, refs } = place(4);
    running = await startGithub(world, {
      faults: (request) => (request.kind === "graphql" ? { kind: "too-costly", data: "null" } : undefined),
    });
    const { failed, observed, budget } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(Object.values(observed.github["u/r"]?.threads ?? {}).map(({ source }) => source)).toEqual(Array(4).fill("GitHub REST"));
    expect(budget.requests.rest).toBeGreaterThan(0);
  });

  it.each([502, 504] as const)("C13 C25 %i shrinks the batch, and its page stays out of every text", async (status) => {
    const { world, refs } = place(50);
    running = await startGithub(world, { faults: (request) => (aliasesOf(request.body) > 10 ? { kind: "unicorn", status } : undefined) });
    const { failed, observed } = await lookAt(running, refs);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(50);
    expect(running.requests.count()).toBeLessThan(14);

    running.setFaults(() => ({ kind: "unicorn", status }));
    const broken = await lookAt(running, refs, { known: observed });
    expect(broken.failed.length).toBe(50);
    expect(JSON.stringify(broken)).not.toMatch(/<html|Unicorn|DOCTYPE/i);
  });

  it("C14 the event on the third page of a timeline is read", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad", author: "dev" });
    for (let index = 0; index < 230; index += 1) addEvent(world, pull, { event: "labeled", label: `l${index}` });
    repo.commits[fakeSha(3)] = { sha: fakeSha(3), parents: [], message: "x", date: "2026-05-15T00:00:00Z", author: null };
    close(world, pull, { closer: { commit: fakeSha(3), repo: repo.id } });
    const { observed, budget } = await lookOnce(world, ["u/r#1"], { token: null });
    expect(factOf(observed, "u/r#1")?.closer?.ref).toBe(`u/r@${fakeSha(3)}`);
    expect(budget.requests.rest).toBe(1 + 1 + 3 + 1);
  });

  it('a list that silently comes back empty is a failure, not "none"', async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    const pull = addPull(world, repo, { title: "Fix", body: "Fixes #1" });
    linkPull(repo, pull, repo, issue);
    crossReference(world, refTo(repo, pull), issue);
    comment(world, issue);
    running = await startGithub(world, { faults: first(2, { kind: "silent-empty" }) });
    const { observed, failed } = await lookAt(running, ["u/r#1"]);
    expect(running.faults.count("silent-empty")).toBe(2);
    expect(failed).toEqual([]);
    expect(factOf(observed, "u/r#1")?.closedBy).toEqual(["u/r#2"]);
  });

  it.each([
    ["cut off", { kind: "truncated", how: "cut" }],
    ["ends in the middle", { kind: "truncated", how: "clean" }],
    ["reset", { kind: "reset" }],
    ["stalls", { kind: "stall" }],
    ["stalls in the middle", { kind: "stall", headers: true }],
  ] satisfies [string, Fault][])("an answer that %s is asked for again", async (_, fault) => {
    const { world, refs } = place(30);
    running = await startGithub(world, { faults: first(1, fault) });
    const { failed, observed } = await lookAt(running, refs, { client: { timeoutMs: fault.kind === "stall" ? 1500 : 20_000 } });
    expect(running.faults.count()).toBe(1);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(30);
  });
});

describe("tokens", () => {
  const withSso = () => {
    const { world, repo, refs } = place(2);
    repo.sso = { organization: "u" };
    return { world, refs };
  };

  it("C16 single sign-on: a public repository is read without the token, and the address is said", async () => {
    const { world, refs } = withSso();
    const { failed, observed, notes } = await lookOnce(world, refs);
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(2);
    expect(notes.join()).toMatch(/single sign-on does not know the token; let it in at https?:\/\//);
  });

  it("C16 an answer that is kept back in part is no answer", async () => {
    const client = githubClient({
      fetch: async () => Response.json([], { headers: { "x-github-sso": "partial-results; organizations=21955855" } }),
      now: () => new Date(0),
      token: TOKEN,
      secondMs: 0,
    });
    await expect(client.get("/user/repos")).rejects.toMatchObject({ kind: "refused" });
  });

  it("C17 a token that is not accepted is left aside, once", async () => {
    const { world, refs } = place(3);
    running = await startGithub(world);
    const { failed, observed, notes } = await lookAt(running, refs, { token: "ghp_revoked" });
    expect(failed).toEqual([]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(3);
    expect(notes).toEqual(["GitHub does not accept the token (401)"]);
    expect(running.requests.all.filter(({ status }) => status === 401)).toHaveLength(2);
  });

  it("C17 C21 a workflow's own token goes to its own GitHub only", () => {
    expect(upstreamAccess({ GITHUB_TOKEN: "t", GITHUB_API_URL: "https://api.github.com" })).toMatchObject({
      token: "t",
      from: "GITHUB_TOKEN",
    });
    expect(upstreamAccess({ GITHUB_TOKEN: "t" })).toMatchObject({ token: "t" });
    const away = upstreamAccess({ GITHUB_TOKEN: "t", GITHUB_API_URL: "https://ghe.example.org/api/v3" });
    expect(away).toEqual({ api: "https://api.github.com", token: undefined, from: "GITHUB_TOKEN belongs to ghe.example.org" });
    expect(upstreamAccess({ LANDFALL_GITHUB_TOKEN: "u", GITHUB_TOKEN: "t", GITHUB_API_URL: "https://ghe.example.org/api/v3" }).token).toBe(
      "u",
    );
    expect(
      upstreamAccess({
        LANDFALL_GITHUB_URL: "https://ghe.example.org",
        GITHUB_TOKEN: "t",
        GITHUB_API_URL: "https://ghe.example.org/api/v3",
      }),
    ).toMatchObject({
      api: "https://ghe.example.org/api/v3",
      token: "t",
    });
    expect(upstreamAccess({})).toEqual({ api: "https://api.github.com", token: undefined, from: undefined });
  });

  it.each([
    [undefined, "https://api.github.com", "https://github.com"],
    ["https://github.com/", "https://api.github.com", "https://github.com"],
    ["https://ghe.example.org", "https://ghe.example.org/api/v3", "https://ghe.example.org"],
    ["https://ghe.example.org/api/v3/", "https://ghe.example.org/api/v3", "https://ghe.example.org"],
    ["https://acme.ghe.com", "https://api.acme.ghe.com", "https://acme.ghe.com"],
    ["https://api.acme.ghe.com", "https://api.acme.ghe.com", "https://acme.ghe.com"],
  ])("C21 the address %s is read as %s", (given, api, site) => {
    expect(apiBase(given)).toBe(api);
    expect(siteOf(api)).toBe(site);
  });

  it("C21 an enterprise server answers under its own paths", async () => {
    const { world, refs } = place(3);
    const { failed, observed } = await lookOnce(world, [...refs, "u/r#9"], { enterprise: true });
    expect(failed.map(({ ref }) => ref)).toEqual(["u/r#9"]);
    expect(Object.keys(observed.github["u/r"]?.threads ?? {})).toHaveLength(3);
  });

  it("C22 a proxy that Node would ignore is said", () => {
    expect(proxyProblem({}, [])).toBeUndefined();
    expect(proxyProblem({ HTTPS_PROXY: "http://p:3128" }, [])).toMatch(/HTTPS_PROXY is set.*NODE_USE_ENV_PROXY=1/);
    expect(proxyProblem({ HTTPS_PROXY: "http://p:3128", NODE_USE_ENV_PROXY: "1" }, [])).toBeUndefined();
    expect(proxyProblem({ https_proxy: "http://p:3128" }, ["--use-env-proxy"])).toBeUndefined();
  });

  it("C26 every request names the API version; an unknown one is said once", async () => {
    const { world, refs } = place(3);
    running = await startGithub(world);
    await lookAt(running, [...refs, "u/r#9"]);
    expect(running.requests.count("rest")).toBeGreaterThan(0);
    expect(new Set(running.requests.all.map(({ headers }) => headers["x-github-api-version"]))).toEqual(new Set([API_VERSION]));
    running.setFaults(() => ({ kind: "error", status: 400, body: { message: 'The API version "1999-01-01" is not supported.' } }));
    const { failed, budget } = await lookAt(running, refs, { token: null });
    expect(new Set(failed.map(({ why }) => why)).size).toBe(1);
    expect(failed[0]?.why).toMatch(/does not know the API version/);
    expect(budget.requests.rest).toBe(1);
  });

  it("the token is in no text, whatever fails", async () => {
    const { world, refs } = place(20);
    running = await startGithub(world);
    const faults: Fault[] = [
      { kind: "error", status: 500, body: { message: `token ${TOKEN} is bad` } },
      { kind: "error", status: 403, body: { message: `token ${TOKEN} is refused` } },
      { kind: "error", status: 401, body: { message: TOKEN } },
      { kind: "limit", status: 429 },
      { kind: "reset" },
      { kind: "partial", lose: () => true, type: "FORBIDDEN" },
    ];
    for (const fault of faults) {
      running.setFaults(() => fault);
      const looked = await lookAt(running, refs);
      expect(JSON.stringify(looked)).not.toContain(TOKEN);
    }
    running.setFaults(() => ({ kind: "error", status: 500, body: { message: TOKEN } }));
    const client = githubClient({ fetch, now: () => new Date(0), token: TOKEN, api: running.url, secondMs: 0 });
    const error = await client.get("/repos/u/r").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GithubFailure);
    expect(`${String(error)} ${(error as Error).stack}`).not.toContain(TOKEN);
    running.setFaults(undefined);
  });
});

function aliasesOf(body: unknown): number {
  const query = (body as { query?: string } | undefined)?.query ?? "";
  return [...query.matchAll(/^\s*[id]\d+: /gm)].length;
}
