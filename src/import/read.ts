import { threadOf } from "../model/ref.ts";
import { parseRow } from "../model/parse.ts";
import type { Tracker } from "../model/shapes/tracker.ts";
import type { Upstream } from "../model/shapes/upstream.ts";
import type { ClaimClass } from "../model/vocabulary.ts";
import { plainHeading } from "./columns.ts";
import { repoOf } from "./links.ts";
import type { Mapping } from "./mapping.ts";
import { readMarkdown } from "./markdown.ts";
import type { ProseBlock, Remark, TableBlock } from "./markdown.ts";
import { knownRefs } from "./mentions.ts";
import type { Known } from "./mentions.ts";
import type { Found } from "./prose.ts";
import { proseOf } from "./prose.ts";
import { proseParts } from "./prose-notes.ts";
import type { ProsePart } from "./prose-notes.ts";
import { openCell } from "./row.ts";
import type { Cell } from "./row.ts";
import { aliasesOf, sectionsOf } from "./sections.ts";
import type { Section } from "./sections.ts";
import { claimOf, firstSymbol, readStatus } from "./status.ts";
import type { Meanings } from "./status.ts";

export interface ReadTable {
  line: number;
  section: Section;
  /** Headings as text; empty when the rows were found without a head. */
  heads: string[];
  rows: Cell[][];
}

export interface ReadProse {
  section: Section;
  parts: ProsePart[];
}

/** A document, read: its tables cell by cell, its prose part by part, and what it knows about references. */
export interface ReadDocument {
  title: string | undefined;
  sections: Section[];
  tables: ReadTable[];
  prose: ReadProse[];
  known: Known;
  statuses: Meanings;
  remarks: Remark[];
}

/** What a stack says already: its own repository, and its upstreams by id. */
export interface ExistingRows {
  tracker: Tracker | undefined;
  upstreams: Record<string, Upstream>;
}

/** Reads the rows of a stack that an import builds on. Rows with errors count as absent here; nothing is written over them. */
export function readExisting(existing: ReadonlyMap<string, string>): ExistingRows {
  const upstreams: Record<string, Upstream> = {};
  for (const [path, text] of existing) {
    const id = /^data\/upstreams\/(.+)\.yaml$/.exec(path)?.[1];
    const value = id === undefined ? undefined : (parseRow("upstream", path, text).value as Upstream | undefined);
    if (id !== undefined && value) upstreams[id] = value;
  }
  const tracker = existing.get("data/tracker.yaml");
  return {
    tracker: tracker === undefined ? undefined : (parseRow("tracker", "data/tracker.yaml", tracker).value as Tracker | undefined),
    upstreams,
  };
}

export function readDocument(text: string, mapping: Mapping, existing: ExistingRows, own: string | undefined): ReadDocument {
  const { blocks, definitions, remarks } = readMarkdown(text);
  const sectionOf = sectionsOf(blocks);
  const sections = [...new Set(sectionOf)];
  for (const section of sections) {
    const told = mappedUpstream(mapping, section.title);
    if (told?.repo !== undefined) section.repo = told.repo;
  }
  const tables: ReadTable[] = [];
  const prose: ReadProse[] = [];
  blocks.forEach((block, index) => {
    const section = sectionOf[index] as Section;
    if (block.type === "table") tables.push(readTable(block, section, definitions));
    else if (block.type === "prose") prose.push({ section, parts: proseParts(block as ProseBlock) });
  });
  attachOrphans(tables, remarks);
  const found = [
    ...tables.flatMap(({ rows }) => rows.flat().flatMap((cell) => cell.prose.found)),
    ...prose.flatMap(({ parts }) => parts.flatMap((part) => part.found)),
  ];
  const repo = own ?? mapping.repo ?? existing.tracker?.repo ?? guessOwn(found, sections, tables);
  const first = blocks.find((block) => block.type === "heading");
  return {
    title: first?.type === "heading" && first.depth === 1 ? proseOf(first.node.children).text : undefined,
    sections,
    tables: tables.filter(({ rows }) => rows.length > 0),
    prose,
    known: knownRefs(found, aliases(sections, mapping, existing, repo), repo),
    statuses: { told: mapping.statuses ?? {}, legend: legend(prose, tables) },
    remarks,
  };
}

/** What the mapping says about a section's upstream, by a part of its heading. */
export function mappedUpstream(mapping: Mapping, title: string): NonNullable<Mapping["upstreams"]>[string] | undefined {
  return Object.entries(mapping.upstreams ?? {}).find(([part]) => part !== "" && title.toLowerCase().includes(part.toLowerCase()))?.[1];
}

