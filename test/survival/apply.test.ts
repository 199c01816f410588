import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { x } from "tinyexec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyHunks } from "../../src/derive/survival/apply.ts";
import { readDiff } from "../../src/derive/survival/unified.ts";
import { temporaryFolder } from "../git/repository.ts";

let folder = "";
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterAll(() => remove());

let serial = 0;
/** What the real git says, with the file it is asked about in a folder of its own. */
async function gitApplies(target: string, diff: string): Promise<{ applies: boolean; said: string }> {
  const dir = join(folder, String(serial++));
  await mkdir(dir);
  await writeFile(join(dir, "f.py"), target);
  await writeFile(join(dir, "change.diff"), diff);
  const { exitCode, stderr, stdout } = await x("git", ["apply", "--check", "--verbose", "change.diff"], {
    throwOnError: false,
    stdin: "",
    nodeOptions: { cwd: dir, env: { GIT_CEILING_DIRECTORIES: folder, LC_ALL: "C" } },
  });
  return { applies: exitCode === 0, said: stdout + stderr };
}

const diffOf = (before: string, after: string, context: number) =>
  createTwoFilesPatch("a/f.py", "b/f.py", before, after, undefined, undefined, { context });

const ours = (target: string, diff: string) => {
  const { files } = readDiff(diff, 1);
  return applyHunks(
    target,
    files.flatMap(({ hunks }) => hunks),
  );
};

// Few different lines, so that hunks fit in more places than one.
const lineText = fc.constantFrom("a", "b", "c", "", "    x = 1", "def f():", "    return x", "}");
const text = fc
  .tuple(fc.array(lineText, { maxLength: 25 }), fc.boolean())
  .map(([lines, end]) => lines.join("\n") + (end && lines.length > 0 ? "\n" : ""));
const edit = fc.record({ at: fc.nat(30), drop: fc.nat(3), put: fc.array(lineText, { maxLength: 3 }) });
function edited(before: string, edits: readonly { at: number; drop: number; put: string[] }[]): string {
  const lines = before.split("\n");
  for (const { at, drop, put } of edits) lines.splice(Math.min(at, lines.length), drop, ...put);
  return lines.join("\n");
}

describe("a unified diff applies as git applies it", () => {
  it("for any change of a file, and any later change under it", { timeout: 300_000 }, async () => {
    let both = { yes: 0, no: 0, offset: 0 };
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.array(edit, { maxLength: 3 }),
        fc.constantFrom(3, 1, 0),
        async (before, change, drift, context) => {
          const after = edited(before, change);
          fc.pre(after !== before && before !== "");
          const diff = diffOf(before, after, context);
          const target = edited(before, drift);
          const git = await gitApplies(target, diff);
          const our = ours(target, diff);
          expect({ applies: our.text !== undefined, target, diff }).toEqual({ applies: git.applies, target, diff });
          both = { ...both, [git.applies ? "yes" : "no"]: both[git.applies ? "yes" : "no"] + 1 };
          if (git.applies) {
            const moved = /offset -?\d+ line/.test(git.said);
            expect({ moved: our.hunks.some(({ offset }) => offset !== 0), diff, target }).toEqual({ moved, diff, target });
            if (moved) both.offset += 1;
          }
        },
      ),
      { numRuns: 300, seed: 20260512 },
    );
    // The property would hold of anything if one answer never came up.
    expect(Math.min(both.yes, both.no, both.offset)).toBeGreaterThan(10);
  });

  it("lines that an earlier hunk wrote are not matched again", async () => {
    const diff = "--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,4 @@\n x\n+k\n+x\n y\n@@ -3,2 +5,3 @@\n k\n+z\n x\n";
    const target = "x\ny\nw\nw\n";
    expect((await gitApplies(target, diff)).applies).toBe(false);
    expect(ours(target, diff)).toMatchObject({ text: undefined, hunks: [{ state: "clean" }, { state: "failed" }] });
  });

  it("and gives the text that git gives", async () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
    const diff = diffOf(before, before.replace("four", "4").replace("eight\n", "eight"), 1);
    const target = `zero\n${before}`;
    const dir = join(folder, "text");
    await mkdir(dir);
    await writeFile(join(dir, "f.py"), target);
    await writeFile(join(dir, "change.diff"), diff);
    await x("git", ["apply", "change.diff"], {
      throwOnError: true,
      stdin: "",
      nodeOptions: { cwd: dir, env: { GIT_CEILING_DIRECTORIES: folder } },
    });
    const { stdout } = await x("cat", [join(dir, "f.py")]);
    expect(ours(target, diff).text).toBe(stdout);
  });
});
