import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { EditError, addKey, quoteAt, removeAt, scalarText, setValue } from "./edit.ts";
import type { Path } from "./problem.ts";

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

function parse(text: string): Value {
  const doc = parseDocument(text, { version: "1.2" });
  expect(doc.errors, text).toEqual([]);
  return doc.toJS() as Value;
}

// A document as people write it: block and flow, comments, blank lines, every kind of quote. It is generated as a tree and
// rendered with marks around each value, so the place of a value is known without asking the parser under test.

interface Scalar {
  kind: "scalar";
  source: string;
}
interface MapNode {
  kind: "map";
  flow: boolean;
  entries: { key: string; node: Tree; above: string; behind: string; gap: string }[];
}
interface SeqNode {
  kind: "seq";
  flow: boolean;
  items: { node: Tree; above: string; behind: string }[];
}
type Tree = Scalar | MapNode | SeqNode;

const PLAIN = [
  "blocks",
  "a b c",
  "vllm#12",
  "0.20",
  "12",
  "1234e56",
  "true",
  "null",
  "~",
  "2026-05-12",
  "https://example.org/a?b#c",
  "it's",
  'say "hi"',
  "C:\\new",
  "a - b",
  "é 😀",
];
const QUOTED = ["'single'", "'it''s # no comment'", '"double"', '"a \\n \\"b\\" \\u00e9"', "''", '""', '"#12"', "'a: b, c'", '"{ [ ] }"'];
const FLOW_PLAIN = PLAIN.filter((source) => !/[[\]{},]/.test(source));
/** Written over several lines; every line after the first is indented by the renderer. */
const BLOCK = [
  ">\n  folded text\n  goes on",
  "|\n  literal\n    deeper\n  # no comment",
  ">-\n  stripped",
  "|+\n  kept\n\n",
  "several plain\n  lines",
  '"double\n  quoted"',
  "'single\n  quoted'",
];
const EMPTY = "";

const comment = fc.constantFrom("", "", "", "# a remark\n", "\n", "\n# two\n# lines\n", "#nospace\n");
const behind = fc.constantFrom("", "", "", " # behind", "  #  far behind", "   ");
const gap = fc.constantFrom(" ", " ", " ", "  ", "   ");
const key = fc.constantFrom(
  "title",
  "upstream",
  "refs",
  "stake",
  "why",
  "notes",
  "on",
  "a-b",
  "a_b",
  '"quoted key"',
  "'it''s'",
  "12",
  "true",
);
const plainOrQuoted = fc.constantFrom(...FLOW_PLAIN, ...QUOTED).map((source): Tree => ({ kind: "scalar", source }));
const anyScalar = fc.constantFrom(...PLAIN, ...QUOTED, ...BLOCK, EMPTY).map((source): Tree => ({ kind: "scalar", source }));

const { flowTree, blockTree } = fc.letrec<{
  flowTree: Tree;
  flowMap: Tree;
  flowSeq: Tree;
  blockTree: Tree;
  blockMap: Tree;
  blockSeq: Tree;
}>((tie) => ({
  flowTree: fc.oneof({ depthSize: "small", withCrossShrink: true }, plainOrQuoted, tie("flowMap"), tie("flowSeq")),
  flowMap: fc
    .uniqueArray(fc.record({ key, node: tie("flowTree"), above: fc.constant(""), behind: fc.constant(""), gap }), {
      selector: (entry) => keyValue(entry.key),
      maxLength: 3,
    })
    .map((entries): Tree => ({ kind: "map", flow: true, entries })),
  flowSeq: fc
    .array(fc.record({ node: tie("flowTree"), above: fc.constant(""), behind: fc.constant("") }), { maxLength: 3 })
    .map((items): Tree => ({ kind: "seq", flow: true, items })),
  blockTree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyScalar,
    tie("flowMap"),
    tie("flowSeq"),
    tie("blockMap"),
    tie("blockSeq"),
  ),
  blockMap: fc
    .uniqueArray(fc.record({ key, node: tie("blockTree"), above: comment, behind, gap }), {
      selector: (entry) => keyValue(entry.key),
      minLength: 1,
      maxLength: 4,
    })
    .map((entries): Tree => ({ kind: "map", flow: false, entries })),
  blockSeq: fc
    .array(fc.record({ node: tie("blockTree"), above: comment, behind }), { minLength: 1, maxLength: 3 })
    .map((items): Tree => ({ kind: "seq", flow: false, items })),
}));
const root = fc
  .uniqueArray(fc.record({ key, node: blockTree, above: comment, behind, gap }), {
    selector: (entry) => keyValue(entry.key),
    minLength: 1,
    maxLength: 5,
  })
  .map((entries): MapNode => ({ kind: "map", flow: false, entries }));
