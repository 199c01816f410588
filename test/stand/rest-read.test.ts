import { describe, expect, it } from "vitest";
import { clientOf, smallWorld, started, TOKEN, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";
import { addRelease, addRepo, addToken, deleteRepo, findRepo, refTo, renameRepo } from "./world.ts";

tidyUp();

describe("threads", () => {
  it("shows pull requests at the issues endpoint, and no issue at the pulls endpoint", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo, { title: "Bug", author: "alice" });
    const pull = threads.addPull(world, repo, { head: "topic", title: "Fix" });
    const get = clientOf(await started(world));
    const asIssue = (await get("GET", `/repos/o/n/issues/${pull.number}`)).body;
    expect(asIssue).toMatchObject({ number: pull.number, title: "Fix", pull_request: { merged_at: null } });
    expect((await get("GET", `/repos/o/n/pulls/${issue.number}`)).status).toBe(404);
    expect((await get("GET", `/repos/o/n/pulls/${pull.number}`)).body).toMatchObject({
      merged: false,
      mergeable: true,
      commits: 1,
      changed_files: 1,
    });
  });

  it("redirects a transferred issue, and answers 410 for a deleted one and 404 for a discussion", async () => {
    const { world, repo } = smallWorld();
    const other = addRepo(world, "o/other");
    const issue = threads.addIssue(world, repo, { title: "Moves" });
    const moved = threads.transfer(world, repo, issue, other);
    const deleted = threads.addIssue(world, repo);
    threads.deleteThread(repo, deleted.number);
    const discussion = threads.addDiscussion(world, repo);
    const get = clientOf(await started(world));
    const redirect = await get("GET", `/repos/o/n/issues/${issue.number}`);
    expect(redirect.status).toBe(301);
    const target = await get("GET", redirect.headers.get("location") ?? "");
    expect(target.body).toMatchObject({
      number: moved.number,
      title: "Moves",
      html_url: `https://github.com/o/other/issues/${moved.number}`,
    });
    expect((await get("GET", `/repos/o/n/issues/${deleted.number}`)).status).toBe(410);
    expect((await get("GET", `/repos/o/n/issues/${discussion.number}`)).status).toBe(404);
  });

  it("keeps base changes out of the timeline and cross references out of the events", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    const pull = threads.addPull(world, repo, { head: "topic" });
    threads.changeBase(world, pull, "release");
    threads.crossReference(world, refTo(repo, issue), pull);
    threads.comment(world, pull);
    threads.review(world, pull);
    const get = clientOf(await started(world));
    const kinds = (rows: { event: string }[]): string[] => rows.map((row) => row.event).sort();
    expect(kinds((await get("GET", `/repos/o/n/issues/${pull.number}/timeline`)).body)).toEqual([
      "commented",
      "committed",
      "cross-referenced",
      "reviewed",
    ]);
    expect(kinds((await get("GET", `/repos/o/n/issues/${pull.number}/events`)).body)).toEqual(["base_ref_changed"]);
  });

  it("pages a long timeline with links that address the repository by id", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    for (let n = 0; n < 250; n++) threads.addEvent(world, issue, { event: "labeled", label: `l${n}` });
    threads.close(world, issue);
    const get = clientOf(await started(world));
    const seen: string[] = [];
    let pages = 0;
    let next: string | undefined = `/repos/o/n/issues/${issue.number}/timeline?per_page=100`;
    while (next) {
      const answer = await get("GET", next);
      seen.push(...answer.body.map((row: { event: string }) => row.event));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      if (next) expect(next).toContain(`/repositories/${repo.id}/issues/${issue.number}/timeline?`);
      pages += 1;
    }
    expect([pages, seen.length, seen.at(-1)]).toEqual([3, 251, "closed"]);
  });

  it("filters the list of pull requests by head, base and state", async () => {
    const { world, repo } = smallWorld();
    const pull = threads.addPull(world, repo, { head: "topic" });
    const closed = threads.addPull(world, repo, { head: "main", base: "topic" });
    threads.close(world, closed);
    const get = clientOf(await started(world));
    const numbers = async (query: string): Promise<number[]> =>
      (await get("GET", `/repos/o/n/pulls?${query}`)).body.map((row: { number: number }) => row.number);
    expect(await numbers("")).toEqual([pull.number]);
    expect(await numbers("state=all")).toEqual([closed.number, pull.number]);
    expect(await numbers("head=o:topic&state=all")).toEqual([pull.number]);
    expect(await numbers("head=other:topic&state=all")).toEqual([]);
    expect(await numbers("base=topic&state=all")).toEqual([closed.number]);
  });
});

