import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../git/repository.ts";
import { judgeAt, readerOf, stackWith } from "./reading.ts";
import type { Written } from "./upstream.ts";
import { writeUpstream } from "./upstream.ts";

let folder = "";
let remove: () => Promise<void>;
let up: Written;

/** A module of some length, so that a rename with edits is still the same file. */
const filler = (name: string) => Array.from({ length: 30 }, (_, n) => `def ${name}_${n}(x):\n    return x + ${n}\n`).join("\n");
const ANCHOR = "    def forward_cuda(self, x):\n        d = x.shape[-1] // 2\n        return ops.silu(x[..., :d])\n";
const OTHER = "    def forward_cuda(self, x):\n        half = x.shape[-1] // 2\n        return ops.silu(x[..., :half])\n";
const activation = (body: string) => `import ops\n\n${filler("act")}\nclass Silu:\n${body}\n`;
const PARSER = `${filler("parse")}\nCLAMP = max(a, b)\n`;
const TWO_SITES = `${filler("two")}\nx = out.tolist()\n${filler("more")}\ny = other.tolist()\n`;

beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
  up = await writeUpstream(
    join(folder, "hosted/u/r.git"),
    [
      {
        id: "first",
        subject: "Start (#1)",
        change: {
          "src/activation.py": activation(OTHER),
          "src/stable.py": PARSER,
          "src/two.py": TWO_SITES,
          "src/parser.py": PARSER,
          "src/old.py": `${filler("old")}\nANCHOR_OF_OLD = 1\n`,
          "src/gone.py": "only = 1\n",
          "src/envs.py": 'FLAGS = {"UP_ENABLE_LONG_NAME": 0, "UP_DEBUG": 1}\n',
        },
      },
      { id: "begins", subject: "Add silu clamp (#2)", change: { "src/activation.py": activation(ANCHOR) } },
      { id: "unrelated", subject: "Docs (#3)", change: { "README.md": "hello\n" } },
      { id: "lost", subject: "Optimize math functions (#4)", change: { "src/activation.py": activation(OTHER) } },
      { id: "back", subject: 'Revert "Optimize math functions" (#5)', change: { "src/activation.py": activation(ANCHOR) } },
      {
        id: "again",
        subject: "Optimize math functions, second try (#6)",
        change: { "src/activation.py": activation(`${OTHER}        # twice\n`) },
      },
      {
        id: "renamed",
        subject: "Move the parser into its engine (#7)",
        change: { "src/old.py": null, "src/engine/new.py": `# moved\n${filler("old")}\nANCHOR_OF_OLD = 1\n` },
      },
      { id: "exact", subject: "Move the parser as it is (#8)", change: { "src/parser.py": null, "src/engine/parser.py": PARSER } },
      { id: "taken", subject: "Remove what nobody uses (#9)", change: { "src/gone.py": null } },
      {
        id: "site",
        subject: "Guard one of the two (#10)",
        change: { "src/two.py": TWO_SITES.replace("x = out.tolist()", "x = guarded(out)") },
      },
      { id: "double", subject: "Clamp in both places (#11)", change: { "src/stable.py": `${PARSER}\nCLAMP = max(a, b)\n` } },
    ],
    { "v1.0": "begins" },
  );
});
afterAll(() => remove());

const at = async (patch: Record<string, unknown>, commits: string[], own: Record<string, string> = {}) => {
  const { reader, requests } = readerOf(join(folder, "hosted"), join(folder, "cache"), own);
  const judged = await judgeAt(
    stackWith(patch, { pin: up.sha.first ?? "" }),
    reader,
    commits.map((id) => up.sha[id] ?? ""),
  );
  return { judged, requests, verdicts: judged.map(({ verdict }) => verdict) };
};
const target = (path: string, anchors: unknown[], more: object = {}) => ({ targets: [{ path, anchors, ...more }] });

