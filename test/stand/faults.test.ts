import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import type { Fault } from "./faults.ts";
import { clientOf, graphql, smallWorld, started, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";

tidyUp();

const QUERY = `{ r0: repository(owner: "o", name: "n") {
  i1: issue(number: 1) { title comments(first: 5) { totalCount nodes { body } } labels(first: 5) { totalCount nodes { name } } }
  i2: issue(number: 2) { title comments(first: 5) { totalCount nodes { body } } } } }`;

async function faulty(fault: Fault | undefined) {
  const { world, repo } = smallWorld();
  threads.comment(world, threads.addIssue(world, repo), { body: "hello" });
  threads.addIssue(world, repo);
  const github = await started(world, { faults: () => fault });
  return { world, repo, github };
}

describe("limits", () => {
  it("a secondary limit comes with or without Retry-After and leaves the budget", async () => {
    const { github } = await faulty({ kind: "limit", status: 429, retryAfter: 7 });
    const answer = await clientOf(github)("GET", "/repos/o/n");
    expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("x-ratelimit-remaining")]).toEqual([429, "7", "5000"]);
    github.setFaults(() => ({ kind: "limit", status: 403 }));
    const bare = await graphql(github, QUERY);
    expect([bare.status, bare.headers.get("retry-after"), bare.body.message]).toEqual([
      403,
      null,
      expect.stringContaining("secondary rate limit"),
    ]);
    expect(github.faults.count("limit")).toBe(2);
  });

  it("a primary limit says remaining 0 and when it ends, by the world's clock", async () => {
    const { github, world } = await faulty({ kind: "limit", status: 403, primary: true });
    const { headers } = await clientOf(github)("GET", "/repos/o/n");
    expect([headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")]).toEqual(["0", String(world.clock / 1000 + 3600)]);
    expect(headers.get("date")).toBe("Sat, 16 May 2026 00:00:00 GMT");
  });

  it("GraphQL's limit is a 200, and means nothing to REST", async () => {
    const { github } = await faulty({ kind: "graphql-limit" });
    const answer = await graphql(github, QUERY);
    expect([answer.status, answer.body.data, answer.body.errors[0].type, answer.headers.get("x-ratelimit-remaining")]).toEqual([
      200,
      undefined,
      "RATE_LIMIT",
      "0",
    ]);
    expect((await clientOf(github)("GET", "/repos/o/n")).status).toBe(200);
    expect(github.faults.hits).toEqual([{ index: 0, kind: "graphql-limit" }]);
  });

  it("too costly a query has null aliases, or no data", async () => {
    const { github } = await faulty({ kind: "too-costly" });
    const first = (await graphql(github, QUERY)).body;
    expect([first.data, first.errors[0].type]).toEqual([{ r0: null }, "RESOURCE_LIMITS_EXCEEDED"]);
    github.setFaults(() => ({ kind: "too-costly", data: "null" }));
    expect((await graphql(github, QUERY)).body.data).toBeNull();
  });
});

describe("spoiled data", () => {
  it("loses the chosen aliases with an error each", async () => {
    const { github } = await faulty({ kind: "partial", lose: (path) => path === "r0.i1" });
    const { body } = await graphql(github, QUERY);
    expect([body.data.r0.i1, body.data.r0.i2.title]).toEqual([null, "Thread 2"]);
    expect(body.errors).toMatchObject([{ type: "NOT_FOUND", path: ["r0", "i1"] }]);
    expect(github.faults.count("partial")).toBe(1);
  });

  it("empties connections and leaves their totals, and counts only what it emptied", async () => {
    const { github } = await faulty({ kind: "silent-empty" });
    const { body } = await graphql(github, QUERY);
    expect(body.data.r0.i1.comments).toEqual({ totalCount: 1, nodes: [] });
    expect(body.errors).toBeUndefined();
    expect(github.faults.count()).toBe(1);
    await graphql(github, "{ viewer { login } }");
    await clientOf(github)("GET", "/repos/o/n");
    expect(github.faults.count()).toBe(1);
  });
});

describe("broken transport", () => {
  it("serves the unicorn page", async () => {
    const { github } = await faulty({ kind: "unicorn", status: 502 });
    const answer = await clientOf(github)("GET", "/repos/o/n");
    expect([answer.status, answer.headers.get("content-type"), answer.body]).toEqual([
      502,
      "text/html",
      expect.stringContaining("Unicorn!"),
    ]);
  });

  it("never answers, or stops in the middle of the body", async () => {
    for (const headers of [false, true]) {
      const { github } = await faulty({ kind: "stall", headers });
      const heard = await new Promise((resolve) => {
        const call = httpRequest(`${github.url}/repos/o/n`, (response) =>
          response.once("data", () => {
            resolve("part of a body");
            call.destroy();
          }),
        );
        call.on("error", () => {});
        call.end();
        // Without headers there is nothing to wait for: the request has arrived, and that is all that will happen.
        if (!headers)
          call.on("finish", () =>
            setImmediate(() => {
              resolve("nothing");
              call.destroy();
            }),
          );
      });
      expect(heard).toBe(headers ? "part of a body" : "nothing");
    }
  });

  it("cuts the body, cleanly or not", async () => {
    const { github } = await faulty({ kind: "truncated", how: "clean" });
    const response = await fetch(`${github.url}/repos/o/n`);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
    github.setFaults(() => ({ kind: "truncated", how: "cut" }));
    await expect(fetch(`${github.url}/repos/o/n`).then((answer) => answer.json())).rejects.toThrow();
    expect(github.faults.count("truncated")).toBe(2);
  });

  it("breaks the connection before or after the request took effect", async () => {
    const { github, repo } = await faulty({ kind: "reset" });
    const write = () => clientOf(github)("POST", "/repos/o/n/labels", { name: "bug" });
    await expect(write()).rejects.toThrow();
    expect(Object.keys(repo.labels)).toEqual([]);
    github.setFaults(() => ({ kind: "reset", executed: true }));
    await expect(write()).rejects.toThrow();
    expect(Object.keys(repo.labels)).toEqual(["bug"]);
    expect(github.requests.all.map((request) => [request.status, request.fault])).toEqual([
      [0, "reset"],
      [0, "reset"],
    ]);
  });

  it("sees the request it decides about", async () => {
    const { github } = await faulty(undefined);
    github.setFaults((request) =>
      request.kind === "rest" && request.path.endsWith("/issues/2")
        ? { kind: "error", status: 503, body: { message: "Unavailable" } }
        : undefined,
    );
    const get = clientOf(github);
    expect([(await get("GET", "/repos/o/n/issues/1")).status, (await get("GET", "/repos/o/n/issues/2")).status]).toEqual([200, 503]);
  });
});
