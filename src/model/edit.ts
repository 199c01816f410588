import { isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";
import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import type { Path } from "./problem.ts";

/** The edit asked for cannot be made at this place. Nothing was changed. */
export class EditError extends Error {}

/**
 * Edits of one value in a YAML text. Each takes a text and gives a text in which every other byte stands as before:
 * comments, order, quotes, spacing and line ends. Edits go by source ranges; the document is never written anew
 * (field cases E08, E10: a YAML writer moves comments and folds lines).
 */

/** Sets a scalar: replaces it when the key exists, appends the key to its map otherwise. */
export function setValue(text: string, path: Path, value: string | number | boolean): string {
  const found = locate(text, path);
  const written = scalarText(value);
  if (found.pair) {
    const node = found.pair.value as Node | null;
    if (node && !isScalar(node)) throw new EditError("the value is a list or a map, not a single value");
    const [from, to] = scalarRange(text, found.pair, node);
    const gap = from > 0 && /[^\s]/.test(text[from - 1] ?? "") ? " " : "";
    return text.slice(0, from) + gap + written + text.slice(to);
  }
  if (found.item !== undefined) {
    if (!isScalar(found.item) || !found.item.range) throw new EditError("the value is a list or a map, not a single value");
    const [from, to] = trimBlock(text, found.item.range[0], found.item.range[1]);
    return text.slice(0, from) + written + text.slice(to);
  }
  return appendKey(text, found.parent, String(path.at(-1)), written);
}

/** Adds a whole block (a map or list given as value) under a new key at the end of the map at `path`. */
export function addKey(text: string, path: Path, key: string, value: unknown): string {
  const parent = path.length === 0 ? rootMap(text) : nodeOf(text, path);
  if (!isMap(parent)) throw new EditError("the place is not a map");
  if (parent.has(key)) throw new EditError(`the key ${key} exists already`);
  if (typeof value !== "object" || value === null) return appendKey(text, parent, key, scalarText(value as string | number | boolean));
  const indent = " ".repeat(columnOf(text, parent));
  const block = stringify({ [key]: value }, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => indent + line)
    .join(eol(text));
  return insertAfter(text, parent, block);
}

/** Removes a key with its value, or an item of a list. Comments on lines of their own stay. */
export function removeAt(text: string, path: Path): string {
  const found = locate(text, path);
  if (found.pair) {
    const map = found.parent as YAMLMap;
    if (map.items.length === 1) {
      if (path.length === 1) throw new EditError("it is the only key of the file");
      return removeAt(text, path.slice(0, -1));
    }
    return map.flow === true ? removeFlow(text, pairRange(found.pair)) : removeBlockPair(text, map, found.pair);
  }
  if (found.item?.range) {
    const seq = found.parent as YAMLSeq;
    if (seq.items.length === 1) return removeAt(text, path.slice(0, -1));
    if (seq.flow === true) return removeFlow(text, [found.item.range[0], found.item.range[1]]);
    const start = lineStart(text, found.item.range[0]);
    return text.slice(0, start) + text.slice(lineEnd(text, lastOf(text, found.item)));
  }
  throw new EditError(`there is nothing at ${path.join(".")}`);
}

/** Puts quotes around a plain scalar so that YAML reads it as text. */
export function quoteAt(text: string, path: Path): string {
  const node = nodeOf(text, path);
  if (!isScalar(node) || !node.range) throw new EditError("only a single value can be quoted");
  if (node.type !== "PLAIN") return text;
  const [from, to] = [node.range[0], node.range[1]];
  return `${text.slice(0, from)}"${text.slice(from, to)}"${text.slice(to)}`;
}

/** A scalar as YAML writes it; text that YAML would read as something else, or split, is quoted. */
export function scalarText(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  if (/^[A-Za-z][\w ./()+-]*$/.test(value) && !/ $|^(true|false|null|yes|no|on|off|y|n)$/i.test(value)) return value;
  return JSON.stringify(value);
}

interface Located {
  parent: Node;
  pair?: Pair<Node, Node | null>;
  item?: Node;
}

function locate(text: string, path: Path): Located {
  if (path.length === 0) throw new EditError("a whole file is not edited");
  const parent = path.length === 1 ? rootMap(text) : nodeOf(text, path.slice(0, -1));
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((candidate) => isScalar(candidate.key) && candidate.key.value === last) as
      | Pair<Node, Node | null>
      | undefined;
    return pair ? { parent, pair } : { parent };
  }
  if (isSeq(parent) && typeof last === "number") {
    const item = parent.items[last] as Node | undefined;
    if (item) return { parent, item };
  }
  throw new EditError(`there is no ${path.join(".")} to edit`);
}

function rootMap(text: string): Node {
  const doc = parseDocument(text, { version: "1.2" });
  if (doc.errors.length > 0 || !isMap(doc.contents)) throw new EditError("the file is not a valid row; mend it first");
  return doc.contents;
}

