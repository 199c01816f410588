import type { Link, Root, RootContent, Table } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import type { Options } from "remark-stringify";
import { unified } from "unified";

/** Characters that mean nothing to Markdown inside a table cell, whatever stands around them. A colon before a slash makes an address. */
const HARMLESS = /^(?:[\p{L}\p{M}\p{N}\p{So} ,.;()'"%/#+=?|·“”‘’–—…×≥≤→-]|:(?!\/))*$/u;
/** An address that needs no escaping as the target of a link. */
const ADDRESS = /^[\w./:#?=%,+-]+$/;
const WORD = /[\p{L}\p{N}]/u;
/** Code that needs no padding, and holds neither a pipe nor a backtick. */
const CODE = /^[^`|\s]+(?: [^`|\s]+)*$/;

/** Addresses without a scheme (`www.`) would become links. */
const harmless = (value: string): boolean => HARMLESS.test(value) && !value.includes("www.");

/** May a mark of emphasis stand between the two? Both sides of a word, or nothing of a word outside (CommonMark 0.31, section 6.2). */
const mayMark = (outside: string, inside: string): boolean =>
  outside !== "" && outside !== "*" && (WORD.test(inside) || (/\S/.test(inside) && /[\s|[\](),;:<>]/.test(outside)));

/**
 * What the nodes of a cell are written as, when nothing about them can need escaping; else undefined.
 * @param before the character before them, @param after the one behind
 */
function simply(nodes: readonly RootContent[], before: string, after: string): string | undefined {
  let written = "";
  for (const [index, node] of nodes.entries()) {
    const part = one(node, written.at(-1) ?? before, index + 1 < nodes.length ? firstOf(nodes[index + 1]) : after);
    if (part === undefined) return undefined;
    written += part;
  }
  return written;
}

function one(node: RootContent, before: string, after: string): string | undefined {
  if (node.type === "text") return harmless(node.value) ? node.value.replaceAll("|", "\\|") : undefined;
  if (node.type === "inlineCode") return CODE.test(node.value) ? `\`${node.value}\`` : undefined;
  if (node.type === "html") return node.value;
  if (node.type === "strong") {
    const inner = simply(node.children, "*", "*");
    const fits = inner !== undefined && mayMark(before, [...inner][0] ?? "") && mayMark(after, [...inner].at(-1) ?? "");
    return fits ? `**${inner}**` : undefined;
  }
  if (node.type !== "link" || node.title || !ADDRESS.test(node.url) || node.url.endsWith(wordsOf(node))) return undefined;
  const label = simply(node.children, "[", "]");
  return label === undefined ? undefined : `[${label}](${node.url})`;
}

/** The character that a node's writing begins with. */
const firstOf = (node: RootContent | undefined): string =>
  node?.type === "text" ? (node.value[0] ?? "") : node?.type === "html" ? "<" : node?.type === "link" ? "[" : "*";

/** The text of a link that would be written as its bare address, when they are the same. */
const wordsOf = ({ children: [first] }: Link): string => (first?.type === "text" ? first.value : "\n");

/**
 * Looking for what to escape is most of the work on a page of thousands of rows, and most cells hold nothing to escape. Those are
 * written at once; every other cell goes through the writer's own handling.
 */
const table: NonNullable<NonNullable<Options["handlers"]>["table"]> = (node: Table, _parent, state, info) => {
  const exit = state.enter("table");
  const lines = node.children.map((row) => {
    const leave = state.enter("tableRow");
    const cells = row.children.map((cell) => simply(cell.children, "|", "|") ?? state.handle(cell, node, state, info));
    leave();
    return `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`;
  });
  exit();
  const [head = "", ...rest] = lines;
  return [head, `|${(node.align ?? []).map(() => " - |").join("")}`, ...rest].join("\n");
};

const OPTIONS: Options = { bullet: "-", emphasis: "_", rule: "-", listItemIndent: "one" };
const writer = (options: Options) =>
  unified().use(remarkStringify, options).use(remarkGfm, { tablePipeAlign: false }).use(remarkFrontmatter).freeze();
const quick = writer({ ...OPTIONS, handlers: { table } });
const plain = writer(OPTIONS);

/** The one writer of Markdown. Tables are not padded, so a long row changes no other line (field case E18). */
export const write = (tree: Root): string => quick.stringify(tree);

/** The same without the shortcut: what {@link write} must give. For tests. */
export const writePlainly = (tree: Root): string => plain.stringify(tree);
