import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { outside } from "../../scripts/outside.ts";
import { runSync } from "../../scripts/sync-run.ts";
import { load } from "../../src/model/load.ts";
import type { SyncReport } from "../../src/report/terminal/sync.ts";
import { folderWith, removeFolders } from "../stack-folder.ts";
import type { Git } from "../stand/git-repository.ts";
import { createGit } from "../stand/git-repository.ts";
import type { Github } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import { mergePull } from "../stand/merging.ts";
import { addIssue, addPull, close, comment, linkPull } from "../stand/threads.ts";
import type { Pull } from "../stand/thread-types.ts";
import type { Repo, World } from "../stand/world.ts";
import { addRepo, addToken, advanceTo, createWorld, nowOf } from "../stand/world.ts";
import { TOKEN } from "./looking.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

let world: World;
let git: Git;
let repo: Repo;
let pull: Pull;
let github: Github;
let root: string;
const folders: string[] = [];

beforeEach(async () => {
  world = createWorld("2026-05-12T00:00:00Z");
  addToken(world, TOKEN);
  const folder = mkdtempSync(join(tmpdir(), "sync-git-"));
  folders.push(folder);
  git = createGit(join(folder, "r.git"));
  const start = git.commit({ message: "Start", files: { "a.txt": "a\n" }, date: "2026-05-01T00:00:00Z" });
  git.refs.set("refs/heads/pad", start);
  git.commit({ message: "Pad the tile", branch: "pad", files: { "pad.txt": "1\n" }, date: "2026-05-02T00:00:00Z" });
  repo = addRepo(world, "u/r", { git: git.dir });
  const issue = addIssue(world, repo, { title: "The tile is too small" });
  pull = addPull(world, repo, { title: "Pad the tile", head: "pad", body: `Fixes #${issue.number}` });
  linkPull(repo, pull, repo, issue);
  github = await startGithub(world);
  root = folderWith({
    "data/observed/github/u/r.json": null,
    "data/upstreams/up.yaml": "title: Up\nrepo: u/r\nversions: semver\n",
    "data/items/row.yaml": `title: Pad the tile\nupstream: up\nrefs:\n  - { ref: "u/r#${pull.number}", role: fix }\nstake: blocks\nwhy: It is needed.\nlocal: none\n`,
    "data/pins/p.yaml": pinAt(start),
  });
});
afterEach(() => github.close());
afterAll(() => {
  removeFolders();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const pinAt = (commit: string) => `title: The pin\nupstream: up\nartifact: "git:u/r@${commit}"\nmutability: immutable\nreason: It works.\n`;
const env = () => ({
  GITHUB_TOKEN: TOKEN,
  LANDFALL_GITHUB_URL: github.url,
  LANDFALL_GIT_URL: github.gitUrl,
  GITHUB_API_URL: github.url,
  LANDFALL_NOW: nowOf(world),
});

async function run(options: Partial<Parameters<typeof runSync>[0]> = {}, at = root): Promise<SyncReport> {
  const scope = options.scope ?? {};
  return runSync(
    { root: at, dryRun: false, ...options, scope },
    outside({ root: at, offline: scope.offline === true, secondMs: 0, say: () => {} }, env()),
  );
}

/** Every file under `data/`, with a digest of its bytes. */
function tree(at = root): Record<string, string> {
  const files = readdirSync(join(at, "data"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(at.length + 1), createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}
const asOf = (at = root) => (JSON.parse(readFileSync(join(at, "data/observed/as-of.json"), "utf8")) as { asOf: string }).asOf;
const transitionsIn = (at = root) => {
  const file = join(at, "data/observed/transitions-2026.jsonl");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, string>)
    : [];
};

describe("sync", () => {
  it("follows a fix from review to the pin, and logs each step with the day of the event", async () => {
    const first = await run();
    expect(first).toMatchObject({
      asOf: "2026-05-12T00:00:00Z",
      failed: [],
      exitCode: 0,
      transitions: [{ item: "row", from: "unknown", to: "in-review" }],
    });

    advanceTo(world, "2026-05-14T09:00:00Z");
    const merged = mergePull(world, repo, pull, { at: "2026-05-13T18:00:00Z" });
    const second = await run();
    expect(second.transitions).toEqual([
      {
        item: "row",
        from: "in-review",
        to: "awaiting-propagation",
        at: "2026-05-13T18:00:00Z",
        because: expect.stringContaining("lacks it"),
      },
    ]);
    expect(second.changed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ref: "u/r#2",
          field: "mergeCommit",
          from: null,
          to: merged,
          proof: "GitHub GraphQL, https://github.com/u/r/pull/2",
        }),
        expect.objectContaining({ ref: `u/r@${merged}`, field: expect.stringMatching(/^in /), to: "no" }),
      ]),
    );
    expect(asOf()).toBe("2026-05-14T09:00:00Z");

    advanceTo(world, "2026-05-20T00:00:00Z");
    const later = git.commit({ message: "Meanwhile", files: { "b.txt": "b\n" }, date: "2026-05-19T00:00:00Z" });
    const earlier = readFileSync(join(root, "data/pins/p.yaml"), "utf8");
    writeFileSync(join(root, "data/pins/p.yaml"), pinAt(later));
    const third = await run();
    expect(third.transitions).toEqual([expect.objectContaining({ from: "awaiting-propagation", to: "landed" })]);
    expect(transitionsIn().map(({ to }) => to)).toEqual(["in-review", "awaiting-propagation", "landed"]);
    expect(load(root).problems.filter(({ level }) => level === "error")).toEqual([]);

    // Nothing is new upstream; somebody moved the pin back.
    advanceTo(world, "2026-05-22T00:00:00Z");
    writeFileSync(join(root, "data/pins/p.yaml"), earlier);
    const back = await run();
    expect(back.transitions).toEqual([expect.objectContaining({ from: "landed", to: "awaiting-propagation", at: "2026-05-22T00:00:00Z" })]);
    expect((await run()).transitions).toEqual([]);
  });

  it("A04 finds the commit that landed a closed pull request in the history, and keeps it", async () => {
    close(world, pull);
    const landed = git.commit({ message: `Pad the tile (#${pull.number})`, files: { "pad.txt": "1\n" }, date: "2026-05-11T00:00:00Z" });
    const first = await run();
    expect(load(root).observed.github["u/r"]?.threads[String(pull.number)]?.closer).toEqual({
      ref: `u/r@${landed}`,
      at: "2026-05-11T00:00:00Z",
      evidence: expect.stringContaining(`(#${pull.number})`),
    });
    expect(first.transitions).toEqual([expect.objectContaining({ to: "awaiting-propagation" })]);
    const before = tree();
    advanceTo(world, "2026-05-13T00:00:00Z");
    comment(world, pull);
    expect((await run()).changed).toEqual([]);
    expect(tree()).toEqual(before);
  });

  it("says when tags do not follow the scheme that the upstream's row names", async () => {
    mergePull(world, repo, pull);
    git.tag("build-one", git.resolve("main") ?? "");
    git.tag("build-two", git.resolve("main") ?? "");
    expect((await run()).notes).toEqual([expect.stringMatching(/^u\/r: 2 of 2 tags, such as "build-one", are no semver versions/)]);
  });

  it("a fact that other hands changed is read again", async () => {
    await run();
    const file = join(root, "data/observed/github/u/r.json");
    const good = readFileSync(file, "utf8");
    writeFileSync(
      file,
      good
        .replace('"title": "Pad the tile"', '"title": "Something else"')
        .replace('"lastActivity": "2026-05-12"', '"lastActivity": "2026-01-01"'),
    );
    advanceTo(world, "2026-05-20T00:00:00Z");
    const report = await run();
    expect(report.changed.map(({ field }) => field)).toEqual(expect.arrayContaining(["title", "lastActivity"]));
    expect(load(root).observed.github["u/r"]?.threads["2"]).toMatchObject({ title: "Pad the tile", lastActivity: "2026-05-12" });
  });

  it("a run that learns nothing writes nothing, byte for byte, and asks little", async () => {
    mergePull(world, repo, pull);
    await run();
    const before = tree();
    advanceTo(world, "2026-05-13T00:00:00Z");
    comment(world, pull, { author: "ci[bot]" });
    const second = await run();
    expect(second).toMatchObject({ changed: [], transitions: [], failed: [], exitCode: 0, asOf: "2026-05-12T00:00:00Z" });
    expect(second.requests).toEqual({ graphql: 2, rest: 0, git: 1, registry: 0 });
    expect(tree()).toEqual(before);
    const third = await run();
    expect(third.requests).toEqual({ graphql: 1, rest: 0, git: 1, registry: 0 });
    expect(tree()).toEqual(before);
  });

  it("time alone can change a status: then, and only then, the observation time moves", async () => {
    await run();
    const before = tree();
    advanceTo(world, "2026-06-01T00:00:00Z");
    expect((await run()).transitions).toEqual([]);
    expect(tree()).toEqual(before);
    advanceTo(world, "2026-06-20T00:00:00Z");
    const crossed = await run();
    expect(crossed.transitions).toEqual([
      { item: "row", from: "in-review", to: "stalled", at: "2026-06-20T00:00:00Z", because: expect.stringContaining("quiet for 39 days") },
    ]);
    expect(crossed.changed).toEqual([]);
    expect(
      Object.keys(tree())
        .filter((path) => tree()[path] !== before[path])
        .sort(),
    ).toEqual(["data/observed/as-of.json", "data/observed/transitions-2026.jsonl"]);
  });

  it("a run that got no answer cannot vouch for a later moment: nothing becomes quiet because the network was down", async () => {
    await run();
    const before = asOf();
    advanceTo(world, "2026-07-20T00:00:00Z");
    github.setFaults(() => ({ kind: "error", status: 500, body: { message: "Oops" } }));
    const report = await run();
    expect(report).toMatchObject({ transitions: [], exitCode: 2, asOf: before });
    expect(asOf()).toBe(before);
    github.setFaults(undefined);
    expect((await run()).transitions).toEqual([expect.objectContaining({ to: "stalled", at: "2026-07-20T00:00:00Z" })]);
  });

  it("a dry run writes nothing at all", async () => {
    const before = tree();
    const report = await run({ dryRun: true });
    expect(report).toMatchObject({ dryRun: true, transitions: [{ to: "in-review" }] });
    expect(tree()).toEqual(before);
    expect(existsSync(join(root, ".landfall/sync.json"))).toBe(false);
  });

  it("--only looks at one thread and what it leads to; --offline asks nobody; --shard looks at its share", async () => {
    const only = await run({ scope: { only: "u/r#1" } });
    expect(new Set(only.changed.map(({ ref }) => ref))).toEqual(new Set(["u/r", "u/r#1", "u/r#2"]));
    expect(only.notChecked).toContain("everything but u/r#1");
    const before = github.requests.count();
    const offline = await run({ scope: { offline: true } });
    expect(github.requests.count()).toBe(before);
    expect(offline).toMatchObject({ exitCode: 0, failed: [], requests: { graphql: 0, rest: 0, git: 0, registry: 0 } });
    expect(offline.notChecked).toEqual(expect.arrayContaining(["issues, pull requests and discussions"]));
    const shares = await Promise.all([1, 2, 3].map((index) => run({ dryRun: true, scope: { shard: { index, of: 3 } } })));
    expect(shares.map(({ observed }) => observed).filter((count) => count > 0)).toHaveLength(1);
  });

  it("what could not be observed is listed, kept at its last known fact, and exits 2", async () => {
    mergePull(world, repo, pull);
    await run();
    const fact = load(root).observed.github["u/r"]?.threads["2"];
    advanceTo(world, "2026-05-13T00:00:00Z");
    github.setFaults((request) => (request.kind === "git" ? { kind: "reset" } : { kind: "error", status: 500, body: { message: "Oops" } }));
    const report = await run();
    expect(report.exitCode).toBe(2);
    expect(report.failed.map(({ ref }) => ref)).toEqual(expect.arrayContaining(["u/r", "u/r#2"]));
    expect(load(root).observed.github["u/r"]?.threads["2"]).toEqual({
      ...fact,
      stale: { since: "2026-05-13T00:00:00Z", why: expect.stringContaining("500") },
    });
    const after = tree();
    advanceTo(world, "2026-05-14T00:00:00Z");
    await run();
    expect(tree()).toEqual(after);
    github.setFaults(undefined);
    await run();
    expect(load(root).observed.github["u/r"]?.threads["2"]).toEqual(fact);
  });

  it("two runs at once: the second one says so", async () => {
    const [one, two] = await Promise.allSettled([run(), run()]);
    expect([one.status, two.status].sort()).toEqual(["fulfilled", "rejected"]);
    const lost = [one, two].find((outcome) => outcome.status === "rejected");
    expect(String(lost?.status === "rejected" && lost.reason)).toMatch(/Another sync of this stack is running/);
  });
});

