// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose writes its variables so
import { describe, expect, it } from "vitest";
import { derive } from "../../src/derive/derive.ts";
import { compareReferences, compareTree } from "../../src/derive/tree/compare.ts";
import { scanSettings } from "../../src/model/shapes/scan.ts";
import { matcher } from "../../src/scan/globs.ts";
import { knownOf } from "../../src/scan/known.ts";
import type { ShortStack } from "../world.ts";
import { sha, stackOf } from "../world.ts";
import { scanOf } from "./tree.ts";

interface Case {
  files: Record<string, string>;
  stack?: ShortStack;
  settings?: Record<string, unknown>;
  listed?: string[];
}

async function compared({ files, stack = {}, settings = {}, listed }: Case) {
  const { model, observed } = stackOf(stack);
  const known = scanSettings.parse(settings);
  const found = await scanOf(files, { settings, rows: knownOf(model), ...(listed ? { listed } : {}) });
  const derived = derive(model, { ...observed, inventory: found.inventory });
  const tests = { isSide: matcher(known.side), skip: matcher([...known.history, ...known.references.skip]) };
  return { tree: compareTree(derived, found, known, tests), refs: compareReferences(derived, found, known, tests) };
}

const rules = async (given: Case) => {
  const { tree } = await compared(given);
  return [
    ...tree.tree.map(({ level, rule, file, line }) => `${level} ${rule} ${file}:${line}`),
    ...tree.rows.map(({ level, rule, file, path }) => `${level} ${rule} ${file} ${path.join(".")}`),
  ];
};
const lint = async (given: Case) =>
  (await compared(given)).refs.tree.map(({ level, rule, file, line }) => `${level} ${rule} ${file}:${line}`);

const compose = (image: string, more = "") => `services:\n  web:\n    image: ${image}\n${more}`;

