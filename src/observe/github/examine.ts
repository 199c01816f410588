import { parseRef } from "../../model/ref.ts";
import type { GithubClient, GraphqlError, RestAnswer } from "./client.ts";
import type { Shape } from "./drift.ts";
import { GRAPHQL_SHAPES, REST_SHAPES, driftOf } from "./drift.ts";
import { GithubFailure } from "./failure.ts";
import { NARROW, TIER_1, TIER_2, detailQuery, glanceQuery } from "./queries.ts";
import type { Asked } from "./queries.ts";

/** One thing that was tried. */
export interface Check {
  name: string;
  /** `wrong`: will not work. `unsure`: could not be told. `note`: works, with a limit worth knowing. */
  verdict: "fine" | "note" | "wrong" | "unsure";
  text: string;
}

/** Threads of the stack to try with. */
export interface Samples {
  refs: Asked[];
  issue: string | undefined;
  pull: string | undefined;
  repo: string | undefined;
  /** Two commits of `repo`. */
  commits: readonly [string, string] | undefined;
}

/** Tries every kind of request that sync makes, once, and compares the answers with the shapes it reads. */
export async function examine(client: GithubClient, samples: Samples, now: Date): Promise<Check[]> {
  const checks: Check[] = [];
  let away = false;
  const attempt = async (name: string, work: () => Promise<Check[]>) => {
    if (away) return;
    try {
      checks.push(...(await work()));
    } catch (error) {
      if (!(error instanceof GithubFailure)) throw error;
      away = error.kind === "unreachable";
      checks.push({
        name: away ? "network" : name,
        verdict: ["refused", "setup", "unreachable"].includes(error.kind) ? "wrong" : "unsure",
        text: `${error.message}.`,
      });
    }
  };
  await attempt("budget", () => budget(client, now));
  if (client.hasToken) {
    await attempt("account", () => account(client));
    await attempt("cost of a glance", () => cost(client, "a glance", glanceQuery(fill(samples.refs, TIER_1)).text));
    await attempt("cost of a longer look", () => cost(client, "a longer look", detailQuery(fill(samples.refs, TIER_2), NARROW).text));
    await attempt("GraphQL threads", () => graphqlThreads(client, samples.refs));
  } else {
    checks.push({
      name: "token",
      verdict: "note",
      text: "There is none: 60 requests an hour, and discussions cannot be read. Set GITHUB_TOKEN; it needs no scope for public repositories.",
    });
  }
  const tries: [keyof typeof REST_SHAPES, string | undefined][] = [
    ["repository", samples.repo && `/repos/${samples.repo}`],
    ["issue", pathOf(samples.issue ?? samples.pull, "issues")],
    ["timeline", pathOf(samples.issue ?? samples.pull, "issues", "/timeline?per_page=20")],
    ["pull request", pathOf(samples.pull, "pulls")],
    ["releases", samples.repo && `/repos/${samples.repo}/releases?per_page=5`],
    [
      "comparison",
      samples.repo && samples.commits && `/repos/${samples.repo}/compare/${samples.commits[0]}...${samples.commits[1]}?per_page=1`,
    ],
  ];
  for (const [name, path] of tries) {
    if (away) break;
    if (path === undefined) checks.push({ name: `REST ${name}`, verdict: "unsure", text: "The stack names nothing to try it with." });
    else await attempt(`REST ${name}`, async () => [rest(name, path, await client.get(path))]);
  }
  return checks;
}

async function budget(client: GithubClient, now: Date): Promise<Check[]> {
  const { data, headers } = await client.get("/rate_limit");
  const { resources } = data as { resources?: Record<string, { limit?: number; remaining?: number; reset?: number } | undefined> };
  const lines = (["graphql", "core"] as const).flatMap((name) => {
    const found = resources?.[name];
    if (found?.limit === undefined || (name === "graphql" && !client.hasToken)) return [];
    return [
      `${found.remaining} of ${found.limit} ${name === "core" ? "REST requests" : "GraphQL points"} left until ${new Date((found.reset ?? 0) * 1000).toISOString().slice(11, 16)} UTC`,
    ];
  });
  const checks: Check[] = [
    { name: "budget", verdict: lines.length > 0 ? "fine" : "unsure", text: `${lines.join(", ") || "GitHub does not say"}.` },
  ];
  const seconds = Math.round((Date.parse(headers.date ?? "") - now.getTime()) / 1000);
  if (Math.abs(seconds) > 300) {
    checks.push({
      name: "clock",
      verdict: "wrong",
      text: `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} GitHub's. Facts would get a wrong day; set the clock.`,
    });
  }
  const scopes = headers["x-oauth-scopes"];
  if (scopes !== undefined)
    checks.push({
      name: "scopes",
      verdict: "fine",
      text: `The token's scopes: ${scopes || "none, which is enough for public repositories"}.`,
    });
  const expires = headers["github-authentication-token-expiration"];
  if (expires !== undefined) {
    const soon = Date.parse(expires) - now.getTime() < 14 * 86_400_000;
    checks.push({ name: "token", verdict: soon ? "note" : "fine", text: `The token expires ${expires}.` });
  }
  return checks;
}

