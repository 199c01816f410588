import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { githubClient } from "../../src/observe/github/client.ts";
import { driftOf } from "../../src/observe/github/drift.ts";
import type { Check, Samples } from "../../src/observe/github/examine.ts";
import { examine } from "../../src/observe/github/examine.ts";
import { folderWith, removeFolders } from "../stack-folder.ts";
import type { Github } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import { addDiscussion, addIssue, addPull } from "../stand/threads.ts";
import { addCommit, addRelease, addRepo, addToken, createWorld } from "../stand/world.ts";
import { TOKEN } from "./looking.ts";

let github: Github;
let samples: Samples;
beforeEach(async () => {
  const world = createWorld();
  addToken(world, TOKEN, { scopes: ["public_repo"], expires: "2026-05-20 00:00:00 UTC" });
  const repo = addRepo(world, "u/r");
  addIssue(world, repo, { title: "It crashes" });
  addPull(world, repo, { title: "Pad" });
  addDiscussion(world, repo, { title: "Roadmap" });
  addRelease(world, repo, "v1.0.0");
  const first = addCommit(world, repo, { parents: [] });
  const second = addCommit(world, repo, { parents: [first.sha] });
  github = await startGithub(world);
  samples = {
    refs: [1, 2, 3].map((number) => ({ ref: `u/r#${number}`, discussion: number === 3 })),
    issue: "u/r#1",
    pull: "u/r#2",
    repo: "u/r",
    commits: [first.sha, second.sha],
  };
});
afterEach(() => github.close());
afterAll(removeFolders);

/** What doctor says when GitHub's answers are changed on the way. */
async function tell(change: (text: string, url: string) => string = (text) => text, token: string | undefined = TOKEN): Promise<Check[]> {
  const client = githubClient({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      return new Response(change(await response.text(), url), {
        status: response.status,
        headers: [...response.headers].filter(([name]) => name !== "content-length"),
      });
    },
    now: () => new Date(github.world.clock),
    token,
    api: github.url,
    secondMs: 0,
  });
  return examine(client, samples, new Date(github.world.clock));
}
const wrong = (checks: Check[]) => checks.filter(({ verdict }) => verdict === "wrong").map(({ name, text }) => `${name}: ${text}`);

