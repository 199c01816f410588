import GithubSlugger, { slug } from "github-slugger";
import { docId, resolveFrom, rowOfFile } from "./docs.ts";
import { STATUSES } from "../src/model/vocabulary.ts";
import type { Status } from "../src/model/vocabulary.ts";
import { href, rowHref } from "./links.ts";

/** As much of a HTML tree as is needed here. */
export interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/**
 * What the site does to the Markdown of `content/`, which is written to be read on GitHub as well:
 * links between files become links between pages, with the base (field case F01); headings get ids that are never empty,
 * never doubled and do not start with what is left of an emoji (F03, F05); wide tables scroll in their own region (F07);
 * a status drawn as an emoji, which looks different everywhere and not at all in some places, gets the site's own sign (F10).
 */
export function rehypeSite() {
  return (tree: Node, file: { path?: string }): void => {
    const path = contentPath(file.path);
    nameHeadings(tree);
    wrapTables(tree);
    drawStatuses(tree);
    each(tree, (node) => {
      const target = node.tagName === "a" ? node.properties?.href : undefined;
      if (typeof target === "string") node.properties = { ...node.properties, ...linked(target, path) };
    });
  };
}

function each(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of node.children ?? []) each(child, visit);
}

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("");

/** `…/content/guides/x.md` -> `content/guides/x.md` */
function contentPath(path: string | undefined): string | undefined {
  const at = path?.replaceAll("\\", "/").lastIndexOf("/content/");
  return path !== undefined && at !== undefined && at >= 0 ? path.slice(at + 1) : undefined;
}

function linked(target: string, file: string | undefined): { href: string; rel?: string } {
  if (/^[a-z]+:/i.test(target)) return { href: target, rel: "noopener" };
  if (target.startsWith("#") || file === undefined) return { href: target };
  const [path = "", anchor] = target.split("#", 2);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path.startsWith("/")) return { href: href(path) + hash };
  const resolved = resolveFrom(file, path);
  if (resolved === undefined) return { href: target };
  if (resolved.startsWith("content/") && resolved.endsWith(".md")) {
    const id = docId(resolved.slice("content/".length));
    return { href: href(id === "" ? "" : `${id}/`) + hash };
  }
  const row = rowOfFile(resolved);
  return { href: row ? rowHref(row.kind, row.id) : target };
}

const HEADING = /^h[1-6]$/;
const isHeading = (node: Node): boolean => HEADING.test(node.tagName ?? "");

/** `<a id="cliff-1"></a>` right after a heading is the heading's own id; elsewhere it keeps its name and no heading takes it. */
function nameHeadings(tree: Node): void {
  const slugger = new GithubSlugger();
  const taken = new Set<string>();
  each(tree, (node) => {
    if (node.type === "raw") node.value = node.value?.replaceAll(/<a id="([^"]+)">/g, (anchor, id: string) => firstOf(taken, id, anchor));
  });
  const children = tree.children ?? [];
  children.forEach((node, index) => {
    if (!isHeading(node)) return;
    const own = takeAnchor(children.slice(index + 1).find((next) => next.type === "element"));
    node.properties = { ...node.properties, id: own ?? freeId(textOf(node), slugger, taken) };
  });
}

/** Two kinds of rows may share an id: the first keeps the anchor. */
function firstOf(taken: Set<string>, id: string, anchor: string): string {
  if (taken.has(id)) return "<a>";
  taken.add(id);
  return anchor;
}

function freeId(words: string, slugger: GithubSlugger, taken: Set<string>): string {
  const bare = words.replaceAll(/\p{Extended_Pictographic}|\uFE0F/gu, "").trim();
  let id = slugger.slug(slug(bare).replace(/^-+/, "") || "section");
  while (taken.has(id)) id = slugger.slug(`${id}-section`);
  taken.add(id);
  return id;
}

/** Takes the anchor out of a paragraph that starts with one. */
function takeAnchor(paragraph: Node | undefined): string | undefined {
  const children = paragraph?.tagName === "p" ? (paragraph.children ?? []) : [];
  const [first, second] = children;
  const [, id] = (first?.type === "raw" && /^<a id="([^"]+)">(?:<\/a>)?$/.exec(first.value ?? "")) || [];
  if (id !== undefined) children.splice(0, second?.type === "raw" && second.value === "</a>" ? 2 : 1);
  return id;
}

function wrapTables(tree: Node): void {
  let heading = "Table";
  const names = new Map<string, number>();
  tree.children = tree.children?.map((node) => {
    if (isHeading(node)) heading = textOf(node);
    if (node.tagName !== "table") return node;
    const count = (names.get(heading) ?? 0) + 1;
    names.set(heading, count);
    each(node, emptyHeader);
    const properties = {
      className: ["scroll"],
      role: "region",
      tabIndex: 0,
      ariaLabel: `${heading}, table${count > 1 ? ` ${count}` : ""}`,
    };
    return { type: "element", tagName: "div", properties, children: [node] };
  });
}

/** The corner of a table heads nothing. */
function emptyHeader(node: Node): void {
  if (node.tagName === "th" && textOf(node).trim() === "") node.tagName = "td";
}

const BY_SYMBOL = new Map((Object.keys(STATUSES) as Status[]).map((status) => [STATUSES[status].symbol as string, status]));
const SYMBOLS = new RegExp(`(${[...BY_SYMBOL.keys()].join("|")})\\uFE0F? ?`, "u");

/** `🟢 Landed` -> the sign and its words. Other text keeps every character. */
function drawStatuses(node: Node): void {
  if (node.tagName === "code" || node.tagName === "pre") return;
  node.children = node.children?.flatMap((child) => {
    if (child.type !== "text") {
      drawStatuses(child);
      return [child];
    }
    const parts = (child.value ?? "").split(SYMBOLS);
    if (parts.length === 1) return [child];
    return parts.flatMap((part): Node[] => {
      const status = BY_SYMBOL.get(part);
      if (status === undefined) return part === "" ? [] : [{ type: "text", value: part }];
      const sign: Node = { type: "element", tagName: "i", properties: { className: ["g"], ariaHidden: "true" }, children: [] };
      return [{ type: "element", tagName: "span", properties: { className: ["st", `s-${status}`, "st--sign"] }, children: [sign] }];
    });
  });
}
