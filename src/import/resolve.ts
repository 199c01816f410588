import type { Role, TableKind } from "./columns.ts";
import { plainHeading, rolesOf, understand } from "./columns.ts";
import type { FieldKind } from "./fields.ts";
import { MappingError, TABLE_KINDS } from "./mapping.ts";
import type { Mapping, TableMapping } from "./mapping.ts";
import { isLegendTable } from "./read.ts";
import type { ReadTable } from "./read.ts";
import { listWords } from "../model/suggest.ts";

/** How a table will be read. */
export type Reading = Understood | { as: "notes" } | { as: "leave" };
export type Understood =
  | { as: TableKind; roles: (Role | undefined)[]; told: TableMapping | undefined }
  | { as: "fields"; kind: FieldKind; told: TableMapping };

/** What the headings do not tell, for a person to say. */
export interface Question {
  line: number;
  section: string;
  heads: string[];
  /** Headings without a known word; empty when the whole table is unknown. */
  unknown: string[];
  kind: TableKind | undefined;
}

/** The document has tables that nobody can place; nothing was written. */
export class UnclearTables extends Error {
  readonly questions: Question[];
  constructor(name: string, questions: Question[]) {
    super(explain(name, questions));
    this.questions = questions;
  }
}

const FIELD_KINDS: Partial<Record<TableMapping["as"], FieldKind>> = {
  measurements: "measurement",
  variants: "variant",
  patches: "patch",
  triggers: "trigger",
};
const ROLES = [
  "title",
  "refs",
  "status",
  "why",
  "workaround",
  "drop",
  "notes",
  "upstream",
  "stake",
  "artifact",
  "users",
  "reason",
  "retire",
  "deferred",
  "trigger",
  "decide",
  "seen",
] as const satisfies readonly Role[];

/** The reading of one table, or the question to ask about it. */
export function resolve(table: ReadTable, mapping: Mapping): Reading | Question {
  const told = mapping.tables?.find((one) => applies(one, table));
  const rest = mapping.other_tables ?? "ask";
  if (told?.as === "notes") return { as: "notes" };
  const fields = told && FIELD_KINDS[told.as];
  if (told && fields) return { as: "fields", kind: fields, told };
  if (!told && (table.heads.length === 0 || isLegendTable(table.heads))) return { as: "notes" };
  const place = [table.section.title, table.section.parent?.title ?? ""].join(" ");
  const found = told
    ? { kind: told.as as TableKind, roles: rolesOf(table.heads.map(plainHeading), told.as as TableKind) }
    : understand(table.heads, place);
  if (!found) return rest === "ask" ? question(table, [], undefined) : { as: rest };
  const roles = told?.columns ? overridden(found.roles, table.heads, told) : found.roles;
  const unknown = table.heads.filter((head, index) => roles[index] === undefined && hasText(table, index) && head !== "");
  if (unknown.length > 0 && rest === "ask") return question(table, unknown, found.kind);
  return { as: found.kind, roles: roles.map((role) => role ?? "notes"), told };
}

function applies({ section, headings }: TableMapping, table: ReadTable): boolean {
  const heads = table.heads.map(plainHeading);
  const titles = [table.section.title, table.section.parent?.title ?? ""].map((title) => title.toLowerCase());
  if (section !== undefined && !titles.some((title) => title.includes(section.toLowerCase()))) return false;
  return (section !== undefined || headings !== undefined) && (headings ?? []).every((head) => heads.includes(plainHeading(head)));
}

function overridden(roles: readonly (Role | undefined)[], heads: readonly string[], told: TableMapping): (Role | undefined)[] {
  const columns = new Map(Object.entries(told.columns ?? {}).map(([head, to]) => [plainHeading(head), to]));
  return heads.map((head, index) => {
    const to = columns.get(plainHeading(head));
    if (to === undefined) return roles[index];
    const role = ROLES.find((one) => one === to);
    if (role === undefined)
      throw new MappingError(`"${String(to)}" is not what a column of ${told.as} can hold. Use ${listWords([...ROLES], 20)}.`);
    return role;
  });
}

const hasText = (table: ReadTable, index: number) => table.rows.some((row) => (row[index]?.prose.text ?? "") !== "");

const question = (table: ReadTable, unknown: string[], kind: TableKind | undefined): Question => ({
  line: table.line,
  section: table.section.title,
  heads: table.heads,
  unknown,
  kind,
});

export const isQuestion = (one: Reading | Question): one is Question => "unknown" in one;

/** The message of {@link UnclearTables}: which tables, what is not clear, and the lines of a mapping file that settle it. */
function explain(name: string, questions: readonly Question[]): string {
  const lines = questions.map(({ line, heads, unknown }) =>
    unknown.length === 0
      ? `  ${name}:${line}  the table "${heads.join(" | ")}" is of no kind the headings tell`
      : `  ${name}:${line}  nobody says what ${unknown.map((head) => `"${head}"`).join(", ")} holds`,
  );
  const example = questions
    .slice(0, 3)
    .flatMap(({ section, heads, unknown, kind }) => [
      `  - section: ${JSON.stringify(section)}`,
      `    headings: ${JSON.stringify(heads)}`,
      `    as: ${kind ?? "notes"}                # ${TABLE_KINDS.join(" | ")}`,
      ...(unknown.length > 0 ? [`    columns: { ${unknown.map((head) => `${JSON.stringify(head)}: notes`).join(", ")} }`] : []),
    ]);
  return [
    `${questions.length === 1 ? "One table" : `${questions.length} tables`} of ${name} cannot be placed; nothing was written.`,
    ...lines,
    "Say it in a mapping file (--map FILE), or run the command in a terminal and answer. For example:",
    "tables:",
    ...example,
    "# or, for all tables that nobody names:  other_tables: notes",
  ].join("\n");
}
