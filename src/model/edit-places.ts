import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import type { Path } from "./problem.ts";

/** The edit asked for cannot be made at this place. Nothing was changed. */
export class EditError extends Error {}

export type MapNode = YAMLMap<Node, Node | null>;
export type ListNode = YAMLSeq<Node | null>;
export type Entry = Pair<Node, Node | null>;

/** Where a path leads: the map or list that holds it, its place there (none: the map has no such key yet), and its value. */
export type Located = { parent: MapNode; at: Entry | undefined; node: Node | null } | { parent: ListNode; at: number; node: Node | null };

/** The root map of a valid row, with the tokens it was read from, which know where colons and dashes stand. */
export function rootMap(text: string): MapNode {
  const doc = parseDocument(text, { version: "1.2", keepSourceTokens: true });
  if (doc.errors.length > 0 || !isMap(doc.contents)) throw new EditError("the file is not a valid row; mend it first");
  return doc.contents as MapNode;
}

/** @throws {EditError} when nothing can stand at the path */
export function locate(text: string, path: Path): Located {
  const last = path.at(-1);
  if (last === undefined) throw new EditError("a whole file is not edited");
  const parent = nodeOf(text, path.slice(0, -1));
  if (isMap(parent)) {
    const map = parent as MapNode;
    const at = map.items.find((entry) => nameOf(entry) === String(last));
    return { parent: map, at, node: at?.value ?? null };
  }
  const list = isSeq(parent) ? (parent as ListNode) : undefined;
  if (list && typeof last === "number" && last < list.items.length) return { parent: list, at: last, node: list.items[last] ?? null };
  throw new EditError(`there is no ${path.join(".")} to edit`);
}

/** The value at a path; null when it is written as nothing. */
export function nodeOf(text: string, path: Path): Node | null {
  if (path.length === 0) return rootMap(text);
  const { at, node } = locate(text, path);
  if (at === undefined) throw new EditError(`there is no ${path.join(".")} to edit`);
  return node;
}

/** The key as the parsed object has it: `12:` and `"12":` are one. */
const nameOf = ({ key }: Entry): string => (isScalar(key) ? String(key.value ?? "") : "");

/** Written as nothing at all: `key:` or `-`. */
export const isEmpty = (node: Node | null): boolean => !node?.range || (isScalar(node) && node.range[0] === node.range[1]);

/** Offset of an entry's first character: its key, or its dash, or in a flow list the item itself. */
export function startOf(parent: MapNode | ListNode, at: Entry | number): number {
  if (typeof at !== "number") return at.key.range?.[0] ?? 0;
  return dashOf(parent, at) ?? (parent.items[at] as Node | null)?.range?.[0] ?? 0;
}

function dashOf(parent: MapNode | ListNode, at: number): number | undefined {
  const tokens = parent.srcToken?.type === "block-seq" ? parent.srcToken.items[at]?.start : undefined;
  return tokens?.find(({ type }) => type === "seq-item-ind")?.offset;
}

/** Offset behind the colon or dash of an entry: where a value that is not there would start. */
export function gapOf(parent: MapNode | ListNode, at: Entry | number): number {
  if (typeof at === "number") return (dashOf(parent, at) ?? startOf(parent, at) - 1) + 1;
  const colon = at.srcToken?.sep?.find(({ type }) => type === "map-value-ind")?.offset;
  return colon === undefined ? (at.key.range?.[1] ?? 0) : colon + 1;
}

/** Offset behind the last character of an entry's value, without the comment or line break that follows. */
export function endOf(text: string, parent: MapNode | ListNode, at: Entry | number): number {
  const node = typeof at === "number" ? ((parent.items[at] as Node | null | undefined) ?? null) : at.value;
  return isEmpty(node) ? gapOf(parent, at) : valueEnd(text, node);
}

function valueEnd(text: string, node: Node | null): number {
  const end = node?.range?.[1] ?? 0;
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1) as Entry | undefined;
    return last ? endOf(text, node as MapNode, last) : end;
  }
  if (isSeq(node) && node.flow !== true) return node.items.length > 0 ? endOf(text, node as ListNode, node.items.length - 1) : end;
  if (!isScalar(node) || !node.type?.startsWith("BLOCK")) return end;
  // A block scalar ends with its line break, which stays where it is; with `|+` every blank line behind it is its own.
  const from = node.range?.[0] ?? 0;
  return /^[|>]\d?\+/.test(text.slice(from, from + 3)) ? end : from + text.slice(from, end).trimEnd().length;
}

export const eol = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
export const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;

/** Offset of the next line; the same one when it is the start of a line already, as behind `|+`. */
export function nextLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}
