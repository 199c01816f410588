import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture } from "./fixture.ts";
import { filesUnder, folder, run } from "./run.ts";

const tracker = (more: Record<string, string | Uint8Array> = {}) => folder({ "UPSTREAM.md": fixture("a45-rows.md"), ...more });

describe("import", () => {
  it("writes rows that check-data accepts, and prints the contract", async () => {
    const root = tracker();
    const out = join(root, "stack");
    const { code, out: printed } = await run("import", join(root, "UPSTREAM.md"), "--out", out, "--json");
    expect(code).toBe(0);
    const report = JSON.parse(printed) as Record<string, unknown>;
    expect(report).toMatchObject({ tables: 2, rows: 8, cells: { total: 32, placed: 32, reported: 0 }, unplaced: [], wrote: true });
    expect(report.refs).toBe(8);
    expect(Object.keys(filesUnder(out)).sort()).toEqual([...(report.files as string[])].sort());
    expect((await run("check-data", "--root", out)).code).toBe(0);
    expect((await run("status", "--root", out)).out).toContain("alpha-kernel-cliff");
  });

  it("takes the latest day of the document for its claims, and says so", async () => {
    const root = tracker();
    const { out } = await run("import", join(root, "UPSTREAM.md"), "--out", root);
    expect(out).toContain("as of 2026-02-03 (the latest day it names)");
  });

  it("a second run changes nothing", async () => {
    const root = tracker();
    await run("import", join(root, "UPSTREAM.md"), "--out", root);
    const before = filesUnder(root);
    const { code, out } = await run("import", join(root, "UPSTREAM.md"), "--out", root);
    expect(code).toBe(0);
    expect(out).toContain("0 new, 0 extended, 11 unchanged, 0 different");
    expect(filesUnder(root)).toEqual(before);
  });

  it("--dry-run writes nothing", async () => {
    const root = tracker();
    const before = filesUnder(root);
    const { code, out } = await run("import", join(root, "UPSTREAM.md"), "--out", root, "--dry-run");
    expect([code, out.includes("Nothing was written.")]).toEqual([0, true]);
    expect(filesUnder(root)).toEqual(before);
  });

  it("never overwrites a row that says something else; --force keeps the old text", async () => {
    const row = "data/items/alpha-anchor-drift.yaml";
    const root = tracker();
    await run("import", join(root, "UPSTREAM.md"), "--out", root);
    const mine = `${filesUnder(root)[row] ?? ""}notes:\n  - text: written by hand\n`;
    const changed = folder({ ...filesUnder(root), [row]: mine });
    const before = filesUnder(changed);

    const refused = await run("import", join(changed, "UPSTREAM.md"), "--out", changed);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(row);
    expect(refused.err).toContain("--force");
    expect(filesUnder(changed)).toEqual(before);

    const forced = await run("import", join(changed, "UPSTREAM.md"), "--out", changed, "--force");
    expect(forced.code).toBe(0);
    const after = filesUnder(changed);
    expect(after[row]).not.toContain("written by hand");
    const kept = Object.entries(after).filter(([path]) => path.startsWith(".landfall/replaced/items/alpha-anchor-drift."));
    expect(kept.map(([, content]) => content)).toEqual([mine]);
  });

  it("fits itself into a stack that init made", async () => {
    const root = tracker({ "docker-compose.yml": "services:\n  a:\n    image: alpha/alpha:v1.0.0  # acme/alpha#15, acme/alpha#20\n" });
    expect((await run("init", "--root", root, "--yes", "--repo", "home/stack")).code).toBe(0);
    const { code, out } = await run("import", join(root, "UPSTREAM.md"), "--out", root);
    expect(code).toBe(0);
    expect(out).not.toContain("different.\n\nNot");
    expect((await run("check-data", "--root", root)).code).toBe(0);
  });

  describe("bad input is answered in one clear message, with exit code 3 and nothing written", () => {
    it.each([
      ["no such file", {}, "nowhere.md", /does not exist/],
      ["a folder", { "a/b.md": "" }, "a", /is not a file/],
      ["Markdown without tables", { "T.md": "# Words\n\nOnly words.\n" }, "T.md", /has no table with rows/],
      ["an empty file", { "T.md": "" }, "T.md", /has no table with rows/],
      [
        "invalid UTF-8",
        { "T.md": new Uint8Array([0x23, 0x20, 0x61, 0x0a, 0x0a, 0x7c, 0xff, 0xfe, 0x0a]) },
        "T.md",
        /T\.md:3 is not valid UTF-8/,
      ],
      ["UTF-16", { "T.md": new Uint8Array([0xff, 0xfe, 0x23, 0x00]) }, "T.md", /UTF-16/],
      ["50 MB", { "T.md": new Uint8Array(50_000_000).fill(0x61) }, "T.md", /50 MB/],
      ["unclear tables", { "T.md": fixture("unclear.md") }, "T.md", /2 tables of T\.md cannot be placed/],
      ["a store without a mapping", { "T.yml": "patches: []\n" }, "T.yml", /mapping file/],
    ])("%s", async (_, files, name, message) => {
      const root = folder(files as Record<string, string | Uint8Array>);
      const out = join(root, "out");
      const { code, err } = await run("import", join(root, name), "--out", out);
      expect(code).toBe(3);
      expect(err).toMatch(message);
      expect(err).not.toContain("    at ");
      expect(Object.keys(filesUnder(root)).filter((path) => path.startsWith("out"))).toEqual([]);
    });

    it.each([
      ["a wrong day", ["--as-of", "2026-02-30"], /is not a day/],
      ["a wrong repository", ["--repo", "nothing"], /is not owner\/name/],
      ["no mapping file", ["--map", "nowhere.yaml"], /does not exist/],
    ])("%s", async (_, args, message) => {
      const root = tracker();
      const { code, err } = await run("import", join(root, "UPSTREAM.md"), "--out", root, ...args);
      expect([code, message.test(err)]).toEqual([3, true]);
    });

    it("a mapping file with mistakes lists them all", async () => {
      const root = tracker({ "map.yaml": "as_of: yesterday\ntables:\n  - { section: x, as: potatoes }\nwhat: 1\n" });
      const { code, err } = await run("import", join(root, "UPSTREAM.md"), "--out", root, "--map", join(root, "map.yaml"));
      expect(code).toBe(3);
      expect(err).toContain("as_of:");
      expect(err).toContain("tables.0.as:");
      expect(err).toContain("what");
    });

    it("an out that cannot be written", async () => {
      const root = tracker({ "out/data": "a file where a folder must be" });
      const { code, err } = await run("import", join(root, "UPSTREAM.md"), "--out", join(root, "out"));
      expect([code, err.includes("cannot be written")]).toEqual([3, true]);
    });

    it("an out that is a file", async () => {
      const root = tracker({ taken: "x" });
      const { code, err } = await run("import", join(root, "UPSTREAM.md"), "--out", join(root, "taken"));
      expect([code, err.includes("is not a folder")]).toEqual([3, true]);
    });
  });
});

