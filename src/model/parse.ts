import { LineCounter, isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, Node } from "yaml";
import { z } from "zod";
import { SHAPES } from "./kinds.ts";
import type { Path, Problem } from "./problem.ts";
import { pathText } from "./problem.ts";
import { ROW_RULES } from "./rules/row-rules.ts";
import { didYouMean, listWords } from "./suggest.ts";
import type { Kind } from "./vocabulary.ts";

/** A row's text, parsed, with the means to find where a value stands. */
export interface Parsed {
  value: unknown;
  problems: Problem[];
  place: (path: Path) => { line: number; column: number };
}

/**
 * Reads one authored file: YAML 1.2, one document, strict shape.
 * Collects every problem of the file; `value` is only to be used when there is no error.
 */
export function parseRow(kind: Kind, file: string, text: string): Parsed {
  const { doc, value, place, problems } = parseYaml(file, text);
  if (problems.some((problem) => problem.level === "error")) return { value: undefined, problems, place };
  const outcome = SHAPES[kind].safeParse(value);
  if (!outcome.success) {
    for (const issue of outcome.error.issues.flatMap((found) => flatten(found))) {
      problems.push(...describe(issue, { kind, file, doc, text, place }));
    }
  }
  return { value: outcome.data, problems, place };
}

/** The YAML layer of {@link parseRow}, without a shape. */
export function parseYaml(file: string, text: string): { doc: Document; value: unknown; place: Parsed["place"]; problems: Problem[] } {
  let value: unknown;
  const problems: Problem[] = [];
  const counter = new LineCounter();
  const add = (line: number, column: number, rule: string, message: string, more: Partial<Problem> = {}) =>
    problems.push({ file, line, column, level: "error", rule, path: [], message, ...more });

  if (text.startsWith("\uFEFF")) {
    add(1, 1, "byte-order-mark", "The file starts with a byte order mark. Save it as UTF-8 without one.", {
      fix: { does: "remove the byte order mark", edit: "strip-bom" },
    });
  }
  if (text.includes("\uFFFD"))
    add(...lineAndColumn(text, text.indexOf("\uFFFD")), "encoding", "The file is not valid UTF-8. Save it as UTF-8.");
  if (text.includes("\r\n")) {
    const at = text.indexOf("\r\n");
    add(...lineAndColumn(text, at), "line-ends", "Lines end with CRLF. Save the file with LF line ends.", {
      level: "warning",
      fix: { does: "write LF line ends", edit: "unix-line-ends" },
    });
  }
  const doc = parseDocument(text, {
    version: "1.2",
    lineCounter: counter,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    // Not "silent": that also silences the error about a second document, which would be dropped without a word.
    logLevel: "error",
  });
  const place = (path: Path) => {
    const { line, col } = counter.linePos(offsetOf(doc, path));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (doc.directives?.yaml.explicit === true) {
    add(1, 1, "yaml-version", "A %YAML directive changes how values are read. Remove it; files here are YAML 1.2.");
  }
  for (const error of doc.errors) {
    const { line, col } = counter.linePos(error.pos[0]);
    const hint = error.message.startsWith("Flow") ? UNCLOSED : YAML_HINTS[error.code];
    add(line, col, "yaml", hint ?? `The file is not valid YAML: ${firstSentence(error.message)}`);
  }
  for (const warning of doc.warnings) {
    const { line, col } = counter.linePos(warning.pos[0]);
    add(line, col, "yaml", `${firstSentence(warning.message)}. Write the value without it.`, { level: "warning" });
  }
  if (doc.errors.length === 0) {
    for (const { name, level, check } of ROW_RULES) {
      for (const { offset, path, message } of check({ file, text, doc })) {
        const { line, col } = counter.linePos(offset);
        add(line, col, name, message, { level, path });
      }
    }
    if (doc.contents === null) add(1, 1, "yaml", "The file is empty. Write a row, or delete the file.");
    else if (!isMap(doc.contents)) add(1, 1, "yaml", "The file does not hold a map of keys and values.");
    try {
      value = doc.toJS({ maxAliasCount: 100 });
    } catch (error) {
      add(
        1,
        1,
        "yaml",
        `The file's aliases cannot be resolved (${error instanceof Error ? error.message : String(error)}). Write the values out.`,
      );
    }
  }
  return { doc, value, place, problems };
}

const YAML_HINTS: Partial<Record<string, string>> = {
  TAB_AS_INDENT: "A tab is used for indentation. Indent with spaces.",
  DUPLICATE_KEY: "The same key stands twice. Keep one of them.",
  MULTIPLE_DOCS: "The file holds more than one document. Keep one row a file.",
  BAD_INDENT: "The indentation does not fit the lines above. Align the key with its neighbours.",
};

const UNCLOSED = "A list or map that was opened with [ or { is not closed here, or its lines are not indented. Close it.";

const MERGE_KEY = "Merge keys (<<) are not part of YAML 1.2, and nothing is merged here. Write the keys out.";

const firstSentence = (message: string) => (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");

function lineAndColumn(text: string, offset: number): [number, number] {
  const before = text.slice(0, offset);
  return [before.split("\n").length, offset - before.lastIndexOf("\n")];
}

function nodeAt(doc: Document, path: Path): Node | undefined {
  const node = path.length === 0 ? doc.contents : doc.getIn(path, true);
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node : undefined;
}

/** Offset of the value at a path; of the nearest existing parent's key when the value is absent. */
function offsetOf(doc: Document, path: Path): number {
  const last = path.at(-1);
  const parent = nodeAt(doc, path.slice(0, -1));
  if (isMap(parent) && typeof last === "string") {
    const pair = parent.items.find((found) => isPair(found) && isScalar(found.key) && found.key.value === last);
    if (pair && isScalar(pair.key) && pair.key.range) {
      const value = pair.value as Node | null;
      return isScalar(value) && value.range && value.range[1] > value.range[0] ? value.range[0] : pair.key.range[0];
    }
  }
  for (let depth = path.length; depth >= 0; depth--) {
    const node = nodeAt(doc, path.slice(0, depth));
    if (node?.range) return node.range[0];
  }
  return 0;
}

type Issue = z.core.$ZodIssue;

/** Replaces a union's issue by those of the alternative that was most likely meant: the one that got furthest. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const depth = (branch: Issue[]) => Math.max(0, ...branch.map((found) => found.path.length));
  const best = issue.errors.reduce((chosen, branch) => (depth(branch) > depth(chosen) ? branch : chosen));
  return best.flatMap((found) => flatten({ ...found, path: [...issue.path, ...found.path] }));
}

interface Context {
  kind: Kind;
  file: string;
  doc: Document;
  text: string;
  place: Parsed["place"];
}

function describe(issue: Issue, { kind, file, doc, text, place }: Context): Problem[] {
  const path = issue.path.filter((part) => typeof part !== "symbol") as Path;
  const node = nodeAt(doc, path);
  const name = path.length === 0 ? "The row" : pathText(path);
  const problem = (rule: string, message: string, more: Partial<Problem> = {}): Problem => ({
    file,
    ...place(path),
    level: "error",
    rule,
    path,
    message,
    ...more,
  });
  const shown = node?.range ? text.slice(node.range[0], Math.min(node.range[1], node.range[0] + 60)).trim() : "";

  switch (issue.code) {
    case "unrecognized_keys": {
      const known = keysAt(SHAPES[kind], path);
      return issue.keys.map((key) => ({
        file,
        ...keyPlace(doc, path, key, place),
        level: "error" as const,
        rule: "unknown-key",
        path: [...path, key],
        message:
          key === "<<"
            ? MERGE_KEY
            : `"${key}" is not a key here.${didYouMean(key, known) || (known.length > 0 ? ` Use ${listWords(known)}.` : "")}`,
      }));
    }
    case "invalid_type": {
      if (node === undefined) return [problem("missing", `${pathText(path)} is missing. Add it.`)];
      if (issue.expected === "string" && isScalar(node) && typeof node.value !== "string" && node.value !== null) {
        return [
          problem(
            "unquoted",
            `${shown} is read as a ${typeof node.value === "number" ? "number" : typeof node.value}, and ${name} is text. Quote it: "${shown}".`,
            {
              fix: { does: `quote ${shown}`, edit: "quote" },
            },
          ),
        ];
      }
      if (isScalar(node) && node.value === null)
        return [problem("empty", `${name} is empty. Write a ${issue.expected}, or remove the key.`)];
      return [
        problem("type", `${name} is not a ${issue.expected === "array" ? "list" : issue.expected === "object" ? "map" : issue.expected}.`),
      ];
    }
    case "invalid_value": {
      const values = issue.values.map(String);
      if (node === undefined) return [problem("missing", `${pathText(path)} is missing. Use ${listWords(values)}.`)];
      return [problem("value", `"${shown}" is not a ${lastKey(path)}. Use ${listWords(values)}.${didYouMean(shown, values)}`)];
    }
    default:
      return [problem("value", node !== undefined && isScalar(node) ? `"${shown}" ${issue.message}.` : `${name} ${issue.message}.`)];
  }
}

const lastKey = (path: Path) => [...path].reverse().find((part): part is string => typeof part === "string") ?? "value";

function keyPlace(doc: Document, path: Path, key: string, place: Parsed["place"]): { line: number; column: number } {
  return nodeAt(doc, path) === undefined ? place(path) : place([...path, key]);
}

/** The keys a shape allows at a path, for "did you mean". */
function keysAt(shape: z.ZodType, path: Path): string[] {
  const inner = unwrap(shape);
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.flatMap((option) => keysAt(option as z.ZodType, path)))];
  const [head, ...rest] = path;
  if (inner instanceof z.ZodObject) {
    if (head === undefined) return Object.keys(inner.shape);
    const next = inner.shape[String(head)] as z.ZodType | undefined;
    return next ? keysAt(next, rest) : [];
  }
  if (inner instanceof z.ZodArray && head !== undefined) return keysAt(inner.element as z.ZodType, rest);
  return [];
}

function unwrap(shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodDefault || shape instanceof z.ZodNullable)
    return unwrap(shape.unwrap() as z.ZodType);
  return shape;
}
