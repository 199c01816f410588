import { Octokit } from "@octokit/rest";
import { createEmulator } from "emulate";
import type { Emulator } from "emulate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publish } from "../../src/publish/pull-request/publish.ts";
import { blobHash } from "../../src/publish/pull-request/trees.ts";
import { BRANCH, FACTS, PAGE, isOwned, planner, render } from "./toy.ts";

/**
 * A second opinion on branch, file and pull request by an emulator of GitHub that nobody here wrote. It has no GraphQL and merges
 * wrongly, so nothing is deleted or merged here.
 */
describe("against another emulator of GitHub", () => {
  let emulator: Emulator;
  let octokit: Octokit;
  const at = { owner: "we", repo: "stack" };
  const writes: string[] = [];

  beforeAll(async () => {
    emulator = await createEmulator({
      service: "github",
      port: 0,
      seed: {
        tokens: { token: { login: "we", scopes: ["repo"] } },
        github: { users: [{ login: "we" }], repos: [{ ...at, name: "stack", auto_init: true }] },
      },
    });
    const counted: typeof fetch = (input, init) => {
      if (init?.method !== "GET") writes.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return fetch(input, init);
    };
    const silent = () => {};
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    octokit = new Octokit({ auth: "token", log, baseUrl: emulator.url, request: { fetch: counted } });
  });
  afterAll(() => emulator.close());

  const local = new Map([
    ["data/row.txt", "a row\n"],
    [FACTS, `${JSON.stringify({ a: { value: "1", asOf: "2026-05-16T00:00:00Z" } })}\n`],
  ]);
  const run = () =>
    publish(octokit, {
      ...at,
      branch: BRANCH,
      folder: "",
      local: new Map([...local].map(([path, text]) => [path, blobHash(text)])),
      plan: planner(local),
      owns: isOwned,
      everyDays: 7,
      snoozeLabel: "landfall:snooze",
      now: "2026-05-16T00:00:00Z",
    });
  const textAt = async (path: string) => {
    const { data } = await octokit.rest.repos.getContent({ ...at, path, ref: BRANCH });
    return "content" in data ? Buffer.from(data.content, "base64").toString() : undefined;
  };

  it("puts the files on a branch, opens one pull request, and says nothing twice", async () => {
    const content = Buffer.from("a row\n").toString("base64");
    await octokit.rest.repos.createOrUpdateFileContents({ ...at, path: "data/row.txt", message: "A row", content });
    writes.length = 0;
    const first = await run();
    expect(first.action).toBe("created");
    const { data: pulls } = await octokit.rest.pulls.list({ ...at, state: "open" });
    expect(pulls.map(({ head, base }) => [head.ref, base.ref])).toEqual([[BRANCH, "main"]]);
    expect(await textAt(PAGE)).toBe(render(new Map([...local, [FACTS, (await textAt(FACTS)) ?? ""]])));
    expect(await textAt("data/row.txt")).toBe("a row\n");
    expect(writes).toEqual([
      "POST /repos/we/stack/git/trees",
      "POST /repos/we/stack/git/commits",
      "POST /repos/we/stack/git/refs",
      "POST /repos/we/stack/pulls",
    ]);
    writes.length = 0;
    expect((await run()).action).toBe("none");
    expect(writes).toEqual([]);
  });

  it("adds a commit when more is known, on the same branch and the same pull request", async () => {
    local.set(
      FACTS,
      `${JSON.stringify({ a: { value: "1", asOf: "2026-05-16T00:00:00Z" }, "blocks-b": { value: "2", asOf: "2026-05-17T00:00:00Z" } })}\n`,
    );
    expect((await run()).action).toBe("updated");
    expect(await textAt(PAGE)).toContain("blocks-b=2");
    const { data: pulls } = await octokit.rest.pulls.list({ ...at, state: "all" });
    expect(pulls).toHaveLength(1);
    expect(pulls[0]?.body).toContain("blocks-b is 2");
  });
});