describe("pins", () => {
  const pins = { p: { artifact: "oci:o/n:1.0.0" } };
  it("an image without a row is an error at its first live user", async () => {
    expect(
      await rules({
        files: { "a.yml": compose("o/n:1.0.0"), "b.yml": compose("o/m:2.0.0"), "c.yml": compose("o/m:2.0.0") },
        stack: { pins },
      }),
    ).toEqual(["error untracked-pin b.yml:3"]);
  });
  it("archived users, side services, built images and listed exceptions need no row", async () => {
    const files = {
      "a.yml": compose("o/n:1.0.0"),
      "x/_archive/b.yml": compose("o/m:2.0.0"),
      "services/c.yml": compose("o/s:1"),
      "d.yml": compose("own:1", "    build: .\n"),
      "e.yml": compose("o/listed:3.0.0"),
    };
    const settings = { side: ["services/**"], untracked: [{ pin: "docker.io/o/listed:*", because: "Ours." }] };
    expect(await rules({ files, stack: { pins }, settings })).toEqual([]);
    for (const pin of ["o/listed:3.0.0", "docker.io/o/listed:3.0.0", "*/listed:*"])
      expect(await rules({ files, stack: { pins }, settings: { ...settings, untracked: [{ pin, because: "Ours." }] } }), pin).toEqual([]);
  });
  it("a retired pin that something live still uses is an error", async () => {
    const retired = { p: { artifact: "oci:o/n:1.0.0", retired: { on: "2026-05-01", because: "Old." } } };
    expect(await rules({ files: { "a.yml": compose("o/n:1.0.0") }, stack: { pins: retired } })).toEqual(["error retired-in-use a.yml:3"]);
    expect(await rules({ files: { "_archive/a.yml": compose("o/n:1.0.0") }, stack: { pins: retired } })).toEqual([]);
  });
  it("a row that nothing uses is told at the row", async () => {
    expect(
      await rules({ files: { "a.yml": compose("o/n:1.0.0") }, stack: { pins: { ...pins, q: { artifact: "oci:o/gone:1.0.0" } } } }),
    ).toEqual(["warning unused-pin data/pins/q.yaml artifact"]);
  });
  it("E2 images are tracked and none is found: an error, not a clean report", async () => {
    expect(await rules({ files: { "a.sh": "pip install a==1.0\n" }, stack: { pins: { ...pins, a: { artifact: "pypi:a@1.0" } } } })).toEqual(
      ["error nothing-found .:1", "warning unused-pin data/pins/p.yaml artifact"],
    );
  });
  it.each([
    ["a package a script installs", "a.sh", "pip install a==1.0\n", { a: { artifact: "pypi:a@1.0" } }, []],
    [
      "another version of it",
      "a.sh",
      "pip install a==1.10\n",
      { a: { artifact: "pypi:a@1.1" } },
      ["error untracked-pin a.sh:1", "warning unused-pin data/pins/a.yaml artifact"],
    ],
    [
      "a commit written short",
      "a.sh",
      "git clone https://github.com/o/r\ngit checkout 7b9fd319\n",
      { a: { artifact: `git:O/R@7b9fd319${"0".repeat(32)}` } },
      ["warning unused-pin data/pins/a.yaml artifact"],
    ],
    ["a lock file, whose packages no row knows", "poetry.lock", '[[package]]\nname = "a"\nversion = "1"\n', {}, []],
    [
      "a lock file that pins another version than the row",
      "poetry.lock",
      '[[package]]\nname = "a"\nversion = "2"\n',
      { a: { artifact: "pypi:a@1" } },
      ["warning pin-differs poetry.lock:1", "warning unused-pin data/pins/a.yaml artifact"],
    ],
    ["an action of a workflow", ".github/workflows/a.yml", "jobs: { a: { steps: [{ uses: actions/checkout@v4 }] } }\n", {}, []],
  ])("%s", async (_, path, text, rows, expected) => {
    expect(await rules({ files: { [path]: text }, stack: { pins: rows } })).toEqual(expected);
  });
  it("E1 a typed count that a row claims is told with the real one", async () => {
    const { tree } = await compared({
      files: { "a.yml": compose("o/n:1.0.0") },
      stack: { pins: { p: { artifact: "oci:o/n:1.0.0", claim: { on: "2026-05-12", users: 19 } } } },
    });
    expect(tree.rows).toMatchObject([
      { rule: "count-differs", file: "data/pins/p.yaml", message: "A document says 19 users; the tree has 1." },
    ]);
  });
  it("a file that is known by name only is no proof that its pin is unused", async () => {
    const commit = `7b9fd319${"0".repeat(32)}`;
    const stack = { pins: { g: { artifact: `git:o/g@${commit}`, env: "G_PIN", written: [{ file: "setup.sh" }] } } };
    expect(
      await rules({
        files: { "d.md": "moved to `7b9fd319`\n", "a.yml": compose("o/n:1") },
        listed: ["setup.sh"],
        stack,
        settings: { untracked: [{ pin: "*o/n:1", because: "x" }] },
      }),
    ).toEqual([]);
    expect(
      await rules({
        files: { "d.md": "moved to `7b9fd319`\n", "a.yml": compose("o/n:1") },
        stack,
        settings: { untracked: [{ pin: "*o/n:1", because: "x" }] },
      }),
    ).toEqual(["warning unused-pin data/pins/g.yaml artifact", "warning missing-file data/pins/g.yaml written.0.file"]);
  });
});

