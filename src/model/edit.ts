import { isMap, isScalar, parseDocument, stringify } from "yaml";
import type { MapNode } from "./edit-places.ts";
import { EditError, endOf, eol, gapOf, isEmpty, lineStart, locate, nextLine, nodeOf, startOf } from "./edit-places.ts";
import type { Path } from "./problem.ts";

export { EditError };

/**
 * Edits of one value in a YAML text. Each takes a text and gives a text in which every other byte stands as before:
 * comments, order, quotes, spacing and line ends. Edits go by source ranges; the document is never written anew
 * (field cases E08, E10: a YAML writer moves comments and folds lines). Every edited text is read again, and one that
 * does not hold exactly the intended value is refused with an {@link EditError}.
 */

type Single = string | number | boolean;

/** Sets a scalar: replaces it when the key exists, appends the key to its map otherwise. The value that stands there already changes nothing. */
export function setValue(text: string, path: Path, value: Single): string {
  const { parent, at, node } = locate(text, path);
  if (at === undefined) return addKey(text, path.slice(0, -1), String(path.at(-1)), value);
  if (node !== null && !isScalar(node)) throw new EditError("the value is a list, a map or an alias, not a single value");
  if (node !== null && Object.is(node.value, value)) return text;
  const from = isEmpty(node) ? gapOf(parent, at) : (node?.range?.[0] ?? 0);
  const to = isEmpty(node) ? from : from + text.slice(from, endOf(text, parent, at)).trimEnd().length;
  const written = `${isEmpty(node) ? " " : ""}${scalarText(value)}`;
  return checked(text, [splice(text, from, to, written)], path, value);
}

/** Adds a value, single or a whole map or list, under a new key at the end of the map at `path`. */
export function addKey(text: string, path: Path, key: string, value: unknown): string {
  const map = nodeOf(text, path);
  if (!isMap(map)) throw new EditError("the place is not a map");
  if (map.items.some((entry) => isScalar(entry.key) && String(entry.key.value ?? "") === key))
    throw new EditError(`the key ${key} exists already`);
  const at = [...path, key];
  if (map.flow === true) return checked(text, [addFlow(text, map as MapNode, `${keyText(key)}: ${flowText(value)}`)], at, value);
  const last = map.items.at(-1) as MapNode["items"][number];
  const indent = " ".repeat(
    startOf(map as MapNode, map.items[0] as MapNode["items"][number]) -
      lineStart(text, startOf(map as MapNode, map.items[0] as MapNode["items"][number])),
  );
  const insert = nextLine(text, endOf(text, map as MapNode, last));
  const block = blockText(key, value)
    .replaceAll(/^(?=[^\n])/gm, indent)
    .replaceAll("\n", eol(text));
  const open = insert > 0 && text[insert - 1] !== "\n";
  return checked(text, [splice(text, insert, insert, open ? `${eol(text)}${block}` : `${block}${eol(text)}`)], at, value);
}

/** Removes a key with its value, or an item of a list; its map or list too when nothing else is in it. Comments on lines of their own stay. */
export function removeAt(text: string, path: Path): string {
  const { parent, at } = locate(text, path);
  if (at === undefined) throw new EditError(`there is nothing at ${path.join(".")}`);
  if (parent.items.length === 1) {
    if (path.length === 1) throw new EditError("it is the only key of the file");
    return removeAt(text, path.slice(0, -1));
  }
  const from = startOf(parent, at);
  const end = endOf(text, parent, at);
  const index = typeof at === "number" ? at : (parent as MapNode).items.indexOf(at);
  if (parent.flow === true) return checked(text, [removeFlow(text, from, end)], path, undefined);
  const next = nextLine(text, end);
  if (text.slice(lineStart(text, from), from).trim() === "") {
    // Blank lines behind may not fall to a `|+` before it, so they go too if they must.
    const blank = next + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(next))?.[0].length ?? 0);
    return checked(text, [splice(text, lineStart(text, from), next, ""), splice(text, lineStart(text, from), blank, "")], path, undefined);
  }
  // The first entry shares its line with a dash: the next one moves up, or stays below a comment of its own.
  const following = typeof at === "number" ? startOf(parent, index + 1) : startOf(parent, (parent as MapNode).items[index + 1] ?? at);
  const between = text.slice(next, following);
  const to = /^\s*#/m.test(between) ? next - (/\r?\n$/.exec(text.slice(0, next))?.[0].length ?? 0) : following;
  const head = to === following ? from : from - (/ *$/.exec(text.slice(0, from))?.[0].length ?? 0);
  return checked(text, [splice(text, head, to, "")], path, undefined);
}

