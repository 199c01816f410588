import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const home = fileURLToPath(new URL("../..", import.meta.url));
let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "landfall-build-"));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const build = (...args: string[]) =>
  spawnSync(process.execPath, [join(home, "scripts/run.mjs"), "build", ...args], {
    cwd: work,
    encoding: "utf8",
    env: { ...process.env, LANDFALL_SET_UP: "1" },
  });

/** What is refused is refused before anything is emptied or built. */
describe("build", () => {
  it("refuses a folder that is no stack, with exit code 3 and the next step", () => {
    const { status, stderr } = build("--root", work, "--out", join(work, "out"));
    expect(status).toBe(3);
    expect(stderr).toContain("data/tracker.yaml");
    expect(existsSync(join(work, "out"))).toBe(false);
  });

  it("refuses to empty the stack, the project, or a folder that holds something else", () => {
    mkdirSync(join(work, "papers"));
    writeFileSync(join(work, "papers/keep.txt"), "mine");
    for (const out of [home, join(home, ".."), join(work, "papers")]) {
      const { status, stderr } = build("--root", home, "--out", out);
      expect(status, out).toBe(3);
      expect(stderr).toContain("--out");
    }
    expect(readFileSync(join(work, "papers/keep.txt"), "utf8")).toBe("mine");
  });

  it("refuses data with errors, names them, and leaves the old site as it was", () => {
    const root = join(work, "stack");
    mkdirSync(join(root, "data/items"), { recursive: true });
    writeFileSync(
      join(root, "data/tracker.yaml"),
      "title: T\nrepo: a/b\nzone: UTC\nthresholds: { stalled_after_days: 30, claim_stale_after_days: 30 }\n",
    );
    writeFileSync(join(root, "data/items/row.yaml"), "title: Row\nstake: blokcs\n");
    mkdirSync(join(work, "out"));
    writeFileSync(join(work, "out/404.html"), "the old site");
    const { status, stderr } = build("--root", root, "--out", join(work, "out"));
    expect(status).toBe(3);
    expect(stderr).toContain("data/items/row.yaml:2:");
    expect(readFileSync(join(work, "out/404.html"), "utf8")).toBe("the old site");
  });

  it("explains itself", () => {
    const { status, stdout } = build("--help");
    expect(status).toBe(0);
    for (const option of ["--root", "--base", "--out", "--origin", "--edit", "--verbose"]) expect(stdout).toContain(option);
  });
});