async function account(client: GithubClient): Promise<Check[]> {
  const { data } = await client.graphql("query { viewer { login } }", 1);
  const login = (data.viewer as { login?: string } | null)?.login;
  return [
    {
      name: "account",
      verdict: login ? "fine" : "unsure",
      text: login ? `The token is ${login}'s.` : "GitHub does not say whose token it is.",
    },
  ];
}

/** As many aliases as a real request has; a dry run is priced and not carried out. */
function fill(refs: readonly Asked[], count: number): Asked[] {
  return refs.slice(0, count);
}

async function cost(client: GithubClient, what: string, query: string): Promise<Check[]> {
  const dry = query.replace(/rateLimit \{[^}]*\}/, "rateLimit(dryRun: true) { cost nodeCount }");
  const count = [...query.matchAll(/^\s*[id]\d+: /gm)].length;
  if (count === 0) return [];
  const { data, errors } = await client.graphql(dry, 1);
  const drifted = undefinedFields(errors);
  if (drifted.length > 0) return [{ name: `cost of ${what}`, verdict: "wrong", text: drifted.join(" ") }];
  const limit = data.rateLimit as { cost?: number; nodeCount?: number } | null;
  if (typeof limit?.cost !== "number") return [{ name: `cost of ${what}`, verdict: "note", text: "This GitHub counts no points." }];
  return [
    {
      name: `cost of ${what}`,
      verdict: "fine",
      text: `${limit.cost} ${limit.cost === 1 ? "point" : "points"} for ${count} threads, at most ${limit.nodeCount} nodes.`,
    },
  ];
}

async function graphqlThreads(client: GithubClient, refs: readonly Asked[]): Promise<Check[]> {
  const asked = refs.slice(0, 5);
  if (asked.length === 0) return [{ name: "GraphQL threads", verdict: "unsure", text: "The stack names nothing to try it with." }];
  const query = detailQuery(asked, NARROW);
  let answer: Awaited<ReturnType<GithubClient["graphql"]>>;
  try {
    answer = await client.graphql(query.text, 1);
  } catch (error) {
    if (error instanceof GithubFailure && error.kind === "setup") {
      return [
        {
          name: "GraphQL schema",
          verdict: "wrong",
          text: `${error.message}. Sync falls back to REST; this program needs a newer version.`,
        },
      ];
    }
    throw error;
  }
  const drifted = undefinedFields(answer.errors);
  if (drifted.length > 0) return [{ name: "GraphQL schema", verdict: "wrong", text: drifted.join(" ") }];
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { path, ref } of query.places.values()) {
    const node = (answer.data[path[0]] as Record<string, unknown> | null | undefined)?.[path[1]] as
      | { __typename?: string }
      | null
      | undefined;
    const shape = (GRAPHQL_SHAPES as Record<string, Shape | undefined>)[node?.__typename ?? ""];
    if (!node || !shape) continue;
    seen.add(node.__typename ?? "");
    problems.push(...driftOf(node, shape).map((text) => `${node.__typename} ${ref}: ${text}.`));
  }
  if (problems.length > 0) return [{ name: "GraphQL schema", verdict: "wrong", text: problems.join(" ") }];
  const missing = answer.errors.length > 0 ? ` ${answer.errors.length} could not be read: ${answer.errors[0]?.message ?? ""}` : "";
  return [
    {
      name: "GraphQL threads",
      verdict: seen.size > 0 ? "fine" : "unsure",
      text: `${[...seen].join(", ") || "None"} read as expected.${missing}`,
    },
  ];
}

/** What GitHub says about a field that it does not have any more. */
function undefinedFields(errors: readonly GraphqlError[]): string[] {
  return errors
    .filter(
      ({ extensions, message }) => extensions?.code === "undefinedField" || /doesn't exist on type|Cannot query field/.test(message ?? ""),
    )
    .map(({ message }) => `${message ?? "A field is gone"}.`);
}

function rest(name: keyof typeof REST_SHAPES, path: string, answer: RestAnswer): Check {
  if (answer.status !== 200) return { name: `REST ${name}`, verdict: "unsure", text: `${path} answers ${answer.status}.` };
  const problems = driftOf(answer.data, REST_SHAPES[name]);
  if (problems.length > 0)
    return {
      name: `REST ${name}`,
      verdict: "wrong",
      text: `${problems.join("; ")}. This program needs a newer version, or GitHub an older API version.`,
    };
  return { name: `REST ${name}`, verdict: "fine", text: "as expected." };
}

function pathOf(ref: string | undefined, kind: "issues" | "pulls", more = ""): string | undefined {
  const parsed = ref === undefined ? undefined : parseRef(ref);
  return parsed?.type === "thread" ? `/repos/${parsed.repo}/${kind}/${parsed.number}${more}` : undefined;
}