function readTable(block: TableBlock, section: Section, definitions: ReadonlyMap<string, string>): ReadTable {
  const heads = block.head.map(({ text }) => proseOf(openCell({ text, column: 1 }, block.line, "", definitions).nodes).text);
  const rows = block.rows
    .filter(({ cells }) => cells.some(({ text }) => text !== ""))
    .map(({ line, cells }) => cells.map((cell, index) => openCell(cell, line, heads[index] ?? "", definitions)));
  return { line: block.line, section, heads, rows };
}

/** Rows without a head join the last table of their section that has as many columns. */
function attachOrphans(tables: ReadTable[], remarks: Remark[]): void {
  tables.forEach((table, index) => {
    if (table.heads.length > 0) return;
    const width = table.rows[0]?.length;
    const above = tables.slice(0, index).findLast(({ section, heads }) => section === table.section && heads.length === width);
    if (!above) return;
    for (const row of table.rows) for (const [at, cell] of row.entries()) cell.head = above.heads[at] ?? "";
    above.rows.push(...table.rows.splice(0));
    remarks.push({ line: table.line, text: `rows without a head were put into the table of line ${above.line}` });
  });
}

/** The repository linked most that no section is about and no row begins with: most often the document's own. */
function guessOwn(found: readonly Found[], sections: readonly Section[], tables: readonly ReadTable[]): string | undefined {
  const names = new Set(sections.flatMap(({ repo }) => (repo === undefined ? [] : [repo.split("/")[1]?.toLowerCase()])));
  const leads = new Set(
    tables.flatMap(({ rows }) => rows.flatMap(([cell]) => (cell?.prose.found[0]?.at === 0 ? [repoOf(cell.prose.found[0].ref)] : []))),
  );
  const counts = new Map<string, number>();
  for (const { ref } of found) {
    const repo = repoOf(ref);
    if (repo === undefined || names.has(repo.split("/")[1]?.toLowerCase()) || leads.has(repo)) continue;
    counts.set(repo, (counts.get(repo) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] > 1 ? best[0] : undefined;
}

function aliases(sections: readonly Section[], mapping: Mapping, existing: ExistingRows, own: string | undefined): Map<string, string> {
  const all = new Map<string, string>();
  const add = (name: string, repo: string | undefined) => repo !== undefined && name !== "" && all.set(name.toLowerCase(), repo);
  if (own !== undefined) add(own.split("/")[1] ?? "", own);
  for (const [id, { repo, aliases: short }] of Object.entries(existing.upstreams))
    for (const name of [id, ...short, repo?.split("/")[1] ?? ""]) add(name, repo);
  for (const { title, repo } of sections) {
    for (const name of aliasesOf(title, repo)) add(name, repo);
    for (const name of mappedUpstream(mapping, title)?.aliases ?? []) add(name, repo);
  }
  return all;
}

/** `- 🟢 **Landed** — …` in a list, or a table of symbols: what the document itself says its symbols mean. */
function legend(prose: readonly ReadProse[], tables: readonly ReadTable[]): Record<string, ClaimClass> {
  const meanings: Record<string, ClaimClass> = {};
  const add = (text: string) => {
    const { symbol: written, words } = readStatus(text);
    const symbol = firstSymbol(written);
    const claim = symbol === undefined || words === "" ? undefined : claimOf({ symbol: undefined, words });
    if (symbol !== undefined && claim !== undefined && !(symbol in meanings)) meanings[symbol] = claim;
  };
  const isLegend = (title: string) => /legend|vocabular|how rows work|status(?:es)?$|key$|symbols/i.test(title);
  for (const { section, parts } of prose) if (isLegend(section.title)) for (const part of parts) add(part.text);
  for (const { heads, rows } of tables)
    if (isLegendTable(heads)) for (const [symbol, means] of rows) add(`${symbol?.prose.text ?? ""} ${means?.prose.text ?? ""}`);
  return meanings;
}

/** A table of status symbols and their meaning. */
export const isLegendTable = (heads: readonly string[]): boolean =>
  heads.length <= 3 &&
  /^(?:symbol|emoji|icon|status|state|mark|legend|key|)$/.test(plainHeading(heads[0] ?? "")) &&
  /mean|descri|stands for/.test(plainHeading(heads[1] ?? ""));

/** References of prose that are links, without doubles. */
export const linkedRefs = (parts: readonly ProsePart[]): string[] => [
  ...new Set(parts.flatMap(({ found }) => found.map(({ ref }) => threadOf(ref)))),
];
