import { expect, it } from "vitest";
import { createGate } from "./gate.ts";
import { startGithub } from "./github.ts";
import { clientOf, smallWorld, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";

tidyUp();

it("tells a wrong body by its place", () => {
  const gate = createGate();
  const reference = {
    ref: "refs/heads/x",
    node_id: "x",
    url: "https://example.com/x",
    object: { type: "commit", sha: "0".repeat(40), url: "https://example.com/y" },
  };
  const endpoint = "GET /repos/{owner}/{repo}/git/ref/{ref}";
  expect(gate.response("2022-11-28", endpoint, 200, reference)).toBeUndefined();
  expect(gate.response("2022-11-28", endpoint, 200, { ...reference, object: { ...reference.object, sha: "short" } })).toContain(
    "/object/sha",
  );
  expect(gate.response("2022-11-28", endpoint, 404, { message: 5 })).toContain("/message");
  expect(gate.response("2022-11-28", "DELETE /repos/{owner}/{repo}/git/refs/{ref}", 204, {})).toContain("none");
});

it("knows null from absent", () => {
  const gate = createGate();
  const label = { id: 1, node_id: "x", url: "https://example.com/x", name: "bug", description: null, color: "ededed", default: false };
  const endpoint = "GET /repos/{owner}/{repo}/labels/{name}";
  expect(gate.response("2022-11-28", endpoint, 200, label)).toBeUndefined();
  expect(gate.response("2022-11-28", endpoint, 200, { ...label, name: null })).toContain("/name");
  expect(gate.response("2022-11-28", endpoint, 200, { ...label, description: undefined })).toContain("description");
});

it("answers 500 to a response of its own that does not validate, records it, and fails at the end", async () => {
  const { world, repo } = smallWorld();
  const issue = threads.addIssue(world, repo);
  Object.assign(issue, { createdAt: "yesterday" });
  const github = await startGithub(world);
  const answer = await clientOf(github)("GET", `/repos/o/n/issues/${issue.number}`);
  expect([answer.status, github.validated()]).toEqual([500, 0]);
  expect(github.ownFailures).toMatchObject([
    { request: "GET /repos/o/n/issues/1", status: 200, problem: expect.stringContaining("created_at") },
  ]);
  await expect(github.close()).rejects.toThrow("created_at");
});

it("answers 500 to an endpoint it does not have", async () => {
  const { world } = smallWorld();
  const github = await startGithub(world);
  expect((await clientOf(github)("GET", "/repos/o/n/stargazers")).status).toBe(500);
  await expect(github.close()).rejects.toThrow("no endpoint GET /repos/o/n/stargazers");
});

it("checks request bodies too", async () => {
  const { world, repo } = smallWorld();
  threads.addIssue(world, repo);
  const github = await startGithub(world);
  const answer = await clientOf(github)("POST", "/repos/o/n/git/refs", { ref: "refs/heads/x" });
  expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining("sha")]);
  await github.close();
});