it("a git token is hidden in both of its forms", () => {
  const { hide } = outside({ root, offline: true, say: () => {} }, { ...env(), LANDFALL_GIT_TOKEN: "git-secret" });
  const encoded = Buffer.from("x-access-token:git-secret").toString("base64");
  expect(hide(`git-secret ${encoded} ${TOKEN}`)).toBe("[token] [token] [token]");
});

describe("a run that is killed", () => {
  it("between any two writes leaves a tree that loads, and the next run ends where it would have ended", async () => {
    await run();
    advanceTo(world, "2026-05-14T09:00:00Z");
    mergePull(world, repo, pull, { at: "2026-05-13T18:00:00Z" });
    const start = copyOf(root);
    await run();
    const end = tree();
    const changed = Object.keys(end).filter((path) => end[path] !== tree(start)[path]);
    // The order in which the files are put in place: the log, the facts, the observation time.
    const order = [...changed].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    expect(order.length).toBeGreaterThanOrEqual(4);
    for (let written = 0; written <= order.length; written += 1) {
      const killed = copyOf(start);
      for (const path of order.slice(0, written)) cpSync(join(root, path), join(killed, path), { recursive: true });
      writeFileSync(join(killed, "data/observed/github/u/r.json.landfall-4711"), '{ "half": ');
      expect(load(killed).problems.filter(({ level }) => level === "error")).toEqual([]);
      await run({}, killed);
      expect(tree(killed), `killed after ${written} of ${order.length} files`).toEqual(end);
    }
  });

  it("by a signal at any moment leaves a tree that loads", async () => {
    for (const after of [400, 700, 1000, 1400]) {
      const killed = copyOf(root);
      const child = spawn(process.execPath, [join(home, "scripts/run.mjs"), "sync", "--root", killed], {
        env: { ...process.env, ...env() },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      setTimeout(() => child.kill("SIGKILL"), after);
      await ended;
      expect(load(killed).problems.filter(({ level }) => level === "error")).toEqual([]);
      rmSync(join(killed, ".landfall/sync.lock"), { recursive: true, force: true });
      const report = await run({}, killed);
      expect(report.failed).toEqual([]);
    }
  });

  const rank = (path: string) => (path.includes("transitions") ? 0 : path.endsWith("as-of.json") ? 2 : 1);
  function copyOf(from: string): string {
    const to = mkdtempSync(join(tmpdir(), "sync-killed-"));
    folders.push(to);
    cpSync(join(from, "data"), join(to, "data"), { recursive: true });
    return to;
  }
});

describe("the command", () => {
  interface Ended {
    code: number | null;
    stdout: string;
    stderr: string;
  }
  function command(...args: string[]): Promise<Ended> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [join(home, "scripts/run.mjs"), "sync", "--root", root, ...args], {
        env: { ...process.env, ...env(), NO_COLOR: "1" },
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk;
      });
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  it("prints the contract as JSON on stdout, progress on stderr, and the token nowhere", async () => {
    github.setFaults((request) =>
      request.path.endsWith("/issues/404") ? { kind: "error", status: 500, body: { message: `token ${TOKEN}` } } : undefined,
    );
    writeFileSync(
      join(root, "data/items/lost.yaml"),
      `title: Lost\nupstream: up\nrefs:\n  - { ref: "u/r#404", role: bug }\nstake: watch\nwhy: It is.\nlocal: none\n`,
    );
    const { code, stdout, stderr } = await command("--json");
    expect(code).toBe(2);
    const report = JSON.parse(stdout) as SyncReport;
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining(["asOf", "requests", "observed", "changed", "transitions", "failed", "exitCode"]),
    );
    expect(report.failed).toEqual([{ ref: "u/r#404", why: expect.any(String) }]);
    expect(stderr).toMatch(/requests/);
    expect(`${stdout}${stderr}`).not.toContain(TOKEN);
    for (const folder of ["data", ".landfall"]) {
      for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name), "latin1")).not.toContain(TOKEN);
      }
    }
  });

  it("brings the generated pages that are there up to date, when it learnt something", async () => {
    mkdirSync(join(root, "content"));
    writeFileSync(join(root, "content/UPSTREAM.md"), "old\n");
    const { stdout } = await command();
    expect(stdout).toMatch(/Wrote content\/UPSTREAM.md\./);
    expect(readFileSync(join(root, "content/UPSTREAM.md"), "utf8")).toMatch(/Pad the tile/);
    expect(existsSync(join(root, "content/CLIFFS.md"))).toBe(false);
    writeFileSync(join(root, "content/UPSTREAM.md"), "mine\n");
    await command();
    expect(readFileSync(join(root, "content/UPSTREAM.md"), "utf8")).toBe("mine\n");
  });

  it("says in words what changed, what failed and what was asked, and refuses what it cannot read", async () => {
    const { code, stdout, stderr } = await command();
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Statuses that changed \(1\)\n {2}row {2}❔ Unknown → 🟡 Open, in review/);
    expect(stdout).toMatch(/r#2 {2}seen for the first time: pull-request, open, Pad the tile/);
    expect(stdout).not.toMatch(/Wrote/);
    expect(stdout).toMatch(/1 observed with 1 GraphQL, 0 REST, 0 git and 0 registry requests/);
    for (const [args, message] of [
      [["--max-requests", "many"], /no number of requests/],
      [["--only", "nonsense"], /is no reference/],
      [["--only", "pypi:nothing"], /Nothing in the stack rests on "pypi:nothing"/],
      [["--shard", "5/4"], /Write 1\/4/],
      [["--nonsense"], /unknown option/],
    ] as const) {
      const refused = await command(...args);
      expect(refused.code).toBe(3);
      expect(refused.stderr).toMatch(message);
    }
  });
});
