import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesOf } from "../../src/derive/survival/anchors.ts";
import { SHAPES } from "../../src/model/kinds.ts";
import { temporaryFolder } from "../git/repository.ts";
import { judgeAt, readerOf, stackWith } from "./reading.ts";
import type { Written } from "./upstream.ts";
import { writeUpstream } from "./upstream.ts";

let folder = "";
let remove: () => Promise<void>;
let up: Written;

beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
  up = await writeUpstream(join(folder, "hosted/u/r.git"), [
    {
      id: "only",
      subject: "Start",
      change: {
        "src/a.py": "x = 1\n".repeat(300),
        "src/inside": { link: "a.py" },
        "src/out": { link: "../../etc/passwd" },
        "src/absolute": { link: "/etc/passwd" },
        "src/loop": { link: "loop" },
        "src/binary.so": new Uint8Array([127, 69, 76, 70, 0, 0, 1]),
        "src/huge.py": `${"y = 2\n".repeat(900_000)}`,
        "src/latin.py": new Uint8Array([0x78, 0x20, 0x3d, 0x20, 0xe9, 0x0a]),
      },
    },
  ]);
});
afterAll(() => remove());

const judge = async (patch: Record<string, unknown>, own: Record<string, string> = {}) =>
  (await judgeAt(stackWith(patch, {}), readerOf(join(folder, "hosted"), join(folder, "cache"), own).reader, [up.sha.only ?? ""]))[0];
const at = (path: string, anchor: object = { text: "x = 1", count: 300 }) => judge({ targets: [{ path, anchors: [anchor] }] });

describe("targets that are none", () => {
  it.each([
    ["../outside.py", '".."'],
    ["src/../../outside.py", '".."'],
    ["/etc/passwd", "absolute"],
    ["C:/windows/x.py", "absolute"],
    ["src\\a.py", "backslashes"],
    [".git/config", ".git"],
    ["src//a.py", "empty parts"],
  ])("%s is outside the repository", async (path, why) => {
    expect(await at(path)).toMatchObject({ verdict: "unusable", because: expect.stringContaining(why) });
  });

  it.each(["src/out", "src/absolute"])("%s is a symbolic link that leads out", async (path) => {
    expect(await at(path)).toMatchObject({ verdict: "unusable", because: expect.stringContaining("leads out of the repository") });
  });

  it("a symbolic link inside is followed once, and a loop does not hang", async () => {
    expect((await at("src/inside"))?.verdict).toBe("applies");
    expect((await at("src/loop"))?.verdict).toBe("unknown");
  });

  it("a binary, a folder, a huge file, and bytes that are no UTF-8", async () => {
    expect(await at("src/binary.so")).toMatchObject({ verdict: "unusable", because: expect.stringContaining("binary") });
    expect((await at("src"))?.verdict).toBe("unusable");
    expect(await at("src/huge.py")).toMatchObject({ verdict: "unknown", because: expect.stringContaining("too large") });
    expect((await at("src/latin.py", { text: "x = " }))?.verdict).toBe("applies");
  });
});

describe("anchors that name no place", () => {
  const parse = (anchor: object) =>
    SHAPES.patch.safeParse({ title: "P", upstream: "up", delivery: "sidecar", targets: [{ path: "a", anchors: [anchor] }] });

  it("an empty one, one of spaces, one that says two things or none: refused when the row is read", () => {
    for (const anchor of [{ text: "" }, { text: " \n\t" }, { pattern: "" }, { text: "a", pattern: "b" }, {}]) {
      expect({ anchor, ok: parse(anchor).success }).toEqual({ anchor, ok: false });
    }
  });

  it("edge spaces of a text are part of it", () => {
    expect(parse({ text: "    if x:\n" }).data?.targets[0]?.anchors[0]?.text).toBe("    if x:\n");
  });

  it("an empty file of the stack, and one that is not there", async () => {
    const file = { targets: [{ path: "src/a.py", anchors: [{ file: "p/anchor.txt" }] }] };
    expect(await judge(file, { "p/anchor.txt": "\n" })).toMatchObject({
      verdict: "unusable",
      because: expect.stringContaining("match everywhere"),
    });
    expect(await judge(file)).toMatchObject({ verdict: "unusable", because: expect.stringContaining("no file p/anchor.txt") });
  });

  it.each([["x*"], ["\\b"], ["(?:)"], ["^"]])("the pattern %s matches everywhere", async (pattern) => {
    expect((await at("src/a.py", { pattern }))?.verdict).toBe("unusable");
  });

  it("a text that stands hundreds of times names no place", async () => {
    expect(await at("src/a.py", { text: "x" })).toMatchObject({
      verdict: "unusable",
      because: expect.stringContaining("matches 300 times"),
    });
  });

  it("a pattern that is no regular expression", async () => {
    expect((await at("src/a.py", { pattern: "(x" }))?.verdict).toBe("unusable");
  });
});