describe("anchors over the history of their file", () => {
  const silu = target("src/activation.py", [{ id: "silu", text: ANCHOR }]);

  it("a match that begins late: lost before it ever was there has no change to blame", async () => {
    const { judged } = await at(silu, ["first", "begins", "unrelated"]);
    expect(judged.map(({ verdict }) => verdict)).toEqual(["anchor-lost", "applies", "applies"]);
    expect(judged[0]?.targets[0]?.anchors[0]).toMatchObject({ matches: 0, lostAt: null });
    expect(judged[0]?.because).toContain("in no version of it that led here");
    expect(judged[1]?.targets[0]?.anchors[0]).toMatchObject({ matches: 1, wanted: 1, lines: [expect.any(Number)] });
  });

  it("lost: names the commit and the pull request that took it away", async () => {
    const { judged } = await at(silu, ["lost"]);
    expect(judged[0]?.targets[0]?.anchors[0]?.lostAt).toEqual({
      commit: up.sha.lost,
      at: expect.stringMatching(/^2026-/),
      subject: "Optimize math functions (#4)",
      pr: 4,
      by: "walk",
    });
  });

  it("lost and back, and lost again: the last loss before the commit counts, which bisection would miss", async () => {
    const { judged, verdicts } = await at(silu, ["back", "again", "double"]);
    expect(verdicts).toEqual(["applies", "anchor-lost", "anchor-lost"]);
    expect(judged[1]?.targets[0]?.anchors[0]?.lostAt?.pr).toBe(6);
    expect(judged[2]?.targets[0]?.anchors[0]?.lostAt).toMatchObject({ commit: up.sha.again, pr: 6 });
  });

  it("stable: nothing is asked of the history of a file whose anchors match", async () => {
    const { verdicts, requests } = await at(target("src/stable.py", [{ text: "CLAMP = max(a, b)" }]), ["first", "site"]);
    expect(verdicts).toEqual(["applies", "applies"]);
    expect(requests.filter(({ ask }) => ask === "history")).toEqual([]);
  });

  it("two sites of which one is optional: the patch goes on without it, and says so", async () => {
    const both = (required: boolean) =>
      target("src/two.py", [
        { id: "site-a", text: "x = out.tolist()", required },
        { id: "site-b", text: "y = other.tolist()" },
      ]);
    const optional = await at(both(false), ["first", "site"]);
    expect(optional.verdicts).toEqual(["applies", "applies"]);
    expect(optional.judged[1]?.because).toContain("site-a, which is optional, is not there");
    expect(optional.judged[1]?.targets[0]?.anchors[0]).toMatchObject({ verdict: "anchor-lost", required: false, lostAt: { pr: 10 } });
    expect((await at(both(true), ["site"])).verdicts).toEqual(["anchor-lost"]);
  });

  it("ambiguous: more matches than meant, with their lines; fewer than meant is lost", async () => {
    const { judged } = await at(target("src/stable.py", [{ id: "clamp", text: "CLAMP = max(a, b)" }]), ["double"]);
    expect(judged[0]?.verdict).toBe("anchor-ambiguous");
    expect(judged[0]?.targets[0]?.anchors[0]).toMatchObject({ matches: 2, wanted: 1 });
    expect(judged[0]?.targets[0]?.anchors[0]?.lines).toHaveLength(2);
    expect((await at(target("src/stable.py", [{ text: "CLAMP = max(a, b)", count: 2 }]), ["double", "first"])).verdicts).toEqual([
      "applies",
      "anchor-lost",
    ]);
  });

  it("a pattern, and a text from a file of the stack", async () => {
    const found = await at(
      target("src/activation.py", [
        { id: "pattern", pattern: "^    def forward_cuda\\(self, x\\):$" },
        { id: "file", file: "patches/anchor.txt" },
      ]),
      ["begins", "lost"],
      { "patches/anchor.txt": ANCHOR },
    );
    expect(found.verdicts).toEqual(["applies", "anchor-lost"]);
    expect(found.judged[1]?.targets[0]?.anchors.map(({ verdict }) => verdict)).toEqual(["applies", "anchor-lost"]);
  });

  it("says where the words of a lost anchor still stand", async () => {
    const tabs = target("src/activation.py", [{ id: "tabs", text: ANCHOR.replaceAll("        ", "\t\t") }]);
    expect((await at(tabs, ["begins"])).judged[0]?.because).toMatch(/the same words stand at line \d+, with other spaces/);
    const half = target("src/activation.py", [{ id: "half", text: `${ANCHOR}        nothing like it\n` }]);
    expect((await at(half, ["begins"])).judged[0]?.because).toMatch(/"def forward_cuda\(self, x\):" still stands at line \d+/);
  });
});