describe("repositories", () => {
  it("redirects a renamed repository, and whatever is under it, to its id", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    renameRepo(world, repo, "new/name");
    const get = clientOf(await started(world));
    const redirect = await get("GET", `/repos/o/n/issues/${issue.number}?x=1`);
    expect([redirect.status, redirect.headers.get("location")?.replace(/^http:\/\/[^/]+/, "")]).toEqual([
      301,
      `/repositories/${repo.id}/issues/1?x=1`,
    ]);
    expect((await get("GET", `/repositories/${repo.id}`)).body.full_name).toBe("new/name");
    expect((await get("PATCH", "/repos/o/n/issues/1", { title: "x" })).status).toBe(307);
    // A new repository under the old name takes it over.
    addRepo(world, "o/n");
    expect((await get("GET", "/repos/o/n")).body.id).not.toBe(repo.id);
    expect(findRepo(world, "o/n")?.id).not.toBe(repo.id);
  });

  it("hides private and deleted repositories as 404, and blocks with 451", async () => {
    const { world, repo } = smallWorld();
    repo.private = true;
    addToken(world, "member", { sees: ["o/n"] });
    const blocked = addRepo(world, "bad/one", {
      blocked: { reason: "dmca", url: "https://example.com/notice", at: "2026-01-01T00:00:00Z" },
    });
    const github = await started(world);
    expect((await clientOf(github)("GET", "/repos/o/n")).status).toBe(404);
    expect((await clientOf(github, "member")("GET", "/repos/o/n")).status).toBe(200);
    const answer = await clientOf(github)("GET", "/repos/bad/one/issues/1");
    expect([answer.status, answer.body.block.reason]).toEqual([451, "dmca"]);
    deleteRepo(world, blocked);
    expect((await clientOf(github)("GET", "/repos/bad/one")).status).toBe(404);
  });

  it("refuses an unapproved token with the address of the single sign-on, and reads without one", async () => {
    const { world, repo } = smallWorld();
    repo.sso = { organization: "o" };
    const github = await started(world);
    const refused = await clientOf(github)("GET", "/repos/o/n");
    expect([refused.status, refused.headers.get("x-github-sso")]).toEqual([
      403,
      expect.stringContaining("url=https://github.com/orgs/o/sso"),
    ]);
    expect((await clientOf(github, null)("GET", "/repos/o/n")).status).toBe(200);
  });

  it("lists tags, releases, refs and files", async () => {
    const { world, repo, first, second } = smallWorld();
    addRelease(world, repo, "v1", { prerelease: false });
    addRelease(world, repo, "v2-rc", { prerelease: true, createdAt: "2026-05-17T00:00:00Z" });
    const get = clientOf(await started(world));
    expect((await get("GET", "/repos/o/n/tags")).body).toMatchObject([{ name: "v1", commit: { sha: first } }]);
    expect((await get("GET", "/repos/o/n/git/ref/tags/v1")).body.object.type).toBe("tag");
    expect((await get("GET", "/repos/o/n/git/ref/tags/gone")).status).toBe(404);
    expect((await get("GET", "/repos/o/n/releases")).body.map((row: { tag_name: string }) => row.tag_name)).toEqual(["v2-rc", "v1"]);
    expect((await get("GET", "/repos/o/n/releases/latest")).body.tag_name).toBe("v1");
    const file = (await get("GET", "/repos/o/n/contents/a.txt?ref=v1")).body;
    expect(Buffer.from(file.content, "base64").toString()).toBe("one\n");
    expect((await get("GET", "/repos/o/n/contents")).body.map((row: { path: string }) => row.path)).toEqual(["a.txt", "docs"]);
    expect((await get("GET", "/repos/o/n/contents/nothing")).status).toBe(404);
    expect((await get("GET", `/repos/o/n/commits/${second.slice(0, 9)}`)).body.sha).toBe(second);
    expect((await get("GET", "/repos/o/n/commits/0123456789")).status).toBe(422);
  });

  it("compares: ahead, behind, diverged, identical, and no common ancestor", async () => {
    const { world, git, first } = smallWorld();
    git.commit({ message: "Third" });
    git.commit({ branch: "orphan", message: "Elsewhere", parents: [] });
    const get = clientOf(await started(world));
    const status = async (range: string): Promise<unknown[]> => {
      const { body } = await get("GET", `/repos/o/n/compare/${range}`);
      return [body.status, body.ahead_by, body.behind_by];
    };
    expect(await status(`${first}...main`)).toEqual(["ahead", 2, 0]);
    expect(await status(`main...${first}`)).toEqual(["behind", 0, 2]);
    expect(await status("main...topic")).toEqual(["diverged", 1, 1]);
    expect(await status("v1...v1")).toEqual(["identical", 0, 0]);
    const unrelated = await get("GET", "/repos/o/n/compare/main...orphan");
    expect([unrelated.status, unrelated.body.message]).toEqual([404, "No common ancestor between main and orphan."]);
    const unknown = await get("GET", "/repos/o/n/compare/main...nowhere");
    expect([unknown.status, unknown.body.message]).toEqual([404, "Not Found"]);
  });

  it("caps a comparison at 250 commits, the most recent ones, while its counts stay whole", async () => {
    const { world, git, first } = smallWorld();
    let last = "";
    for (let n = 0; n < 300; n++) last = git.commit({ message: `Commit ${n}` });
    const get = clientOf(await started(world));
    const { body } = await get("GET", `/repos/o/n/compare/${first}...main`);
    expect([body.ahead_by, body.total_commits, body.commits.length, body.commits.at(-1).sha]).toEqual([301, 301, 250, last]);
  });
});

