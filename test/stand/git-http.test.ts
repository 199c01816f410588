import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openGit } from "./git-repository.ts";
import type { Github } from "./github.ts";
import { importHistory } from "./git-import.ts";
import { createGit } from "./git-repository.ts";
import { smallWorld, started, temporaryFolder, TOKEN, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";
import { addToken, renameRepo } from "./world.ts";

tidyUp();
const run = promisify(execFile);
/** Git as a client of the stand: no prompts, no configuration of the machine. */
const git = async (...args: string[]): Promise<string> =>
  (
    await run("git", args, {
      env: {
        PATH: process.env.PATH,
        GIT_TERMINAL_PROMPT: "0",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@example.com",
        GIT_COMMITTER_NAME: "A",
        GIT_COMMITTER_EMAIL: "a@example.com",
      },
    })
  ).stdout.trim();
const withToken = (github: Github, token: string): string => github.gitUrl.replace("http://", `http://x-access-token:${token}@`);

describe("reading", () => {
  it("clones commits without trees, and fetches any commit and a pull request's head", async () => {
    const { world, repo, git: origin, second } = smallWorld();
    const forked = origin.commit({ branch: null, message: "From a fork", parents: [second] });
    const pull = threads.addPull(world, repo, { headSha: forked, headRepo: null });
    const github = await started(world);
    const mirror = join(temporaryFolder(), "mirror.git");
    await git("clone", "--quiet", "--bare", "--filter=tree:0", `${github.gitUrl}/o/n.git`, mirror);
    expect(await git("-C", mirror, "rev-list", "--count", "main")).toBe("2");
    expect(await git("-C", mirror, "rev-list", "--objects", "--missing=print", "main")).toContain("?");
    expect(await git("-C", mirror, "cat-file", "-t", "v1")).toBe("tag");
    await git("-C", mirror, "fetch", "--quiet", "origin", `refs/pull/${pull.number}/head`);
    expect(await git("-C", mirror, "rev-parse", "FETCH_HEAD")).toBe(forked);
    const loose = origin.commit({ branch: null, message: "On no ref", parents: [second] });
    await git("-C", mirror, "fetch", "--quiet", "origin", loose);
    expect(await git("-C", mirror, "log", "-1", "--format=%s", loose)).toBe("On no ref");
    expect(github.requests.count("git")).toBeGreaterThan(3);
  });

  it("redirects a renamed repository, and asks for a login where there is none or a hidden one", async () => {
    const { world, repo } = smallWorld();
    renameRepo(world, repo, "new/name");
    const github = await started(world);
    expect(await git("ls-remote", `${github.gitUrl}/o/n.git`, "refs/heads/main")).toContain("refs/heads/main");
    await expect(git("ls-remote", `${github.gitUrl}/o/nothing.git`)).rejects.toThrow("could not read Username");
    repo.private = true;
    addToken(world, "insider", { sees: ["new/name"] });
    await expect(git("ls-remote", `${github.gitUrl}/new/name.git`)).rejects.toThrow("could not read Username");
    expect(await git("ls-remote", `${withToken(github, "insider")}/new/name.git`, "HEAD")).toMatch(/HEAD$/);
    repo.blocked = { reason: "dmca", url: "https://example.com", at: "2026-01-01T00:00:00Z" };
    await expect(git("ls-remote", `${withToken(github, "insider")}/new/name.git`)).rejects.toThrow("403");
  });

  it("serves a recorded history with its topology", async () => {
    const { world, repo } = smallWorld();
    const made = createGit(join(temporaryFolder(), "history.git"));
    const at = (day: number): string => `2026-01-0${day}T00:00:00+02:00`;
    const shas = importHistory(
      made,
      [
        { sha: "d", parents: ["b", "c"], date: at(4), subject: "Merge ünïcode" },
        { sha: "c", parents: ["a"], date: at(3), subject: "side" },
        { sha: "b", parents: ["a"], date: at(2), subject: "main" },
        { sha: "a", parents: ["before the recording"], date: at(1), subject: "start" },
      ],
      [
        ["refs/heads/main", "d"],
        ["refs/tags/old", "b"],
        ["refs/tags/unknown", "z"],
      ],
    );
    repo.git = made.dir;
    const github = await started(world);
    const mirror = join(temporaryFolder(), "mirror.git");
    await git("clone", "--quiet", "--bare", `${github.gitUrl}/o/n`, mirror);
    expect((await git("-C", mirror, "log", "--format=%s|%cI", "main")).split("\n").sort()).toEqual([
      "Merge ünïcode|2026-01-03T22:00:00+00:00",
      "main|2026-01-01T22:00:00+00:00",
      "side|2026-01-02T22:00:00+00:00",
      "start|2025-12-31T22:00:00+00:00",
    ]);
    expect(await git("-C", mirror, "rev-parse", "old", "main^2")).toBe(`${shas.get("b")}\n${shas.get("c")}`);
    // Packed objects are read like loose ones.
    expect(made.readCommit(shas.get("d") ?? "")).toMatchObject({ message: "Merge ünïcode", parents: [shas.get("b"), shas.get("c")] });
    expect(made.refs.list("refs/tags/").map(([name]) => name)).toEqual(["refs/tags/old"]);
  });

  it("breaks a fetch in the middle", async () => {
    const { world } = smallWorld();
    const github = await started(world, {
      faults: (request) => (request.kind === "git" && request.method === "POST" ? { kind: "truncated", how: "cut" } : undefined),
    });
    await expect(git("clone", "--quiet", "--bare", `${github.gitUrl}/o/n.git`, join(temporaryFolder(), "mirror.git"))).rejects.toThrow();
    expect(github.faults.count("truncated")).toBeGreaterThan(0);
  });
});

describe("pushing", () => {
  it("takes commits from a token that may write, and pull requests follow", async () => {
    const { world, repo } = smallWorld();
    const pull = threads.addPull(world, repo, { head: "topic" });
    addToken(world, "reader");
    const github = await started(world);
    const work = join(temporaryFolder(), "work");
    await git("clone", "--quiet", "--branch", "topic", `${github.gitUrl}/o/n.git`, work);
    await git("-C", work, "commit", "--quiet", "--allow-empty", "-m", "More");
    const head = await git("-C", work, "rev-parse", "HEAD");
    await expect(git("-C", work, "push", "--quiet", `${github.gitUrl}/o/n.git`, "topic")).rejects.toThrow("could not read Username");
    await expect(git("-C", work, "push", "--quiet", `${withToken(github, "reader")}/o/n.git`, "topic")).rejects.toThrow("403");
    await git("-C", work, "push", "--quiet", `${withToken(github, TOKEN)}/o/n.git`, "topic");
    expect([pull.headSha, openGit(repo.git ?? "").refs.get(`refs/pull/${pull.number}/head`)]).toEqual([head, head]);
  });

  it("refuses a protected branch in GitHub's words", async () => {
    const { world, repo } = smallWorld();
    repo.protections.main = { rule: "pull-request", status: 422 };
    const github = await started(world);
    const work = join(temporaryFolder(), "work");
    await git("clone", "--quiet", `${github.gitUrl}/o/n.git`, work);
    await git("-C", work, "commit", "--quiet", "--allow-empty", "-m", "More");
    await expect(git("-C", work, "push", "--quiet", `${withToken(github, TOKEN)}/o/n.git`, "main")).rejects.toThrow("GH013");
  });
});
