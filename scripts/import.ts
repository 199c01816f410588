import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Role } from "../src/import/columns.ts";
import { UnreadableDocument, decodeDocument } from "../src/import/decode.ts";
import { NothingToImport, importMarkdown } from "../src/import/import.ts";
import type { ImportInput, Imported } from "../src/import/account.ts";
import { MappingError, readMapping } from "../src/import/mapping.ts";
import type { Mapping } from "../src/import/mapping.ts";
import { UnclearTables } from "../src/import/resolve.ts";
import type { Question } from "../src/import/resolve.ts";
import { isDay } from "../src/import/status.ts";
import { importStore } from "../src/import/store.ts";
import { summaryText } from "../src/import/summary.ts";
import { KINDS } from "../src/model/vocabulary.ts";
import { writeFiles } from "../src/publish/files.ts";
import type { PlannedFile } from "../src/publish/files.ts";
import { canAsk, choose } from "./ask.ts";
import { EXIT, UserError, cli, print, printJson, progress } from "./cli.ts";
import { lastCommitDay, ownRepo } from "./own-repo.ts";
import { schemasOf } from "./schemas-of.ts";

interface Options {
  root: string;
  out?: string;
  map?: string;
  asOf?: string;
  repo?: string;
  force?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export const command = () =>
  cli("import", "Turns a hand-kept Markdown tracker, or a YAML file of rows, into the rows of a stack.")
    .argument("<file>", "the document: Markdown with tables, or YAML together with --map")
    .option("--out <dir>", "the stack's folder to write to (default: --root)")
    .option("--map <file>", "mapping file: what headings do not tell")
    .option("--as-of <date>", "day of the document (default: its last commit, else the latest day it names)")
    .option("--repo <owner/name>", "the stack's own repository (default: its GitHub remote, else told from the links)")
    .option("--force", "replace rows that exist and say something else; the old text is kept in .landfall/replaced/")
    .option("--dry-run", "write nothing, show the report")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit code: 0 done, 1 rows exist and differ (nothing was written), 3 unusable or unclear input.")
    .action(async (file: string, options: Options) => {
      const out = options.out ?? options.root;
      const { input, dayFrom } = await prepare(file, out, options);
      const result = await importAsking(input, options);
      const differ = result.files.filter(({ state }) => state === "differs");
      const blocked = differ.length > 0 && options.force !== true;
      const wrote = !blocked && options.dryRun !== true;
      if (wrote) write(out, result, input.existing);
      if (options.json) printJson(jsonOf(result, wrote));
      else print(summaryText(input.name, result, { out, wrote, asOf: input.asOf, dayFrom }));
      if (!blocked) return;
      const shown = differ.slice(0, 10).map(({ path }) => `  ${join(out, path)}`);
      progress(
        `${differ.length === 1 ? "A row exists" : `${differ.length} rows exist`} and ${differ.length === 1 ? "says" : "say"} something else; nothing was written:\n${shown.join("\n")}${differ.length > 10 ? `\n  and ${differ.length - 10} more` : ""}\nReplace them with --force (the old text is kept), or import into another folder with --out and compare.`,
      );
      process.exitCode = EXIT.problems;
    });

/** Reads everything an import needs: the document, the mapping, the stack's rows, the day and the own repository. */
async function prepare(file: string, out: string, options: Options): Promise<{ input: ImportInput; dayFrom: string }> {
  const name = basename(file);
  const text = readDocument(file, name);
  const mapping = options.map === undefined ? {} : mapped(options.map);
  if (options.asOf !== undefined && !isDay(options.asOf)) throw new UserError(`"${options.asOf}" is not a day. Write --as-of YYYY-MM-DD.`);
  if (options.repo !== undefined && !/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(options.repo))
    throw new UserError(`"${options.repo}" is not owner/name.`);
  if (existsSync(out) && !statSync(out).isDirectory()) throw new UserError(`${out} is not a folder. Give a folder with --out.`);
  const [asOf, dayFrom] = await dayOf(file, text, options.asOf, mapping);
  const own = options.repo ?? mapping.repo ?? (await ownRepo(dirname(file)));
  const existing = readRows(out);
  const schemas = schemasOf(out);
  return { input: { name, text, mapping, asOf, own, existing, schemas, images: imagesOf(out) }, dayFrom };
}

/** Images that the stack's tree runs, as the last scan found them. */
function imagesOf(root: string): string[] {
  const path = join(root, "data/observed/inventory.json");
  if (!existsSync(path)) return [];
  try {
    const { images } = JSON.parse(readFileSync(path, "utf8")) as { images?: { image?: string }[] };
    return images?.flatMap(({ image }) => (typeof image === "string" ? [image] : [])) ?? [];
  } catch {
    return [];
  }
}

function readDocument(file: string, name: string): string {
  if (!existsSync(file)) throw new UserError(`${file} does not exist. Give the path of the document.`);
  if (!statSync(file).isFile()) throw new UserError(`${file} is not a file. Give the path of the document.`);
  try {
    return decodeDocument(name, readFileSync(file));
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new UserError(error.message);
    throw new UserError(`${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`);
  }
}

function mapped(path: string): Mapping {
  if (!existsSync(path)) throw new UserError(`The mapping file ${path} does not exist.`);
  try {
    return readMapping(path, decodeDocument(basename(path), readFileSync(path)));
  } catch (error) {
    if (error instanceof MappingError || error instanceof UnreadableDocument) throw new UserError(error.message);
    throw error;
  }
}

/** The day of the document and where it was taken from: said, its last commit, the latest day it names, its file. */
async function dayOf(file: string, text: string, said: string | undefined, mapping: Mapping): Promise<[string, string]> {
  if (said !== undefined) return [said, "as said"];
  if (mapping.as_of !== undefined) return [mapping.as_of, "as the mapping says"];
  const committed = await lastCommitDay(dirname(file), basename(file));
  if (committed !== undefined) return [committed, "its last commit"];
  const changed = new Date(statSync(file).mtimeMs).toISOString().slice(0, 10);
  const named = [...text.matchAll(/\b20\d{2}-\d{2}-\d{2}\b/g)].map(([day]) => day).filter((day) => isDay(day) && day <= changed);
  const latest = named.sort().at(-1);
  return latest === undefined ? [changed, "the day the file was changed"] : [latest, "the latest day it names"];
}

/** Every authored file of a stack's `data/`, by path. */
export function readRows(root: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const place of Object.values(KINDS)) {
    const full = join(root, "data", place);
    if (!existsSync(full)) continue;
    const names = statSync(full).isDirectory()
      ? readdirSync(full)
          .filter((name) => name.endsWith(".yaml"))
          .map((name) => `${place}/${name}`)
      : [place];
    for (const name of names) rows.set(`data/${name}`, readFileSync(join(root, "data", name), "utf8"));
  }
  return rows;
}

