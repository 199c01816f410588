// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose writes its variables so
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inventoryFile } from "../../src/model/shapes/observed.ts";
import type { ScanReport } from "../../src/report/scan.ts";
import { ROOT } from "../real.ts";
import { snapshot } from "../stack-folder.ts";

const FIXTURE = join(ROOT, "test/fixtures/scan/stack");
const made: string[] = [];
afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});

/** A copy of the fixture: a stack of every shape, with its rows in the same folder. */
function stack(): string {
  const root = mkdtempSync(join(tmpdir(), "scan-"));
  made.push(root);
  cpSync(FIXTURE, root, { recursive: true });
  return root;
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/run.mjs"), "scan", ...args], {
    encoding: "utf8",
    env: { ...process.env, LANDFALL_SET_UP: "1", NO_COLOR: "1" },
  });
  return { status, stdout, stderr };
}
const json = (...args: string[]): ScanReport => JSON.parse(run(...args, "--json").stdout) as ScanReport;

describe("npm run scan", () => {
  it("finds every shape of the fixture, and compares it with the rows beside it", () => {
    const report = json("--root", stack());
    expect(report.findings.map(({ level, rule, file, line }) => `${level} ${rule} ${file}:${line}`)).toEqual([
      "error untracked-pin Dockerfile:2",
      "error untracked-pin deploy/chart/values.yaml:1",
      "error untracked-pin deploy/pod.yaml:3",
      "error untracked-pin models/m/compose/dual/docker-compose.yml:4",
      "error untracked-pin models/m/compose/dual/docker-compose.yml:5",
      "error untracked-pin models/m/compose/dual/docker-compose.yml:12",
      "error untracked-pin models/m/compose/dual/docker-compose.yml:13",
      "error patch-without-row models/m/compose/single.yml:7",
      "warning missing-file data/patches/kernel-fix.yaml:4",
      "warning missing-file data/pins/engine-nightly.yaml:6",
      "warning unused-pin data/pins/unused.yaml:3",
      "warning needless-exception data/tracker.yaml:1",
      "warning count-differs docs/UPSTREAM.md:5",
      "warning cites-missing-file docs/UPSTREAM.md:12",
      "warning cites-missing-file docs/UPSTREAM.md:13",
      "warning untracked-reference docs/UPSTREAM.md:13",
      "warning pin-differs docs/UPSTREAM.md:15",
      "warning profile-differs models/m/compose/dual/docker-compose.yml:5",
      "warning floating-tag models/m/compose/dual/docker-compose.yml:12",
      "warning local-tag models/m/compose/dual/docker-compose.yml:13",
      "warning untracked-reference models/m/compose/single.yml:1",
      "warning unescaped-dollar models/m/compose/single.yml:22",
      "warning unused-patch-folder models/m/patches/unused/x.py:1",
      "warning floating-tag scripts/setup.sh:5",
      "notice uncited-row data/items/quiet.yaml:3",
      "notice count-differs data/pins/engine-nightly.yaml:7",
    ]);
    expect(report.counts).toEqual({ composes: 2, services: 1, archived: 1, errors: 8, warnings: 16, notices: 2 });
    expect(report.exitCode).toBe(1);
  });

  it("keeps its contract: the parts, and their fields", () => {
    const report = json("--root", stack());
    const { findings, notChecked, exitCode, counts, ...rest } = report;
    const { errors: _, warnings: __, notices: ___, ...inventoryCounts } = counts;
    expect(inventoryFile.safeParse({ ...rest, counts: inventoryCounts }).error).toBeUndefined();
    expect(report.images.find(({ image }) => image.includes("nightly"))).toEqual({
      image: "docker.io/up/engine:nightly-1acd67a795ebccdf9b9db7697ae9082058301657",
      raw: ["${ENGINE_IMAGE:-up/engine:nightly-${ENGINE_SHA}}"],
      mutability: "immutable",
      users: [{ file: "models/m/compose/single.yml", line: 4, service: "single", archived: false }],
    });
    expect(report.pins[0]).toEqual({ kind: "git", name: "actions/checkout", value: "v4", file: ".github/workflows/ci.yml", line: 2 });
    expect(report.mounts.map(({ source, service }) => `${service} ${source}`)).toEqual([
      "old models/m/patches/unused/x.py",
      "dual models/m/patches/kernel-fix/kernel.py",
      "single models/m/patches/kernel-fix/kernel.py",
      "single models/m/patches/template/chat.jinja",
    ]);
    expect(report.invocations.map(({ path, file, line }) => `${path} ${file}:${line}`)).toEqual([
      "engine.patches.apply_all models/m/compose/dual/docker-compose.yml:4",
      "engine.patches.apply_all models/m/compose/single.yml:21",
      "/etc/chat.jinja models/m/compose/single.yml:25",
    ]);
    expect(report.envFlags.map(({ name, value }) => `${name}=${value}`)).toEqual(["ENGINE_ENABLE_X=1", "ENGINE_ENABLE_X=1"]);
    expect(report.references.map(({ ref, file, line }) => `${ref} ${file}:${line}`)).toContain(
      "up/engine#41745 models/m/compose/single.yml:1",
    );
    for (const finding of findings) expect(Object.keys(finding).sort()).toEqual(["file", "level", "line", "message", "rule"]);
    expect(notChecked).toEqual([]);
    expect([0, 1]).toContain(exitCode);
  });

  it("prints the images, the findings by file, and the counts", () => {
    const { stdout, stderr, status } = run("--root", stack());
    expect(status).toBe(1);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/Users {2}Image\n {5}1 {2}alpine:3\.20 {2}floating\n/);
    expect(stdout).toMatch(/Archived only\n {5}1 {2}up\/engine:v0\.9\.0/);
    expect(stdout).toMatch(
      /\ndocs\/UPSTREAM\.md\n {6}5 {2}warning count-differs {7}Says 19 for up\/engine:nightly-1acd67a7; the tree has 1\./,
    );
    expect(stdout).toContain("2 compose files and 1 side service, 1 archived");
    expect(stdout).toContain("8 errors, 16 warnings, 2 notices (--notices lists them).");
    expect(stdout).not.toContain("uncited-row");
  });

  it("--fix writes the inventory and nothing else, once; the text says nothing of it on stdout", () => {
    const root = stack();
    const before = snapshot(root);
    const first = run("--root", root, "--fix", "--json");
    expect(first.stderr).toContain("Wrote data/observed/inventory.json");
    const after = snapshot(root);
    expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(["data/observed/inventory.json"]);
    const written: unknown = JSON.parse(readFileSync(join(root, "data/observed/inventory.json"), "utf8"));
    expect(inventoryFile.safeParse(written).error).toBeUndefined();
    expect(run("--root", root, "--fix").stderr).toContain("is up to date");
    expect(snapshot(root)).toEqual(after);
  });

  it("--fix leaves a good inventory alone when part of the tree could not be read", () => {
    const root = stack();
    run("--root", root, "--fix");
    const before = snapshot(root);
    writeFileSync(join(root, "models/m/compose/single.yml"), "services:\n\tsingle: {}\n");
    const { stderr, status } = run("--root", root, "--fix");
    expect(stderr).toContain("inventory.json was left as it is: models/m/compose/single.yml:2");
    expect(status).toBe(1);
    expect(snapshot(root)["data/observed/inventory.json"]).toBe(before["data/observed/inventory.json"]);
    const empty = join(root, "empty");
    mkdirSync(empty);
    expect(run(empty, "--root", root, "--fix").stderr).toContain("was left as it is");
    expect(snapshot(root)["data/observed/inventory.json"]).toBe(before["data/observed/inventory.json"]);
  });

  it("--fix replaces an inventory that no longer fits its shape", () => {
    const root = stack();
    mkdirSync(join(root, "data/observed"), { recursive: true });
    writeFileSync(join(root, "data/observed/inventory.json"), "{}");
    expect(run("--root", root, "--fix").stderr).toContain("Wrote");
  });

  it("--refs judges references alone, and fails on them", () => {
    const { findings, exitCode } = json("--root", stack(), "--refs");
    expect(findings.map(({ level, rule, file, line }) => `${level} ${rule} ${file}:${line}`)).toEqual([
      "error untracked-reference docs/UPSTREAM.md:13",
      "error untracked-reference models/m/compose/single.yml:1",
    ]);
    expect(exitCode).toBe(1);
  });

  it("without rows it shows what is there, and says what was not compared", () => {
    const root = stack();
    rmSync(join(root, "data"), { recursive: true });
    const { status, stdout, stderr } = run("--root", root, "--json");
    const report = JSON.parse(stdout) as ScanReport;
    expect(stderr).toContain("compared with nothing");
    expect(report.notChecked).toEqual(["the comparison with rows (there is no data/tracker.yaml yet)"]);
    expect(report.images.length).toBeGreaterThan(5);
    expect(status).toBe(report.exitCode);
    expect(existsSync(join(root, "data"))).toBe(false);
  });

  it.each([
    ["a folder that is not there", ["no/such"], /There is no no\/such\. Name the folder/],
    ["a file", ["package.json"], /package\.json is a file/],
    ["an unknown option", ["--fxi"], /unknown option/],
    ["rows to judge by that are not there", ["--refs", "--root", "EMPTY"], /no data\/tracker\.yaml, so there are no rows/],
    ["nowhere to write", ["--fix", "--root", "EMPTY"], /nowhere to write the inventory/],
    ["scan.tree that is not there", ["--root", "TREELESS"], /tree \.\.\/gone does not exist.*Clone we\/stack there/s],
  ])("%s is refused with exit code 3", (_, args, message) => {
    const empty = mkdtempSync(join(tmpdir(), "empty-"));
    made.push(empty);
    const treeless = stack();
    const tracker = join(treeless, "data/tracker.yaml");
    writeFileSync(tracker, readFileSync(tracker, "utf8").replace("scan:\n", "scan:\n  tree: ../gone\n"));
    const { status, stderr, stdout } = run(...args.map((arg) => ({ EMPTY: empty, TREELESS: treeless })[arg] ?? arg));
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
    expect(stdout).toBe("");
    expect(status).toBe(3);
  });

  it("an empty folder is an error, not a clean report", () => {
    const root = mkdtempSync(join(tmpdir(), "empty-"));
    made.push(root);
    const { status, stdout } = run(root, "--root", stack(), "--json");
    const rules = (JSON.parse(stdout) as ScanReport).findings.map(({ rule }) => rule);
    expect(rules).toContain("nothing-found");
    expect(status).toBe(1);
  });
});
