import { describe, expect, it } from "vitest";
import type { Request } from "../net.ts";
import { compareCommits } from "./compare.ts";

const FIX = "a".repeat(40);
const PIN = "b".repeat(40);
const OTHER = "c".repeat(40);
const question = { commit: FIX, inside: PIN };

const answers =
  (data: unknown): Request =>
  async () => ({ status: 200, data, headers: {} });
const refuses =
  (status: number | undefined, message: string, headers: Record<string, string> = {}): Request =>
  async () => {
    throw Object.assign(new Error(message), status === undefined ? {} : { status, response: { headers, data: { message } } });
  };
const comparison = (status: string, base: string) => ({ status, base_commit: { sha: FIX }, merge_base_commit: { sha: base } });

describe("containment by the compare API", () => {
  it("B01 asks with the change as base and the pin as head", async () => {
    const asked: unknown[] = [];
    await compareCommits(
      async (route, parameters) => {
        asked.push([route, parameters]);
        return { status: 200, data: comparison("ahead", FIX), headers: {} };
      },
      "org/repo",
      question,
    );
    expect(asked).toEqual([
      ["GET /repos/{owner}/{repo}/compare/{basehead}", { owner: "org", repo: "repo", basehead: `${FIX}...${PIN}`, per_page: 1 }],
    ]);
  });

  it.each([
    ["ahead", FIX, "yes"],
    ["identical", FIX, "yes"],
    ["behind", PIN, "no"],
    ["diverged", OTHER, "no"],
  ])("B01 a head that is %s means %s", async (status, base, answer) => {
    expect(await compareCommits(answers(comparison(status, base)), "org/repo", question)).toMatchObject({
      state: "seen",
      value: { answer },
    });
  });

  it("B02 does not look for the change in the list of commits, which is cut off at 250", async () => {
    const listed = { ...comparison("ahead", FIX), total_commits: 9000, commits: Array.from({ length: 250 }, () => ({ sha: OTHER })) };
    expect(await compareCommits(answers(listed), "org/repo", question)).toMatchObject({ value: { answer: "yes" } });
    const behind = { ...comparison("behind", PIN), commits: [{ sha: FIX }] };
    expect(await compareCommits(answers(behind), "org/repo", question)).toMatchObject({ value: { answer: "no" } });
  });

  it("takes an answer that contradicts itself, or has no status, for a failure", async () => {
    for (const data of [comparison("ahead", OTHER), comparison("behind", FIX), { status: "sideways" }, {}, null]) {
      expect(await compareCommits(answers(data), "org/repo", question)).toMatchObject({ state: "failed" });
    }
  });

  it("B04 takes 404 without a common ancestor for unknown, and explains it", async () => {
    const look = await compareCommits(refuses(404, `No common ancestor between ${FIX} and ${PIN}.`), "org/repo", question);
    expect(look).toMatchObject({ state: "seen", value: { answer: "unknown", why: expect.stringContaining("rewritten") } });
  });

  it("B06 takes any other 404 for a failure, never for no", async () => {
    const look = await compareCommits(refuses(404, "Not Found"), "org/repo", question);
    expect(look).toMatchObject({ state: "failed", status: 404, why: expect.stringContaining("org/repo") });
  });

  it("says when a limit ends, and that nothing was learnt", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225600" };
    const look = await compareCommits(refuses(403, "API rate limit exceeded", headers), "org/repo", question);
    expect(look).toEqual({
      state: "failed",
      status: 403,
      notBefore: "2026-01-01T00:00:00.000Z",
      why: `GitHub did not compare ${FIX}...${PIN} in org/repo (status 403).`,
    });
    expect(await compareCommits(refuses(undefined, "fetch failed"), "org/repo", question)).toMatchObject({
      state: "failed",
      why: expect.stringContaining("fetch failed"),
    });
  });
});
