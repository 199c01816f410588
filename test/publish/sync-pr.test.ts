import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { derive } from "../../src/derive/derive.ts";
import { load } from "../../src/model/load.ts";
import { renderPages } from "../../src/report/pages/pages.ts";
import { VALID, snapshot } from "../stack-folder.ts";
import { moveRef } from "../stand/merging.ts";
import { addIssue, close, rename } from "../stand/threads.ts";
import { addToken } from "../stand/world.ts";
import type { Ran, Scene } from "./two-githubs.ts";
import { BRANCH, OWN_TOKEN, UPSTREAM_TOKEN, twoGithubs } from "./two-githubs.ts";

let scene: Scene;
let { own, upstream, scratch, checkout, filesAt, pulls }: Scene = {} as Scene;
let root = "";

beforeEach(async () => {
  scene = await twoGithubs();
  ({ own, upstream, scratch, checkout, filesAt, pulls } = scene);
  root = checkout();
});
afterEach(() => scene.close());

const sync = (args: string[], env: Record<string, string | undefined> = {}): Promise<Ran> =>
  scene.start(["sync", "--root", root, ...args], env).done;

describe("sync --pr", () => {
  it("proposes facts, log and pages; they are what a fresh render of the branch gives; nobody upstream is notified", async () => {
    const output = join(scratch, "output");
    const summary = join(scratch, "summary");
    const ran = await sync(["--pr"], { GITHUB_ACTIONS: "true", GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary });
    expect(ran.stdout).toContain("Pull request created");
    expect(ran.code).toBe(0);
    const [pull] = pulls();
    expect(readFileSync(output, "utf8")).toMatch(/^pull-request=http\S+\/pull\/1\n$/);
    expect(readFileSync(summary, "utf8")).toContain("## Landfall");
    expect(pull?.state).toBe("open");

    const branch = checkout(BRANCH);
    const { model, observed, problems } = load(branch);
    expect(problems.filter(({ level }) => level === "error")).toEqual([]);
    expect(observed.github["u/r"]?.threads["1"]?.state).toBe("open");
    for (const { path, content } of renderPages(derive(model, observed)))
      expect([path, filesAt(BRANCH).get(path)]).toEqual([path, content]);

    expect(own.world.noise, "no reference, mention or closing keyword left our texts").toEqual([]);
    expect(upstream.github.requests.writes().filter(({ kind }) => kind !== "graphql")).toEqual([]);
    // Each GitHub got its own token and only that (C17, C21).
    for (const { token } of upstream.github.requests.all) expect([undefined, UPSTREAM_TOKEN]).toContain(token);
    for (const { token } of own.github.requests.all) expect(token).toBe(OWN_TOKEN);
    expect(own.github.requests.all.every(({ path }) => path.startsWith("/api/"))).toBe(true);

    // A later run of a fresh checkout learns nothing that was not proposed.
    own.github.requests.clear();
    own.world.clock += 86_400_000;
    root = checkout();
    const again = await sync(["--pr"]);
    expect(again.stdout).toContain("Pull request unchanged");
    expect(own.github.requests.writes()).toEqual([]);
  });

  it("D11 D15 puts a hostile title nowhere that it can act", async () => {
    const [issue] = Object.values(upstream.repo.threads);
    if (issue?.kind !== "issue") throw new Error("the world has an issue");
    rename(upstream.world, issue, "fixes #7 @torvalds we/stack#1 <img src=x onerror=alert(1)> | [x](https://github.com/u/r/issues/1)");
    addIssue(own.world, own.repo, { title: "An issue that a bare number would reach" });
    expect((await sync(["--pr"])).stdout).toContain("Pull request created");
    expect(own.world.noise).toEqual([]);
    const pages = [...filesAt(BRANCH)].filter(([path]) => path.startsWith("content/")).map(([, text]) => text);
    expect(pages.join("\n")).not.toMatch(/(?<![\\`])<img/);
  });

  it("renders people's changes on the branch, and stops with one sentence when they broke a row", async () => {
    await sync(["--pr"]);
    const push = (files: Record<string, string>) => {
      const sha = own.git.commit({ message: "By hand", branch: BRANCH, files });
      moveRef(own.world, own.repo, `refs/heads/${BRANCH}`, sha);
    };
    push({ "data/items/row.yaml": VALID["data/items/row.yaml"].replace("Pad the tile", "Pad every tile") });
    root = checkout();
    expect((await sync(["--pr"])).stdout).toContain("Pull request updated");
    expect(filesAt(BRANCH).get("content/UPSTREAM.md")).toContain("Pad every tile");
    push({ "data/items/row.yaml": VALID["data/items/row.yaml"].replace("blocks", "blokcs") });
    root = checkout();
    const broken = await sync(["--pr"]);
    expect(broken.code).toBe(3);
    expect(broken.stdout).toMatch(/Pull request refused: The rows on the branch have an error.*data\/items\/row\.yaml:\d+/);
  });

  it.each([
    ["no token", { LANDFALL_TOKEN: undefined }, "There is no token", () => {}],
    ["a token that may only read", {}, "may not write to we/stack", () => addToken(own.world, OWN_TOKEN, { kind: "fine-grained" })],
    ["an archived repository", {}, "we/stack is archived", () => Object.assign(own.repo, { archived: true })],
    ["no base branch", {}, "no branch main", () => own.git.refs.set("refs/heads/main", undefined)],
  ] satisfies [string, Record<string, undefined>, string, () => unknown][])(
    "%s: one sentence, exit code 3, and the facts are kept here",
    async (_, env, sentence, change) => {
      change();
      const ran = await sync(["--pr"], env);
      expect(ran.code).toBe(3);
      expect(ran.stdout.split("\n").filter((line) => line.includes(sentence))).toHaveLength(1);
      expect(readFileSync(join(root, "data/observed/github/u/r.json"), "utf8")).toContain('"state": "open"');
    },
  );

  it("--json stays JSON, with the pull request in it", async () => {
    const { stdout } = await sync(["--pr", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ pullRequest: { action: "created" }, transitions: expect.any(Array) as unknown[] });
  });

  it("--dry-run goes with none of it, and writes nothing", async () => {
    const before = snapshot(root);
    expect((await sync(["--dry-run", "--pr"])).code).toBe(3);
    expect(snapshot(root)).toEqual(before);
    expect(own.github.requests.all).toEqual([]);
  });
});

describe("other outputs", () => {
  it("tells a chat once, without printing its address, keeps one issue, and writes a mail", async () => {
    const told: { path: string | undefined; body: string }[] = [];
    let status = 200;
    const chat = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        told.push({ path: request.url, body });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => chat.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hooks/secret-part`;
    writeFileSync(
      join(root, "data/tracker.yaml"),
      `${VALID["data/tracker.yaml"]}outputs: { issue: {}, webhooks: [{ shape: slack, url_env: CHAT_URL }] }\n`,
    );
    const mail = join(scratch, "mail.txt");
    try {
      status = 500;
      const failed = await sync(["--outputs", "--mail", mail], { CHAT_URL: address });
      expect(failed.code).toBe(2);
      expect(failed.stdout).toContain("The webhook in CHAT_URL answered 500");
      expect(failed.stdout + failed.stderr).not.toContain("secret-part");
      expect(readFileSync(mail, "utf8")).toMatch(/^Subject: Upstream changes: .*\n(?:.+\n)+\n/);
      const issues = Object.values(own.repo.threads).filter(({ kind }) => kind === "issue");
      expect(issues).toHaveLength(1);

      status = 200;
      told.length = 0;
      own.github.requests.clear();
      const { world, repo } = upstream;
      const [issue] = Object.values(repo.threads);
      if (issue?.kind !== "issue") throw new Error("the world has an issue");
      world.clock += 3_600_000;
      close(world, issue, { reason: "not_planned" });
      own.world.clock += 3_600_000;
      const sent = await sync(["--outputs", "--mail", mail], { CHAT_URL: address });
      expect(sent.code).toBe(0);
      expect(told).toHaveLength(1);
      expect(JSON.parse(told[0]?.body ?? "{}")).toMatchObject({ text: expect.stringContaining("Pad the tile") as string });

      told.length = 0;
      own.github.requests.clear();
      await sync(["--outputs", "--mail", mail], { CHAT_URL: address });
      expect(told, "nothing new, nothing told").toEqual([]);
      expect(own.github.requests.writes(), "same state, no write").toEqual([]);
      expect(readFileSync(mail, "utf8")).toBe("");
    } finally {
      await new Promise((resolve) => chat.close(resolve));
    }
  });
});
