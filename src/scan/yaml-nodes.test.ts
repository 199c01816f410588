import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Document } from "yaml";
import { describe, expect, it } from "vitest";
import { isList, isMap as isMapNode, reader, readYaml } from "./yaml-nodes.ts";
import type { Node, Yaml } from "./yaml-nodes.ts";

/** Every scalar of a text with its path and line, as this module reads it. */
function ours(yaml: Yaml): string[] {
  const nodes = reader(yaml);
  const walk = (node: Node, path: string): string[] => {
    if (node.kind === "alias") return [`${path} *${node.name}`];
    if (isMapNode(node)) return node.pairs.flatMap(({ key, value }) => walk(value, `${path}.${nodes.text(key) ?? "?"}`));
    if (isList(node)) return node.items.flatMap((item, index) => walk(item, `${path}[${index}]`));
    const text = nodes.text(node) ?? "";
    return [
      `${path}${node.tag?.startsWith("!!") ? "" : (node.tag ?? "")} ${text === "" ? "" : `@${yaml.lineOf(node)} `}${JSON.stringify(text)}`,
    ];
  };
  return yaml.docs.flatMap((doc, index) => walk(doc, String(index)));
}

/** The same, as the yaml package reads it. */
function theirs(text: string): string[] {
  const counter = new LineCounter();
  const docs = parseAllDocuments(text, { schema: "failsafe", lineCounter: counter, logLevel: "silent", prettyErrors: false });
  const walk = (node: unknown, path: string): string[] => {
    if (isAlias(node)) return [`${path} *${node.source}`];
    if (isMap(node)) return node.items.flatMap(({ key, value }) => walk(value, `${path}.${isScalar(key) ? String(key.value ?? "") : "?"}`));
    if (isSeq(node)) return node.items.flatMap((item, index) => walk(item, `${path}[${index}]`));
    if (!isScalar(node)) return node === null ? [`${path} ""`] : [];
    const value = String(node.value ?? "");
    const block = node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED";
    const line = counter.linePos(node.range?.[0] ?? 0).line + (block ? 1 : 0);
    return [`${path}${node.tag?.startsWith("!") ? node.tag : ""} ${value === "" ? "" : `@${line} `}${JSON.stringify(value)}`];
  };
  return (docs as Document[]).flatMap((doc, index) => walk(doc.contents, String(index)));
}

const SHAPES: Record<string, string> = {
  compose: `services:\n  a: # comment\n    image: "o/n:1" # behind\n    command: ['--x', "y\\n", z]\n    entrypoint:\n      - bash\n      - -c\n      - |\n        one # two\n          three\n\n        four\n      - --\n`,
  folded: "a: >-\n  one\n  two\n\n  three\nb: >\n  x\n   y\n  z\n",
  anchors:
    "x-base: &base { image: o/n:1, env: &e [A=1] }\nservices:\n  a: { <<: *base, environment: *e }\n  b:\n    <<: [*base]\n    image: &i o/m:2\n  c: { image: *i }\n",
  tags: "a: !reset null\nb: !override\n  - x\nc: !reset []\nd: !!str 12\n",
  numbers: "a: 9509425349e4\nb: 0192117\nc: 0.20\nd: 1.10\ne: NO\nf: 2026-05-12\ng: 0o14\nh: 1_000\n",
  documents: "a: 1\n---\nb: 2\n...\n---\n- c\n",
  multiline: "a: one\n  two\n  three\nb: 'x\n\n  y'\nc: \"p \\\n  q\"\n",
  empty: "a:\nb: ''\nc: []\nd: {}\n",
  unicode: 'a: 🧪 ⚠️ → x # ⛔\nb: "\\u00e9"\n',
};

describe("YAML nodes", () => {
  it.each(Object.entries(SHAPES))("reads %s as the yaml package does, with the same lines", (_, text) => {
    expect(ours(readYaml(text))).toEqual(theirs(text));
  });
  it("E01 E02 E07 a sha, a leading zero and a version stay text as they are written", () => {
    const yaml = readYaml(SHAPES.numbers ?? "");
    const values = [...reader(yaml).fields(yaml.docs[0]).values()].map(({ value }) => reader(yaml).text(value));
    expect(values).toEqual(["9509425349e4", "0192117", "0.20", "1.10", "NO", "2026-05-12", "0o14", "1_000"]);
  });
  it("E06 NO is no boolean, and a %YAML directive changes nothing", () => {
    const yaml = readYaml("%YAML 1.1\n---\nimage: off\n");
    expect(reader(yaml).text(reader(yaml).at(yaml.docs[0], ["image"])?.value)).toBe("off");
  });
  it.each([
    ["E12 a key that stands twice", "a: 1\nb: 2\na: 3\n", 3],
    ["E12 a tab as indentation", "a:\n\tb: 1\n", 2],
    ["a bad indentation", "a:\n  b: 1\n c: 2\n", 3],
    ["an unclosed quote", 'a: "x\n', 2],
    ["nesting beyond reason", "[".repeat(5000), 1],
  ])("%s is an error with its line", (_, text, line) => {
    const { error } = readYaml(text);
    expect(error?.line).toBe(line);
    expect(error?.message).toMatch(/\w/);
  });
  it("E12 merge keys are looked through: own fields win, then earlier ones", () => {
    const yaml = readYaml("a: &a { x: 1, y: 1 }\nb: &b { y: 2, z: 2 }\nc:\n  <<: [*a, *b]\n  x: 3\n");
    const nodes = reader(yaml);
    const fields = nodes.fields(nodes.at(yaml.docs[0], ["c"])?.value);
    expect([...fields].map(([name, { value }]) => [name, nodes.text(value)])).toEqual([
      ["x", "3"],
      ["y", "1"],
      ["z", "2"],
    ]);
  });
  it("E12 a bomb of aliases is neither expanded nor followed for ever", () => {
    const levels = Array.from({ length: 30 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(", ")}]`);
    const yaml = readYaml(`l0: &l0 [x]\n${levels.join("\n")}\nservices: *l30\n`);
    const nodes = reader(yaml);
    const started = performance.now();
    const walk = (node: Node): number => nodes.items(node).reduce((sum, item) => sum + walk(item), 1);
    expect(() => walk(nodes.fields(yaml.docs[0]).get("services")?.value as Node)).toThrow("expand too far");
    expect(performance.now() - started).toBeLessThan(2000);
  });
  it("ends on aliases that lead to themselves", () => {
    const yaml = readYaml("a: &a\n  <<: *a\n  b: *a\n");
    const nodes = reader(yaml);
    expect([...nodes.fields(nodes.at(yaml.docs[0], ["a", "b", "b", "b"])?.value).keys()]).toEqual(["b"]);
  });
});
