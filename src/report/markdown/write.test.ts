import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { derive } from "../../derive/derive.ts";
import { load } from "../../model/load.ts";
import { cliffsPage } from "../pages/cliffs.ts";
import { retirementPage } from "../pages/retirement.ts";
import { singleCardPage } from "../pages/single-card.ts";
import { upstreamPages } from "../pages/upstream.ts";
import { paragraph, plain, table } from "./build.ts";
import { write, writePlainly } from "./write.ts";

it("gives, with the shortcut for harmless cells, what the writer gives without it", () => {
  const { model, observed } = load(fileURLToPath(new URL("../../../", import.meta.url)));
  const derived = derive(model, observed);
  for (const { path, tree } of [...upstreamPages(derived), cliffsPage(derived), singleCardPage(derived), retirementPage(derived)]) {
    expect(write(tree), path).toBe(writePlainly(tree));
  }
});

it("gives the same for any text in a cell", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("a|b", "www.x.org", "`c`", "*x*", "_y_", "#1", "<b>", "- x", "1. x", "a  b", " edge ", "https://x.org", "x@y.z"),
  );
  fc.assert(
    fc.property(fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), (cells) => {
      const tree = {
        type: "root" as const,
        children: [
          table(
            ["A"],
            cells.map((cell) => [cell]),
          ),
          paragraph("end"),
        ],
      };
      expect(write(tree)).toBe(writePlainly(tree));
    }),
    { numRuns: 300 },
  );
});

it("D15 keeps text text: no control characters, one line, cut at a whole character", () => {
  expect(plain("a\u0000b\nc\u202Ed")).toBe("a b c d");
  expect(plain("👩‍👩‍👧‍👦".repeat(5), 3)).toBe(`${"👩‍👩‍👧‍👦".repeat(2)}…`);
});