void flowTree;

function keyValue(source: string): string {
  return source.startsWith('"') || source.startsWith("'") ? source.slice(1, -1).replaceAll("''", "'") : source;
}

interface Place {
  path: Path;
  node: Tree;
  from: number;
  to: number;
  /** What the path leads to: a map's value or a list's item. */
  inMap: boolean;
}
interface Rendered {
  text: string;
  places: Place[];
}

/** Renders a tree; marks U+E000 … U+E001 around each value become its place. */
function render(tree: MapNode, crlf: boolean, lastBreak: boolean): Rendered {
  const nodes: { path: Path; node: Tree; inMap: boolean }[] = [];
  const mark = (path: Path, node: Tree, inMap: boolean, written: string) => {
    nodes.push({ path, node, inMap });
    const id = nodes.length - 1;
    return `\uE000${id}\uE002${written}\uE001${id}\uE002`;
  };
  const indented = (text: string, indent: string) => text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);

  function flow(node: Tree, path: Path): string {
    if (node.kind === "scalar") return node.source;
    if (node.kind === "map") {
      if (node.entries.length === 0) return "{}";
      return `{ ${node.entries.map(({ key: name, node: value, gap: space }) => `${name}:${space}${mark([...path, keyValue(name)], value, true, flow(value, [...path, keyValue(name)]))}`).join(", ")} }`;
    }
    if (node.items.length === 0) return "[]";
    return `[${node.items.map(({ node: value }, index) => mark([...path, index], value, false, flow(value, [...path, index]))).join(", ")}]`;
  }
  /** What follows `key:` or `-`, with the line break at its end. */
  function value(node: Tree, path: Path, indent: string, inMap: boolean, space: string, trailing: string): string {
    if (node.kind !== "scalar" && !node.flow) {
      const inner = inMap ? `${indent}  ` : `${indent}  `;
      const body = node.kind === "map" ? block(node, path, inner) : list(node, path, inner);
      return mark(path, node, inMap, inMap ? `\n${body}` : ` ${body.replace(/^\s*/, "")}`);
    }
    if (node.kind === "scalar") {
      if (node.source === EMPTY) return `${mark(path, node, inMap, "")}${/#/.test(trailing) ? trailing : ""}\n`;
      const header = /^[|>]/.test(node.source);
      const several = node.source.includes("\n");
      const written = indented(node.source, indent);
      if (header) return `${space}${mark(path, node, inMap, written)}\n`;
      return `${space}${mark(path, node, inMap, written)}${several ? "" : trailing}\n`;
    }
    return `${space}${mark(path, node, inMap, flow(node, path))}${trailing}\n`;
  }
  function block(node: MapNode, path: Path, indent: string): string {
    return node.entries
      .map(({ key: name, node: child, above, behind: trailing, gap: space }, index) => {
        const first = index === 0 && path.length > 0;
        const before = first ? "" : indentLines(above, indent);
        return `${before}${indent}${name}:${value(child, [...path, keyValue(name)], indent, true, space, trailing)}`;
      })
      .join("");
  }
  function list(node: SeqNode, path: Path, indent: string): string {
    return node.items
      .map(({ node: child, above, behind: trailing }, index) => {
        const before = index === 0 ? "" : indentLines(above, indent);
        return `${before}${indent}-${value(child, [...path, index], indent, false, " ", trailing)}`;
      })
      .join("");
  }
  const indentLines = (text: string, indent: string) => text.replaceAll(/^(?=#)/gm, indent);

  let marked = block(tree, [], "");
  if (!lastBreak) marked = marked.replace(/\n((?:\uE001\d+\uE002)*)$/, "$1");
  if (crlf) marked = marked.replaceAll("\n", "\r\n");
  const starts: number[] = [];
  const ends: number[] = [];
  let text = "";
  for (const part of marked.split(/([\uE000\uE001]\d+\uE002)/)) {
    const sign = part[0];
    const id = Number(part.slice(1, -1));
    if (sign === "\uE000") starts[id] = text.length;
    else if (sign === "\uE001") ends[id] = text.length;
    else text += part;
  }
  return { text, places: nodes.map((entry, id) => ({ ...entry, from: starts[id] ?? 0, to: ends[id] ?? 0 })) };
}

const documents = fc
  .record({ tree: root, crlf: fc.boolean(), lastBreak: fc.boolean() })
  .map(({ tree, crlf, lastBreak }) => render(tree, crlf, lastBreak));
const newScalar = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string(),
  fc.constantFrom(
    "blocks",
    "2026-05-12",
    "0192117",
    "7e12345",
    "0.20",
    "true",
    "no",
    "null",
    "~",
    "",
    " ",
    "a: b",
    "a #1",
    "- x",
    "[x",
    "{x",
    "it's",
    'say "hi"',
    "C:\\new",
    "line\nbreak",
    "tab\there",
    "trailing ",
    "é 😀",
    "\u0085 \u2028",
    "@x",
    "%x",
    "*x",
    "&x",
    "!x",
    "|",
    ">",
    "?",
    "=",
    "<<",
    "nan",
    ".nan",
    "y",
    "on",
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);

const at = (value: Value, path: Path): Value => path.reduce<Value>((inner, part) => (inner as Record<string, Value>)[part] as Value, value);
function withAt(value: Value, path: Path, set: Value): Value {
  const copy = structuredClone(value);
  const parent = at(copy, path.slice(0, -1)) as Record<string, Value>;
  parent[String(path.at(-1))] = set;
  return copy;
}
/** Removing the last entry of a list or map removes the list or map. */
function without(value: Value, path: Path): Value | undefined {
  const copy = structuredClone(value);
  const parent = at(copy, path.slice(0, -1));
  const last = path.at(-1);
  if (Array.isArray(parent)) {
    if (parent.length === 1) return without(copy, path.slice(0, -1));
    parent.splice(Number(last), 1);
    return copy;
  }
  const map = parent as Record<string, Value>;
  if (Object.keys(map).length === 1) return path.length === 1 ? undefined : without(copy, path.slice(0, -1));
  delete map[String(last)];
  return copy;
}
const pick = <T>(all: readonly T[], seed: number): T | undefined => all[seed % Math.max(1, all.length)];

/** `longer` is `shorter` with one piece more in it, and nothing else touched. */
function isInsertion(shorter: string, longer: string): boolean {
  let head = 0;
  while (head < shorter.length && shorter[head] === longer[head]) head += 1;
  return longer.length >= shorter.length && longer.endsWith(shorter.slice(head));
}
const ownLineComments = (text: string) => text.split(/\r?\n/).filter((line) => /^\s*#/.test(line));
const RUNS = { numRuns: 120 };

describe("editing one value leaves every other byte as it was", () => {
  it("the generator writes valid documents, and knows where each value stands", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(documents, ({ text, places }) => {
        const value = parse(text);
        for (const { path, node, from, to } of places) {
          kinds.add(node.kind === "scalar" ? "scalar" : `${node.flow ? "flow" : "block"} ${node.kind}`);
          if (node.kind === "scalar" && !node.source.includes("\n")) {
            expect(text.slice(from, to)).toBe(node.source);
            expect(at(value, path)).toEqual(parse(`x: ${node.source}`) === null ? null : (parse(`x: ${node.source}`) as { x: Value }).x);
          }
        }
      }),
      RUNS,
    );
    expect([...kinds].sort()).toEqual(["block map", "block seq", "flow map", "flow seq", "scalar"]);
  });

  it("E08 E10 setting a value touches that value alone", () => {
    fc.assert(
      fc.property(documents, fc.nat(), newScalar, ({ text, places }, seed, value) => {
        const place = pick(
          places.filter(({ node }) => node.kind === "scalar"),
          seed,
        );
        if (!place) return;
        const after = setValue(text, place.path, value);
        expect(parse(after), after).toEqual(withAt(parse(text), place.path, value));
        const [head, tail] = [text.slice(0, place.from), text.slice(place.to)];
        expect(after.startsWith(head), after).toBe(true);
        expect(after.endsWith(tail.replace(/^\s*$/, "")), after).toBe(true);
      }),
      RUNS,
    );
  });

  it("E08 setting the value that stands there changes nothing", () => {
    fc.assert(
      fc.property(documents, fc.nat(), ({ text, places }, seed) => {
        const place = pick(
          places.filter(({ node }) => node.kind === "scalar"),
          seed,
        );
        if (!place) return;
        const value = at(parse(text), place.path);
        if (typeof value !== "object") expect(setValue(text, place.path, value)).toBe(text);
      }),
      RUNS,
    );
  });

  const maps = ({ text, places }: Rendered) =>
    [{ path: [] as Path }, ...places.filter(({ node }) => node.kind === "map")].filter(
      ({ path }) => Object.keys(at(parse(text), path) as object).length > 0,
    );
  const newKey = fc.constantFrom("added", "on", "new key", "a: b", "#x", "0.20", "null", "it's", "- x", "é", "");

  it("setting a value that is not there adds it", () => {
    fc.assert(
      fc.property(documents, fc.nat(), newKey, newScalar, (rendered, seed, name, value) => {
        const { text } = rendered;
        const path = pick(maps(rendered), seed)?.path ?? [];
        if (name in (at(parse(text), path) as object)) return;
        const after = setValue(text, [...path, name], value);
        expect(parse(after), after).toEqual(withAt(parse(text), [...path, name], value));
        expect(isInsertion(text, after), after).toBe(true);
        if (/\r\n/.test(text)) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
        else expect(after).not.toContain("\r");
      }),
      RUNS,
    );
  });

  it("adding a block inserts it whole", () => {
    const block = fc.oneof(
      fc.constantFrom<Value>({ on: "2026-05-12", says: "open" }, [{ ref: "u/r#1", role: "fix" }], ["a", "b #1"], {
        a: { b: ["long ".repeat(60)] },
      }),
      newScalar,
    );
    fc.assert(
      fc.property(documents, fc.nat(), newKey, block, (rendered, seed, name, value) => {
        const { text } = rendered;
        const path = pick(maps(rendered), seed)?.path ?? [];
        if (name in (at(parse(text), path) as object)) return;
        const after = addKey(text, path, name, value);
        expect(parse(after), after).toEqual(withAt(parse(text), [...path, name], value));
        expect(isInsertion(text, after), after).toBe(true);
        if (/\r\n/.test(text)) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
        else expect(after).not.toContain("\r");
      }),
      RUNS,
    );
  });

  it("removing takes out one piece, and leaves comments on lines of their own", () => {
    fc.assert(
      fc.property(documents, fc.nat(), ({ text, places }, seed) => {
        const place = pick(places, seed);
        if (!place) return;
        const expected = without(parse(text), place.path);
        if (expected === undefined) {
          expect(() => removeAt(text, place.path)).toThrow(EditError);
          return;
        }
        const after = removeAt(text, place.path);
        expect(parse(after), after).toEqual(expected);
        expect(isInsertion(after, text), after).toBe(true);
        if (place.node.kind === "scalar" && !place.node.source.includes("\n"))
          expect(ownLineComments(after)).toEqual(ownLineComments(text));
      }),
      RUNS,
    );
  });

  it("quoting keeps what was written, as text", () => {
    fc.assert(
      fc.property(documents, fc.nat(), ({ text, places }, seed) => {
        const place = pick(
          places.filter(({ node }) => node.kind === "scalar" && PLAIN.includes(node.source)),
          seed,
        );
        if (place?.node.kind !== "scalar") return;
        const after = quoteAt(text, place.path);
        expect(parse(after), after).toEqual(withAt(parse(text), place.path, place.node.source));
        expect(after.startsWith(text.slice(0, place.from)) && after.endsWith(text.slice(place.to)), after).toBe(true);
        expect(quoteAt(after, place.path)).toBe(after);
      }),
      RUNS,
    );
  });

  it("what is set and removed again leaves the text as it was", () => {
    fc.assert(
      fc.property(documents, newScalar, ({ text }, value) => {
        const after = removeAt(setValue(text, ["added"], value), ["added"]);
        expect(after === text || after === `${text}${text.includes("\r\n") ? "\r\n" : "\n"}`, after).toBe(true);
      }),
      RUNS,
    );
  });
});