/** Imports, asking on the terminal what the document does not tell. Without a terminal the question is the error. */
async function importAsking(input: ImportInput, options: Options): Promise<Imported> {
  try {
    return /\.(?:ya?ml|json)$/i.test(input.name) ? importStore(input) : importMarkdown(input);
  } catch (error) {
    if (error instanceof UnclearTables && canAsk() && options.json !== true) {
      const told = await answers(input.name, error.questions);
      progress(`To import again without questions, keep this as a mapping file (--map):\n${stringify({ tables: told })}`);
      const tables = [...(input.mapping.tables ?? []), ...told];
      return importAsking({ ...input, mapping: { ...input.mapping, tables } }, options);
    }
    if (error instanceof UnclearTables || error instanceof MappingError || error instanceof NothingToImport)
      throw new UserError(error.message);
    throw error;
  }
}

const ROLES = ["title", "refs", "status", "why", "workaround", "drop", "stake", "upstream", "notes"] as const satisfies readonly Role[];

async function answers(name: string, questions: readonly Question[]): Promise<NonNullable<Mapping["tables"]>> {
  const tables: NonNullable<Mapping["tables"]> = [];
  for (const { line, section, heads, unknown, kind } of questions) {
    const as: NonNullable<Mapping["tables"]>[number]["as"] =
      kind ??
      (await choose(
        `${name}:${line}, under "${section}": what are the rows of the table "${heads.join(" | ")}"?`,
        ["items", "follow-ups", "pins", "retired-pins", "notes"] as const,
        "notes",
      ));
    const columns: Record<string, Role> = {};
    for (const head of unknown) {
      columns[head] = await choose(`${name}:${line}: what does the column "${head}" hold?`, ROLES, "notes");
    }
    tables.push({ section, headings: heads, as, ...(unknown.length > 0 ? { columns } : {}) });
  }
  return tables;
}

/** Writes what is new or changed. What is replaced is kept beside the stack, outside of what git tracks. */
function write(out: string, { files }: Imported, existing: ReadonlyMap<string, string>): void {
  const changed = files.filter(({ state }) => state !== "same");
  const kept = changed.flatMap(({ path, state }) => {
    const before = existing.get(path);
    if (state !== "differs" || before === undefined) return [];
    const hash = createHash("sha256").update(before).digest("hex").slice(0, 8);
    return [{ path: `.landfall/replaced/${path.replace(/^data\//, "").replace(/\.yaml$/, "")}.${hash}.yaml`, content: before }];
  });
  writeOrSay(out, [...kept, ...changed]);
}

/** Writes files, or says in one sentence why the folder takes none. */
export function writeOrSay(root: string, files: readonly PlannedFile[]): void {
  try {
    writeFiles(root, files);
  } catch (error) {
    throw new UserError(
      `${root} cannot be written (${error instanceof Error ? error.message : String(error)}). Nothing was changed; give a folder that can be written.`,
    );
  }
}

/** `import --json`. Other programs read this; fields are added, never renamed. */
function jsonOf(result: Imported, wrote: boolean) {
  const { tables, rows, refs, cells, unplaced, files, prose, remarks, kinds, where } = result;
  return {
    tables,
    rows,
    refs,
    cells,
    unplaced,
    files: files.map(({ path }) => path),
    wrote,
    states: Object.fromEntries(files.map(({ path, state }) => [path, state])),
    kinds,
    where,
    prose,
    remarks,
  };
}
