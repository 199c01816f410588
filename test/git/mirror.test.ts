import { chmod, readFile, readdir, rm, truncate, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { gitRunner, mirrorHost } from "../../scripts/git-host.ts";
import { containment } from "../../src/observe/git/contains.ts";
import { openMirror } from "../../src/observe/git/mirror.ts";
import { git, importHistory, line } from "./repository.ts";
import { sightOf, stand, watched } from "./stand.ts";

const five = { commits: line(5), branches: { main: "c5" }, tags: { v1: "c3" } };

describe("the mirror of an upstream", () => {
  it("holds all commits, branches and tags, and no file", async () => {
    await using world = await stand({ ...five, annotated: { v2: "c4" } });
    const mirror = await world.open();
    expect(mirror.graph.shas).toHaveLength(5);
    expect(mirror.graph.refs.get("refs/tags/v2")).toBe(world.at.c4);
    expect(await git(mirror.dir, "count-objects", "-v")).toContain("in-pack: 6");
    expect(await readdir(`${mirror.dir}/objects/info`)).toContain("commit-graph");
  });

  it("is brought up to date with what is new, and keeps a branch that was rewritten away out of sight", async () => {
    await using world = await stand(five);
    const before = await world.open();
    Object.assign(
      world.at,
      await importHistory(
        world.upstream,
        { commits: [{ id: "n", parents: ["c2"] }], branches: { main: "n" }, tags: { v3: "n" } },
        world.at,
      ),
    );
    const after = await world.open();
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(after.graph.refs.get("refs/heads/main")).toBe(world.at.n);
    expect(after.graph.at.has(world.at.c5 ?? "")).toBe(false);
    expect((await world.open()).fingerprint).toBe(after.fingerprint);
  });

  it("asks the upstream one question, and fetches nothing, when nothing is new", async () => {
    await using world = await stand(five);
    await world.open();
    const spy = watched(world.host);
    await openMirror(spy.host, world.url);
    expect(spy.ran.filter((args) => args.includes(world.url))).toHaveLength(1);
    expect(spy.ran.some((args) => args.includes(" fetch "))).toBe(false);
  });

  it("B06 fetches a commit that no branch has when a pin was built from it, and tells when there is none", async () => {
    await using world = await stand({ ...five, branches: { main: "c4" } });
    const unborn = "1".repeat(40);
    const mirror = await world.open({ commits: [world.at.c5 ?? "", unborn] });
    expect(mirror.graph.at.has(world.at.c5 ?? "")).toBe(true);
    expect(mirror.missing).toEqual({ [unborn]: `${world.url} does not have commit ${unborn}` });
    const { commits } = await world.ask({ commits: [world.at.c5 ?? "", world.at.c4 ?? ""] });
    expect(commits[world.at.c5 ?? ""]).toMatchObject({ loose: true, on: [], notOn: ["main"] });
    expect(commits[world.at.c4 ?? ""]).toMatchObject({ on: ["main"] });
    expect(commits[world.at.c4 ?? ""]).not.toHaveProperty("loose");
  });

  it("B04 keeps the commit of a pin that was rewritten away, also when the upstream does not hand it over any more", async () => {
    await using world = await stand(five);
    await world.open();
    await git(world.upstream, "config", "uploadpack.allowAnySHA1InWant", "false");
    await importHistory(world.upstream, { commits: [{ id: "n", parents: ["c2"] }], branches: { main: "n" } }, world.at);
    const { graph, missing } = await world.open({ commits: [world.at.c5 ?? ""] });
    expect([graph.at.has(world.at.c5 ?? ""), missing]).toEqual([true, {}]);
    const { commits } = await world.ask({ commits: [world.at.c5 ?? ""] });
    expect(commits[world.at.c5 ?? ""]).toMatchObject({ loose: true, notOn: ["main"] });
  });

  it("B11 refuses a shallow repository, in which ancestry cannot be told", async () => {
    await using world = await stand(five);
    const shallow = `${world.folder}/shallow`;
    await git(world.folder, "clone", "--quiet", "--bare", "--depth=2", world.url, shallow);
    const look = await openMirror(world.host, `file://${shallow}`);
    expect(look).toMatchObject({ state: "failed", why: expect.stringContaining("shallow repository") });
    expect(await world.host.files.exists(`${world.folder}/cache`)).toBe(true);
    expect((await readdir(`${world.folder}/cache`)).filter((name) => !name.endsWith(".lock"))).toEqual([]);
  });

  it("serves old answers, marked, when the host is dead", async () => {
    await using world = await stand(five);
    await world.open();
    await rm(world.upstream, { recursive: true });
    const mirror = await world.open({ commits: ["2".repeat(40)] });
    expect(mirror.stale).toMatch(/did not answer/);
    expect(containment(mirror.graph, [{ commit: "v1", inside: "main" }])[0]?.answer).toBe("yes");
    const { resolved } = await world.ask({ commits: ["v9"] });
    expect(resolved.v9).toMatchObject({ state: "absent", why: expect.stringContaining("as far as the mirror goes") });
  });

  it("keeps its branches and tags when the host suddenly lists none", async () => {
    await using world = await stand(five);
    await world.open();
    for (const ref of ["refs/heads/main", "refs/tags/v1"]) await git(world.upstream, "update-ref", "-d", ref);
    const mirror = await world.open();
    expect(mirror.stale).toMatch(/no branch and no tag at all/);
    expect(mirror.graph.refs.size).toBe(2);
  });

  it("says what failed, without the credentials in the URL", async () => {
    await using world = await stand(five);
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const look = await openMirror(world.host, `http://user:secret@127.0.0.1:${port}/x.git`);
    expect(look.state).toBe("failed");
    expect(JSON.stringify(look)).toContain(`http://127.0.0.1:${port}/x.git`);
    expect(JSON.stringify(look)).not.toContain("secret");
  });

  it("gives a host up that accepts the connection and never answers", async () => {
    await using world = await stand(five);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const look = await openMirror({ ...world.host, stallMs: 1000 }, `http://127.0.0.1:${port}/x.git`);
    expect(look).toMatchObject({ state: "failed", why: expect.stringContaining("could not be cloned") });
    silent.close();
  });

  it.each(["ext::sh -c touch% /tmp/x", "--upload-pack=touch", "ftp://example.org/x", ""])("refuses %s for a URL", async (url) => {
    await using world = await stand(five);
    expect(await openMirror(world.host, url)).toMatchObject({ state: "failed", why: expect.stringContaining("is no git URL") });
  });

  it("tells an offline run what it has", async () => {
    await using world = await stand(five);
    expect(await world.look({ offline: true })).toMatchObject({ state: "failed", why: expect.stringContaining("no mirror") });
    await world.open();
    expect((await world.open({ offline: true })).stale).toBe("this run is offline");
  });
});

async function truncatePacks(dir: string): Promise<void> {
  for (const name of await readdir(`${dir}/objects/pack`)) {
    if (!name.endsWith(".pack")) continue;
    await chmod(`${dir}/objects/pack/${name}`, 0o644);
    await truncate(`${dir}/objects/pack/${name}`, 40);
  }
}

describe("a damaged mirror is cloned again", () => {
  const damage: Record<string, (dir: string) => Promise<void>> = {
    "a truncated pack": async (dir) => {
      await truncatePacks(dir);
      await rm(`${dir}/objects/info/commit-graph`);
    },
    "a truncated pack behind a sound commit-graph": truncatePacks,
    "a branch of a commit that is not there": (dir) => writeFile(`${dir}/refs/heads/other`, `${"3".repeat(40)}\n`),
    "an emptied HEAD": (dir) => writeFile(`${dir}/HEAD`, ""),
    "no objects": (dir) => rm(`${dir}/objects`, { recursive: true }),
    "a folder that is no repository": async (dir) => {
      await rm(dir, { recursive: true });
      await writeFile(dir, "");
    },
    "the lock of a killed fetch": async (dir) => writeFile(`${dir}/refs/heads/main.lock`, ""),
  };
  it.each(Object.keys(damage))("after %s", async (name) => {
    await using world = await stand(five);
    const { dir } = await world.open();
    await damage[name]?.(dir);
    await importHistory(world.upstream, { commits: [{ id: "n", parents: ["c5"] }], branches: { main: "n" } }, world.at);
    const mirror = await world.open();
    expect(mirror.stale).toBeUndefined();
    expect(mirror.graph.shas).toHaveLength(6);
    expect((await readdir(`${world.folder}/cache`)).filter((entry) => /\.(new|old|lock)$/.test(entry))).toEqual([]);
  });

  it("and a half clone of a killed run is thrown away", async () => {
    await using world = await stand(five);
    const mirror = await world.open();
    await world.host.files.rename(mirror.dir, `${mirror.dir}.new`);
    await rm(`${mirror.dir}.new/objects`, { recursive: true });
    expect((await world.open()).graph.shas).toHaveLength(5);
  });
});

it("a mirror whose packs are damaged is cloned again before a commit is fetched into it", async () => {
  await using world = await stand({ ...five, branches: { main: "c4" } });
  const { dir } = await world.open();
  await truncatePacks(dir);
  const mirror = await world.open({ commits: [world.at.c5 ?? ""] });
  expect(mirror.graph.at.has(world.at.c5 ?? "")).toBe(true);
});

describe("several runs at once", () => {
  it("clone once and see the same", async () => {
    await using world = await stand(five);
    const spy = watched(world.host);
    const mirrors = await Promise.all([1, 2, 3].map(() => openMirror(spy.host, world.url)));
    expect(new Set(mirrors.map((look) => sightOf(look).fingerprint)).size).toBe(1);
    expect(spy.ran.filter((args) => args.includes("clone"))).toHaveLength(1);
  });

  it("a run that waits in vain says so and learns nothing", async () => {
    await using world = await stand(five);
    const { dir } = await world.open();
    const release = await world.host.lock(dir);
    const look = await openMirror(mirrorHost(`${world.folder}/cache`, { waitMs: 300 }), world.url);
    await release();
    expect(look).toMatchObject({ state: "failed", why: expect.stringContaining("could not be locked") });
  });
});

describe("running git", () => {
  it("keeps headers with credentials out of the arguments and gives them to git", async () => {
    const run = gitRunner({ "https://example.org/": "Authorization: Basic c2VjcmV0" });
    const { stdout } = await run(["config", "--get-urlmatch", "http.extraHeader", "https://example.org/x"]);
    expect(stdout.trim()).toBe("Authorization: Basic c2VjcmV0");
  });

  it("tells a missing git and a git that hangs apart from an answer", async () => {
    const slow = await gitRunner()(["-c", "alias.wait=!sleep 5", "wait"], { timeoutMs: 200 });
    expect(slow).toMatchObject({ code: -1, stderr: expect.stringContaining("no answer within 200 ms") });
    const path = process.env.PATH;
    process.env.PATH = "/nowhere";
    const missing = await gitRunner()(["--version"]);
    process.env.PATH = path;
    expect(missing).toEqual({ code: -1, stdout: "", stderr: "git is not installed, or not on the PATH" });
  });

  it("does not work on the repository of a git hook that called it", async () => {
    await using world = await stand(five);
    process.env.GIT_DIR = world.upstream;
    const { stdout } = await gitRunner()(["rev-parse", "--git-dir"], { cwd: world.folder });
    delete process.env.GIT_DIR;
    expect(stdout).toBe("");
    expect(await readFile(`${world.upstream}/HEAD`, "utf8")).toContain("main");
  });
});
