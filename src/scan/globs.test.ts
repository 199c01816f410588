import { describe, expect, it } from "vitest";
import { matcher } from "./globs.ts";
import { baseOf, folderOf, join } from "./paths.ts";

describe("globs of settings", () => {
  it.each([
    [["**/_archive/**"], "a/_archive/b.yml", true],
    [["**/_archive/**"], "_archive/b.yml", true],
    [["**/_archive/**"], "a/_archived/b.yml", false],
    [["**/_archive/**"], "a/_archive", false],
    [["services/**"], "services/web/c.yml", true],
    [["services/**"], "a/services/c.yml", false],
    [["engines/*.yml"], "engines/a.yml", true],
    [["engines/*.yml"], "engines/b/a.yml", false],
    [["*.{diff,patch}"], "x.patch", true],
    [["patch_?.py"], "patch_a.py", true],
    [["a+b(c).[d]"], "a+b(c).[d]", true],
    [["**/CHANGELOG*"], "CHANGELOG.md", true],
    [["VLLM_*", "**/x/**"], "VLLM_A", true],
    [[], "anything", false],
  ])("%j and %s: %s", (globs, path, expected) => {
    expect(matcher(globs)(path)).toBe(expected);
  });
});

describe("paths", () => {
  it.each([
    [["a/b", "../c"], "a/c"],
    [["a", "./b/./c/"], "a/b/c"],
    [["a", "../../c"], "../c"],
    [["a", "/b/../c"], "/c"],
    [["", "x"], "x"],
    [["/", ".."], "/"],
  ])("%j is %s", (parts, expected) => {
    expect(join(...parts)).toBe(expected);
  });
  it("folders and names", () => {
    expect([folderOf("a/b/c"), folderOf("c"), baseOf("a/b/c"), baseOf("c")]).toEqual(["a/b", "", "c", "c"]);
  });
});