describe("diffs that are none", () => {
  const diff = (text: string, more: object = {}) =>
    judge({ delivery: "install-script", files: ["p/x.diff"], ...more }, { "p/x.diff": text });

  it.each([
    ["empty", "", "no hunks"],
    ["prose", "Please apply this by hand.\n", "no hunks"],
    ["headers only", "diff --git a/src/a.py b/src/a.py\nindex 1..2 100644\n--- a/src/a.py\n+++ b/src/a.py\n", "no hunks"],
    ["cut off", "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n x = 1\n-x = 1\n", "not a readable unified diff"],
    ["git's binary", "diff --git a/x.so b/x.so\nGIT binary patch\nliteral 3\nKcmZ?wbhEHb\n", "binary"],
    ["two binaries", "diff --git a/x.so b/x.so\nindex 1..2 100644\nBinary files a/x.so and b/x.so differ\n", "binary"],
  ])("%s", async (_, text, why) => {
    expect(await diff(text)).toMatchObject({ verdict: "unusable", because: expect.stringContaining(why) });
  });

  it("one that leads out of the repository", async () => {
    const text = "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-x\n+y\n";
    expect(await diff(text)).toMatchObject({ verdict: "unusable", because: expect.stringContaining('".."') });
  });

  it("too many leading parts to drop", async () => {
    const text = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n";
    expect(await diff(text)).toMatchObject({ verdict: "unusable", because: expect.stringContaining("strip") });
  });
});

describe("an anchor's verdict is what a plain search says", () => {
  const piece = fc.constantFrom("a", "b", "ab", "\n", "  ", "def f():\n", "x = 1\n");
  const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
  const plain = (wanted: string, inside: string) => inside.split(wanted).length - 1;
  const none = () => "";

  it("for any text in any file", () => {
    const seen = new Set<number>();
    fc.assert(
      fc.property(text, text, (inside, wanted) => {
        fc.pre(wanted.trim() !== "");
        const places = placesOf({ kind: "text", text: wanted }, inside, none) ?? [];
        expect(places).toHaveLength(plain(wanted, inside));
        for (const { from, to } of places) expect(inside.slice(from, to)).toBe(wanted);
        seen.add(Math.min(places.length, 2));
      }),
      { numRuns: 3000, seed: 5 },
    );
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  it("for any text by its hash alone, wherever it begins and ends with a line", () => {
    const hash = (value: string) => `#${value}`;
    const lines = fc.array(fc.constantFrom("a", "  b", "c = 1", "", "    d"), { minLength: 1, maxLength: 4 });
    let found = 0;
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 6 }), lines, (blocks, wanted) => {
        const inside = blocks
          .flat()
          .map((line) => `${line}\n`)
          .join("");
        const value = wanted.map((line) => `${line}\n`).join("");
        fc.pre(value.trim() !== "" && wanted[0]?.trim() !== "");
        const places =
          placesOf({ kind: "hash", sha256: hash(value), lines: wanted.length, starts: wanted[0]?.trim() ?? "" }, inside, hash) ?? [];
        const all = inside
          .split("\n")
          .slice(0, -1)
          .map((_, index, rows) => rows.slice(index, index + wanted.length).join("\n") === wanted.join("\n"));
        expect(places).toHaveLength(all.filter(Boolean).length);
        found += places.length;
      }),
      { numRuns: 2000, seed: 6 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