describe("targets that went away", () => {
  it("file gone: since which change, and its anchors with it", async () => {
    const { judged } = await at(target("src/gone.py", [{ id: "only", text: "only = 1" }]), ["exact", "taken", "double"]);
    expect(judged.map(({ verdict }) => verdict)).toEqual(["applies", "target-gone", "target-gone"]);
    expect(judged[2]?.targets[0]).toMatchObject({ since: { commit: up.sha.taken, pr: 9 } });
    expect(judged[2]?.targets[0]?.anchors[0]?.lostAt?.pr).toBe(9);
  });

  it("file renamed with edits: followed by its content, and its anchors looked for there", async () => {
    const { judged } = await at(target("src/old.py", [{ id: "old", text: "ANCHOR_OF_OLD = 1" }]), ["renamed", "double"]);
    for (const one of judged) {
      expect(one.verdict).toBe("target-renamed");
      expect(one.targets[0]).toMatchObject({ followedTo: "src/engine/new.py", since: { pr: 7 } });
      expect(one.because).toMatch(/\d+ % of its lines\); there all its anchors match/);
    }
  });

  it("file renamed as it is: the same content tells, no text is compared", async () => {
    const { judged, requests } = await at(target("src/parser.py", [{ text: "CLAMP = max(a, b)" }]), ["double"]);
    expect(judged[0]?.targets[0]).toMatchObject({ verdict: "target-renamed", followedTo: "src/engine/parser.py" });
    expect(requests.filter(({ ask }) => ask === "blob")).toEqual([]);
  });

  it("a file that was never there", async () => {
    const { judged } = await at(target("src/never.py", []), ["double"]);
    expect(judged[0]).toMatchObject({ verdict: "target-gone", targets: [{ because: "upstream has no such file" }] });
  });

  it("without anchors only the file is judged, and that is not called fine", async () => {
    expect((await at(target("src/stable.py", []), ["first"])).verdicts).toEqual(["unknown"]);
  });
});

describe("markers by which a loader decides", () => {
  it("D14 a drift marker that stands in unpatched source would skip a patch that is needed", async () => {
    const { judged } = await at(target("src/activation.py", [{ id: "silu", text: ANCHOR }], { drift: ["act_3(x)"] }), ["begins", "lost"]);
    expect(judged[0]?.verdict).toBe("marker-false-positive");
    expect(judged[0]?.because).toContain("it would be skipped wrongly");
    // The anchors are gone and the marker is there: by its own words, upstream has it.
    expect(judged[1]?.verdict).toBe("already-upstream");
  });

  it("D14 a marker that matches what the patch itself writes", async () => {
    const anchors = [{ id: "part-1", text: ANCHOR, replacement: "    # pooled_silu\n    pass\n" }];
    const { judged } = await at(target("src/activation.py", anchors, { drift: ["pooled_silu"] }), ["begins"]);
    expect(judged[0]).toMatchObject({ verdict: "marker-false-positive" });
    expect(judged[0]?.because).toContain("part of what the patch itself writes (part-1)");
  });

  it("a marker of the replacement in source that nobody patched", async () => {
    const { verdicts } = await at(target("src/activation.py", [{ text: ANCHOR, marker: "import ops" }]), ["begins"]);
    expect(verdicts).toEqual(["marker-false-positive"]);
  });

  it("a marker that is not there changes nothing", async () => {
    const { verdicts } = await at(target("src/activation.py", [{ text: ANCHOR, marker: "[Ours PN12]" }], { drift: ["pool"] }), ["begins"]);
    expect(verdicts).toEqual(["applies"]);
  });
});

