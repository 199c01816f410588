import { addKey } from "../model/edit.ts";
import { parseRow } from "../model/parse.ts";
import { fileOf } from "../model/paths.ts";
import { sortedJson } from "../model/sorted-json.ts";
import type { Kind } from "../model/vocabulary.ts";
import { FIELDS } from "./fields.ts";
import type { ImportInput } from "./account.ts";
import { MappingError } from "./mapping.ts";
import type { NoteText } from "./place-prose.ts";
import { strings, words } from "./audit.ts";
import type { BuiltRow, Cell } from "./row.ts";
import type { Draft, Upstreams } from "./upstreams.ts";
import { readBack, writeRow } from "./write-row.ts";

export interface ImportFile {
  /** From the stack's root. */
  path: string;
  content: string;
  /** `differs`: a row of the stack says something else there; it is written only when that is asked for. */
  state: "new" | "same" | "extended" | "differs";
}

export interface Written {
  files: ImportFile[];
  /** Every row as it reads back from its YAML. */
  values: Map<BuiltRow, unknown>;
  /** Cells that became notes of an upstream or the stack; `why` says why when they did not get in. */
  looseCells: { cell: Cell; why: string | undefined }[];
  proseTotal: number;
  proseLeft: { line: number; text: string; why: string }[];
}

interface Plan {
  input: ImportInput;
  rows: { row: BuiltRow; path: string }[];
  prose: NoteText[];
  upstreams: Upstreams;
  own: string | undefined;
  title: string | undefined;
}

/** The files of an import. Every new one is read back through the model before anybody writes it. */
export function filesOf({ input, rows, prose, upstreams, own, title }: Plan): Written {
  const values = new Map<BuiltRow, unknown>();
  const files: ImportFile[] = [];
  const schema = (kind: string) => (input.schemas === undefined ? undefined : `${input.schemas}${kind}.schema.json`);
  const lacking: string[] = [];
  for (const { row, path } of rows) {
    const content = writeRow(row.kind, row.value, schema(row.kind === "followUp" ? "follow-up" : row.kind));
    if (row.kind in FIELDS) {
      const errors = parseRow(row.kind, path, content).problems.filter(({ level }) => level === "error");
      lacking.push(...errors.map(({ message }) => `  ${input.name}:${row.line}  ${row.kind}: ${message}`));
      if (errors.length > 0) continue;
    }
    values.set(row, readBack(row.kind, path, content));
    files.push({ path, content, state: stateOf(row.kind, path, content, input.existing) });
  }
  if (lacking.length > 0) {
    const shown = [...lacking.slice(0, 10), ...(lacking.length > 10 ? [`  and ${lacking.length - 10} more`] : [])];
    throw new MappingError(
      `The mapping leaves fields of ${input.name} open; nothing was written. Give them a column, words, or a value under row:\n${shown.join("\n")}`,
    );
  }
  const held = new Map<Draft | undefined, { all: string[] }>();
  const drafts = [...upstreams.drafts.values()];
  const used = new Set([...rows.map(({ row }) => row.value.upstream), ...prose.map(({ draft }) => draft?.id)]);
  drafts.forEach((draft, index) => {
    if (!draft.known && !used.has(draft.id)) return;
    const path = fileOf("upstream", draft.id);
    const notes = prose.filter((note) => note.draft === draft).map(({ text }) => ({ text }));
    const wanted = { former: draft.former, aliases: draft.aliases, notes, see: draft.see };
    const file = draft.known
      ? extended("upstream", path, wanted, input.existing)
      : fresh("upstream", path, upstreamRow(draft, index, wanted), schema("upstream"), input.existing);
    files.push(file);
    held.set(draft, { all: strings(parseRow("upstream", path, file.content).value) });
  });
  const notes = prose.filter(({ draft }) => draft === undefined);
  const wanted = {
    conventions: notes.filter(({ convention }) => convention).map(({ text }) => text),
    notes: notes.filter(({ convention }) => !convention).map(({ text }) => ({ text })),
  };
  const path = "data/tracker.yaml";
  const tracker = input.existing.has(path)
    ? extended("tracker", path, wanted, input.existing)
    : fresh("tracker", path, trackerRow(own, title, wanted), schema("tracker")?.replace("../../", "../"), input.existing);
  files.push(tracker);
  held.set(undefined, { all: strings(parseRow("tracker", path, tracker.content).value) });
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), values, ...left(prose, held) };
}

