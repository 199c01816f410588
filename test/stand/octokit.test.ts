import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Octokit } from "@octokit/rest";
import { describe, expect, it } from "vitest";
import { createGate } from "./gate.ts";
import { smallWorld, started, TOKEN, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";
import { addRepo, type World } from "./world.ts";

tidyUp();

/** The client that the product uses, as it is. */
const octokitOf = (url: string): Octokit =>
  new Octokit({ baseUrl: url, auth: TOKEN, log: { debug() {}, info() {}, warn() {}, error() {} } });

describe("octokit against the stand", () => {
  it("follows a transfer silently: another number and address come back", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    threads.addIssue(world, addRepo(world, "o/other"));
    const moved = threads.transfer(world, repo, issue, world.repos["o/other"] ?? repo);
    const github = await started(world);
    const { data, url } = await octokitOf(github.url).rest.issues.get({ owner: "o", repo: "n", issue_number: issue.number });
    expect([data.number, data.html_url, new URL(url).pathname]).toEqual([
      2,
      "https://github.com/o/other/issues/2",
      expect.stringMatching(/\/repositories\/\d+\/issues\/2/),
    ]);
    expect([moved.number, github.requests.count("rest")]).toEqual([2, 2]);
  });

  it("throws a 304, a 410 and a unicorn as HttpErrors", async () => {
    const { world, repo } = smallWorld();
    threads.deleteThread(repo, 7);
    const github = await started(world);
    const { rest } = octokitOf(github.url);
    const { headers } = await rest.repos.get({ owner: "o", repo: "n" });
    const again = rest.repos.get({ owner: "o", repo: "n", headers: { "if-none-match": headers.etag ?? "" } });
    await expect(again).rejects.toMatchObject({ status: 304 });
    await expect(rest.issues.get({ owner: "o", repo: "n", issue_number: 7 })).rejects.toMatchObject({ status: 410 });
    github.setFaults(() => ({ kind: "unicorn", status: 502 }));
    await expect(rest.repos.get({ owner: "o", repo: "n" })).rejects.toMatchObject({ status: 502 });
  });

  it("pages by Link, and keeps the data of a GraphQL answer with errors", async () => {
    const { world, repo } = smallWorld();
    for (let n = 0; n < 120; n++) threads.addPull(world, repo, { head: "topic" });
    const github = await started(world);
    const octokit = octokitOf(github.url);
    const all = await octokit.paginate(octokit.rest.pulls.list, { owner: "o", repo: "n", per_page: 50 });
    expect([all.length, github.requests.count("rest")]).toEqual([120, 3]);
    const query = `{ a: repository(owner: "o", name: "n") { name } b: repository(owner: "o", name: "gone") { name } }`;
    const error: unknown = await octokit.graphql(query).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "GraphqlResponseError",
      data: { a: { name: "n" }, b: null },
      errors: [{ type: "NOT_FOUND", path: ["b"] }],
    });
  });
});

describe("the gate against objects that GitHub really sent", () => {
  type Hook = { name: string; examples: Record<string, unknown>[] };
  const hooks = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("@octokit/webhooks-examples"), "utf8")) as Hook[];
  const gate = createGate();
  const objects = (hook: string, key: string): unknown[] =>
    (hooks.find((candidate) => candidate.name === hook)?.examples ?? []).flatMap((example) => example[key] ?? []);

  /** What a webhook leaves out, or GitHub did not have yet when it was recorded. */
  const LATER = {
    state: "open",
    locked: false,
    assignee: null,
    description: null,
    labels: [],
    auto_merge: null,
    has_discussions: false,
    network_count: 0,
    subscribers_count: 0,
  };

  it.each([
    ["issues", "issue", "GET /repos/{owner}/{repo}/issues/{issue_number}"],
    ["release", "release", "GET /repos/{owner}/{repo}/releases/latest"],
    ["label", "label", "GET /repos/{owner}/{repo}/labels/{name}"],
    ["pull_request", "pull_request", "GET /repos/{owner}/{repo}/pulls/{pull_number}"],
    ["issue_comment", "comment", "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}"],
    ["repository", "repository", "GET /repos/{owner}/{repo}"],
  ] as const)("accepts the %s of recorded webhooks, and refuses them damaged", (hook, key, endpoint) => {
    const recorded = objects(hook, key).map((object) => ({ ...LATER, ...(object as object) }));
    expect(recorded.length).toBeGreaterThan(2);
    expect(recorded.map((object) => gate.response("2022-11-28", endpoint, 200, object)).filter(Boolean)).toEqual([]);
    const damaged = recorded.map((object) => gate.response("2022-11-28", endpoint, 200, { ...object, id: "text" }));
    expect(damaged.every((problem) => problem?.includes("/id"))).toBe(true);
  });
});

it("keeps a world in JSON", async () => {
  const { world, repo } = smallWorld();
  threads.addIssue(world, repo, { title: "Bug" });
  const read = JSON.parse(JSON.stringify(world)) as World;
  const { rest } = octokitOf((await started(read)).url);
  expect((await rest.issues.get({ owner: "o", repo: "n", issue_number: 1 })).data.title).toBe("Bug");
});
