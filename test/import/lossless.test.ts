import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strings } from "../../src/import/audit.ts";
import { load } from "../../src/model/load.ts";
import { parseRow } from "../../src/model/parse.ts";
import type { Kind } from "../../src/model/vocabulary.ts";
import { KINDS } from "../../src/model/vocabulary.ts";
import { writeFiles } from "../../src/publish/files.ts";
import type { Result } from "./fixture.ts";
import { importText } from "./fixture.ts";

/**
 * The promise is that no text is lost. It is tested without the importer's own account: every generated cell carries words
 * that occur nowhere else, and each of them must be readable in the rows, or in the report.
 */
interface Piece {
  /** As it stands in the document. */
  source: string;
  /** Words that must be found again. */
  words: string[];
}

const HOSTILE = [
  "- dash",
  "? key",
  "key: value",
  "# hash",
  "@at",
  "%percent",
  "null",
  "~",
  "0123",
  "1e3",
  "0x1F",
  "---",
  "...",
  "'single",
  '"double',
  "{brace}",
  "[bracket",
  "]closed",
  "&anchor",
  "*star",
  "!tag",
  ">fold",
  "\\backslash",
  "a\\\\b",
  "\\*escaped\\*",
  "&lt;entity&gt;",
  "&#x41;",
  "<b>html</b>",
  "<think>",
  "a<br>b",
  "<!-- note -->",
  "$math$",
  "tab\tstop",
  "é ü ß 日本語 עברית",
  "\u200bzero width",
  "\u00a0no-break",
  "\u2028line separator",
  "\u0085next line",
  "\u0007bell",
  "👩‍👩‍👧‍👦 family",
  "🇩🇪",
  "1️⃣",
  ":smile:",
  "trailing\\",
  "1. one",
  "+ plus",
  "> quote",
  "    indented",
  "[x]",
  "[^1]",
  "![pic](p.png)",
  "__init__",
  "snake_case_name",
  "2*3*4",
  "~~~",
  "http://example.org/a_(b)?c=d|e".replace("|", "%7C"),
  "mail@example.org",
  "#12 and gh-7",
  "W4A16 < 64",
  "yes",
  "2026-05-12",
];

function pieces(): fc.Arbitrary<(word: () => string) => Piece> {
  const plain = fc.constant((word: () => string): Piece => {
    const one = word();
    return { source: one, words: [one] };
  });
  const marked = fc.constantFrom("**", "*", "_", "~~", "***").map((mark) => (word: () => string): Piece => {
    const one = word();
    return { source: `${mark}${one}${mark}`, words: [one] };
  });
  const code = fc.constantFrom("`$`", "``$ ` tick``", "`a \\| $`", "`$ | b`").map((shape) => (word: () => string): Piece => {
    const one = word();
    return { source: shape.replace("$", () => one), words: [one] };
  });
  const links = fc
    .constantFrom(
      "[$](https://github.com/acme/alpha/issues/%)",
      "[#%](https://github.com/acme/alpha/pull/%) $",
      "[$](https://huggingface.co/maker/model)",
      "[**$** and `code`](https://example.org/x?y=%#z)",
      "[$](../docs/file.md#part)",
      "<https://github.com/acme/alpha/discussions/%#discussioncomment-77> $",
      "acme/alpha#% $",
      "alpha#% $",
      "#% $",
    )
    .chain((shape) =>
      fc.integer({ min: 1, max: 99999 }).map((number) => (word: () => string): Piece => {
        const one = word();
        return { source: shape.replace("$", () => one).replaceAll("%", String(number)), words: [one] };
      }),
    );
  const hostile = fc.constantFrom(...HOSTILE).map((text) => (word: () => string): Piece => {
    const one = word();
    return { source: `${text} ${one}`, words: [one] };
  });
  const pipe = fc.constant((word: () => string): Piece => {
    const [one, two] = [word(), word()];
    return { source: `${one} \\| ${two}`, words: [one, two] };
  });
  return fc.oneof(plain, marked, code, links, hostile, pipe);
}

const HEADS = ["Issue / PR", "Status", "Why it matters", "Workaround", "Notes", "Severity"];
const SYMBOLS = ["", "🟡 ", "🟢 ", "❌", "✅ **", "🟡🔴 ", ":x: ", "~~"];