describe("doctor", () => {
  it("finds nothing wrong, and says account, scopes, budget and cost", async () => {
    const checks = await tell();
    expect(wrong(checks)).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === "unsure")).toEqual([]);
    const text = checks.map(({ name, text: said }) => `${name}: ${said}`).join("\n");
    expect(text).toMatch(/account: The token is tester's/);
    expect(text).toMatch(/scopes: The token's scopes: public_repo/);
    expect(text).toMatch(/budget: \d+ of 5000 GraphQL points left until \d\d:\d\d UTC, \d+ of 5000 REST requests/);
    expect(text).toMatch(/cost of a longer look: 1 point for 3 threads, at most \d+ nodes/);
    expect(text).toMatch(/Issue, PullRequest, Discussion read as expected/);
    expect(checks.find(({ name }) => name === "token")?.verdict).toBe("note");
  });

  it.each([
    [
      "a field that is gone",
      "/pulls/2",
      (body: Record<string, unknown>) => ({ ...body, base: {} }),
      /REST pull request: base.ref is missing; it used to be text/,
    ],
    [
      "a field of another kind",
      "/issues/1",
      (body: Record<string, unknown>) => ({ ...body, state: 1 }),
      /REST issue: state is a number; it used to be text/,
    ],
    [
      "a field that became null",
      "/repos/u/r",
      (body: Record<string, unknown>) => ({ ...body, archived: null }),
      /REST repository: archived is null; it used to be true or false/,
    ],
  ])("names %s in REST", async (_, path, change, message) => {
    const checks = await tell((text, url) => (url.endsWith(path) ? JSON.stringify(change(JSON.parse(text))) : text));
    expect(wrong(checks)).toEqual([expect.stringMatching(message)]);
  });

  it("names a field that the GraphQL schema lost", async () => {
    const drifted = {
      errors: [
        {
          message: "Field 'reviewDecision' doesn't exist on type 'PullRequest'",
          extensions: { code: "undefinedField", typeName: "PullRequest", fieldName: "reviewDecision" },
        },
      ],
    };
    const checks = await tell((text, url) => (url.endsWith("/graphql") && !text.includes("viewer") ? JSON.stringify(drifted) : text));
    expect(wrong(checks).join("\n")).toMatch(/Field 'reviewDecision' doesn't exist on type 'PullRequest'/);
  });

  it("names a field that GraphQL stopped answering", async () => {
    const checks = await tell((text, url) => (url.endsWith("/graphql") ? text.replaceAll('"isDraft":false,', "") : text));
    expect(wrong(checks)).toEqual(["GraphQL schema: PullRequest u/r#2: isDraft is missing; it used to be true or false."]);
  });

  it("says a clock that is wrong, and life without a token", async () => {
    const client = githubClient({ fetch, now: () => new Date(github.world.clock), api: github.url, secondMs: 0 });
    const checks = await examine(client, samples, new Date(github.world.clock - 3_600_000));
    expect(wrong(checks)).toEqual([expect.stringMatching(/clock: This machine's clock is 3600 s behind GitHub's/)]);
    expect(checks.find(({ name }) => name === "token")).toMatchObject({
      verdict: "note",
      text: expect.stringMatching(/60 requests an hour/),
    });
  });

  it("stops at a network that is not there", async () => {
    const client = githubClient({
      fetch: () =>
        Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }) })),
      now: () => new Date(0),
      token: TOKEN,
      secondMs: 0,
    });
    const checks = await examine(client, samples, new Date(0));
    expect(checks).toEqual([
      { name: "network", verdict: "wrong", text: "GitHub cannot be reached (ENOTFOUND). Check the network, or use --offline." },
    ]);
  });

  it("says an authority that is not trusted", async () => {
    const client = githubClient({
      fetch: () =>
        Promise.reject(
          new TypeError("fetch failed", { cause: Object.assign(new Error("self signed"), { code: "SELF_SIGNED_CERT_IN_CHAIN" }) }),
        ),
      now: () => new Date(0),
      secondMs: 0,
    });
    const [first] = await examine(client, samples, new Date(0));
    expect(first?.text).toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  it("as a command prints every area as JSON, and the token nowhere", async () => {
    const root = folderWith({});
    const { code, stdout, stderr } = await new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url)), "doctor", "--json", "--root", root],
        {
          env: {
            ...process.env,
            GITHUB_TOKEN: TOKEN,
            LANDFALL_GITHUB_URL: github.url,
            GITHUB_API_URL: github.url,
            LANDFALL_GIT_URL: github.gitUrl,
          },
        },
      );
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => {
        out += chunk;
      });
      child.stderr.on("data", (chunk: Buffer) => {
        err += chunk;
      });
      child.on("close", (ended) => resolve({ code: ended, stdout: out, stderr: err }));
    });
    const { checks, exitCode } = JSON.parse(stdout) as { checks: { area: string; name: string; verdict: string }[]; exitCode: number };
    expect(code, stderr).toBe(exitCode);
    expect(new Set(checks.map(({ area }) => area))).toEqual(new Set(["machine", "GitHub", "git", "registries"]));
    expect(checks.filter(({ name }) => name === "GraphQL threads")).toEqual([expect.objectContaining({ verdict: "fine" })]);
    expect(`${stdout}${stderr}`).not.toContain(TOKEN);
  });

  it("an empty list says nothing about its fields", () => {
    expect(driftOf([], { "[].event": "text" })).toEqual([]);
    expect(driftOf({ message: "no list" }, { "[].event": "text" })).toHaveLength(1);
  });
});