describe("a scalar is written so that YAML reads it as it was meant", () => {
  it("any value, in block and in flow", () => {
    fc.assert(
      fc.property(newScalar, (value) => {
        expect(parse(`x: ${scalarText(value)} # c\n`)).toEqual({ x: value });
        expect(parse(`{ x: ${scalarText(value)}, y: [${scalarText(value)}] }\n`)).toEqual({ x: value, y: [value] });
      }),
      { numRuns: 1000 },
    );
  });
  it.each([
    ["blocks", "blocks"],
    ["two words", "two words"],
    ["2026-05-12", "2026-05-12"],
    ["0192117", '"0192117"'],
    ["true", '"true"'],
    ["no", '"no"'],
    [12, "12"],
    [false, "false"],
  ])("%o is written %s", (value, written) => {
    expect(scalarText(value)).toBe(written);
  });
});

describe("what cannot be edited is refused, and nothing is changed", () => {
  const text = "a: 1\nb: [x, { c: 2 }]\nd: &anchor word\ne: *anchor\nf: {}\n";
  it.each([
    ["the whole file", () => setValue(text, [], "x")],
    ["a list as one value", () => setValue(text, ["b"], "x")],
    ["a map in a list as one value", () => setValue(text, ["b", 1], "x")],
    ["an alias", () => setValue(text, ["e"], "x")],
    ["a place below a value", () => setValue(text, ["a", "x"], "x")],
    ["an item that is not there", () => setValue(text, ["b", 9], "x")],
    ["a path that is not there", () => setValue(text, ["nope", "x"], "x")],
    ["a key into a list", () => addKey(text, ["b"], "x", { y: 1 })],
    ["a key that exists", () => addKey(text, [], "a", 2)],
    ["removing what is not there", () => removeAt(text, ["nope"])],
    ["quoting a list", () => quoteAt(text, ["b"])],
    ["a file that is broken", () => setValue("a: [1\n", ["a"], "x")],
    ["a file that is no map", () => setValue("- 1\n", [0], "x")],
    ["the only key of a file", () => removeAt("a: 1\n", ["a"])],
  ])("%s", (_name, edit) => {
    expect(edit).toThrow(EditError);
  });
  it("an anchor stays where it is; a value that an alias repeats is refused, because the alias would change too", () => {
    expect(setValue("a: &x one # c\nb: 2\n", ["a"], "other")).toBe("a: &x other # c\nb: 2\n");
    expect(() => setValue(text, ["d"], "other")).toThrow(EditError);
    expect(() => removeAt(text, ["d"])).toThrow(EditError);
  });
  it("an empty map takes its first key", () => {
    expect(parse(setValue(text, ["f", "g"], "x"))).toMatchObject({ f: { g: "x" } });
    expect(parse(addKey(text, ["f"], "g", "x"))).toMatchObject({ f: { g: "x" } });
  });
});
