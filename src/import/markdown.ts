import type { Definition, Heading, PhrasingContent, Root, RootContent, Table } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { isDelimiterRow, splitRow } from "./row-cells.ts";
import type { RawCell } from "./row-cells.ts";

/** Something worth saying about a place of the document: where text went, what was guessed. */
export interface Remark {
  line: number;
  text: string;
}

export interface HeadingBlock {
  type: "heading";
  line: number;
  depth: number;
  node: Heading;
}

export interface TableRow {
  line: number;
  cells: RawCell[];
}

export interface TableBlock {
  type: "table";
  line: number;
  /** Empty when rows were found without a head. */
  head: RawCell[];
  rows: TableRow[];
}

export interface ProseBlock {
  type: "prose";
  line: number;
  node: RootContent;
  source: string;
}

export type Block = HeadingBlock | TableBlock | ProseBlock;

export interface Document {
  blocks: Block[];
  /** `[label]: address` lines, so that a cell can be read apart from its document. */
  definitions: Map<string, string>;
  remarks: Remark[];
}

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter).freeze();

/**
 * Reads a Markdown text into headings, tables and prose, in order.
 * A table's rows are taken from the raw lines that its nodes point to, because GitHub's own reading splits inside code
 * and drops left-over cells. Rows that a blank line tore off their table (pain E3) are put back.
 */
export function readMarkdown(text: string): Document {
  const lines = text.split("\n");
  const root = parser.parse(text);
  const definitions = definitionsOf(root);
  inlineReferences(root, definitions);
  const remarks: Remark[] = [];
  const blocks: Block[] = [];
  for (const node of flatten(root)) {
    const line = node.position?.start.line ?? 1;
    const source = lines.slice(line - 1, node.position?.end.line ?? line).join("\n");
    if (node.type === "heading") blocks.push({ type: "heading", line, depth: node.depth, node });
    else if (node.type === "table") addRows(blocks, remarks, tableLines(node, lines));
    else if (node.type === "paragraph" && isRow(lines[line - 1] ?? "")) {
      const rows = lines.slice(line - 1, node.position?.end.line ?? line).map((raw, index) => ({ line: line + index, raw: unquoted(raw) }));
      addRows(blocks, remarks, rows);
    } else if (node.type !== "thematicBreak") blocks.push({ type: "prose", line, node, source });
  }
  return { blocks, definitions, remarks };
}

/** Reads the text of one cell as GitHub would inside a table. */
export function readCell(text: string, definitions: ReadonlyMap<string, string>): PhrasingContent[] {
  const cell = text.replaceAll(/\\[\s\S]|\|/g, (found) => (found === "|" ? "\\|" : found)).replaceAll("\n", " ");
  const links = text.includes("][") || text.includes("]") ? linkLines(text, definitions) : "";
  const root = parser.parse(`| ${cell} |\n| --- |\n${links}`);
  inlineReferences(root, definitions);
  const [table] = root.children;
  return table?.type === "table" ? (table.children[0]?.children[0]?.children ?? []) : [{ type: "text", value: text }];
}

function linkLines(text: string, definitions: ReadonlyMap<string, string>): string {
  const used = [...definitions].filter(([label]) => text.toLowerCase().includes(`[${label}]`));
  return used.length === 0 ? "" : `\n${used.map(([label, url]) => `[${label}]: <${url}>`).join("\n")}\n`;
}

/** `[label]: address` lines by their label in lower case; the first of several counts. */
function definitionsOf(root: Root): Map<string, string> {
  const definitions = new Map<string, string>();
  visit(root, "definition", ({ label, identifier, url }) => {
    const key = (label ?? identifier).toLowerCase();
    if (!definitions.has(key)) definitions.set(key, url);
  });
  return definitions;
}

