import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../git/repository.ts";
import { judgeAt, readerOf, stackWith } from "./reading.ts";
import type { Written } from "./upstream.ts";
import { writeUpstream } from "./upstream.ts";

let folder = "";
let remove: () => Promise<void>;
let up: Written;

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `    step_${from + n}()\n`).join("");
const run = (body: string) => `def prepare():\n${lines(1, 20)}\n\ndef run():\n${body}\n\ndef close():\n${lines(80, 95)}`;
const BODY = `${lines(30, 40)}    size = max_len\n${lines(41, 50)}`;
const PATCHED = BODY.replace("size = max_len", "size = min(max_len, real_len)");
const FILE = run(BODY);

beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
  up = await writeUpstream(join(folder, "hosted/u/r.git"), [
    { id: "base", subject: "Start (#1)", change: { "src/run.py": FILE, "src/other.py": "other = 1\n", "src/kept.py": "kept = 1\n" } },
    { id: "far", subject: "Other work (#2)", change: { "src/other.py": "other = 2\n" } },
    { id: "shifted", subject: "Log more at the top (#3)", change: { "src/run.py": `import logging\nimport os\n${FILE}` } },
    {
      id: "inside",
      subject: "Grow the steps (#4)",
      change: { "src/run.py": `import logging\nimport os\n${run(BODY.replace("step_35()", "step_35(True)"))}` },
    },
    {
      id: "merge-work",
      subject: "Work on a branch",
      change: { "src/run.py": `import logging\nimport os\n${run(BODY.replace("step_35()", "step_35(1)"))}` },
      from: "inside",
    },
    {
      id: "merged",
      subject: "Merge pull request #5 from a/branch",
      change: { "src/run.py": `import logging\nimport os\n${run(BODY.replace("step_35()", "step_35(1)"))}` },
      from: "inside",
      merges: "merge-work",
    },
    {
      id: "rewritten",
      subject: "Size by the real length (#6)",
      change: { "src/run.py": run(BODY.replace("size = max_len", "size = lengths.max()")) },
    },
    { id: "upstreamed", subject: "Clamp the size (#7)", change: { "src/run.py": run(PATCHED) } },
    {
      id: "moved",
      subject: "Run twice (#8)",
      change: {
        "src/run.py": `def prepare():\n${lines(1, 20)}\n\ndef warm_up():\n${BODY}\n\ndef run():\n    pass\n\n\ndef close():\n${lines(80, 95)}`,
      },
    },
    { id: "removed", subject: "Drop the runner (#9)", change: { "src/run.py": null } },
  ]);
});
afterAll(() => remove());

const judge = async (patch: Record<string, unknown>, commits: string[], own: Record<string, string>) =>
  judgeAt(
    stackWith(patch, {}),
    readerOf(join(folder, "hosted"), join(folder, "cache"), own).reader,
    commits.map((id) => up.sha[id] ?? ""),
  );

describe("whole-file overlays", () => {
  const overlay = (more: object = {}) => ({
    delivery: "overlay",
    files: ["p/run.py"],
    targets: [{ path: "src/run.py", anchors: [] }],
    ...more,
  });
  const own = { "p/run.py": run(PATCHED) };

  it("at its base, at another commit with the same file, and after changes", async () => {
    const [base, far, shifted, merged] = await judge(overlay({ base: up.sha.base }), ["base", "far", "shifted", "merged"], own);
    expect(base?.verdict).toBe("applies");
    expect(far).toMatchObject({ verdict: "base-differs", because: expect.stringContaining("the file is the same here") });
    expect(shifted).toMatchObject({ verdict: "target-changed" });
    expect(shifted?.targets[0]?.changed).toMatchObject({ added: 2, removed: 0, changes: [{ pr: 3 }] });
    expect(merged?.targets[0]?.changed?.changes.map(({ pr }) => pr)).toEqual([5, 4, 3]);
    expect(merged?.because).toContain("+3 −1 lines by #5");
  });

  it("upstream has the very file, or no file any more", async () => {
    const [same, gone] = await judge(overlay({ base: up.sha.base }), ["upstreamed", "removed"], own);
    expect(same?.verdict).toBe("already-upstream");
    expect(gone).toMatchObject({ verdict: "target-gone", targets: [{ since: { pr: 9 } }] });
  });

  it("without a base nothing tells what it hides", async () => {
    expect((await judge(overlay(), ["far"], own))[0]).toMatchObject({ verdict: "unknown", because: expect.stringContaining("base:") });
  });

  it("a file that it adds", async () => {
    const adds = { delivery: "overlay", files: ["p/new.py"], targets: [{ path: "src/new.py", adds: true, anchors: [] }] };
    expect((await judge(adds, ["base"], { "p/new.py": "new = 1\n" }))[0]?.verdict).toBe("applies");
    const taken = { ...adds, targets: [{ path: "src/kept.py", file: "p/new.py", adds: true, anchors: [] }] };
    expect((await judge(taken, ["base"], { "p/new.py": "new = 1\n" }))[0]?.verdict).toBe("conflict");
    expect((await judge(taken, ["base"], { "p/new.py": "kept = 1\n" }))[0]?.verdict).toBe("already-upstream");
  });

  it("a file of the stack that is not there", async () => {
    expect((await judge(overlay({ base: up.sha.base }), ["far"], {}))[0]?.verdict).toBe("unusable");
  });
});

