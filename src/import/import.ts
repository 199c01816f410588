import { threadOf } from "../model/ref.ts";
import { finish } from "./account.ts";
import type { ImportInput, Imported } from "./account.ts";
import type { Role } from "./columns.ts";
import { fieldRow } from "./field-row.ts";
import { followUpRow } from "./follow-up-row.ts";
import { itemRow } from "./item-row.ts";
import { repoOf } from "./links.ts";
import type { Remark } from "./markdown.ts";
import { originOf, pinRow, readArtifact, upstreamOf } from "./pin-row.ts";
import { placeProse } from "./place-prose.ts";
import type { Loose } from "./place-prose.ts";
import { readDocument, readExisting } from "./read.ts";
import type { ReadDocument, ReadTable } from "./read.ts";
import { UnclearTables, isQuestion, resolve } from "./resolve.ts";
import type { Question, Reading, Understood } from "./resolve.ts";
import { isDash, lookUp } from "./row.ts";
import type { Around, BuiltRow, Cell } from "./row.ts";
import { formerName, upstreamsOf } from "./upstreams.ts";
import type { Draft, Upstreams } from "./upstreams.ts";

/** The document holds nothing that could be imported. */
export class NothingToImport extends Error {}

/**
 * Turns a hand-kept Markdown tracker into rows. Pure: it reads a text and gives the files to write.
 * Nothing is lost: after the rows are written and read back, every cell is compared with the row that should hold it, and
 * what is missing is listed. `placed + reported = total` holds by construction, because a cell counts once.
 * @throws {NothingToImport} when there is no table
 * @throws {UnclearTables} when the headings do not tell what a table or a column is
 */
export function importMarkdown(input: ImportInput): Imported {
  const existing = readExisting(input.existing);
  const doc = readDocument(input.text, input.mapping, existing, input.own);
  if (doc.tables.length === 0)
    throw new NothingToImport(
      `${input.name} has no table with rows; there is nothing to import. Rows of a tracker are the rows of Markdown tables.`,
    );
  const readings = doc.tables.map((table) => resolve(table, input.mapping));
  const questions = readings.filter((reading): reading is Question => isQuestion(reading));
  if (questions.length > 0) throw new UnclearTables(input.name, questions);

  const upstreams = upstreamsOf(doc.sections, input.mapping, existing, doc.known.range);
  const build: Building = { input, doc, upstreams, rows: [], loose: [], dropped: [], remarks: [...doc.remarks] };
  doc.tables.forEach((table, index) => {
    buildTable(table, readings[index] as Reading, build);
  });
  linkFollowUps(build.rows);
  const prose = placeProse(doc, upstreams, build.rows, build.loose);
  const { rows, dropped, remarks } = build;
  const imported = finish(
    { input, upstreams, rows, dropped, remarks, tables: doc.tables.length, own: doc.known.own, title: doc.title },
    prose,
  );
  return { ...imported, rows: doc.tables.reduce((sum, table) => sum + table.rows.length, 0) };
}

interface Building {
  input: ImportInput;
  doc: ReadDocument;
  upstreams: Upstreams;
  rows: BuiltRow[];
  /** Rows of tables that become notes. */
  loose: Loose[];
  dropped: { cell: Cell; why: string }[];
  remarks: Remark[];
}

function buildTable(table: ReadTable, reading: Reading, build: Building): void {
  const { input, doc, upstreams } = build;
  if (reading.as === "leave") {
    for (const cell of table.rows.flat()) build.dropped.push({ cell, why: "its table is left out, as the mapping says" });
    return;
  }
  if (reading.as === "notes") {
    build.loose.push(...table.rows.map((cells) => ({ cells, section: table.section })));
    return;
  }
  const shared =
    reading.as === "items"
      ? sharedUpstream(table, reading, upstreams)
      : reading.as === "fields"
        ? undefined
        : upstreams.ofSection(table.section);
  for (const cells of table.rows) {
    if (cells.every(({ prose }) => isDash(prose.text))) {
      build.dropped.push(...cells.map((cell) => ({ cell, why: "a row of dashes says that there is nothing" })));
      continue;
    }
    const draft = shared ?? (reading.as === "items" ? ofRow(cells, reading.roles, upstreams) : undefined);
    for (const cell of cells) lookUp(cell, draft?.repo, doc.known);
    const around: Around = {
      upstream: draft?.id ?? "",
      repo: draft?.repo,
      known: doc.known,
      asOf: input.asOf,
      statuses: doc.statuses,
      images: input.images ?? [],
    };
    const row = buildRow(cells, table, reading, around, build);
    if (row === undefined) {
      build.loose.push({ cells, section: table.section });
      build.remarks.push({
        line: cells[0]?.line ?? table.line,
        text: "the row of pins names no image, commit or package; it is kept as a note",
      });
      continue;
    }
    if (reading.as === "items" && draft) rememberFormer(row, draft, build.remarks);
    build.remarks.push(...row.remarks.map((text) => ({ line: row.line, text })));
    build.rows.push(row);
  }
}

