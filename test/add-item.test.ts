import { afterAll, expect, it } from "vitest";
import { filesUnder, run } from "./import/run.ts";
import { VALID, folderWith, removeFolders } from "./stack-folder.ts";

afterAll(removeFolders);

it("adds a row for a reference of an upstream, whichever way the reference is written", async () => {
  const upstream = VALID["data/upstreams/up.yaml"].replace("streams:", "aliases: [Upper]\nstreams:");
  for (const ref of ["u/r#7", "https://github.com/u/r/pull/7", "upper#7", "r#7"]) {
    const root = folderWith({ "data/upstreams/up.yaml": upstream });
    const { code, out } = await run("add-item", ref, "--root", root);
    expect([ref, code]).toEqual([ref, 0]);
    expect(out).toContain("Wrote data/items/up-r-7.yaml");
    expect(filesUnder(root)["data/items/up-r-7.yaml"]).toContain('ref: "u/r#7"');
    expect((await run("check-data", "--root", root)).code).toBe(0);
  }
});

it("gives a new upstream its row, and asks about a name that is nearly a known one", async () => {
  const root = folderWith();
  const { code, out } = await run("add-item", "o/engine#1", "--root", root);
  expect(code).toBe(0);
  expect(out).toContain("Wrote data/upstreams/engine.yaml: o/engine is a new upstream of this stack.\n");
  expect(filesUnder(root)["data/items/engine-engine-1.yaml"]).toContain("upstream: engine");
  expect((await run("check-data", "--root", root)).code).toBe(0);
  expect((await run("add-item", "o/engin#2", "--root", root)).out).toContain('Did you mean "o/engine"? Then delete both files.');
});

it("says which rows cite the reference already", async () => {
  const root = folderWith();
  expect((await run("add-item", "u/r#1", "--id", "again", "--root", root)).out).toContain("The reference is cited already, in row.");
});

it("a row on which nobody wrote is a warning until somebody does", async () => {
  const root = folderWith();
  await run("add-item", "u/r#9", "--root", root);
  const path = "data/items/up-r-9.yaml";
  expect((await run("check-data", "--root", root)).out).toMatch(/up-r-9\.yaml\n +6:6 +warning unwritten /);
  const written = folderWith({ [path]: (filesUnder(root)[path] ?? "").replace("Write here why it matters to this stack.", "It is slow.") });
  expect((await run("check-data", "--root", written)).out).toContain("0 errors in 0 of 5 rows, 0 warnings");
});

it("names a schema only where the stack has one", async () => {
  const without = folderWith();
  await run("add-item", "u/r#9", "--root", without);
  expect(filesUnder(without)["data/items/up-r-9.yaml"]).not.toContain("$schema");
  const has = folderWith({ "schemas/item.schema.json": "{}" });
  await run("add-item", "u/r#9", "--root", has);
  expect(filesUnder(has)["data/items/up-r-9.yaml"]).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/schemas\/item\.schema\.json\n/);
});

it.each([
  ["nonsense", [], /is not a reference/],
  ["pypi:thing@>=1", [], /does not tell its upstream\. Name it with --upstream\. Upstreams: up\./],
  ["u/r#5", ["--upstream", "upp"], /No upstream of this stack is named "upp"\. Did you mean "up"\?/],
  ["u/r#5", ["--id", "row"], /data\/items\/row\.yaml exists already/],
])("refuses %s %j and writes nothing", async (ref, more, message) => {
  const root = folderWith();
  const before = filesUnder(root);
  const { code, err } = await run("add-item", ref, ...more, "--root", root);
  expect(code).toBe(3);
  expect(err).toMatch(message);
  expect(filesUnder(root)).toEqual(before);
  expect(before).toHaveProperty(["data/items/row.yaml"]);
});