describe("patches", () => {
  const pins = { p: { artifact: "oci:o/n:1.0.0" } };
  const mount = (source: string, target = "/usr/lib/python3/dist-packages/x.py") => `    volumes: ["./${source}:${target}"]\n`;
  it("a mounted patch that no row names is an error, once a folder", async () => {
    const files = {
      "a.yml": compose("o/n:1.0.0", "    volumes: [./patches/p/x.py:/x.py, ./patches/p/y.py:/y.py]\n"),
      "b.yml": compose("o/n:1.0.0", mount("patches/q/x.py")),
    };
    const stack = { pins, patches: { q: { files: ["patches/q"] } } };
    expect(await rules({ files, listed: ["patches/q/x.py"], stack })).toEqual(["error patch-without-row a.yml:4"]);
  });
  it("a row that cites a file the tree does not have", async () => {
    const stack = {
      pins: { p: { artifact: "oci:o/n:1.0.0", written: [{ file: "gone.sh" }] } },
      patches: {
        q: { files: ["patches/q/x.py", "patches/gone.py"] },
        old: { files: ["patches/old.py"], dropped: { on: "2026-05-01", because: "x" } },
      },
    };
    expect(await rules({ files: { "a.yml": compose("o/n:1.0.0", mount("patches/q/x.py")), "patches/q/x.py": "" }, stack })).toEqual([
      "warning missing-file data/patches/q.yaml files.1",
      "warning missing-file data/pins/p.yaml written.0.file",
    ]);
  });
  it("a load-bearing patch that only archived files deliver is undelivered", async () => {
    const stack = { pins, patches: { q: { files: ["patches/q/x.py"], load_bearing: true } } };
    const files = {
      "a.yml": compose("o/n:1.0.0"),
      "_archive/a.yml": compose("o/n:1.0.0", mount("../patches/q/x.py")),
      "patches/q/x.py": "",
    };
    expect(await rules({ files, stack })).toEqual(["error undelivered data/patches/q.yaml load_bearing"]);
  });
  it("D5 two patches that change one upstream file in the same service, unless one layer carries both", async () => {
    const files = {
      "a.yml": compose("o/n:1.0.0", `${mount("patches/q/x.py")}    environment: [L_ENABLE_A=1, L_ENABLE_B=1]\n`),
      "patches/q/x.py": "",
    };
    const target = [{ path: "v/x.py" }];
    const stack = {
      pins: { ...pins, layer: { artifact: "git:o/layer@7b9fd31" } },
      patches: {
        q: { files: ["patches/q/x.py"], targets: target },
        a: { delivery: "env-flag", env: ["L_ENABLE_A"], part_of: "layer", targets: target },
        b: { delivery: "env-flag", env: ["L_ENABLE_B"], part_of: "layer", targets: target },
        c: { delivery: "env-flag", env: ["L_ENABLE_C"], part_of: "layer", targets: target },
      },
    };
    const { tree } = await compared({ files, stack });
    expect(tree.tree.map(({ rule, message }) => `${rule}: ${message.slice(0, 30)}`)).toEqual([
      "shared-target: a and q both change v/x.py. Ch",
      "shared-target: b and q both change v/x.py. Ch",
    ]);
  });
});

