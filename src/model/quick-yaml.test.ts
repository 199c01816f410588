import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDocument, stringify } from "yaml";
import { quickValue } from "./quick-yaml.ts";

const strict = (text: string): unknown => parseDocument(text, { version: "1.2", logLevel: "silent" }).toJS();
const data = fileURLToPath(new URL("../../data", import.meta.url));
const rows = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml"));

it("reads every row of this stack as the strict reader does, and most rows quickly", () => {
  let quick = 0;
  for (const name of rows) {
    const text = readFileSync(join(data, name), "utf8");
    const value = quickValue(text);
    if (value === undefined) continue;
    quick += 1;
    expect(value, name).toEqual(strict(text));
  }
  expect(quick / rows.length).toBeGreaterThan(0.99);
});

it("agrees with the strict reader on generated documents, or leaves them to it", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(...TRICKY),
  );
  const value = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), scalar)),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 40), (written, width) => {
      const text = stringify(written, { lineWidth: width ?? 0 });
      const quick = quickValue(text);
      if (quick !== undefined) expect(quick).toEqual(strict(text));
    }),
    { numRuns: 500 },
  );
});

it("agrees on hand-written scalars that the two readers could take differently", () => {
  for (const scalar of TRICKY) {
    for (const text of [
      `a: ${scalar}\n`,
      `a:\n  - ${scalar}\n`,
      `a: { b: ${scalar} }\n`,
      `a: [${scalar}, x]\n`,
      `a: >\n  ${scalar}\nb: 1\n`,
      `a: |-\n  text\n\n  ${scalar}\nb: ${scalar}\n`,
      `- a: >\n    ${scalar}\n  b: ${scalar}\n`,
      `- - >\n    ${scalar}\n  - ${scalar}\n- |\n ${scalar}\n`,
      `a: text\n  ${scalar}\n`,
      `a: "text" ${scalar}\n`,
      `a: "${scalar.replaceAll(/["\\]/g, "")}"\nb: [ "${scalar.replaceAll(/["\\]/g, "")}", { c: "d: #1", e: ${scalar} } ]\n`,
    ]) {
      const quick = quickValue(text);
      if (quick === undefined) continue;
      const doc = parseDocument(text, { version: "1.2", logLevel: "silent" });
      expect(doc.errors, text).toEqual([]);
      expect(quick, text).toEqual(doc.toJS());
    }
  }
});

it("leaves to the strict reader whatever a rule reports with its place, however much text stands around it", () => {
  const swallowed = [
    "a: see x #1\n",
    'a: b, "x" #1\n',
    'a: b, "see x #1"\n',
    "a: [x #1\n]\n",
    'b: >\n  "text\na: see x #1\n',
    "- a: >\n    t\n  b: see #1 x #2\n",
  ];
  for (const text of swallowed) expect(quickValue(text), text).toBeUndefined();
});

it("reads quickly what only looks odd inside a text", () => {
  const odd = 'a: "see x #1 && &y *z"\nb: >\n  see x #1 && &y\n  1_000.\nc: [ "x #1", { d: "&y" } ]\n- e: |-\n    012\n';
  for (const text of [odd.slice(0, odd.indexOf("- e")), odd.slice(odd.indexOf("- e"))])
    expect(quickValue(text), text).toEqual(strict(text));
});

const TRICKY = [
  ..."1234e56 0192117 7e12345 9509425349e4 0x1F 0o17 017 1_000 +12 .5 5. 0.20 1.10 -0 12e03 .inf -.INF .nan NO off y Yes ~ Null true TRUE 2026-05-12 2026-05-12T10:00:00Z 1:30 12:30:45 =".split(
    " ",
  ),
  "- x",
  "a: b",
  "x # y",
  "x #1",
  "&a b",
  "*a",
  "!!str 1",
  "<< : x",
  "'single ''quoted'''",
  '"double \\u00e9 \\t"',
  "[1, 2",
  "{ a: 1 }",
  "| text",
  "@at",
  "`tick`",
  "%dir",
  "…",
  "1.2.3",
  "v1",
  "0",
  "-1",
  "1e3x",
];
