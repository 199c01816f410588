import { describe, expect, it } from "vitest";
import { rulesIn, scanOf } from "../../test/scan/tree.ts";

const compose = (image: string) => `services:\n  a:\n    image: ${image}\n`;
const only = async (rule: string, files: Record<string, string>, more = {}) =>
  (await scanOf(files, more)).findings.filter((found) => found.rule === rule);

describe("numbers of users that documents state (pain E1)", () => {
  const SHA = "1acd67a795ebccdf9b9db7697ae9082058301657";
  const files = {
    "a.yml": compose(`o/n:nightly-${SHA}`),
    "b.yml": compose(`o/n:nightly-${SHA}`),
    "_archive/c.yml": compose(`o/n:nightly-${SHA}`),
    "d.yml": compose("o/m:cuda"),
    "e.yml": compose("o/m:cuda-b1234"),
  };
  const told = async (heading: string, ...rows: string[]) =>
    (await only("count-differs", { ...files, "d.md": `${heading}\n|---|---|\n${rows.join("\n")}\n` })).map(
      ({ line, message }) => `${line}: ${/Says \d+.*has \d+/.exec(message)?.[0]}`,
    );
  it("a shortened commit stands for the one image that begins so; archived users do not count", async () => {
    expect(
      await told(
        "| Pin | Composes using it |",
        "| `o/n:nightly-1acd67a7` | 19 (all) |",
        "| `o/n:nightly-1acd67a7…` | **2** |",
        "| `docker.io/o/n:nightly-1acd67a7` | 2 |",
      ),
    ).toEqual(["3: Says 19 for o/n:nightly-1acd67a7; the tree has 2"]);
  });
  it("an exact tag is not the beginning of another", async () => {
    expect(await told("| Image | Used by |", "| `o/m:cuda` | 1 |", "| `o/m:cuda-b1` | 1 |", "| `o/gone:1` | 3 |")).toEqual([
      "4: Says 1 for o/m:cuda-b1; the tree has 0",
      "5: Says 3 for o/gone:1; the tree has 0",
    ]);
  });
  it.each([
    ["another column", "| Image | Size |", "| `o/m:cuda` | 30 |"],
    ["no number", "| Image | Users |", "| `o/m:cuda` | many |"],
    ["a size", "| Image | Services |", "| `o/m:cuda` | 30 GB |"],
    ["no image", "| Image | Users |", "| `latest` and `some words` | 30 |"],
  ])("leaves %s alone", async (_, heading, row) => {
    expect(await told(heading, row)).toEqual([]);
  });
});

describe("files that documents and comments cite (pain D10, E10)", () => {
  const tree = { "docs/a.md": "", "models/m/x.py": "", "scripts/run.sh": "x" };
  const cited = async (text: string, path = "docs/d.md") =>
    (await only("cites-missing-file", { ...tree, [path]: text }, { listed: ["patches/patch_there.py"] })).map(
      ({ line, message }) => `${line}: ${/Cites (\S+?)(?=,? )/.exec(message)?.[1]}`,
    );
  it.each([
    ["[a](a.md), [b](./b.md#part), [c](../models/m/x.py), [d](../models/gone.py?x)", ["1: docs/b.md", "1: models/gone.py"]],
    ["[a](<a.md>), [b](https://x.y/z.md), [c](#part), [d](/abs.md), [e](../../out.md), [f](mailto:a@b.c)", []],
    ["`scripts/run.sh` and scripts/gone.sh, models/m/ and models/m/y.py.", ["1: scripts/gone.sh", "1: models/m/y.py"]],
    ["`patch_gone.py`, patch_there.py and upstream_file.py, vllm/v1/core.py", ["1: patch_gone.py"]],
    ["models/*/x.py, models/.../y.py, https://x.y/models/gone.py, ../models/m/x.py", []],
    ["```\n[x](gone.md)\n```\n", []],
    ["models/qwen3.6 and v0.20-migration", []],
  ])("%s", async (text, expected) => {
    expect(await cited(text)).toEqual(expected);
  });
  it("comments of code count, code does not; each file is told once with its lines", async () => {
    expect(await cited("# see patch_gone.py\nrun: patch_gone2.py\n# patch_gone.py again\n", "c.yml")).toEqual(["1: patch_gone.py"]);
    const [found] = await only("cites-missing-file", { ...tree, "c.yml": "# patch_gone.py\n\n# patch_gone.py\n# patch_gone.py\n" });
    expect(found?.message).toContain("(also on lines 3, 4)");
  });
  it("history may cite what is gone", async () => {
    expect(await cited("`patch_gone.py`\n", "CHANGELOG.md")).toEqual([]);
  });
});

describe("folders of patches", () => {
  const mount = (source: string) => `services:\n  a:\n    image: o/n:1.0.0\n    volumes: [${source}:/usr/lib/python3/dist-packages/x.py]\n`;
  it.each([
    ["mounted", { "a.yml": mount("./patches/p/x.py") }, []],
    ["mounted as a whole", { "a.yml": mount("./patches") }, []],
    ["run by a script", { "setup.sh": "bash patches/p/install.sh\n" }, []],
    ["used by archived files only", { "_archive/a.yml": mount("../patches/p/x.py") }, ["unused-patch-folder patches/p/x.py:1"]],
    ["used by nothing", { "a.yml": mount("./other.py") }, ["unused-patch-folder patches/p/x.py:1"]],
  ])("%s", async (_, files, expected) => {
    const found = await scanOf({ ...files, "patches/p/x.py": "", "patches/README.md": "" });
    expect(rulesIn(found).filter((rule) => rule.includes("patch-folder"))).toEqual(expected);
  });
  it("a mounted patch that is not there is told with its users", async () => {
    const found = await only("missing-source", {
      "a.yml": mount("./patches/gone.py"),
      "b.yml": mount("./patches/gone.py"),
      "_archive/c.yml": mount("../patches/gone2.py"),
      "d.yml": mount("/opt/x.py"),
    });
    expect(found.map(({ file, message }) => `${file} ${/Mounts \S+ \(and \d+ more\)/.exec(message)?.[0]}`)).toEqual([
      "a.yml Mounts patches/gone.py (and 1 more)",
    ]);
  });
});
