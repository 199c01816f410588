import { Document, Scalar, isMap, isScalar, isSeq, visit } from "yaml";
import { SHAPES } from "../model/kinds.ts";
import { parseRow } from "../model/parse.ts";
import type { Kind } from "../model/vocabulary.ts";

const WIDTH = 110;
/** Characters that a block or plain scalar would carry into the file raw, where readers refuse or lose them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffd]/;

/** References and hashes stand in quotes, also where YAML would not need them: the next one might be all digits (E01, E02). */
const QUOTED = /^\S+#\d+\S*$|^[0-9a-f]{7,40}$|^(?:oci|git|pypi|npm|hf|page):\S+$|^[\w-]+\/[\w.-]+@\S+$/;

/**
 * The YAML text of a row, in the shape people write here: keys in the order of the schema, long text folded, references on
 * one line.
 * @param schema line for editors above the row, when the stack has its schemas at hand
 */
export function writeRow(kind: Kind, value: Record<string, unknown>, schema?: string): string {
  const order = Object.keys(SHAPES[kind].shape);
  const ordered = Object.fromEntries(Object.entries(value).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
  const doc = new Document(ordered, { version: "1.2", aliasDuplicateObjects: false });
  visit(doc, {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string") return;
      if (UNPRINTABLE.test(node.value) || /^\s|\s$|\n\s|[ \t]\n/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (QUOTED.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (node.value.includes("\n")) node.type = Scalar.BLOCK_LITERAL;
      else if (node.value.length > 80) node.type = Scalar.BLOCK_FOLDED;
    },
    Map(_, node) {
      const small = node.items.every(
        ({ value: inner }) => isScalar(inner) && String(inner.value).length < 60 && !String(inner.value).includes("\n"),
      );
      const length = node.items.reduce(
        (sum, { key, value: inner }) => sum + String(key).length + String(isScalar(inner) ? inner.value : "").length + 6,
        0,
      );
      if (small && length < 100 && node !== doc.contents && node.items.length > 0) node.flow = true;
    },
    Seq(_, node) {
      if (
        node.items.every((item) => isScalar(item) && String(item.value).length < 40 && typeof item.value === "string") &&
        node.items.length < 5
      )
        node.flow = true;
      else if (node.items.some((item) => isMap(item) || isSeq(item))) node.flow = false;
    },
  });
  const text = doc
    .toString({ lineWidth: WIDTH, minContentWidth: 20, flowCollectionPadding: true })
    .replaceAll("\ufffd", "\\ufffd")
    .replaceAll("\ufeff", "\\ufeff");
  return schema === undefined ? text : `# yaml-language-server: $schema=${schema}\n${text}`;
}

/** Reads a written row back through the model's own door. A row that does not load is a defect of the importer. */
export function readBack(kind: Kind, path: string, text: string): unknown {
  const parsed = parseRow(kind, path, text);
  const errors = parsed.problems.filter(({ level }) => level === "error");
  if (errors.length > 0) {
    const said = errors.map(({ line, message }) => `${path}:${line} ${message}`).join("\n");
    throw new Error(`The importer made a row that does not load:\n${said}\n${text}`);
  }
  return parsed.value;
}