/** The upstream that all rows of a table of items have; undefined when a column, or each row, tells. */
function sharedUpstream(
  table: ReadTable,
  { roles, told }: Extract<Understood, { roles: unknown }>,
  upstreams: Upstreams,
): Draft | undefined {
  if (told?.upstream !== undefined) return upstreams.ensure(told.upstream);
  return roles.includes("upstream") ? undefined : upstreams.ofTable(table, roles.indexOf(roles.includes("refs") ? "refs" : "title"));
}

function buildRow(cells: readonly Cell[], table: ReadTable, reading: Understood, around: Around, build: Building): BuiltRow | undefined {
  if (reading.as === "fields") {
    const { told, kind } = reading;
    return fieldRow(cells, {
      kind,
      columns: told.columns ?? {},
      row: told.row ?? {},
      place: table.section.title,
      idStart: told.id,
      asOf: around.asOf,
    });
  }
  if (reading.as === "items") return itemRow(cells, reading.roles, around);
  if (reading.as === "follow-ups") return followUpRow(cells, reading.roles, around);
  const artifact = readArtifact(cells[reading.roles.indexOf("artifact")]?.prose.text ?? "");
  if (!artifact) return undefined;
  const upstream =
    reading.told?.upstream ??
    upstreamOf(artifact.artifact, [...build.upstreams.drafts.values()]) ??
    build.upstreams.named(originOf(artifact.artifact), undefined, "registry").id;
  return pinRow(cells, reading.roles, reading.as === "retired-pins", { ...around, upstream });
}

/** The upstream of one row of a table that mixes several: by its column, else by the reference it begins with. */
function ofRow(cells: readonly Cell[], roles: readonly (Role | undefined)[], upstreams: Upstreams): Draft {
  const named = cells[roles.indexOf("upstream")];
  const lead = cells[roles.indexOf("title")]?.prose.found[0] ?? cells[roles.indexOf("refs")]?.prose.found[0];
  const repo =
    repoOf(named?.prose.found[0]?.ref ?? "") ?? /([\w-]+\/[\w.-]+)/.exec(named?.prose.text ?? "")?.[1] ?? repoOf(lead?.ref ?? "");
  const written = named?.prose.text.replaceAll("`", "").trim() ?? "";
  const title = written !== "" && written !== repo ? written : (repo?.split("/")[1] ?? "Unsorted");
  const draft = upstreams.named(title, repo);
  if (named && !draft.known && title !== draft.title && !draft.aliases.includes(title)) draft.aliases.push(title);
  return draft;
}

function rememberFormer(row: BuiltRow, draft: Draft, remarks: Remark[]): void {
  const lead = (row.value.refs as { ref: string }[] | undefined)?.[0]?.ref;
  const former = lead === undefined ? undefined : formerName(draft, lead);
  if (former === undefined) return;
  draft.former.push(former);
  remarks.push({
    line: row.line,
    text: `${former} is taken for a former name of ${draft.repo}; if it is a fork, remove it from former in the upstream's row`,
  });
}

/** A follow-up about a thread that heads an item points to the item. */
function linkFollowUps(rows: readonly BuiltRow[]): void {
  for (const row of rows) {
    if (row.kind !== "followUp") continue;
    const about = new Set(
      ((row.value.refs ?? []) as { ref: string; role: string }[]).filter(({ role }) => role !== "context").map(({ ref }) => threadOf(ref)),
    );
    row.heads = rows.filter((other) => other.kind === "item" && headsOf(other).some((ref) => about.has(ref)));
  }
}

const headsOf = (row: BuiltRow): string[] =>
  ((row.value.refs ?? []) as { ref: string; role: string }[]).filter(({ role }) => role !== "context").map(({ ref }) => threadOf(ref));