describe("the protocol", () => {
  it("answers 304 to the exact ETag, and does not count it", async () => {
    const { world } = smallWorld();
    const get = clientOf(await started(world));
    const first = await get("GET", "/repos/o/n");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    const second = await get("GET", "/repos/o/n", undefined, { "if-none-match": etag });
    expect([second.status, second.body]).toEqual([304, ""]);
    expect(second.headers.get("x-ratelimit-remaining")).toBe(first.headers.get("x-ratelimit-remaining"));
    const unquoted = await get("GET", "/repos/o/n", undefined, { "if-none-match": etag.replaceAll('"', "") });
    expect(unquoted.status).toBe(200);
  });

  it("refuses an unknown API version, and drops what the newer one dropped", async () => {
    const { world, repo } = smallWorld();
    const pull = threads.addPull(world, repo, { head: "topic", mergeSha: "0".repeat(40) });
    const get = clientOf(await started(world));
    const at = (version: string) => get("GET", `/repos/o/n/pulls/${pull.number}`, undefined, { "x-github-api-version": version });
    expect((await at("2021-01-01")).status).toBe(400);
    expect((await at("2022-11-28")).body.merge_commit_sha).toBe("0".repeat(40));
    const newer = (await at("2026-03-10")).body;
    expect([newer.number, "merge_commit_sha" in newer, "assignee" in newer]).toEqual([pull.number, false, false]);
  });

  it("counts each caller's hour, 60 requests without a token, and renews it by the world's clock", async () => {
    const { world } = smallWorld();
    const github = await started(world, { limits: { anonymous: 2 } });
    const anonymous = clientOf(github, null);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await anonymous("GET", "/repos/o/n")).status);
    expect(statuses).toEqual([200, 200, 403]);
    expect((await clientOf(github)("GET", "/repos/o/n")).headers.get("x-ratelimit-remaining")).toBe("4999");
    expect((await anonymous("GET", "/rate_limit")).body.resources.core).toMatchObject({ limit: 2, remaining: 0 });
    world.clock += 3_600_000;
    expect((await anonymous("GET", "/repos/o/n")).status).toBe(200);
  });

  it("refuses a token it does not know", async () => {
    const { world } = smallWorld();
    expect((await clientOf(await started(world), "stolen")("GET", "/repos/o/n")).status).toBe(401);
  });

  it("serves an Enterprise address", async () => {
    const { world } = smallWorld();
    const github = await started(world, { enterprise: true });
    expect(new URL(github.url).pathname).toBe("/api/v3");
    expect((await clientOf(github)("GET", "/repos/o/n")).body.url).toBe(`${github.url}/repos/o/n`);
    const answer = await clientOf(github)("POST", github.graphqlUrl, { query: "{ viewer { login } }" });
    expect([new URL(github.graphqlUrl).pathname, answer.body.data.viewer.login]).toEqual(["/api/graphql", "tester"]);
  });

  it("logs what it was asked, and counts what it validated", async () => {
    const { world } = smallWorld();
    const github = await started(world);
    const call = clientOf(github);
    await call("GET", "/repos/o/n");
    await call("POST", "/repos/o/n/labels", { name: "bug" });
    expect(github.requests.counts()).toEqual({ rest: 2, graphql: 0, git: 0 });
    expect(github.requests.all[0]).toMatchObject({ index: 0, kind: "rest", method: "GET", path: "/repos/o/n", status: 200, token: TOKEN });
    expect(github.requests.writes().map((request) => request.body)).toEqual([{ name: "bug" }]);
    expect(github.validated()).toBe(2);
  });
});
