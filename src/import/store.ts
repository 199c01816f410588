import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, Node } from "yaml";
import { fieldRow } from "./field-row.ts";
import type { FieldKind } from "./fields.ts";
import { finish } from "./account.ts";
import type { ImportInput, Imported } from "./account.ts";
import { slug } from "./ids.ts";
import { repoOf, targetOf } from "./links.ts";
import type { StoreMapping } from "./mapping.ts";
import { MappingError } from "./mapping.ts";
import { knownRefs, mentionsIn } from "./mentions.ts";
import type { Known } from "./mentions.ts";
import type { Found } from "./prose.ts";
import { readExisting } from "./read.ts";
import type { BuiltRow, Cell } from "./row.ts";
import { upstreamsOf } from "./upstreams.ts";

const KINDS: Record<StoreMapping["as"], FieldKind> = {
  patches: "patch",
  variants: "variant",
  measurements: "measurement",
  triggers: "trigger",
};

/**
 * Turns a YAML file of rows (such as a patches.yml) into rows of a stack, as its mapping says. Every value of a row counts
 * as a cell: it goes into the field it is mapped to, else into a note with its key. Comments of the file stay behind, and
 * the report says how many there are.
 * @throws {MappingError} when the mapping does not fit the file
 */
export function importStore(input: ImportInput): Imported {
  const { store } = input.mapping;
  if (!store)
    throw new MappingError(
      `${input.name} is a YAML file. A mapping file (--map FILE) has to say what its rows are:\nstore:\n  rows: patches          # where the list or map of rows is\n  as: patches            # patches | variants | measurements | triggers\n  columns: { files: files, "upstream.ref": covers }`,
    );
  const counter = new LineCounter();
  const doc = parseDocument(input.text, { version: "1.2", lineCounter: counter, prettyErrors: false, logLevel: "silent" });
  const [error] = doc.errors;
  if (error)
    throw new MappingError(`${input.name}:${counter.linePos(error.pos[0]).line} is not valid YAML: ${error.message.split("\n")[0]}`);
  try {
    doc.toJS({ maxAliasCount: 100 });
  } catch (failure) {
    throw new MappingError(`${input.name} cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
  const entries = rowsAt(doc, store, input.name);
  const existing = readExisting(input.existing);
  const own = input.own ?? input.mapping.repo ?? existing.tracker?.repo;
  const leaves = entries.map(({ node, key }) => ({ key, cells: leavesOf(doc, node, counter) }));
  const aliases = new Map(
    Object.values(existing.upstreams).flatMap(({ repo, aliases: names }) =>
      repo === undefined ? [] : [...names, repo.split("/")[1] ?? ""].map((name) => [name.toLowerCase(), repo] as const),
    ),
  );
  const known = knownRefs(
    leaves.flatMap(({ cells }) => cells.flatMap(({ prose }) => prose.found)),
    aliases,
    own,
  );
  const upstreams = upstreamsOf([], input.mapping, existing, known.range);
  const rows = leaves.map(({ key, cells }) => {
    for (const cell of cells) cell.mentions = mentionsIn(cell.prose, undefined, known, false);
    return storeRow(key, cells, store, input, known, (repo) => upstreams.named(repo.split("/")[1] ?? repo, repo).id);
  });
  const remarks = comments(input.text);
  return finish({ input, upstreams, rows, dropped: [], remarks, tables: 1, own, title: undefined }, []);
}

function storeRow(
  key: string | undefined,
  cells: Cell[],
  store: StoreMapping,
  input: ImportInput,
  known: Known,
  upstreamFor: (repo: string) => string,
): BuiltRow {
  const kind = KINDS[store.as];
  const name = store.id ?? "id";
  const named = cells.find(({ head }) => head === name);
  const row = fieldRow(
    cells.filter((cell) => cell !== named),
    { kind, columns: store.columns ?? {}, row: store.row ?? {}, place: input.name, idStart: undefined, asOf: input.asOf },
  );
  const id = named?.prose.text ?? key;
  if (id !== undefined) {
    row.wanted = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(id) ? id : slug(id);
    if (!cells.some(({ head }) => mappedTo(store, head, "title"))) row.value.title = id;
    if (named) row.cells.push({ cell: named, paths: [["title"]], read: row.wanted === id ? id : "" });
  }
  const told = cells.some(({ head }) => mappedTo(store, head, "upstream"));
  const repo = ((row.value.covers ?? []) as string[]).map(repoOf).find((one) => one !== undefined && one !== known.own);
  if (kind === "patch" && !told && repo !== undefined) row.value.upstream = upstreamFor(repo);
  return row;
}

const mappedTo = (store: StoreMapping, head: string, field: string): boolean => {
  const to = store.columns?.[head];
  return (Array.isArray(to) ? to : [to]).some((one) => (typeof one === "string" ? one : one?.to) === field);
};

function rowsAt(doc: Document, store: StoreMapping, name: string): { node: Node; key: string | undefined }[] {
  const parts = store.rows.split(".");
  const node = doc.getIn(parts, true);
  if (isSeq(node)) return node.items.filter((item): item is Node => isMap(item)).map((item) => ({ node: item, key: undefined }));
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) => (isMap(value) && isScalar(key) ? [{ node: value as Node, key: String(key.value) }] : []));
  }
  throw new MappingError(`${name} has no list or map of rows at "${store.rows}".`);
}

/** Every single value of a row, with the keys that lead to it; places in lists do not count. */
function leavesOf(doc: Document, node: unknown, counter: LineCounter, path: string[] = [], depth = 0): Cell[] {
  if (depth > 40) throw new MappingError("The file nests deeper than 40 levels, or refers to itself.");
  if (isAlias(node)) return leavesOf(doc, node.resolve(doc), counter, path, depth + 1);
  if (isMap(node))
    return node.items.flatMap(({ key, value }) =>
      leavesOf(doc, value, counter, [...path, isScalar(key) ? String(key.value) : "?"], depth + 1),
    );
  if (isSeq(node)) return node.items.flatMap((item) => leavesOf(doc, item, counter, path, depth + 1));
  if (!isScalar(node) || node.value === null || node.value === "") return [];
  const text = String(node.source !== undefined && typeof node.value !== "string" ? node.source : node.value).trim();
  const { line, col } = counter.linePos(node.range?.[0] ?? 0);
  const found: Found[] = [...text.matchAll(/https?:\/\/[^\s)>\]"'`]+/g)].flatMap((match) => {
    const target = targetOf(match[0]);
    return target
      ? [{ ...target, label: match[0], struck: false, before: text.slice(0, match.index).slice(-60), url: match[0], at: match.index }]
      : [];
  });
  return [{ line, column: col, head: path.join("."), nodes: [{ type: "text", value: text }], prose: { text, found }, mentions: [] }];
}

function comments(text: string): { line: number; text: string }[] {
  const lines = text.split("\n");
  const count = lines.filter((line) => /^\s*#|\s#\s/.test(line)).length;
  const first = lines.findIndex((line) => /^\s*#|\s#\s/.test(line));
  return count === 0 ? [] : [{ line: first + 1, text: `${count} lines of the file have comments; comments are not imported` }];
}
