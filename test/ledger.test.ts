import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseRef } from "../src/model/ref.ts";
import ledger from "./seed-ledger.json" with { type: "json" };
import { ROOT } from "./real.ts";

/** A row or passage of a seed document, and the rows of `data/` that hold what it says. */
interface Entry {
  seed: string;
  line?: number;
  lines?: number[];
  row: string;
  files: string[];
}
/** A reference that the seed documents make: the text by which data/ names it, and where. Rows without a link have no text. */
interface SeedRef {
  text?: string;
  files: string[];
}

const entries: Entry[] = ledger.entries;
const refs: Record<string, SeedRef> = ledger.refs;

const texts = new Map<string, string>();
function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(ROOT + file, "utf8").replaceAll(/^# yaml-language-server.*$/gm, "");
  texts.set(file, known);
  return known;
}
const rangeOf = ({ line, lines }: Entry): [number, number] => [lines?.[0] ?? line ?? 0, lines?.[1] ?? line ?? 0];

/** Finds a name as a whole: `#12` is not in `#123`, `v7.72` not in `v7.72.2`; a short hash may go on. */
function names(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (/^[0-9a-f]{7,}$/.test(text)) return new RegExp(`(?<![0-9a-f])${escaped}`);
  return new RegExp(`(?<![\\w-])${escaped}${/nightly-[0-9a-f]+$/.test(text) ? "" : "(?!\\d|\\.\\d)"}`);
}

describe("no row of the seeds is lost", () => {
  it("every file that the ledger names exists", () => {
    const files = new Set([...entries, ...Object.values(refs)].flatMap((entry) => entry.files));
    expect([...files].filter((file) => !existsSync(ROOT + file))).toEqual([]);
    expect(files.size).toBeGreaterThan(200);
  });

  it("every entry names its place and at least one row", () => {
    for (const entry of entries) {
      const [from, to] = rangeOf(entry);
      expect(from, entry.row).toBeGreaterThan(0);
      expect(to, entry.row).toBeGreaterThanOrEqual(from);
      expect(entry.files.length, entry.row).toBeGreaterThan(0);
    }
  });

  it("every reference of the seeds stands in the rows it is mapped to", () => {
    const lost = Object.entries(refs).flatMap(([ref, { text, files }]) => {
      if (files.length === 0) return [`${ref}: nowhere`];
      return text === undefined ? [] : files.filter((file) => !names(text).test(textOf(file))).map((file) => `${ref}: not in ${file}`);
    });
    expect(lost).toEqual([]);
  });
});

const shared = new URL("../../shared/", import.meta.url);
const SOURCES: Record<string, string> = {
  UPSTREAM: "seeds/UPSTREAM.md",
  CLIFFS: "seeds/CLIFFS.md",
  SUMMARY: "seeds/v769-codex-r1-test.summary.txt",
  GITLOG: "seeds/git-log.txt",
  GENESIS22: "seeds/genesis-issue-22.txt",
  "CLIFFS-MAY": "club-3090/2026-05-12/docs/CLIFFS.md",
  "SINGLE-CARD": "club-3090/2026-05-12/docs/SINGLE_CARD.md",
};

describe.skipIf(!existsSync(shared))("with the seeds beside the checkout", () => {
  const lines = (seed: string) => readFileSync(fileURLToPath(new URL(SOURCES[seed] ?? "", shared)), "utf8").split("\n");
  const numbers = (text: string) => new Set(text.match(/\d+(?:[.,]\d+)*/g) ?? []);
  const plain = (number: string) => number.replaceAll(",", "");

  it.each(Object.keys(SOURCES))("every number of %s stands in the rows it is mapped to", (seed) => {
    const source = lines(seed);
    const own = entries.filter((entry) => entry.seed === seed);
    expect(own.length).toBeGreaterThan(0);
    const lost = own.flatMap((entry) => {
      const [from, to] = rangeOf(entry);
      const held = new Set(entry.files.flatMap((file) => [...numbers(textOf(file))]).flatMap((number) => [number, plain(number)]));
      const missing = [...numbers(source.slice(from - 1, to).join("\n"))].filter((number) => !held.has(number) && !held.has(plain(number)));
      return missing.length > 0 ? [`${seed}:${from} ${entry.row}: ${missing.join(" ")}`] : [];
    });
    expect(lost).toEqual([]);
  });

  it("all 80 rows of the upstream tables are mapped, each on its own", () => {
    const table = lines("UPSTREAM").flatMap((line, index, all) => {
      const isRow = line.startsWith("|") && !/^\|[\s:|-]+\|\s*$/.test(line) && !/^\|[\s:|-]+\|\s*$/.test(all[index + 1] ?? "");
      return isRow ? [index + 1] : [];
    });
    expect(table).toHaveLength(80);
    const own = entries.filter(({ seed }) => seed === "UPSTREAM");
    expect(table.filter((line) => !own.some((entry) => entry.line === line))).toEqual([]);
  });

  interface Known {
    ref: string;
    where: { seed: string; line: number }[];
  }
  const known = () => JSON.parse(readFileSync(fileURLToPath(new URL("facts/refs.json", shared)), "utf8")) as Known[];

  it("every reference that was found in the seeds is in the ledger", () => {
    expect(
      known()
        .map(({ ref }) => ref)
        .filter((ref) => !(ref in refs)),
    ).toEqual([]);
  });

  it("every reference of a seed row stands in the very rows it is mapped to", () => {
    const SEEDS: Record<string, string> = { "000": "CLIFFS", "001": "GITLOG", "002": "GENESIS22", "003": "UPSTREAM", "004": "SUMMARY" };
    let checked = 0;
    const lost = known().flatMap(({ ref, where }) => {
      const text = refs[ref]?.text;
      // Repositories, releases and images are implied by a row's upstream and pin; threads, assets, pages and commits must be there.
      if (text === undefined || /^(repo|release|version|image):/.test(ref)) return [];
      return where.flatMap(({ seed, line }) =>
        entries
          .filter((entry) => entry.seed === SEEDS[seed] && rangeOf(entry)[0] <= line && line <= rangeOf(entry)[1])
          .flatMap((entry) => {
            checked += 1;
            const held = entry.files.map(textOf).join("\n");
            const parsed = parseRef(ref);
            const short = parsed?.type === "thread" ? new RegExp(`#${parsed.number}(?!\\d)`) : undefined;
            return names(text).test(held) || short?.test(held) ? [] : [`${SEEDS[seed]}:${line} ${entry.row}: ${ref}`];
          }),
      );
    });
    expect(lost).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });
});
