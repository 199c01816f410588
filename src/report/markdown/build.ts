import type {
  BlockContent,
  Heading,
  Html,
  InlineCode,
  Link,
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Strong,
  Table,
  TableRow,
  Text,
} from "mdast";
import { parseRef, shortRef, urlOf } from "../../model/ref.ts";

/**
 * Small builders for Markdown trees. Pages are built as trees and written by one writer,
 * so escaping happens in one place and text of upstream origin stays text (field case D15).
 */
export type Inline = string | PhrasingContent | (string | PhrasingContent)[];

/** Longest run of characters kept from text that other people wrote. */
const LONGEST = 300;

/** Text without control characters and line breaks, cut at a whole character. */
export function plain(value: string, longest = Number.POSITIVE_INFINITY): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
  const clean = value.replace(/[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g, " ").replace(/\s+/g, " ");
  if (clean.length <= longest) return clean;
  const parts = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(clean)];
  return parts.length <= longest
    ? clean
    : `${parts
        .slice(0, longest - 1)
        .map(({ segment }) => segment)
        .join("")}…`;
}

export const text = (value: string): Text => ({ type: "text", value: plain(value) });
/** Text that came from an upstream: kept short, never markup. */
export const foreign = (value: string): Text => ({ type: "text", value: plain(value, LONGEST).trim() });
export const code = (value: string): InlineCode => ({ type: "inlineCode", value: plain(value).trim() });
export const strong = (value: Inline): Strong => ({ type: "strong", children: inline(value) });
/** `**Label:** `, with the space outside, where Markdown wants it. */
export const label = (value: string): PhrasingContent[] => [strong(`${value}:`), text(" ")];
export const html = (value: string): Html => ({ type: "html", value });
export const link = (url: string, value: Inline): Link => ({ type: "link", url, children: withoutLinks(inline(value)) });

/** A link holds no other link: in a title that names a reference, the name stays and its link goes. */
function withoutLinks(nodes: readonly PhrasingContent[]): Link["children"] {
  return nodes.flatMap((node): Link["children"] => {
    if (node.type === "link") return withoutLinks(node.children);
    if (node.type === "strong") return [{ ...node, children: withoutLinks(node.children) }];
    return [node as Link["children"][number]];
  });
}

/** The place a row can be linked to: its own id, never its position (field case F05). */
export const anchor = (id: string): Html => html(`<a id="${id.replaceAll(/[^A-Za-z0-9_.-]/g, "-")}"></a>`);

/** A reference as a link with its short name. */
export function refLink(ref: string, kind?: string): PhrasingContent {
  const url = urlOf(ref, kind);
  return url === undefined ? code(shortRef(ref)) : link(url, shortRef(ref));
}

export function inline(value: Inline): PhrasingContent[] {
  const parts = (Array.isArray(value) ? value : [value]).map((part) => (typeof part === "string" ? text(part) : part));
  const merged: PhrasingContent[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type === "text" && last?.type === "text") merged[merged.length - 1] = { type: "text", value: last.value + part.value };
    else merged.push(part);
  }
  return merged;
}

/** Authored prose: code in backticks and full references become code and links; everything else is text. */
export function prose(value: string): PhrasingContent[] {
  const clean = plain(value).replace(/ $/, "");
  const pattern = /`([^`]+)`|(?<![\w/.#-])([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+#\d+)(?![\w#])/g;
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const match of clean.matchAll(pattern)) {
    if (match.index > from) parts.push({ type: "text", value: clean.slice(from, match.index) });
    if (match[1] !== undefined) parts.push({ type: "inlineCode", value: match[1] });
    else if (match[2] !== undefined) parts.push(parseRef(match[2]) ? refLink(match[2]) : { type: "text", value: match[2] });
    from = match.index + match[0].length;
  }
  if (from < clean.length) parts.push({ type: "text", value: clean.slice(from) });
  return parts;
}

/** Parts with a separator between them. */
export function join(parts: Inline[], separator: Inline = ", "): PhrasingContent[] {
  return parts.flatMap((part, index) => (index === 0 ? inline(part) : [...inline(separator), ...inline(part)]));
}

/** A line break inside a table cell. */
export const lineBreak = (): Html => html("<br>");

export const heading = (depth: Heading["depth"], value: Inline): Heading => ({ type: "heading", depth, children: inline(value) });
export const paragraph = (value: Inline): Paragraph => ({ type: "paragraph", children: inline(value) });

export function list(items: (Inline | BlockContent[])[], ordered = false): List {
  const children = items.map(
    (item): ListItem => ({ type: "listItem", spread: false, children: isBlocks(item) ? item : [paragraph(item)] }),
  );
  return { type: "list", ordered, spread: false, children };
}

const isBlocks = (item: Inline | BlockContent[]): item is BlockContent[] =>
  Array.isArray(item) && item.length > 0 && typeof item[0] === "object" && ["paragraph", "list", "table", "code"].includes(item[0].type);

/** `- [ ] text`, with details as a list below it. */
export function checklist(items: { done: boolean; text: Inline; details?: Inline[] }[]): List {
  return {
    type: "list",
    ordered: false,
    spread: false,
    children: items.map(({ done, text: value, details = [] }) => ({
      type: "listItem",
      spread: false,
      checked: done,
      children: [paragraph(value), ...(details.length > 0 ? [list(details)] : [])],
    })),
  };
}

export function table(columns: string[], rows: Inline[][]): Table {
  const row = (cells: Inline[]): TableRow => ({
    type: "tableRow",
    children: cells.map((cell) => ({ type: "tableCell", children: inline(cell) })),
  });
  return { type: "table", align: columns.map(() => null), children: [row(columns), ...rows.map(row)] };
}

/** A page: front matter, the notice that it is generated, and its content. */
export function page(title: string, description: string, children: RootContent[]): Root {
  const front = `title: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}`;
  return {
    type: "root",
    children: [
      { type: "yaml", value: front },
      html("<!-- Generated from data/ by `npm run render`. Do not edit: change the rows in data/ and render again. -->"),
      ...children,
    ],
  };
}