describe("references", () => {
  const thread = (more: object) => ({
    kind: "pull-request",
    title: "Pad the tile",
    state: "open",
    source: "x",
    asOf: "2026-05-12T00:00:00Z",
    ...more,
  });
  const stack: ShortStack = {
    upstreams: { up: { repo: "u/r", former: ["old/r"] } },
    pins: { p: { artifact: `oci:o/n:nightly-${sha("b")}`, source: { commit: sha("b") } } },
    items: {
      open: { refs: [{ ref: "u/r#1", role: "fix" }] },
      landed: { refs: [{ ref: "u/r#2", role: "fix" }] },
      waiting: { refs: [{ ref: "u/r#3", role: "fix" }] },
      closed: { refs: [{ ref: "u/r#4", role: "fix" }] },
      carried: { local: "vendored", refs: [{ ref: "u/r#5", role: "fix" }] },
    },
    patches: { q: { covers: ["u/r#6"] } },
    facts: {
      threads: {
        "u/r#1": thread({}),
        "u/r#2": thread({ state: "closed", merged: true, mergeCommit: sha("a"), mergedAt: "2026-05-01T00:00:00Z" }),
        "u/r#3": thread({ state: "closed", merged: true, mergeCommit: sha("c"), mergedAt: "2026-05-01T00:00:00Z" }),
        "u/r#4": thread({ state: "closed", merged: false }),
        "u/r#5": thread({ state: "closed", merged: false }),
        "u/r#6": thread({ state: "closed", merged: false, closedAt: "2026-05-02T00:00:00Z" }),
      },
      commits: { [sha("a")]: { on: ["main"] }, [sha("c")]: { on: ["main"] } },
      contains: { a: { b: "yes" }, c: { b: "no" } },
    },
  };
  const image = `services:\n  web: { image: "o/n:nightly-${sha("b")}" }\n`;
  const cites = (...numbers: number[]) => ({ "a.yml": `${numbers.map((n) => `# u/r#${n}\n`).join("")}${image}` });

  it("without a row: a warning of the scan, at the first place; a former name is the same repository", async () => {
    const files = { ...cites(1, 7, 7), "b.md": "old/r#7 old/r#1 we/stack#9 CHANGELOG\n", "CHANGELOG.md": "u/r#8\n" };
    expect((await rules({ files, stack })).filter((rule) => rule.includes("reference"))).toEqual(["warning untracked-reference a.yml:2"]);
  });
  it("a row that nothing cites is a notice at the row", async () => {
    expect((await rules({ files: cites(1, 2, 3, 4), stack })).filter((rule) => rule.includes("uncited"))).toEqual([
      "notice uncited-row data/items/carried.yaml refs",
    ]);
  });
  it.each([
    ["open", 1, []],
    ["landed in every pin that needs it", 2, ["error landed-reference a.yml:1"]],
    ["merged, and not yet in the pin", 3, []],
    ["closed without a fix", 4, ["error closed-reference a.yml:1"]],
    ["closed, and carried here", 5, []],
    ["closed, and named by a patch only", 6, ["error closed-reference a.yml:1"]],
    ["without a row", 7, ["error untracked-reference a.yml:1"]],
  ])("--refs: %s", async (_, number, expected) => {
    expect(await lint({ files: cites(number), stack })).toEqual(expected);
  });
  it("--refs: archived files and documents of history are left alone; the others are told once a file with their lines", async () => {
    const files = { ...cites(4, 4), "_archive/b.yml": "# u/r#4\n", "CHANGELOG.md": "u/r#4\n", "t.md": "u/r#4\n" };
    const { refs } = await compared({ files, stack, settings: { references: { skip: ["t.md"] } } });
    expect(refs.tree).toMatchObject([{ rule: "closed-reference", file: "a.yml", line: 1 }]);
    expect(refs.tree[0]?.message).toContain("(also on line 2)");
  });
  it("--refs: the allow-list lets a citation stand, in one file, until a day; what is not needed is told", async () => {
    const allow = (...entries: object[]) => ({ references: { allow: entries.map((entry) => ({ because: "History.", ...entry })) } });
    const given = { files: cites(4), stack };
    expect(await lint({ ...given, settings: allow({ ref: "u/r#4" }) })).toEqual([]);
    expect(await lint({ ...given, settings: allow({ ref: "u/r#*", file: "*.yml", until: "2026-05-12" }) })).toEqual([]);
    expect(await lint({ ...given, settings: allow({ ref: "u/r#4", file: "b.yml" }) })).toEqual([
      "error closed-reference a.yml:1",
      "warning needless-exception data/tracker.yaml:1",
    ]);
    expect(await lint({ ...given, settings: allow({ ref: "u/r#4", until: "2026-05-11" }) })).toEqual([
      "error closed-reference a.yml:1",
      "warning needless-exception data/tracker.yaml:1",
    ]);
    expect(await lint({ ...given, settings: allow({ ref: "u/r#4" }, { ref: "u/r#1" }) })).toEqual([
      "warning needless-exception data/tracker.yaml:1",
    ]);
  });
});