/** Puts quotes around a plain scalar so that YAML reads it as text. */
export function quoteAt(text: string, path: Path): string {
  const node = nodeOf(text, path);
  if (!isScalar(node) || !node.range || isEmpty(node)) throw new EditError("only a single value can be quoted");
  if (node.type !== "PLAIN") return text;
  const [from, to] = [node.range[0], node.range[1]];
  const written = text.slice(from, to);
  const quoted = /["\\]/.test(written) ? `'${written.replaceAll("'", "''")}'` : `"${written}"`;
  return checked(text, [splice(text, from, to, quoted)], path, node.source);
}

/** A scalar as YAML writes it; text that YAML would read as something else, or split, is quoted. */
export function scalarText(value: Single): string {
  if (typeof value === "number")
    return Number.isFinite(value)
      ? Object.is(value, -0)
        ? "-0"
        : String(value)
      : Number.isNaN(value)
        ? ".nan"
        : value > 0
          ? ".inf"
          : "-.inf";
  if (typeof value !== "string") return String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  if (/^[A-Za-z][\w ./()+-]*$/.test(value) && !/ $|^(true|false|null|yes|no|on|off|y|n)$/i.test(value)) return value;
  return quoted(value);
}

/** JSON's quotes are YAML's, once what must not stand in a file as it is has been escaped. */
const quoted = (value: string): string =>
  JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFD-\uFFFF]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const keyText = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) && !/^(true|false|null)$/i.test(key) ? key : quoted(key));

function flowText(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return scalarText(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return "null";
  const entries = Object.entries(value).map(([key, inner]) => `${keyText(key)}: ${flowText(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** `key: value` as a block, without the line break at its end. Folded lines only for text that does not end in a line break of its own. */
function blockText(key: string, value: unknown): string {
  if (typeof value !== "object" || value === null) return `${keyText(key)}: ${flowText(value)}`;
  const blockQuote = !/\\n"/.test(JSON.stringify(value));
  return stringify({ [key]: value }, { lineWidth: 0, blockQuote }).replace(/\n$/, "");
}

const splice = (text: string, from: number, to: number, written: string): string => text.slice(0, from) + written + text.slice(to);

/** Behind the last entry of `{ a: 1 }`, or into `{}`; a comma at the end stays the last. */
function addFlow(text: string, map: MapNode, written: string): string {
  const last = map.items.at(-1);
  if (last) return splice(text, endOf(text, map, last), endOf(text, map, last), `, ${written}`);
  const open = (map.range?.[0] ?? 0) + 1;
  return splice(text, open, open, text[open] === "}" ? ` ${written} ` : ` ${written}`);
}

/** In `{ a: 1, b: 2 }`: the entry with the comma that follows it, or else the one before it. */
function removeFlow(text: string, from: number, to: number): string {
  const after = /^\s*,\s*/.exec(text.slice(to))?.[0].length;
  if (after !== undefined && !/^\s*,\s*[}\]]/.test(text.slice(to))) return splice(text, from, to + after, "");
  const before = /\s*,\s*$/.exec(text.slice(0, from))?.[0].length ?? 0;
  return splice(text, from - before, to, "");
}

/** The first candidate that holds exactly the intended value: the old one with `value` at `path`, or (undefined) without it. */
function checked(before: string, candidates: readonly string[], path: Path, value: unknown): string {
  const intended = JSON.stringify(changed(read(before), path, value));
  const found = candidates.find((after) => JSON.stringify(read(after)) === intended);
  if (found === undefined) throw new EditError(`${path.join(".")} cannot be changed here without touching its neighbours; edit it by hand`);
  return found;
}

function read(text: string): unknown {
  const doc = parseDocument(text, { version: "1.2" });
  try {
    return doc.errors.length > 0 ? undefined : doc.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

function changed(root: unknown, path: Path, value: unknown): unknown {
  const parent = path.slice(0, -1).reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], root);
  const last = path.at(-1) ?? "";
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (value === undefined) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
  return root;
}
