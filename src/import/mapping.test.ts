import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIELDS } from "./fields.ts";
import { MappingError, readMapping } from "./mapping.ts";

const guide = readFileSync(new URL("../../content/guides/import-a-tracker.md", import.meta.url), "utf8");
const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

it("reads every example of the guide, and every field they name exists", () => {
  const read = examples.map((text) => readMapping("guide", text));
  expect(read.map((one) => Object.keys(one).sort())).toEqual([
    ["as_of", "other_tables", "repo", "statuses", "tables", "upstreams"],
    ["other_tables", "tables"],
    ["store"],
  ]);
  const named = read
    .flatMap(({ tables = [], store }) => [...tables, ...(store ? [store] : [])])
    .flatMap(({ as, columns = {} }) => {
      const fields = FIELDS[as.slice(0, -1) as keyof typeof FIELDS] ?? (as === "patches" ? FIELDS.patch : undefined);
      return fields
        ? Object.values(columns)
            .flat()
            .map((one) => ({ as, to: typeof one === "string" ? one : one.to, known: fields }))
        : [];
    });
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ to, known }) => !(to in known))).toEqual([]);
});

it.each([
  ["what: 1", /Unrecognized key|what/],
  ["tables: [{ as: items, columns: { A: { to: title, match: '(' } } }]", /is not a regular expression/],
  ["as_of: 2026-02-30", /as_of: .*day/],
  ["a: [", /m\.yaml: /],
  ["- a list", /is not a mapping file/],
  [
    `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefg"
      .split("")
      .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdef"[i]}`).join(", ")}]`)
      .join("\n")}`,
    /m\.yaml: its aliases cannot be resolved .* Write the values out\./,
  ],
])("refuses %s", (text, message) => {
  expect(() => readMapping("m.yaml", text)).toThrow(MappingError);
  expect(() => readMapping("m.yaml", text)).toThrow(message);
});

it("an empty file says nothing, and is fine", () => {
  expect(readMapping("m.yaml", "# nothing yet\n")).toEqual({});
});
