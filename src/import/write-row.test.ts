import fc from "fast-check";
import { expect, it } from "vitest";
import { parseRow } from "../model/parse.ts";
import type { Item } from "../model/shapes/item.ts";
import { writeRow } from "./write-row.ts";

const item = (why: string) => ({ title: "t", upstream: "up", stake: "watch", why, local: "none" });
const readWhy = (text: string) => (parseRow("item", "x.yaml", text).value as Item | undefined)?.why;

it("E01 E02 hashes, numbers and versions stay text", () => {
  const text = writeRow("pin", {
    title: "0192117",
    upstream: "up",
    artifact: "git:o/r@680841e1",
    mutability: "immutable",
    source: { commit: "9509425349e4" },
    version: "1.10",
    reason: "null",
  });
  const { value, problems } = parseRow("pin", "p.yaml", text);
  expect(problems).toEqual([]);
  expect(value).toMatchObject({ title: "0192117", source: { commit: "9509425349e4" }, version: "1.10", reason: "null" });
});

it.each(["yes", "off", "null", "~", "2026-05-12", "1.10", "0.20", "0x1F", "1e3", ".5", "12:30:45"])("E06 E07 %s stays text", (text) => {
  expect(readWhy(writeRow("item", item(text)))).toBe(text);
});

it("writes the keys in the order of the schema", () => {
  expect(
    writeRow("item", { local: "none", why: "w", title: "t", stake: "watch", upstream: "u" })
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual(["title", "upstream", "stake", "why", "local", ""]);
});

it("E10 any text comes back as it was, but for spaces at its ends", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 300 }).filter((text) => text.trim() !== ""),
      (text) => {
        expect(readWhy(writeRow("item", item(text)))).toBe(text.trim());
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});

it.each([
  "a\n\nb",
  "- a\n- b",
  "x: y # z",
  "tab\there",
  "ends with colon:",
  "a\u2028b",
  "\ufffd",
  "line  \n  two",
  `${"long ".repeat(60)}end`,
  "# x",
  "'",
  '"',
  "\\",
])("comes back: %j", (text) => {
  expect(readWhy(writeRow("item", item(text)))).toBe(text.trim());
});
