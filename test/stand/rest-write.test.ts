import { describe, expect, it } from "vitest";
import { mergePull, moveRef } from "./merging.ts";
import { type Client, clientOf, graphql, smallWorld, started, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";
import type { Pull } from "./thread-types.ts";
import { addRepo, addToken } from "./world.ts";

tidyUp();

const REPO = "/repos/o/n";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Blob, tree and commit on top of a commit; returns the new commit's sha. */
async function commitOn(call: Client, parent: string, files: Record<string, string | null>, message = "Bot"): Promise<string> {
  const base = (await call("GET", `${REPO}/git/commits/${parent}`)).body.tree.sha;
  const tree = Object.entries(files).map(([path, content]) => ({
    path,
    mode: "100644",
    type: "blob",
    ...(content === null ? { sha: null } : { content }),
  }));
  const made = await call("POST", `${REPO}/git/trees`, { base_tree: base, tree });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return (await call("POST", `${REPO}/git/commits`, { message, tree: made.body.sha, parents: [parent] })).body.sha;
}
const errorOf = (answer: { status: number; body: { message: string; errors?: { message?: string; field?: string; code: string }[] } }) => [
  answer.status,
  answer.body.errors?.[0]?.message ?? answer.body.errors?.[0]?.code ?? answer.body.message,
];

describe("git data", () => {
  it("builds a commit from blobs and trees and moves a branch forward only", async () => {
    const { world, git, second } = smallWorld();
    const call = clientOf(await started(world));
    const blob = (await call("POST", `${REPO}/git/blobs`, { content: base64("deep\n"), encoding: "base64" })).body.sha;
    const base = git.readCommit(second)?.tree;
    const tree = await call("POST", `${REPO}/git/trees`, {
      base_tree: base,
      tree: [
        { path: "docs/deep/c.txt", mode: "100644", type: "blob", sha: blob },
        { path: "docs/b.txt", mode: "100644", type: "blob", sha: null },
      ],
    });
    const commit = (await call("POST", `${REPO}/git/commits`, { message: "Change", tree: tree.body.sha, parents: [second] })).body;
    expect((await call("POST", `${REPO}/git/refs`, { ref: "refs/heads/bot", sha: commit.sha })).status).toBe(201);
    expect(git.files("bot")).toEqual(["a.txt", "docs/deep/c.txt"]);
    expect(git.file("bot", "docs/deep/c.txt")).toBe("deep\n");
    git.run("fsck", "--strict");

    expect(errorOf(await call("POST", `${REPO}/git/refs`, { ref: "refs/heads/bot", sha: commit.sha }))).toEqual([
      422,
      "Reference already exists",
    ]);
    expect(errorOf(await call("POST", `${REPO}/git/refs`, { ref: "refs/heads/no", sha: "0".repeat(40) }))).toEqual([
      422,
      "Object does not exist",
    ]);
    expect(errorOf(await call("PATCH", `${REPO}/git/refs/heads/bot`, { sha: second }))).toEqual([422, "Update is not a fast forward"]);
    expect(errorOf(await call("PATCH", `${REPO}/git/refs/heads/none`, { sha: second }))).toEqual([422, "Reference does not exist"]);
    expect((await call("PATCH", `${REPO}/git/refs/heads/bot`, { sha: second, force: true })).status).toBe(200);
    expect((await call("DELETE", `${REPO}/git/refs/heads/bot`)).status).toBe(204);
    expect(errorOf(await call("DELETE", `${REPO}/git/refs/heads/bot`))).toEqual([422, "Reference does not exist"]);
    expect(
      (await call("GET", `${REPO}/git/trees/${tree.body.sha}?recursive=1`)).body.tree.map((row: { path: string }) => row.path),
    ).toEqual(["a.txt", "docs", "docs/deep", "docs/deep/c.txt"]);
    expect(Buffer.from((await call("GET", `${REPO}/git/blobs/${blob}`)).body.content, "base64").toString()).toBe("deep\n");
  });

  it("merges a branch: 201, 204 when nothing is new, 409 on a conflict, 404 for what is not there", async () => {
    const { world, git, second } = smallWorld();
    const call = clientOf(await started(world));
    const merged = await call("POST", `${REPO}/merges`, { base: "main", head: "topic" });
    expect([merged.status, merged.body.parents.length]).toEqual([201, 2]);
    expect(git.files("main")).toContain("topic.txt");
    expect((await call("POST", `${REPO}/merges`, { base: "main", head: "topic" })).status).toBe(204);
    git.branch("rival", second);
    git.commit({ branch: "rival", message: "Rival", files: { "a.txt": "rival\n" } });
    git.commit({ message: "Main moves", files: { "a.txt": "main\n" } });
    const before = git.resolve("main");
    expect(errorOf(await call("POST", `${REPO}/merges`, { base: "main", head: "rival" }))).toEqual([409, "Merge conflict"]);
    expect(git.resolve("main")).toBe(before);
    expect(errorOf(await call("POST", `${REPO}/merges`, { base: "none", head: "rival" }))).toEqual([404, "Base does not exist"]);
  });

  it("puts one file, and only over the version that the caller knows", async () => {
    const { world, git } = smallWorld();
    const call = clientOf(await started(world));
    const put = (body: object) =>
      call("PUT", `${REPO}/contents/docs/new.md`, { message: "Doc", content: base64("x"), branch: "topic", ...body });
    const made = await put({});
    expect([made.status, git.file("topic", "docs/new.md")]).toEqual([201, "x"]);
    expect((await put({})).status).toBe(422);
    expect((await put({ sha: "0".repeat(40) })).status).toBe(409);
    expect((await put({ sha: made.body.content.sha, content: base64("y") })).status).toBe(200);
  });

  it("commits through GraphQL only onto the expected head, and signs", async () => {
    const { world, repo, git, topic } = smallWorld();
    repo.protections.topic = { rule: "signatures", status: 422 };
    const github = await started(world);
    const call = clientOf(github);
    const mutation = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid messageHeadline } ref { name } } }`;
    const commit = (expectedHeadOid: string) =>
      graphql(github, mutation, {
        input: {
          branch: { repositoryNameWithOwner: "o/n", branchName: "topic" },
          expectedHeadOid,
          message: { headline: "Update pages" },
          fileChanges: { additions: [{ path: "x/y.md", contents: base64("pages") }], deletions: [{ path: "a.txt" }] },
        },
      });
    // A rule for signed commits refuses the same change by way of a ref.
    const unsigned = await commitOn(call, topic, { "x.md": "x" });
    expect(errorOf(await call("PATCH", `${REPO}/git/refs/heads/topic`, { sha: unsigned }))).toEqual([
      422,
      expect.stringContaining("GH013"),
    ]);
    const stale = (await commit("0".repeat(40))).body;
    expect([stale.data.createCommitOnBranch, stale.errors[0].type]).toEqual([null, "STALE_DATA"]);
    const { body } = await commit(topic);
    expect(body.data.createCommitOnBranch).toEqual({
      commit: { oid: git.resolve("topic"), messageHeadline: "Update pages" },
      ref: { name: "topic" },
    });
    expect(git.files("topic")).toEqual(["docs/b.txt", "topic.txt", "x/y.md"]);
    expect(github.requests.writes().filter((request) => request.kind === "graphql")).toHaveLength(2);
  });
});

describe("pull requests", () => {
  it("opens one, refuses a second, updates, closes and reopens it", async () => {
    const { world, repo } = smallWorld();
    const call = clientOf(await started(world));
    const open = () => call("POST", `${REPO}/pulls`, { title: "Changes", head: "topic", base: "main", body: "text" });
    const made = await open();
    expect([made.status, made.body.number, made.body.user.login, made.body.mergeable_state]).toEqual([201, 1, "tester", "clean"]);
    expect(errorOf(await open())).toEqual([422, "A pull request already exists for o:topic."]);
    const updated = await call("PATCH", `${REPO}/pulls/1`, { title: "New title", body: "new" });
    expect([updated.body.title, updated.body.body]).toEqual(["New title", "new"]);
    expect((await call("PATCH", `${REPO}/pulls/1`, { state: "closed" })).body.state).toBe("closed");
    expect((await call("PATCH", `${REPO}/pulls/1`, { state: "open" })).body.state).toBe("open");
    expect((repo.threads[1] as Pull).events.map((event) => event.event)).toEqual(["renamed", "closed", "reopened"]);
  });

  it("refuses empty, unknown, unrelated and overlong ones", async () => {
    const { world, git, second } = smallWorld();
    git.branch("same", second);
    git.commit({ branch: "orphan", message: "Elsewhere", parents: [] });
    const call = clientOf(await started(world));
    const open = (body: object) => call("POST", `${REPO}/pulls`, { title: "T", head: "topic", base: "main", ...body });
    expect(errorOf(await open({ head: "same" }))).toEqual([422, "No commits between main and same"]);
    expect(errorOf(await open({ head: "none" }))).toEqual([422, "invalid"]);
    expect(errorOf(await open({ base: "none" }))).toEqual([422, "invalid"]);
    expect(errorOf(await open({ head: "orphan" }))).toEqual([422, "The orphan branch has no history in common with main"]);
    expect(errorOf(await open({ body: "x".repeat(65_537) }))).toEqual([422, "body is too long (maximum is 65536 characters)"]);
    expect((await open({ body: "x".repeat(65_536) })).status).toBe(201);
    expect(errorOf(await call("PATCH", `${REPO}/pulls/1`, { body: "x".repeat(65_537) }))).toEqual([
      422,
      "body is too long (maximum is 65536 characters)",
    ]);
  });

  it("follows its branch, and closes when the branch is deleted, for good", async () => {
    const { world, repo, topic } = smallWorld();
    const call = clientOf(await started(world));
    await call("POST", `${REPO}/pulls`, { title: "T", head: "topic", base: "main" });
    const sha = await commitOn(call, topic, { "more.txt": "m" });
    await call("PATCH", `${REPO}/git/refs/heads/topic`, { sha });
    expect((await call("GET", `${REPO}/pulls/1`)).body).toMatchObject({ commits: 2, changed_files: 2, head: { sha } });
    await call("DELETE", `${REPO}/git/refs/heads/topic`);
    const closed = (await call("GET", `${REPO}/pulls/1`)).body;
    expect([closed.state, closed.merged]).toEqual(["closed", false]);
    expect(errorOf(await call("PATCH", `${REPO}/pulls/1`, { state: "open" }))).toEqual([422, expect.stringContaining("has been deleted")]);
    expect((repo.threads[1] as Pull).events.map((event) => event.event)).toEqual(["head_ref_deleted", "closed"]);
  });

  it("merges with each method: which sha, how many parents, and the issues it closes", async () => {
    for (const [method, parents, commits] of [
      ["merge", 2, 3],
      ["squash", 1, 1],
      ["rebase", 1, 2],
    ] as const) {
      const { world, repo, git } = smallWorld();
      const before = git.resolve("main") ?? "";
      git.commit({ branch: "topic", message: "Topic 2", files: { "t2.txt": "2" } });
      const pull = threads.addPull(world, repo, { head: "topic", title: "T" });
      threads.linkPull(repo, pull, repo, threads.addIssue(world, repo));
      git.commit({ message: "Main moves", files: { "m.txt": "m" } });
      const call = clientOf(await started(world));
      const done = await call("PUT", `${REPO}/pulls/${pull.number}/merge`, { merge_method: method });
      expect([method, done.status, done.body.merged]).toEqual([method, 200, true]);
      expect(git.resolve("main")).toBe(done.body.sha);
      expect(git.readCommit(done.body.sha)?.parents).toHaveLength(parents);
      expect(git.between(before, done.body.sha)).toHaveLength(commits + 1);
      expect(git.files("main")).toEqual(["a.txt", "docs/b.txt", "m.txt", "t2.txt", "topic.txt"]);
      expect((await call("GET", `${REPO}/pulls/${pull.number}`)).body).toMatchObject({
        merged: true,
        state: "closed",
        merge_commit_sha: done.body.sha,
      });
      expect((await call("GET", `${REPO}/issues/2`)).body).toMatchObject({ state: "closed", state_reason: "completed" });
    }
  });

  it("counts as merged when its commits arrive another way, and not when they arrive squashed", async () => {
    const { world, repo, git, topic } = smallWorld();
    const pull = threads.addPull(world, repo, { head: "topic" });
    git.branch("bigger", topic);
    git.commit({ branch: "bigger", message: "Bigger", files: { "b.txt": "b" } });
    const bigger = threads.addPull(world, repo, { head: "bigger" });
    mergePull(world, repo, bigger, { method: "squash" });
    expect(pull.state).toBe("open");
    moveRef(
      world,
      repo,
      "refs/heads/main",
      git.run("commit-tree", `${topic}^{tree}`, "-p", git.resolve("main") ?? "", "-p", topic, "-m", "Merge"),
    );
    expect([pull.state, pull.mergedAt !== null]).toEqual(["closed", true]);
  });

  it("does not merge conflicts, drafts, a moved head, or without the required approvals", async () => {
    const { world, repo, git, topic } = smallWorld();
    const pull = threads.addPull(world, repo, { head: "topic", draft: true });
    const call = clientOf(await started(world));
    const merge = (body: object = {}) => call("PUT", `${REPO}/pulls/${pull.number}/merge`, body);
    expect(errorOf(await merge())).toEqual([405, "Pull Request is not mergeable"]);
    pull.draft = false;
    expect((await merge({ sha: "0".repeat(40) })).status).toBe(409);
    repo.protections.main = { rule: "pull-request", status: 422, approvals: 1 };
    expect(errorOf(await merge())).toEqual([405, "At least 1 approving review is required by reviewers with write access."]);
    expect((await call("GET", `${REPO}/pulls/${pull.number}`)).body.mergeable_state).toBe("blocked");
    threads.review(world, pull);
    git.commit({ branch: "topic", message: "Change", files: { "a.txt": "topic\n" }, parents: [topic] });
    moveRef(world, repo, "refs/heads/topic", git.resolve("topic"));
    git.commit({ message: "Main", files: { "a.txt": "main\n" } });
    expect((await call("GET", `${REPO}/pulls/${pull.number}`)).body).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
    expect((await merge()).status).toBe(405);
  });
});

describe("refusals", () => {
  it("says why: rules, archives, tokens, and the setting for Actions", async () => {
    const { world, repo, git, second } = smallWorld();
    addToken(world, "reader", { login: "r" });
    addToken(world, "fine", { login: "f", kind: "fine-grained" });
    addToken(world, "actions", { login: "github-actions[bot]", kind: "actions", write: true });
    const github = await started(world);
    const pull = { title: "T", head: "topic", base: "main" };
    const post = (token: string | null) => clientOf(github, token)("POST", `${REPO}/pulls`, pull);
    expect(errorOf(await post(null))).toEqual([401, "Requires authentication"]);
    expect(errorOf(await post("reader"))).toEqual([404, "Not Found"]);
    expect(errorOf(await post("fine"))).toEqual([403, "Resource not accessible by personal access token"]);
    repo.actionsMayOpenPulls = false;
    expect(errorOf(await post("actions"))).toEqual([403, "GitHub Actions is not permitted to create or approve pull requests."]);
    // The branch can be pushed all the same, which is what leaves it behind (C18).
    const sha = git.commit({ branch: null, message: "Bot", parents: [second] });
    const actions = clientOf(github, "actions");
    expect((await actions("POST", `${REPO}/git/refs`, { ref: "refs/heads/bot", sha })).status).toBe(201);
    repo.protections.main = { rule: "pull-request", status: 403 };
    expect(errorOf(await actions("PATCH", `${REPO}/git/refs/heads/main`, { sha }))).toEqual([
      403,
      expect.stringMatching(/GH013.*through a pull request/s),
    ]);
    repo.archived = true;
    expect(errorOf(await actions("POST", `${REPO}/pulls`, pull))).toEqual([403, "Repository was archived so is read-only."]);
  });

  it("needs the workflow scope for workflow files that are new to the repository", async () => {
    const { world, git, second } = smallWorld();
    const github = await started(world);
    const call = clientOf(github);
    const sha = await commitOn(call, second, { ".github/workflows/ci.yml": "on: push\n" });
    const create = (token?: string) => clientOf(github, token)("POST", `${REPO}/git/refs`, { ref: "refs/heads/ci", sha });
    expect(errorOf(await create())).toEqual([403, expect.stringContaining("without `workflow` scope")]);
    addToken(world, "more", { write: true, scopes: ["repo", "workflow"] });
    expect((await create("more")).status).toBe(201);
    // Merging a base that already has them is no change of the bot's.
    git.branch("main", sha);
    expect((await call("POST", `${REPO}/merges`, { base: "topic", head: "main" })).status).toBe(201);
  });
});

describe("labels, comments, issues", () => {
  it("labels, comments and closes", async () => {
    const { world } = smallWorld();
    const call = clientOf(await started(world));
    expect((await call("POST", `${REPO}/issues`, { title: "Tracking", labels: ["tracker"] })).body).toMatchObject({
      number: 1,
      labels: [{ name: "tracker" }],
    });
    expect((await call("POST", `${REPO}/labels`, { name: "Tracker" })).status).toBe(422);
    expect((await call("POST", `${REPO}/issues/1/labels`, { labels: ["snooze"] })).body.map((row: { name: string }) => row.name)).toEqual([
      "tracker",
      "snooze",
    ]);
    expect((await call("DELETE", `${REPO}/issues/1/labels/tracker`)).body.map((row: { name: string }) => row.name)).toEqual(["snooze"]);
    expect((await call("DELETE", `${REPO}/issues/1/labels/tracker`)).status).toBe(404);
    expect((await call("PUT", `${REPO}/issues/1/labels`, { labels: [] })).body).toEqual([]);
    const comment = (await call("POST", `${REPO}/issues/1/comments`, { body: "hello" })).body;
    expect((await call("PATCH", `${REPO}/issues/comments/${comment.id}`, { body: "changed" })).body.body).toBe("changed");
    expect((await call("GET", `${REPO}/issues/1/comments`)).body.map((row: { body: string }) => row.body)).toEqual(["changed"]);
    expect((await call("PATCH", `${REPO}/issues/1`, { state: "closed", state_reason: "not_planned" })).body).toMatchObject({
      state: "closed",
      state_reason: "not_planned",
    });
    expect((await call("GET", `${REPO}/issues?state=closed&labels=none`)).body).toEqual([]);
  });

  it("refuses to comment where the conversation is locked", async () => {
    const { world, repo } = smallWorld();
    threads.addIssue(world, repo, { locked: true });
    expect((await clientOf(await started(world))("POST", `${REPO}/issues/1/comments`, { body: "x" })).status).toBe(403);
  });
});

describe("noise", () => {
  it("notes backlinks, mentions and closing keywords, and none of the forms that make none", async () => {
    const { world } = smallWorld();
    const upstream = addRepo(world, "up/stream");
    const target = threads.addIssue(world, upstream);
    const call = clientOf(await started(world));
    const quiet =
      "See https://redirect.github.com/up/stream/issues/1, `up/stream#1`, `@alice`, mail@example.com, C# 7, vllm 0.20, abc#.\n```\nup/stream#1 @alice fixes #1\n```";
    await call("POST", `${REPO}/issues`, { title: "Quiet", body: quiet });
    expect([world.noise, target.events]).toEqual([[], []]);
    await call("POST", `${REPO}/issues`, {
      title: "Loud",
      body: "up/stream#1 and https://github.com/up/stream/pull/1#issuecomment-5, fixes #1, by @alice and @org/team",
    });
    expect(world.noise).toEqual([
      { kind: "cross-reference", target: "up/stream#1", where: "o/n#2" },
      { kind: "cross-reference", target: "up/stream#1", where: "o/n#2" },
      { kind: "cross-reference", target: "o/n#1", where: "o/n#2" },
      { kind: "mention", target: "@alice", where: "o/n#2" },
      { kind: "mention", target: "@org/team", where: "o/n#2" },
      { kind: "closing-keyword", target: "fixes #1", where: "o/n#2" },
    ]);
    expect(target.events.map((event) => event.event)).toEqual(["cross-referenced", "cross-referenced"]);
  });

  it("hears commit messages once they are on a branch", async () => {
    const { world, second } = smallWorld();
    const call = clientOf(await started(world));
    const sha = await commitOn(call, second, { "x.txt": "x" }, "Update, see up/stream#1");
    expect(world.noise).toEqual([]);
    await call("POST", `${REPO}/git/refs`, { ref: "refs/heads/bot", sha });
    expect(world.noise).toMatchObject([{ kind: "cross-reference", target: "up/stream#1" }]);
  });
});