describe("unified diffs", () => {
  const DIFF = createTwoFilesPatch("a/src/run.py", "b/src/run.py", FILE, run(PATCHED)).replace(/^@@ (.*) @@$/m, "@@ $1 @@ def run():");
  const patch = { delivery: "install-script", files: ["p/clamp.diff"] };

  it("cleanly, with an offset, in conflict, already upstream", async () => {
    const [clean, offset, conflict, upstreamed] = await judge(patch, ["base", "shifted", "rewritten", "upstreamed"], {
      "p/clamp.diff": DIFF,
    });
    expect(clean).toMatchObject({ verdict: "applies", targets: [{ path: "src/run.py" }] });
    expect(offset).toMatchObject({
      verdict: "applies-with-offset",
      because: expect.stringContaining("hunk 1 (def run():) lands 2 lines later"),
    });
    expect(conflict).toMatchObject({ verdict: "conflict" });
    expect(conflict?.because).toContain('hunk 1 (def run():) of 1 does not fit at line 32: "size = max_len" is not in the file');
    expect(upstreamed).toMatchObject({ verdict: "already-upstream" });
  });

  it("D11 applies, but onto context that moved into another function", async () => {
    const [moved] = await judge(patch, ["moved"], { "p/clamp.diff": DIFF });
    expect(moved?.verdict).toMatch(/^applies/);
    expect(moved?.because).toContain("in another place: def warm_up():");
  });

  it("of several hunks the one that fails is named, and one that is upstream already", async () => {
    const two = createTwoFilesPatch("a/src/run.py", "b/src/run.py", FILE, run(PATCHED).replace("step_90()", "step_90(1)"));
    const [judged] = await judge(patch, ["upstreamed"], { "p/clamp.diff": two });
    expect(judged).toMatchObject({ verdict: "conflict", targets: [{ hunks: [{ state: "failed" }, { state: "clean" }] }] });
    expect(judged?.because).toContain("hunk 1 of 2 does not fit at line 32: that part is upstream already");
  });

  it("the file went away", async () => {
    expect((await judge(patch, ["removed"], { "p/clamp.diff": DIFF }))[0]?.verdict).toBe("target-gone");
  });

  it("two diffs of a patch are applied one after the other", async () => {
    const second = createTwoFilesPatch("a/src/run.py", "b/src/run.py", run(PATCHED), run(PATCHED.replace("real_len)", "real_len, 1)")));
    const files = { "p/1.diff": DIFF, "p/2.diff": second };
    expect((await judge({ ...patch, files: ["p/1.diff", "p/2.diff"] }, ["base"], files))[0]?.verdict).toBe("applies");
    expect((await judge({ ...patch, files: ["p/2.diff"] }, ["base"], files))[0]?.verdict).toBe("conflict");
  });

  it("creates, deletes and renames as git would", async () => {
    const diffs = {
      "p/new.diff":
        "diff --git a/src/kept.py b/src/kept.py\nnew file mode 100644\n--- /dev/null\n+++ b/src/kept.py\n@@ -0,0 +1 @@\n+kept = 2\n",
      "p/fresh.diff":
        "diff --git a/src/fresh.py b/src/fresh.py\nnew file mode 100644\n--- /dev/null\n+++ b/src/fresh.py\n@@ -0,0 +1 @@\n+fresh = 1\n",
      "p/delete.diff":
        "diff --git a/src/kept.py b/src/kept.py\ndeleted file mode 100644\n--- a/src/kept.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-kept = 1\n",
      "p/rename.diff": "diff --git a/src/kept.py b/src/other.py\nsimilarity index 100%\nrename from src/kept.py\nrename to src/other.py\n",
    };
    const verdict = async (file: string) => (await judge({ ...patch, files: [file] }, ["base"], diffs))[0]?.verdict;
    expect(await verdict("p/new.diff")).toBe("conflict");
    expect(await verdict("p/fresh.diff")).toBe("applies");
    expect(await verdict("p/delete.diff")).toBe("applies");
    expect(await verdict("p/rename.diff")).toBe("conflict");
  });

  it("below a folder, with other leading parts", async () => {
    const bare = createTwoFilesPatch("run.py", "run.py", FILE, run(PATCHED));
    const spec = { delivery: "install-script", files: [], diffs: [{ file: "p/bare.patch", strip: 0, root: "src" }] };
    expect((await judge(spec, ["base"], { "p/bare.patch": bare }))[0]).toMatchObject({
      verdict: "applies",
      targets: [{ path: "src/run.py" }],
    });
  });
});