describe("init", () => {
  const tree = {
    "docker-compose.yml":
      "services:\n  server:\n    image: alpha/alpha:v1.0.0\n    # needs acme/alpha#1 and https://github.com/acme/alpha/pull/2\n",
    "README.md": "See acme/beta#3, acme/beta#4 and home/stack#5.\n",
    "engines/a.yml": "id: a\ninstall:\n  method: image\n  spec: alpha/alpha:v1.0.0\n",
    "engines/b.yml": "id: b\ninstall:\n  spec: alpha/alpha:v2.0.0\n",
  };

  it("writes a tracker, an upstream for each project cited, an inventory and a workflow", async () => {
    const root = folder(tree);
    const { code, out } = await run("init", "--root", root, "--yes", "--repo", "home/stack", "--json");
    expect(code).toBe(0);
    const report = JSON.parse(out) as Record<string, unknown>;
    expect(report).toMatchObject({ repo: "home/stack", upstreams: ["acme/alpha", "acme/beta"], problems: [], kept: [] });
    const files = filesUnder(root);
    expect(files["data/tracker.yaml"]).toContain("repo: home/stack");
    expect(files["data/tracker.yaml"]).toContain("engines/*.{yml,yaml}");
    expect(files["data/upstreams/alpha.yaml"]).toContain("repo: acme/alpha");
    expect(JSON.parse(files["data/observed/inventory.json"] ?? "{}")).toMatchObject({
      images: [{ image: "docker.io/alpha/alpha:v1.0.0" }],
    });
    expect(files[".github/workflows/landfall.yml"]).toContain("npx --no landfall sync --pr");
    const checked = await run("check-data", "--root", root);
    expect(checked.out).toContain("0 errors");
  });

  it("leaves every file that exists as it is", async () => {
    const root = folder({
      ...tree,
      "data/tracker.yaml": "title: mine\nrepo: home/stack\nzone: UTC\nthresholds: { stalled_after_days: 7, claim_stale_after_days: 7 }\n",
      ".github/workflows/landfall.yml": "mine\n",
    });
    const before = filesUnder(root);
    const { code, out } = await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect(code).toBe(0);
    expect(out).toContain("kept  data/tracker.yaml");
    expect(filesUnder(root)).toMatchObject(before);
    expect(filesUnder(root)[".gitignore"]).toBe("node_modules/\n.landfall/\ndist/\n");
    const second = filesUnder(root);
    await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect(filesUnder(root)).toEqual(second);
  });

  it("points to a tracker kept by hand, with the commands as they are typed from here", async () => {
    const root = folder({ ...tree, "docs/UPSTREAM.md": fixture("a45-rows.md") });
    const { out } = await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect(out).toContain(`npm run import -- ${root}/docs/UPSTREAM.md --root ${root}  `);
    expect(out).toContain(`npm run scan -- --root ${root}  `);
  });

  it("says when the workflow runs a package that the repository does not install", async () => {
    const lacking = folder(tree);
    expect((await run("init", "--root", lacking, "--yes", "--repo", "home/stack")).out).toContain("it has none yet");
    const has = folder({ ...tree, "package.json": '{ "name": "x", "devDependencies": { "landfall": "1" } }' });
    expect((await run("init", "--root", has, "--yes", "--repo", "home/stack")).out).not.toContain("it has none yet");
  });

  it("from zero: one compose file that cites one upstream once is enough to go on with every next step", async () => {
    const compose = "services:\n  a:\n    image: alpha/alpha:v1.0.0 # waits for acme/alpha#1\n";
    const root = folder({ "docker-compose.yml": compose });
    await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect(filesUnder(root)).toHaveProperty(["data/upstreams/alpha.yaml"]);
    expect((await run("add-item", "acme/alpha#1", "--root", root)).code).toBe(0);
    expect((await run("check-data", "--root", root)).out).toContain("0 errors");
    expect((await run("scan", "--root", root)).out).toContain("untracked-pin");
    const said: Awaited<ReturnType<typeof run>>[] = [];
    for (const name of ["status", "check-pins", "render"]) said.push(await run(name, "--root", root));
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(said[0]?.out).toContain("Nothing was observed yet: npm run sync.");
    for (const text of [...said.map(({ out }) => out), filesUnder(root)["content/UPSTREAM.md"]]) expect(text).not.toContain("1970");
    expect(filesUnder(root)["content/UPSTREAM.md"]).toContain("Nothing was observed yet");
  });

  it("from nothing: a stack without a row is scanned, and its first row brings its upstream", async () => {
    const root = folder({ "docker-compose.yml": "services:\n  a:\n    image: alpha/alpha:v1.0.0\n" });
    await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect((await run("check-data", "--root", root)).out).toContain("npm run add-item");
    expect((await run("scan", "--root", root)).out).toContain("untracked-pin");
    expect((await run("doctor", "--offline", "--root", root)).code).toBe(0);
    const added = await run("add-item", "https://github.com/acme/alpha/issues/1", "--root", root);
    expect(added.out).toContain("acme/alpha is a new upstream of this stack");
    expect((await run("check-data", "--root", root)).out).toContain("0 errors");
  });

  it.each([
    ["no folder", (root: string) => ["--root", join(root, "nowhere"), "--yes"], /is not a folder/],
    ["nobody to ask", (root: string) => ["--root", root], /no terminal to ask on/],
    ["no repository told", (root: string) => ["--root", root, "--yes"], /--repo owner\/name/],
    ["a wrong repository", (root: string) => ["--root", root, "--yes", "--repo", "x"], /is not owner\/name/],
  ])("%s: one clear message, exit code 3, nothing written", async (_, args, message) => {
    const root = folder(tree);
    const before = filesUnder(root);
    const { code, err } = await run("init", ...args(root));
    expect(code).toBe(3);
    expect(err).toMatch(message);
    expect(filesUnder(root)).toEqual(before);
  });

  it("an empty folder becomes a stack without an inventory, and says why", async () => {
    const root = folder();
    const { code, out } = await run("init", "--root", root, "--yes", "--repo", "home/stack");
    expect(code).toBe(0);
    expect(out).toContain("The inventory was not written");
    expect(Object.keys(filesUnder(root)).sort()).toEqual([".github/workflows/landfall.yml", ".gitignore", "data/tracker.yaml"]);
  });
});