/** Turns `[words][label]` into a link with its address, so that a cell or paragraph says all it says by itself. */
function inlineReferences(root: Root, definitions: ReadonlyMap<string, string>): void {
  visit(root, ["linkReference", "imageReference"], (node, index, parent) => {
    if (node.type !== "linkReference" && node.type !== "imageReference") return;
    const url = definitions.get((node.label ?? node.identifier).toLowerCase());
    if (url === undefined || index === undefined || parent === undefined || !("children" in parent)) return;
    const inlined: PhrasingContent =
      node.type === "linkReference" ? { type: "link", url, children: node.children } : { type: "image", url, alt: node.alt ?? "" };
    (parent.children as PhrasingContent[])[index] = inlined;
  });
}

type Flat = Exclude<RootContent, Definition>;

/** Top-level nodes, and those inside quotes and lists that hold a table. */
function flatten(parent: Root | { children: RootContent[] }): Flat[] {
  return parent.children.flatMap((node): Flat[] => {
    if (node.type === "definition") return [];
    if ((node.type === "blockquote" || node.type === "list" || node.type === "listItem") && holdsTable(node)) {
      return flatten(node as { children: RootContent[] });
    }
    return [node];
  });
}

const holdsTable = (node: { children: RootContent[] }): boolean =>
  node.children.some((child) => child.type === "table" || ("children" in child && holdsTable(child as { children: RootContent[] })));

interface RawLine {
  line: number;
  raw: string;
}

/** The raw lines of a table's rows, with the delimiter row where it stands. */
function tableLines(node: Table, lines: readonly string[]): RawLine[] {
  const from = node.position?.start.line ?? 1;
  const to = node.position?.end.line ?? from;
  return lines.slice(from - 1, to).map((raw, index) => ({ line: from + index, raw: unquoted(raw) }));
}

const unquoted = (raw: string) => raw.replace(/^[\s>]*(?:[-*+]\s+(?=\|))?/, "");
const isRow = (raw: string) => /^[\s>]*\|.*\S/.test(raw);

/**
 * Adds lines that look like rows: to the table above when nothing stands between, or as a table of their own.
 * A head without rows followed by a blank line, rows after a blank line, and a delimiter row torn from its head all occur.
 */
function addRows(blocks: Block[], remarks: Remark[], lines: readonly RawLine[]): void {
  const above = lastTable(blocks);
  const delimiter = lines.findIndex(({ raw }, index) => index < 2 && isDelimiterRow(raw));
  let table = above;
  let rest = [...lines];
  if (delimiter === 1) {
    const [head] = rest.splice(0, 2) as [RawLine, RawLine];
    table = { type: "table", line: head.line, head: splitRow(head.raw, splitRow(head.raw, -1).cells.length).cells, rows: [] };
    blocks.push(table);
  } else if (delimiter === 0 && above?.head.length === 0 && above.rows.length === 1) {
    rest = rest.slice(1);
    above.head = above.rows.pop()?.cells ?? [];
    remarks.push({ line: above.line, text: "a blank line stands between the head of this table and the line under it; they were joined" });
  } else if (above) {
    const [first] = rest;
    if (first)
      remarks.push({ line: first.line, text: `a blank line breaks the table of line ${above.line}; the rows below it were put back` });
  } else {
    table = { type: "table", line: lines[0]?.line ?? 1, head: [], rows: [] };
    blocks.push(table);
  }
  for (const { line, raw } of rest) {
    if (isDelimiterRow(raw)) continue;
    if (!raw.includes("|") && (table?.head.length ?? 0) > 1) {
      blocks.push({ type: "prose", line, node: { type: "paragraph", children: [{ type: "text", value: raw }] }, source: raw });
      remarks.push({ line, text: "text right under a table; GitHub shows it as a row, here it is prose" });
      continue;
    }
    const { cells, remarks: said } = splitRow(raw, table?.head.length ?? 0);
    if ((table?.head.length ?? 0) > 0) remarks.push(...said.map((text) => ({ line, text })));
    table?.rows.push({ line, cells });
  }
}

/** The table that directly precedes; a comment between does not count. */
function lastTable(blocks: readonly Block[]): TableBlock | undefined {
  const last = blocks.findLast((block) => !(block.type === "prose" && /^\s*<!--[\s\S]*-->\s*$/.test(block.source)));
  return last?.type === "table" ? last : undefined;
}