/** Which notes, and which cells in notes, are in the files, and which are not because a row of the stack has notes of its own. */
function left(
  prose: readonly NoteText[],
  held: ReadonlyMap<Draft | undefined, { all: string[] }>,
): Pick<Written, "looseCells" | "proseTotal" | "proseLeft"> {
  const looseCells: Written["looseCells"] = [];
  const proseLeft: Written["proseLeft"] = [];
  let proseTotal = 0;
  for (const { line, text, cells, draft } of prose) {
    const wanted = words(text).join(" ");
    const there = held.get(draft)?.all.some((said) => words(said).join(" ") === wanted) === true;
    const why = there
      ? undefined
      : `${draft === undefined ? "data/tracker.yaml" : fileOf("upstream", draft.id)} has notes of its own and was left as it is; add the text by hand if it is still wanted`;
    if (cells.length > 0) looseCells.push(...cells.map((cell) => ({ cell, why })));
    else {
      proseTotal += 1;
      if (why !== undefined) proseLeft.push({ line, text, why });
    }
  }
  return { looseCells, proseTotal, proseLeft };
}

const filled = (lists: Record<string, unknown[]>): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

function upstreamRow(draft: Draft, index: number, lists: Record<string, unknown[]>): Record<string, unknown> {
  const { former = [], aliases = [], ...rest } = lists;
  return {
    title: draft.title,
    ...(draft.kind === "repository" ? {} : { kind: draft.kind }),
    ...(draft.repo === undefined ? {} : { repo: draft.repo }),
    ...filled({ former, aliases }),
    order: (index + 1) * 10,
    ...filled(rest),
  };
}

function trackerRow(own: string | undefined, title: string | undefined, lists: Record<string, unknown[]>): Record<string, unknown> {
  return {
    title: own?.split("/")[1] ?? title ?? "The stack",
    repo: own ?? "owner/repository",
    zone: "UTC",
    thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 },
    ...filled(lists),
  };
}

function fresh(
  kind: Kind,
  path: string,
  value: Record<string, unknown>,
  schema: string | undefined,
  existing: ReadonlyMap<string, string>,
): ImportFile {
  const content = writeRow(kind, value, schema);
  readBack(kind, path, content);
  return { path, content, state: stateOf(kind, path, content, existing) };
}

/** A row of the stack with the lists it does not have yet. Lists that people keep there are never changed. */
function extended(kind: Kind, path: string, wanted: Record<string, unknown[]>, existing: ReadonlyMap<string, string>): ImportFile {
  const before = existing.get(path) ?? "";
  const row = parseRow(kind, path, before).value as Record<string, unknown[] | undefined> | undefined;
  let content = before;
  for (const [key, list] of Object.entries(filled(wanted))) {
    if (row !== undefined && (row[key]?.length ?? 0) === 0 && !new RegExp(`^${key}:`, "m").test(content))
      content = addKey(content, [], key, list);
  }
  if (content !== before) readBack(kind, path, content);
  return { path, content, state: content === before ? "same" : "extended" };
}

/**
 * A row that says the same in other words of YAML, such as with comments or other line breaks, is the same row. So is one
 * whose claim was held on an earlier day and still stands: a later edition of the document changes no row by its date alone.
 */
function stateOf(kind: Kind, path: string, content: string, existing: ReadonlyMap<string, string>): ImportFile["state"] {
  const before = existing.get(path);
  if (before === undefined) return "new";
  if (before === content) return "same";
  const one = parseRow(kind, path, before).value;
  const other = parseRow(kind, path, content).value;
  return one !== undefined && sortedJson(undated(one)) === sortedJson(undated(other)) ? "same" : "differs";
}

function undated(row: unknown): unknown {
  const { claim, ...rest } = row as { claim?: object };
  return claim === undefined ? row : { ...rest, claim: { ...claim, on: "" } };
}
