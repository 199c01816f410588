import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));
const PARTS = [
  "package.json",
  "tsconfig.json",
  "tsconfig.package.json",
  "astro.config.mjs",
  "scripts",
  "src",
  "site",
  "content",
  "schemas",
  "LICENSE",
  "README.md",
];

/** The package as `npm pack` makes it, unpacked where its dependencies are found. Packed from a copy: packing rewrites package.json for a moment. */
describe("the package", () => {
  let work = "";
  let unpacked = "";
  let tarball = "";

  beforeAll(() => {
    work = mkdtempSync(join(tmpdir(), "landfall-package-"));
    const copy = join(work, "copy");
    for (const part of PARTS) cpSync(join(home, part), join(copy, part), { recursive: true });
    symlinkSync(join(home, "node_modules"), join(copy, "node_modules"));
    const before = readFileSync(join(copy, "package.json"), "utf8");
    const packed = spawnSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: copy, encoding: "utf8" });
    expect(packed.status, packed.stderr).toBe(0);
    expect(readFileSync(join(copy, "package.json"), "utf8"), "packing leaves package.json as it was").toBe(before);
    tarball = join(work, "landfall-0.1.0.tgz");
    mkdirSync(join(work, "unpacked"));
    expect(spawnSync("tar", ["-xzf", tarball, "-C", join(work, "unpacked")]).status).toBe(0);
    unpacked = join(work, "unpacked/package");
    symlinkSync(join(home, "node_modules"), join(work, "unpacked/node_modules"));
  });
  afterAll(() => {
    rmSync(work, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(unpacked, "lib/scripts/bin.js"), ...args], { encoding: "utf8", cwd: work });

  it("is well formed", async () => {
    const { messages, pkg } = await publint({ pkgDir: unpacked, strict: true });
    expect(messages.filter(({ type }) => type !== "suggestion").map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("gives every entry types that fit it", () => {
    const checked = spawnSync(
      process.execPath,
      [join(home, "node_modules/@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only", "--format", "json"],
      { encoding: "utf8" },
    );
    expect(checked.status, checked.stdout).toBe(0);
  });

  it("brings none of this repository's tooling, no test and no data, and is small", () => {
    const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as Record<string, unknown>;
    for (const key of ["devDependencies", "optionalDependencies", "overrides"]) expect(manifest).not.toHaveProperty(key);
    expect(manifest.dependencies, "what is tested here is what is installed there").toMatchObject({
      vite: expect.stringMatching(/^\d/) as string,
    });
    for (const path of ["test", "data", "lib/scripts/test.js", "lib/scripts/bench.js", "content/UPSTREAM.md"])
      expect(existsSync(join(unpacked, path)), path).toBe(false);
    expect(readFileSync(tarball).length).toBeLessThan(1_500_000);
  });

  it("runs its commands from compiled JavaScript", () => {
    const status = run("status", "--root", home, "--json");
    expect(status.status, status.stderr).toBe(0);
    expect(JSON.parse(status.stdout)).toHaveProperty("items");
    const pins = run("check-pins", "--root", home, "--json");
    expect(JSON.parse(pins.stdout), pins.stderr).toMatchObject({ exitCode: pins.status });
    expect(run("nonsense").status).toBe(3);
    expect(run("bench").status).toBe(3);
  });
});