interface Doc {
  text: string;
  words: string[];
  rows: number;
}

/** Tables with hostile cells, ragged rows and torn rows, and prose between. */
function documents(): fc.Arbitrary<Doc> {
  const cell = fc.array(pieces(), { minLength: 0, maxLength: 4 });
  const row = fc.record({
    cells: fc.array(cell, { minLength: 1, maxLength: 8 }),
    symbol: fc.constantFrom(...SYMBOLS),
    torn: fc.boolean(),
    trailing: fc.boolean(),
  });
  const table = fc.record({
    columns: fc.integer({ min: 3, max: HEADS.length }),
    rows: fc.array(row, { minLength: 1, maxLength: 6 }),
    prose: cell,
    title: cell,
  });
  return fc
    .array(table, { minLength: 1, maxLength: 3 })
    .map((tables) => {
      let count = 0;
      const words: string[] = [];
      const word = () => {
        count += 1;
        const one = `zq${count}xw`;
        words.push(one);
        return one;
      };
      const written = (make: readonly ((word: () => string) => Piece)[]) => make.map((one) => one(word).source).join(" ");
      let rows = 0;
      const parts = tables.map(({ columns, rows: all, prose }, index) => {
        const heads = HEADS.slice(0, columns);
        const lines = [
          `## part ${index} (\`acme/part-${index}\`)`,
          "",
          `${written(prose)}`,
          "",
          `| ${heads.join(" | ")} |`,
          `|${"---|".repeat(columns)}`,
        ];
        for (const { cells, symbol, torn, trailing } of all) {
          if (torn) lines.push("");
          const texts = cells.map((make, at) => (at === 1 ? symbol : "") + written(make));
          lines.push(`| ${texts.join(" | ")}${trailing || texts.length === 1 || texts.at(-1) === "" ? " |" : ""}`);
          if (texts.some((text) => text.trim() !== "")) rows += 1;
        }
        return lines.join("\n");
      });
      return { text: `# Generated\n\n${parts.join("\n\n")}\n`, words, rows };
    })
    .filter(({ rows }) => rows > 0);
}

/** Every text of the rows and of the report. */
function everything(result: Result): string {
  const values = result.files.flatMap(({ path, content }) => strings(parseRow(kindOf(path), path, content).value));
  return [...values, ...result.unplaced.map(({ text }) => text)].join("\n");
}

function kindOf(path: string): Kind {
  return (Object.entries(KINDS).find(([, place]) => path === `data/${place}` || path.startsWith(`data/${place}/`))?.[0] ?? "item") as Kind;
}

const RUNS = { numRuns: 120, seed: 20260512 };

describe("nothing is lost", () => {
  it("every word of every cell and of the prose is in a row, and the account says so", () => {
    fc.assert(
      fc.property(documents(), ({ text, words, rows }) => {
        const result = importText(text);
        const all = everything(result);
        expect(words.filter((word) => !all.includes(word))).toEqual([]);
        expect(result.rows).toBe(rows);
        expect(result.cells.placed + result.cells.reported).toBe(result.cells.total);
        expect(result.prose.placed + result.prose.reported).toBe(result.prose.total);
        expect(result.unplaced.filter(({ why }) => !why.startsWith("a dash"))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("a second import changes nothing", () => {
    fc.assert(
      fc.property(documents(), ({ text }) => {
        const first = importText(text);
        const second = importText(text, {}, new Map(first.files.map(({ path, content }) => [path, content])));
        expect(second.files.filter(({ state }) => state !== "same")).toEqual([]);
      }),
      { ...RUNS, numRuns: 40 },
    );
  });

  it("the rows load", () => {
    fc.assert(
      fc.property(documents(), ({ text }) => {
        const root = mkdtempSync(join(tmpdir(), "landfall-import-"));
        try {
          const { files } = importText(text);
          writeFiles(root, files);
          const { problems, counts } = load(root);
          expect(problems.filter(({ level }) => level === "error")).toEqual([]);
          expect(counts.rows).toBe(files.length);
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }),
      { ...RUNS, numRuns: 30 },
    );
  });
});
