import type { Event, ScalarEvent } from "js-yaml";
import { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from "js-yaml";
import type { Word } from "./shell.ts";

/**
 * YAML as a tree of nodes with places. Every scalar is text, as it is written, so that no sha becomes a number and no version a
 * fraction (field cases E01, E02, E07). Aliases are kept as such: nothing is ever expanded, so a bomb of them stays small (E12).
 *
 * It is built on js-yaml's event stream, which reads the real trees five times faster than the yaml package that data/ needs for
 * editing; the test of this module holds the two together on every shape and on the real trees.
 */
export type Node = MapNode | ListNode | ScalarNode | AliasNode;
interface Placed {
  /** Offset in the text. */
  start: number;
  tag: string | undefined;
}
export interface MapNode extends Placed {
  kind: "map";
  pairs: { key: Node; value: Node }[];
}
export interface ListNode extends Placed {
  kind: "list";
  items: Node[];
}
export interface ScalarNode extends Placed {
  kind: "scalar";
  event: ScalarEvent;
}
export interface AliasNode extends Placed {
  kind: "alias";
  name: string;
  target: Node | undefined;
}

export interface Yaml {
  text: string;
  /** The top node of each document. */
  docs: Node[];
  lineOf: (node: { start: number }) => number;
  /** The first syntax error, if any. */
  error: { line: number; message: string } | undefined;
}

/** Parses every document of a YAML text. Never throws: a text that breaks the parser is an error with a place. */
export function readYaml(text: string): Yaml {
  const lineOf = lines(text);
  try {
    const { docs, twice } = build(text, parseEvents(text, {}));
    const error = twice && { line: lineOf(twice), message: `the key ${scalarText(text, twice)} stands twice` };
    return { text, docs, lineOf, error };
  } catch (thrown) {
    const message = thrown instanceof YAMLException ? thrown.reason : thrown instanceof Error ? thrown.message : String(thrown);
    const line = thrown instanceof YAMLException && thrown.mark ? thrown.mark.line + 1 : 1;
    return { text, docs: [], lineOf, error: { line, message } };
  }
}

/** A look-up from offset to line; the table is made when the first line is asked for. */
function lines(text: string): Yaml["lineOf"] {
  let starts: number[] | undefined;
  return ({ start }) => {
    if (!starts) {
      starts = [0];
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    }
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= start) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Puts the flat events together; `twice` is the first key that a map repeats, which compose and Kubernetes refuse. */
function build(text: string, events: readonly Event[]): { docs: Node[]; twice: ScalarNode | undefined } {
  const docs: Node[] = [];
  const open: { node: MapNode | ListNode | undefined; key: Node | undefined; names: Set<string> | undefined }[] = [];
  let anchors = new Map<string, Node>();
  let twice: ScalarNode | undefined;
  const slice = (from: number, to: number) => (from < 0 ? undefined : text.slice(from, to));
  const add = (node: Node) => {
    const top = open.at(-1);
    if (!top?.node) {
      docs.push(node);
    } else if (top.node.kind === "list") top.node.items.push(node);
    else if (top.key) {
      top.node.pairs.push({ key: top.key, value: node });
      top.key = undefined;
    } else {
      top.key = node;
      if (node.kind !== "scalar") return;
      const name = scalarText(text, node);
      top.names ??= new Set();
      if (top.names.has(name) && name !== "<<") twice ??= node;
      top.names.add(name);
    }
  };
  let last = 0;
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        anchors = new Map();
        open.push({ node: undefined, key: undefined, names: undefined });
        break;
      case EVENT_ID.POP:
        open.pop();
        break;
      case EVENT_ID.ALIAS: {
        const name = text.slice(event.anchorStart, event.anchorEnd);
        add({ kind: "alias", name, target: anchors.get(name), start: event.anchorStart, tag: undefined });
        break;
      }
      default: {
        const tag = slice(event.tagStart, event.tagEnd);
        const anchor = slice(event.anchorStart, event.anchorEnd);
        const written = event.type === EVENT_ID.SCALAR ? event.valueStart : event.start;
        // An empty value has no place of its own; what was read last is the nearest.
        const start = written >= 0 ? written : last;
        last = start;
        const node: Node =
          event.type === EVENT_ID.SCALAR
            ? { kind: "scalar", event, start, tag }
            : event.type === EVENT_ID.MAPPING
              ? { kind: "map", pairs: [], start, tag }
              : { kind: "list", items: [], start, tag };
        add(node);
        if (anchor !== undefined) anchors.set(anchor, node);
        if (node.kind !== "scalar") open.push({ node, key: undefined, names: undefined });
      }
    }
  }
  return { docs, twice };
}