function nodeOf(text: string, path: Path): Node {
  const root = rootMap(text);
  const node = isMap(root) ? (root.getIn(path, true) as Node | undefined) : undefined;
  if (!node) throw new EditError(`there is no ${path.join(".")} to edit`);
  return node;
}

const eol = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");
const lineStart = (text: string, offset: number) => text.lastIndexOf("\n", offset - 1) + 1;
const lineEnd = (text: string, offset: number) => {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
};

/** Where a value's own text ends, without the comment or line break that may follow it. */
function lastOf(text: string, node: Node): number {
  const end = node.range?.[1] ?? 0;
  let at = end;
  while (at > (node.range?.[0] ?? 0) && /\s/.test(text[at - 1] ?? "")) at -= 1;
  return Math.max(at, node.range?.[0] ?? 0);
}

function trimBlock(text: string, from: number, to: number): [number, number] {
  let end = to;
  while (end > from && /[\r\n]/.test(text[end - 1] ?? "")) end -= 1;
  return [from, end];
}

function scalarRange(text: string, pair: Pair<Node, Node | null>, node: Node | null): [number, number] {
  const keyEnd = pair.key.range?.[1] ?? 0;
  const colon = text.indexOf(":", keyEnd) + 1;
  if (!node?.range || (isScalar(node) && node.source === "" && node.range[0] === node.range[1])) {
    const rest = /^[ \t]*/.exec(text.slice(colon))?.[0] ?? "";
    return [colon, colon + (rest.length > 0 && !/^[ \t]*#/.test(text.slice(colon)) ? rest.length : 0)];
  }
  return trimBlock(text, node.range[0], node.range[1]);
}

function pairRange(pair: Pair<Node, Node | null>): [number, number] {
  const from = pair.key.range?.[0] ?? 0;
  const value = pair.value?.range;
  return [from, value ? Math.max(value[1], pair.key.range?.[1] ?? 0) : (pair.key.range?.[1] ?? 0)];
}

/** In `{ a: 1, b: 2 }`: the entry with the comma that follows it, or else the one before it. */
function removeFlow(text: string, [from, to]: [number, number]): string {
  const after = /^\s*,\s*/.exec(text.slice(to));
  if (after) return text.slice(0, from) + text.slice(to + after[0].length);
  const before = /\s*,\s*$/.exec(text.slice(0, from));
  return text.slice(0, from - (before?.[0].length ?? 0)) + text.slice(to);
}

function removeBlockPair(text: string, map: YAMLMap, pair: Pair<Node, Node | null>): string {
  const from = pair.key.range?.[0] ?? 0;
  const start = lineStart(text, from);
  const end = lineEnd(text, pair.value ? Math.max(lastOf(text, pair.value), pair.key.range?.[1] ?? 0) : (pair.key.range?.[1] ?? 0));
  if (text.slice(start, from).trim() === "") return text.slice(0, start) + text.slice(end);
  const next = map.items[map.items.indexOf(pair) + 1];
  const nextStart = next && isScalar(next.key) ? next.key.range?.[0] : undefined;
  if (nextStart === undefined) throw new EditError("the key shares its line with a list mark and nothing follows it");
  return text.slice(0, from) + text.slice(nextStart);
}

function columnOf(text: string, map: Node): number {
  const first = isMap(map) ? map.items[0] : undefined;
  const offset = first && isScalar(first.key) ? (first.key.range?.[0] ?? 0) : 0;
  return offset - lineStart(text, offset);
}

function appendKey(text: string, parent: Node, key: string, written: string): string {
  if (!isMap(parent)) throw new EditError("the place is not a map");
  if (parent.flow === true) {
    const close = (parent.range?.[1] ?? 0) - 1;
    const before = text.slice(0, close).trimEnd();
    const separator = parent.items.length === 0 ? " " : before.endsWith(",") ? " " : ", ";
    return `${before}${separator}${key}: ${written} ${text.slice(close)}`;
  }
  return insertAfter(text, parent, `${" ".repeat(columnOf(text, parent))}${key}: ${written}`);
}

/** Inserts a line after the last value of a map. */
function insertAfter(text: string, map: Node, line: string): string {
  const last = isMap(map) ? (map.items.at(-1) as Pair<Node, Node | null> | undefined) : undefined;
  if (!last) throw new EditError("the map is empty");
  const offset = last.value ? Math.max(lastOf(text, last.value), last.key.range?.[1] ?? 0) : (last.key.range?.[1] ?? 0);
  const end = lineEnd(text, offset);
  const head = text.slice(0, end);
  const missing = head.endsWith("\n") ? "" : eol(text);
  return `${head}${missing}${line}${missing === "" ? eol(text) : ""}${text.slice(end)}`;
}
