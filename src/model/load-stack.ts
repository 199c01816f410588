import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SHAPES } from "./kinds.ts";
import type { Model } from "./kinds.ts";
import { readObserved } from "./load-observed.ts";
import type { Parsed } from "./parse.ts";
import { byPlace } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { quickValue } from "./quick-yaml.ts";
import { FOLDER_RULES } from "./rules/folder-rules.ts";
import type { Observed } from "./shapes/observed.ts";
import { KINDS } from "./vocabulary.ts";
import type { Kind } from "./vocabulary.ts";

/** The root holds no stack that could be read. Commands answer with exit code 3. */
export class UnusableRoot extends Error {}

/** Reads a row that the quick reader left, such as `parseRow`. */
export type StrictReader = (kind: Kind, file: string, text: string) => Parsed;

export interface Loaded {
  model: Model;
  observed: Observed;
  problems: Problem[];
  /** Rows by kind, and how many of them had an error. */
  counts: { rows: number; broken: number; kinds: Partial<Record<Kind, number>> };
}

/**
 * Reads a stack: every file of `data/`, authored and observed. The only reader of `data/`.
 * Every problem is collected; a row with an error is left out of the model and listed.
 * @param root the stack's folder (holds `data/`)
 * @param only kinds to read; a command that needs no others is faster. The rest of the model is empty then, and unchecked.
 * @param strict reads what is not plain or does not fit, and knows places; a parameter, because most stacks never need it
 * @throws {UnusableRoot} when there is no `data/tracker.yaml`
 */
export function readStack(root: string, only: readonly Kind[] | undefined, strict: StrictReader): Loaded {
  if (!existsSync(root) || !statSync(root).isDirectory())
    throw new UnusableRoot(`${root} is not a folder. Give the folder that holds data/ with --root.`);
  if (!existsSync(join(root, "data", KINDS.tracker))) {
    const closed = whyClosed(join(root, "data"));
    if (closed)
      throw new UnusableRoot(`${join(root, "data")} cannot be read (${closed}). Give read access, or another folder with --root.`);
    throw new UnusableRoot(`${root} is no stack: it has no data/${KINDS.tracker}. Give another folder with --root, or create one.`);
  }
  const problems: Problem[] = misplaced(root);
  const counts: Loaded["counts"] = { rows: 0, broken: 0, kinds: {} };
  const model = Object.fromEntries(
    (Object.keys(SHAPES) as Kind[]).map((kind) => [
      kind,
      kind === "tracker" ? undefined : only && !only.includes(kind) ? {} : readKind(root, kind, problems, counts, strict),
    ]),
  ) as unknown as Model;
  const tracker = readRow(root, "tracker", `data/${KINDS.tracker}`, problems, counts, strict);
  if (tracker === undefined) {
    return {
      model: { ...model, tracker: FALLBACK_TRACKER },
      observed: readObserved(root, problems),
      problems: problems.sort(byPlace),
      counts,
    };
  }
  model.tracker = tracker as Model["tracker"];
  problems.push(...emptyStack(counts));
  return { model, observed: readObserved(root, problems), problems: problems.sort(byPlace), counts };
}

/** Why a folder cannot be listed; undefined when it can, or is not there. */
function whyClosed(folder: string): string | undefined {
  try {
    if (existsSync(folder)) readdirSync(folder);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Stands in for a broken tracker.yaml so that the other files can still be checked. */
const FALLBACK_TRACKER: Model["tracker"] = {
  title: "unreadable",
  repo: "unreadable/unreadable",
  zone: "UTC",
  thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 },
  conventions: [],
  notes: [],
  disagreements: [],
};

/** What the rules over names find directly under `data/`. */
function misplaced(root: string): Problem[] {
  const entries = readdirSync(join(root, "data")).map((name) => ({ path: `data/${name}`, folder: isFolder(join(root, "data", name)) }));
  return FOLDER_RULES.flatMap(({ name, level, check }) =>
    check(entries).map(({ file, message }): Problem => ({ file, line: 1, column: 1, level, rule: name, path: [], message })),
  );
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function readKind(root: string, kind: Kind, problems: Problem[], counts: Loaded["counts"], strict: StrictReader): Record<string, unknown> {
  const folder = join(root, "data", KINDS[kind]);
  const rows: Record<string, unknown> = {};
  if (!isFolder(folder)) return rows;
  const names = readdirSync(folder).sort();
  const seen = new Map<string, string>();
  for (const name of names) {
    const file = `data/${KINDS[kind]}/${name}`;
    const say = (rule: string, message: string) => problems.push({ file, line: 1, column: 1, level: "error", rule, path: [], message });
    if (name.startsWith(".") || name === "README.md") continue;
    const id = /^([a-z0-9]+(?:[.-][a-z0-9]+)*)\.yaml$/.exec(name)?.[1];
    const twin = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    if (twin !== undefined) {
      say("one-id", `${name} and ${twin} differ only by case and are one file on other systems. Rename one of them.`);
      continue;
    }
    if (id === undefined) {
      say("file-name", `${name} is not a row's file name. Use lower-case letters, digits, dots and dashes, and the ending .yaml.`);
      continue;
    }
    const value = readRow(root, kind, file, problems, counts, strict);
    if (value !== undefined) rows[id] = value;
  }
  return rows;
}

function readRow(root: string, kind: Kind, file: string, problems: Problem[], counts: Loaded["counts"], strict: StrictReader): unknown {
  counts.rows += 1;
  counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1;
  const text = readText(root, file, problems);
  if (text === undefined) {
    counts.broken += 1;
    return undefined;
  }
  const quick = SHAPES[kind].safeParse(quickValue(text));
  if (quick.success) return quick.data;
  const parsed = strict(kind, file, text);
  problems.push(...parsed.problems);
  if (parsed.problems.some((problem) => problem.level === "error")) {
    counts.broken += 1;
    return undefined;
  }
  return parsed.value;
}

/** A row is written by people. A file of many megabytes is none, and reading it strictly would take minutes. */
const LARGEST_MB = 5;

/** A row's text, or undefined and a problem: a folder named like a row, a link to nowhere, a file that may not be read or is no row by its size. */
function readText(root: string, file: string, problems: Problem[]): string | undefined {
  const say = (message: string) => {
    problems.push({ file, line: 1, column: 1, level: "error", rule: "unreadable", path: [], message });
    return undefined;
  };
  try {
    const megabytes = statSync(join(root, file)).size / 1024 / 1024;
    if (megabytes > LARGEST_MB)
      return say(`The file has ${Math.round(megabytes)} MB; a row of more than ${LARGEST_MB} MB is not read. Move it out of data/.`);
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    return say(`The file cannot be read (${error instanceof Error ? error.message : String(error)}). Restore it, or delete it.`);
  }
}

function emptyStack(counts: Loaded["counts"]): Problem[] {
  if (counts.rows > 1) return [];
  const message = "data/ holds no rows. Add an upstream and a row: npm run add-item -- owner/repo#12.";
  return [{ file: `data/${KINDS.tracker}`, line: 1, column: 1, level: "error", rule: "empty-stack", path: [], message }];
}