describe("environment flags", () => {
  const flags = (env: string[], places = ["src/envs.py"]) =>
    stackWith(
      { delivery: "env-flag", env, targets: [{ path: "src/stable.py", anchors: [{ text: "CLAMP = max(a, b)" }] }] },
      { pin: up.sha.first ?? "" },
      { upstreams: { up: { flags: places } } },
    );
  const judge = async (env: string[], places?: string[]) =>
    (await judgeAt(flags(env, places), readerOf(join(folder, "hosted"), join(folder, "cache")).reader, [up.sha.first ?? ""]))[0];

  it("D4 a name that is only the start of a known one is unknown, and the known one is proposed", async () => {
    const judged = await judge(["UP_ENABLE_LONG"]);
    expect(judged?.verdict).toBe("flag-unknown");
    expect(judged?.flags[0]).toMatchObject({ flag: "UP_ENABLE_LONG", near: "UP_ENABLE_LONG_NAME" });
  });

  it("D3 a misspelt name is unknown; the right one, with a value, is known", async () => {
    expect((await judge(["UP_ENABLE_LNOG_NAME"]))?.flags[0]).toMatchObject({ verdict: "flag-unknown", near: "UP_ENABLE_LONG_NAME" });
    expect((await judge(["UP_ENABLE_LONG_NAME=1"]))?.verdict).toBe("applies");
  });

  it("looks through a folder", async () => {
    expect((await judge(["UP_DEBUG"], ["src/"]))?.verdict).toBe("applies");
    expect((await judge(["UP_DEBUGGING"], ["src/"]))?.verdict).toBe("flag-unknown");
  });

  it("is not told when nobody wrote down where flags are declared", async () => {
    expect((await judge(["UP_DEBUG"], []))?.verdict).toBe("unknown");
  });
});

describe("two patches on one target", () => {
  const both = (one: object, two: object) =>
    stackWith(
      { targets: [{ path: "src/activation.py", anchors: [{ id: "mine", text: ANCHOR }] }], required_by: ["v"], ...one },
      { pin: up.sha.begins ?? "" },
      {
        patches: {
          it: {
            delivery: "sidecar",
            targets: [{ path: "src/activation.py", anchors: [{ id: "mine", text: ANCHOR }] }],
            required_by: ["v"],
            ...one,
          },
          other: { delivery: "sidecar", targets: [{ path: "src/activation.py", anchors: [] }], required_by: ["v"], ...two },
        },
        variants: { v: { title: "V", compose: "v.yml", pin: "pin", cards: 1, standing: "available", workloads: ["all"], summary: "One." } },
      },
    );
  const judge = async (one: object, two: object, own: Record<string, string> = {}) =>
    (await judgeAt(both(one, two), readerOf(join(folder, "hosted"), join(folder, "cache"), own).reader, [up.sha.begins ?? ""]))[0];

  it("scripts whose anchors overlap: the second finds its place changed", async () => {
    const inside = { targets: [{ path: "src/activation.py", anchors: [{ id: "theirs", text: "d = x.shape[-1] // 2" }] }] };
    const judged = await judge({}, inside);
    expect(judged?.verdict).toBe("same-target");
    expect(judged?.because).toContain("mine and theirs of other stand on the same text in v");
  });

  it("scripts at different places do not disturb each other", async () => {
    expect((await judge({}, { targets: [{ path: "src/activation.py", anchors: [{ text: "import ops" }] }] }))?.verdict).toBe("applies");
  });

  it("D5 a script under an overlay: its anchors must stand in the overlay", async () => {
    const overlay = { delivery: "overlay", files: ["p/activation.py"] };
    expect((await judge({}, overlay, { "p/activation.py": activation(OTHER) }))?.because).toContain("its copy lacks mine");
    expect((await judge({}, overlay, { "p/activation.py": activation(ANCHOR) }))?.verdict).toBe("applies");
  });

  it("two overlays: only one is seen", async () => {
    const overlay = {
      delivery: "overlay",
      files: ["p/activation.py"],
      targets: [{ path: "src/activation.py", anchors: [] }],
      base: up.sha.begins,
    };
    const judged = await judge(overlay, { ...overlay, files: ["q/activation.py"] }, { "p/activation.py": "a\n", "q/activation.py": "b\n" });
    expect(judged).toMatchObject({ verdict: "same-target" });
    expect(judged?.because).toContain("only one of the two is seen");
  });
});
