import { describe, expect, it } from "vitest";
import { isDelimiterRow, splitRow } from "./row-cells.ts";

const texts = (raw: string, columns: number) => splitRow(raw, columns).cells.map(({ text }) => text);

describe("splitRow", () => {
  it.each([
    ["| a | b |", 2, ["a", "b"]],
    ["a | b", 2, ["a", "b"]],
    ["| a | b", 2, ["a", "b"]],
    ["a | b |", 2, ["a", "b"]],
    ["|a||", 2, ["a", ""]],
    ["| a \\| b | c |", 2, ["a \\| b", "c"]],
    ["| `x | y` | c |", 2, ["`x | y`", "c"]],
    ["| ``x ` | y`` | c |", 2, ["``x ` | y``", "c"]],
    ["| (x | y) | c |", 2, ["(x | y)", "c"]],
    ["| [x | y](u) | c |", 2, ["[x | y](u)", "c"]],
    ["| 5` | 6` |", 2, ["5`", "6`"]],
    ["| \\`x | y |", 2, ["\\`x", "y"]],
    ["|", 1, [""]],
    ["| only |", 3, ["only"]],
    ["| a | b | c |", 2, ["a", "b", "c"]],
  ])("%s in %i columns", (raw, columns, cells) => {
    expect(texts(raw, columns)).toEqual(cells);
  });

  it("says where a cell's text starts, counted from 1", () => {
    expect(splitRow("|  a | bc |", 2).cells.map(({ column }) => column)).toEqual([4, 8]);
  });

  it("says what was unusual", () => {
    expect(splitRow("| a | b |", 2).remarks).toEqual([]);
    expect(splitRow("| `x | y` | c |", 2).remarks[0]).toContain("inside code");
    expect(splitRow("| a |", 2).remarks[0]).toBe("the row has 1 cells and the table 2 columns");
  });

  it("takes long hostile lines in a moment", () => {
    const started = performance.now();
    splitRow(`|${"` | ".repeat(50_000)}`, 3);
    splitRow(`|${"(".repeat(50_000)}${"|".repeat(50_000)}`, 3);
    splitRow("`".repeat(100_000), 3);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

it.each([
  ["|---|---|", true],
  ["| :-- | --: |", true],
  ["---|---", true],
  ["|-|", true],
  ["| a | - |", false],
  ["| | |", false],
  ["text", false],
])("isDelimiterRow %s", (raw, expected) => {
  expect(isDelimiterRow(raw)).toBe(expected);
});
