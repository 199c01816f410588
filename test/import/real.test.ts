import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Table } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, it } from "vitest";
import { strings, words } from "../../src/import/audit.ts";
import { targetOf } from "../../src/import/links.ts";
import { readMapping } from "../../src/import/mapping.ts";
import { importStore } from "../../src/import/store.ts";
import { load } from "../../src/model/load.ts";
import { threadOf } from "../../src/model/ref.ts";
import { writeFiles } from "../../src/publish/files.ts";
import { fixture, importText } from "./fixture.ts";

/** The trackers of the stack this tool grew from, where they lie beside the checkout. */
const shared = new URL("../../../shared/club-3090/", import.meta.url);
const at = (path: string) => new URL(path, shared);
const missing = (path: string) => !existsSync(at(path));

const DOCUMENTS = [
  { day: "2026-05-12", rows: 80, items: 72, pins: 4, followUps: 4 },
  { day: "2026-08-22", rows: 121, items: 98, pins: 7, followUps: 16 },
];

describe.each(DOCUMENTS)("the tracker of $day", ({ day, rows, items, pins, followUps }) => {
  const path = `${day}/docs/UPSTREAM.md`;
  const skip = missing(path);
  const text = skip ? "" : readFileSync(at(path), "utf8");
  const result = skip ? undefined : importText(text);
  const lines = text.split("\n");

  it.skipIf(skip)("has every row", () => {
    expect([result?.rows, result?.kinds]).toEqual([rows, { followUp: followUps, item: items, pin: pins }]);
  });

  it.skipIf(skip)("accounts for every cell: at least 97 % are in rows, and only dashes are not", () => {
    const { total = 0, placed = 0, reported = 0 } = result?.cells ?? {};
    expect(placed + reported).toBe(total);
    expect(placed / total).toBeGreaterThan(0.97);
    expect(result?.unplaced.filter(({ text: cell }) => cell !== "—")).toEqual([]);
    expect(result?.prose.reported).toBe(0);
  });

  it.skipIf(skip)("has the words of every row in the file that the row became, by a count of its own", () => {
    const contents = new Map(result?.files.map(({ path: file, content }) => [file, content]));
    const lost = (result?.where ?? []).flatMap(({ line, path: file }) => {
      const have = new Map<string, number>();
      for (const word of words(contents.get(file) ?? "")) have.set(word, (have.get(word) ?? 0) + 1);
      return rawWords(lines[line - 1] ?? "").filter((word) => {
        const left = have.get(word) ?? 0;
        have.set(word, left - 1);
        return left <= 0;
      });
    });
    expect(lost).toEqual([]);
  });

  it.skipIf(skip)("has every link of every row as a reference of that row, or as its text", () => {
    const root = unified().use(remarkParse).use(remarkGfm).parse(text);
    const contents = new Map(
      result?.where.map(({ line, path: file }) => [line, result.files.find((one) => one.path === file)?.content ?? ""]),
    );
    let checked = 0;
    visit(root, "table", (table: Table) => {
      for (const row of table.children.slice(1)) {
        visit(row, "link", ({ url }) => {
          const ref = targetOf(url)?.ref;
          if (ref === undefined) return;
          checked += 1;
          expect(contents.get(row.position?.start.line ?? 0), `line ${row.position?.start.line}`).toContain(ref.replace(/^page:/, ""));
        });
      }
    });
    expect(checked).toBeGreaterThan(rows / 2);
  });

  it.skipIf(skip)("keeps the symbol and the words of every status as a claim", () => {
    const statuses = lines.flatMap((line, index) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const file = result?.where.find((one) => one.line === index + 1)?.path;
      return file?.startsWith("data/items/") ? [{ file, said: cells[2] ?? "" }] : [];
    });
    expect(statuses).toHaveLength(items);
    for (const { file, said } of statuses) {
      const claim = result?.items[file.replace(/^.*\//, "").replace(".yaml", "")]?.claim;
      expect(claim, file).toBeDefined();
      expect(said.startsWith(claim?.symbol ?? "?"), `${file}: ${said}`).toBe(true);
      expect(
        words(claim?.note ?? "")
          .join(" ")
          .includes(
            words(said.replace(/\[([^\]]*)\]\([^)]*\).*/s, ""))
              .slice(1)
              .join(" "),
          ),
        `${file}: ${said}`,
      ).toBe(true);
    }
  });

  it.skipIf(skip)("loads, and a second import changes nothing", () => {
    const root = mkdtempSync(join(tmpdir(), "landfall-import-"));
    try {
      writeFiles(root, result?.files ?? []);
      const { problems, counts } = load(root);
      expect(problems).toEqual([]);
      expect(counts.rows).toBe(result?.files.length);
      const again = importText(text, {}, new Map(result?.files.map(({ path: file, content }) => [file, content])));
      expect(again.files.every(({ state }) => state === "same")).toBe(true);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

/** Words of a raw row, with links reduced to what a reference does not say: a count that shares nothing with the importer but the reading of addresses. */
function rawWords(line: string): string[] {
  const bare = line.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^)]*\))?[^()\s]*)\)/g, (_, label: string, url: string) => {
    const ref = targetOf(url)?.ref;
    const said = new Set(words(`${ref ?? ""} ${ref ? threadOf(ref) : url} pr issue commit`));
    return ` ${words(label)
      .filter((word) => !said.has(word))
      .join(" ")} `;
  });
  return words(bare.replaceAll(/(?<=\|)\s*[—–-]\s*(?=\|)/g, " ").replaceAll("~~", " "));
}