const scalarText = (text: string, { event }: ScalarNode): string => (event.valueStart < 0 ? "" : getScalarValue(text, event));

export interface Field {
  value: Node;
  /** Where the key stands. */
  key: Node;
}

/** Following more aliases than this in one file is an attack or a mistake (field case E12). */
const MAX_ALIASES = 50_000;

/** Looks into the nodes of one file, through aliases and merge keys. Throws when the aliases expand beyond reason. */
export function reader(yaml: Yaml) {
  let aliases = 0;
  const follow = (node: Node | undefined): Exclude<Node, AliasNode> | undefined => {
    let at = node;
    for (let depth = 0; at?.kind === "alias"; depth++) {
      if (++aliases > MAX_ALIASES) throw new Error("its aliases expand too far; write the values out");
      if (depth > 20) return undefined;
      at = at.target;
    }
    return at;
  };

  /** The fields of a map, with those that merge keys bring in; a map's own fields win, then earlier merged ones. */
  const fields = (node: Node | undefined, depth = 0): Map<string, Field> => {
    const found = new Map<string, Field>();
    const map = follow(node);
    if (map?.kind !== "map" || depth > 20) return found;
    const merged: (Node | undefined)[] = [];
    for (const { key, value } of map.pairs) {
      if (key.kind !== "scalar") continue;
      const name = scalarText(yaml.text, key);
      if (name === "<<") {
        const source = follow(value);
        merged.push(...(source?.kind === "list" ? source.items : [source]));
        continue;
      }
      const real = follow(value);
      if (real) found.set(name, { value: real, key });
    }
    for (const source of merged) for (const [name, field] of fields(source, depth + 1)) if (!found.has(name)) found.set(name, field);
    return found;
  };

  const items = (node: Node | undefined): Node[] => {
    const list = follow(node);
    return list?.kind === "list" ? list.items.flatMap((item) => follow(item) ?? []) : [];
  };

  const at = (node: Node | undefined, path: readonly string[]): Field | undefined => {
    const [head, ...rest] = path;
    const field = head === undefined ? undefined : fields(node).get(head);
    return field && rest.length > 0 ? at(field.value, rest) : field;
  };

  /** A scalar's text; undefined for maps and lists. */
  const text = (node: Node | undefined): string | undefined => {
    const scalar = follow(node);
    return scalar?.kind === "scalar" ? scalarText(yaml.text, scalar) : undefined;
  };

  /**
   * A scalar as a word of a command line whose inner lines can be told: a block scalar is taken from the source, line by line,
   * and the line ends that a folded one loses become vertical tabs.
   */
  const word = (node: Node | undefined): Word | undefined => {
    const scalar = follow(node);
    if (scalar?.kind !== "scalar") return undefined;
    const line = yaml.lineOf(scalar);
    const { style, valueStart, valueEnd } = scalar.event;
    if (style !== SCALAR_STYLE.LITERAL_BLOCK && style !== SCALAR_STYLE.FOLDED_BLOCK) return { text: scalarText(yaml.text, scalar), line };
    const source = yaml.text.slice(valueStart, valueEnd);
    return { text: style === SCALAR_STYLE.LITERAL_BLOCK ? source : source.replace(/([^\n])\n(?=[^\n]*\S)/g, "$1\v"), line };
  };

  return { follow, fields, items, at, text, word };
}
export type NodeReader = ReturnType<typeof reader>;

export const isMap = (node: Node | undefined): node is MapNode => node?.kind === "map";
export const isList = (node: Node | undefined): node is ListNode => node?.kind === "list";

/** Lines of values in a YAML text, by their path: that of the key or list item, or of the nearest parent that is there. */
export function lineFinder(text: string): (path: readonly (string | number)[]) => number {
  const yaml = readYaml(text);
  const nodes = reader(yaml);
  return (path) => {
    let node = yaml.docs[0];
    let line = 1;
    for (const part of path) {
      const field = typeof part === "string" ? nodes.fields(node).get(part) : undefined;
      node = field ? field.value : typeof part === "number" ? nodes.items(node)[part] : undefined;
      if (!node) break;
      line = yaml.lineOf(field?.key ?? node);
    }
    return line;
  };
}
