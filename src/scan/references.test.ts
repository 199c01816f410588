import { describe, expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import { rulesIn, scanOf } from "../../test/scan/tree.ts";
import { knownOf } from "./known.ts";

const rows = knownOf(
  stackOf({
    upstreams: {
      vllm: { repo: "vllm-project/vllm", aliases: ["vllm", "vLLM"] },
      llama: { repo: "ggml-org/llama.cpp", former: ["ggerganov/llama.cpp"], aliases: ["llama.cpp"] },
      genesis: { repo: "Sandermage/genesis-vllm-patches", aliases: ["genesis", "Genesis patches"] },
      own: { repo: "we/stack" },
    },
    items: {
      a: { upstream: "vllm", refs: [{ ref: "vllm-project/vllm#40361", role: "fix" }] },
      b: { upstream: "genesis", refs: [{ ref: "Sandermage/genesis-vllm-patches#14", role: "fix" }] },
      c: { upstream: "own", refs: [{ ref: "we/stack#103", role: "bug" }] },
    },
  }).model,
);

const found = async (files: Record<string, string>) => {
  const outcome = await scanOf(files, { rows });
  return { refs: outcome.inventory.references.map(({ ref, file, line }) => `${ref} ${file}:${line}`), rules: rulesIn(outcome) };
};
const inDoc = async (text: string) => (await found({ "d.md": text })).refs.map((ref) => ref.replace(" d.md", ""));
const inComment = async (text: string) => (await found({ "c.yml": `# ${text}\n` })).refs.map((ref) => ref.replace(" c.yml:1", ""));

describe("references that are named", () => {
  it.each([
    ["https://github.com/o/r/issues/12", ["o/r#12"]],
    ["see (https://github.com/o/r/pull/12#issuecomment-5), https://www.github.com/o/r/discussions/13", ["o/r#12", "o/r#13"]],
    ["https://redirect.github.com/o/r/pull/12", ["o/r#12"]],
    ["https://github.com/o/r/pulls, https://github.com/o/r/issues", []],
    ["o/r#12 and O-x/r.y_z#13", ["O-x/r.y_z#13", "o/r#12"]],
    ["ggerganov/llama.cpp#12", ["ggml-org/llama.cpp#12"]],
    [
      "vllm#12, vLLM#13, vllm-issue#14, vllm-pr#15",
      ["vllm-project/vllm#12", "vllm-project/vllm#13", "vllm-project/vllm#14", "vllm-project/vllm#15"],
    ],
    [
      "vLLM PR #12 / #13 (why) + PR #14 and #15",
      ["vllm-project/vllm#12", "vllm-project/vllm#13", "vllm-project/vllm#14", "vllm-project/vllm#15"],
    ],
    ["llama.cpp pull request #12; llama.cpp's #13", ["ggml-org/llama.cpp#12", "ggml-org/llama.cpp#13"]],
    ["Genesis v7.65 #14 + #15", ["Sandermage/genesis-vllm-patches#14", "Sandermage/genesis-vllm-patches#15"]],
    ["ggml-org#12, Sandermage #14", ["Sandermage/genesis-vllm-patches#14", "ggml-org/llama.cpp#12"]],
    ["genesis-vllm-patches#14", ["Sandermage/genesis-vllm-patches#14"]],
    ["docs/UPSTREAM.md#12, ./a/b#12, a/b/c#12, x@y/z#12", []],
    ["docs/UPSTREAM.md (#40361 row)", ["vllm-project/vllm#40361"]],
    ["vllm#0, vllm#1234567", []],
    ["we/stack#103 and stack#103 are our own", []],
  ])("%s", async (text, expected) => {
    const sort = (list: string[]) => [...list].sort();
    expect(await inComment(text)).toEqual(sort(expected));
    expect(await inDoc(text)).toEqual(sort(expected).map((ref) => `${ref}:1`));
  });
  it("tells a line once, however often it says so", async () => {
    expect(await inDoc("[#12](https://github.com/o/r/pull/12) o/r#12\no/r#12\n")).toEqual(["o/r#12:1", "o/r#12:2"]);
  });
});

describe("bare numbers", () => {
  it.each([
    ["a row knows the number", "see #40361\n", ["vllm-project/vllm#40361:1"]],
    [
      "named in full elsewhere in the document",
      "#50021 is live\n\nvllm#50021\n",
      ["vllm-project/vllm#50021:1", "vllm-project/vllm#50021:3"],
    ],
    ["the section's repository", "## vLLM (`vllm-project/vllm`)\n### Open\n| #41000 |\n## Other\n", ["vllm-project/vllm#41000:3"]],
    ["a small number under a repository of large ones is the stack's own", "## vLLM\n#57\n", []],
    ["a small number under a repository of small ones is that one's", "## Genesis\n#17\n", ["Sandermage/genesis-vllm-patches#17:2"]],
    ["the stack's own, as GitHub reads it", "PR #31, issue #103, discussion #19\n", []],
    ["counts are no references", "comment #5 of step #2, card #1\n## Genesis\nthread comment #5\n", []],
    ["no entities, colours, headings, anchors", "&#123; #fff #12ab ## 12 x#12 a.md#12 /#12 #12-x\n", []],
    ["code in fences keeps its numbers to itself", "```\n#40361\nvllm#12\n```\n", ["vllm-project/vllm#12:3"]],
  ])("%s", async (_, text, expected) => {
    expect(await inDoc(text)).toEqual(expected);
  });
  it("a number that fits nothing is said to be unclear, and not guessed", async () => {
    expect(await found({ "d.md": "see #99999\n" })).toEqual({ refs: [], rules: ["nothing-found .:1", "unclear-reference d.md:1"] });
  });
  it("a compose file's image says what it is about", async () => {
    const text = (image: string) => `# PR #41745 is in\nservices:\n  a: { image: ${image} }\n`;
    expect((await found({ "c.yml": text("vllm/vllm-openai:v1.2.3") })).refs).toEqual(["vllm-project/vllm#41745 c.yml:1"]);
    expect((await found({ "c.yml": text("ghcr.io/ggml-org/llama.cpp:b1234") })).refs).toEqual(["ggml-org/llama.cpp#41745 c.yml:1"]);
    expect((await found({ "c.yml": text("o/n:1.2.3") })).refs).toEqual([]);
  });
  it("an owner that a link of the tree spells out", async () => {
    expect((await found({ "a.md": "https://github.com/Anbeeld/beellama.cpp/issues/39\n", "b.yml": "# Anbeeld #48\n" })).refs).toEqual([
      "Anbeeld/beellama.cpp#39 a.md:1",
      "Anbeeld/beellama.cpp#48 b.yml:1",
    ]);
  });
});

describe("where references count", () => {
  it.each([
    ["a.py", "x = 1  # vllm#12\ns = 'vllm#13'\nu = 'https://github.com/o/r/pull/14'\n", ["vllm-project/vllm#12 a.py:1", "o/r#14 a.py:3"]],
    [
      "a.ts",
      "const a = 1; // vllm#12\n/* vllm#13\n * vllm#14 */\nconst b = 'vllm#15';\n",
      ["vllm-project/vllm#12 a.ts:1", "vllm-project/vllm#13 a.ts:2", "vllm-project/vllm#14 a.ts:3"],
    ],
    ["a.yml", "a: x # vllm#12\nb: 'vllm#13'\nc: https://github.com/o/r/pull/14\n", ["vllm-project/vllm#12 a.yml:1", "o/r#14 a.yml:3"]],
    ["Dockerfile", "# vllm#12\nFROM o/n:1\n", ["vllm-project/vllm#12 Dockerfile:1"]],
    ["a.json", '{ "a": "https://github.com/o/r/pull/14" }\n', []],
  ])("%s", async (path, text, expected) => {
    expect((await found({ [path]: text })).refs).toEqual(expected);
  });
  it("pages that were generated are no evidence", async () => {
    expect((await found({ "d.md": "<!-- Generated by Landfall. -->\nvllm#12\n" })).refs).toEqual([]);
  });
});
