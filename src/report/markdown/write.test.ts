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
import { code, join, lineBreak, link, paragraph, plain, strong, table } from "./build.ts";
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

it("D15 keeps text text: no control characters, one line, cut at a whole character", () => {
  expect(plain("a\u0000b\nc\u202Ed")).toBe("a b c d");
  expect(plain("👩‍👩‍👧‍👦".repeat(5), 3)).toBe(`${"👩‍👩‍👧‍👦".repeat(2)}…`);
});
