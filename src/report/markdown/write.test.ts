import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { derive } from "../../derive/derive.ts";
import { load } from "../../model/load.ts";
import { cliffsPage } from "../pages/cliffs.ts";
import { retirementPage } from "../pages/retirement.ts";
import { singleCardPage } from "../pages/single-card.ts";
import { upstreamPages } from "../pages/upstream.ts";
import type { Inline } from "./build.ts";
import { code, join, lineBreak, link, list, paragraph, plain, strong, table } from "./build.ts";
import { write, writePlainly } from "./write.ts";

it("gives, with the shortcut for harmless cells, what the writer gives without it", () => {
  const { model, observed } = load(fileURLToPath(new URL("../../../", import.meta.url)));
  const derived = derive(model, observed);
  for (const { path, tree } of [...upstreamPages(derived), cliffsPage(derived), singleCardPage(derived), retirementPage(derived)]) {
    expect(write(tree), path).toBe(writePlainly(tree));
  }
});

it("gives the same for anything in a cell", () => {
  const words = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "a|b",
      "www.x.org",
      "a word",
      "🔵 Merged",
      "*x*",
      "_y_",
      "#1",
      "<b>",
      "- x",
      "1. x",
      "a  b",
      " edge ",
      "https://x.org",
      "x@y.z",
      "u/r#1: so",
    ),
  );
  const address = fc.constantFrom("https://x.org", "https://x.org/a_b/(c)?d=1#e", "../data/items/a.yaml", "mailto:x@y.z", "a b");
  const { node } = fc.letrec<{ node: Inline; inner: Inline }>((tie) => ({
    inner: fc.oneof(words, words.filter((value) => value.trim() !== "").map(code)),
    node: fc.oneof(
      { weight: 3, arbitrary: tie("inner") },
      fc
        .tuple(address, fc.array(fc.oneof(tie("inner"), words.map(strong)), { minLength: 1, maxLength: 2 }))
        .map(([url, parts]) => link(url, join(parts, ""))),
      fc.array(tie("inner"), { minLength: 1, maxLength: 2 }).map((parts) => strong(join(parts, ""))),
      fc.constant(lineBreak()),
    ),
  }));
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.array(node, { maxLength: 3 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      (rows) => {
        const columns = Math.max(...rows.map(({ length }) => length));
        const heads = Array.from({ length: columns }, (_, index) => `C${index}`);
        const tree = {
          type: "root" as const,
          children: [
            table(
              heads,
              rows.map((cells) => heads.map((_, index) => join(cells[index] ?? [], ""))),
            ),
            paragraph("end"),
          ],
        };
        expect(write(tree)).toBe(writePlainly(tree));
      },
    ),
    { numRuns: 1000 },
  );
});

it("E18 writes dashes, underscores and tables that a long row does not pad anew", () => {
  const rows = (cell: string) =>
    table(
      ["A", "B"],
      [
        ["a", "b"],
        ["c", cell],
      ],
    );
  const before = write({
    type: "root",
    children: [rows("d"), list(["one"]), { type: "paragraph", children: [{ type: "emphasis", children: [{ type: "text", value: "x" }] }] }],
  });
  expect(before).toBe("| A | B |\n| - | - |\n| a | b |\n| c | d |\n\n- one\n\n_x_\n");
  const after = write({ type: "root", children: [rows("d".repeat(200))] }).split("\n");
  expect(before.split("\n").slice(0, 3)).toEqual(after.slice(0, 3));
});

it("E20 keeps text that MDX would run or refuse, and no page of the project is MDX", () => {
  const odd = ["text <T> and {T}", "<=> a < 64", "import x from 'y'", "export const a = 1", "</function>"];
  const written = write({ type: "root", children: odd.map((value) => paragraph(value)) });
  expect(written.replaceAll("\\", "").trim().split("\n\n")).toEqual(odd);
  expect(written).not.toMatch(/(?<!\\)<T>/);
  const files = ["content", "site"].flatMap((name) =>
    readdirSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), { recursive: true, encoding: "utf8" }),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => name.endsWith(".mdx"))).toEqual([]);
});

it("D15 keeps text text: no control characters, one line, cut at a whole character", () => {
  expect(plain("a\u0000b\nc\u202Ed")).toBe("a b c d");
  expect(plain("👩‍👩‍👧‍👦".repeat(5), 3)).toBe(`${"👩‍👩‍👧‍👦".repeat(2)}…`);
});