describe("other documents of the stack, with a mapping", () => {
  const CLIFFS = "2026-05-12/docs/CLIFFS.md";
  const CARD = "2026-05-12/docs/SINGLE_CARD.md";
  const PATCHES = "2026-08-22/scripts/lib/profiles/patches.yml";

  it.skipIf(missing(CLIFFS))("CLIFFS.md gives measurements, variants and re-test triggers", () => {
    const result = importText(readFileSync(at(CLIFFS), "utf8"), readMapping("cliffs.map.yaml", fixture("cliffs.map.yaml")));
    expect(result.kinds).toEqual({ measurement: 4, variant: 2, trigger: 6 });
    expect(result.cells.placed / result.cells.total).toBeGreaterThan(0.97);
    expect(result.unplaced.filter(({ text }) => text !== "—")).toEqual([]);
    const best = result.files.find(({ path }) => path.startsWith("data/measurements/cliff-2-0-93"))?.content;
    expect(best).toContain("boot_mib: 22260");
    expect(best).toContain("result: pass");
    expect(best).toContain("wall_s: 623");
    expect(best).toContain("mem_util: 0.93");
  });

  it.skipIf(missing(CARD))("SINGLE_CARD.md gives variants", () => {
    const result = importText(readFileSync(at(CARD), "utf8"), readMapping("single-card.map.yaml", fixture("single-card.map.yaml")));
    expect(result.kinds).toEqual({ variant: 6 });
    expect(result.cells.reported).toBe(0);
    const vision = result.files.find(({ path }) => path.includes("long-vision"))?.content;
    for (const line of [
      "context: 145000",
      "mem_util: 0.95",
      "vram_gb: 23",
      "tps: { narrative: 50, code: 66 }",
      "compose: models/qwen3.6-27b/vllm/compose/single/long-vision.yml",
    ])
      expect(vision).toContain(line);
  });

  it.skipIf(missing(PATCHES))("patches.yml gives a patch an entry, with every value of it", () => {
    const text = readFileSync(at(PATCHES), "utf8");
    const mapping = readMapping("patches.map.yaml", fixture("patches.map.yaml"));
    const result = importStore({
      name: "patches.yml",
      text,
      mapping,
      asOf: "2026-08-22",
      own: undefined,
      existing: new Map(),
      schemas: undefined,
    });
    expect(result.kinds).toEqual({ patch: 72 });
    expect(result.cells.reported).toBe(0);
    expect(result.cells.total).toBeGreaterThan(1000);
    expect(strings(result.files.map(({ content }) => content)).join("\n")).toContain("DONE — #40361 closed-superseded by #45295");
  });
});
