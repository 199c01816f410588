import type { PhrasingContent } from "mdast";
import type { Path } from "../model/problem.ts";
import { kindOfLabel, targetOf } from "./links.ts";
import { sameAddress } from "./prose.ts";
import type { Cell, PlacedCell } from "./row.ts";

/**
 * The account: what of a cell is missing from the values that are said to hold it.
 * It compares the cell's own words and addresses with the row as it was read back from its YAML, so that a mistake in
 * building or writing a row shows up as text without a place, and not as silence.
 * @param value the row as loaded from its YAML
 * @returns the missing words in order; empty when all of the cell is there
 */
export function missingFrom(value: unknown, { cell, paths, read }: PlacedCell): string[] {
  const rowRefs = ((value as { refs?: { ref: string; kind?: string; note?: string }[] }).refs ?? []).map((one) =>
    typeof one === "string" ? { ref: one, kind: undefined, note: undefined } : one,
  );
  const refs = new Set(rowRefs.map(({ ref }) => ref));
  const held = paths.flatMap((path) =>
    path[0] === "refs"
      ? rowRefs.flatMap(({ ref, kind, note }) => [ref, note ?? "", ...(kind ? [kind === "pull-request" ? "PR" : kind] : [])])
      : strings(valueAt(value, path)),
  );
  const have = counted([...held.flatMap(words), ...words(read ?? "")]);
  const missing: string[] = [];
  for (const word of wordsOfCell(cell, refs, held)) {
    const left = have.get(word) ?? 0;
    if (left === 0) missing.push(word);
    else have.set(word, left - 1);
  }
  return missing;
}

/** Everything of a cell that must be somewhere: words, symbols, and the words of addresses that no reference stands for. */
function wordsOfCell(cell: Cell, refs: ReadonlySet<string>, held: readonly string[]): string[] {
  return words(textOfCell(cell.nodes, (ref) => refs.has(ref) || held.some((text) => text.includes(ref.replace(/^page:/, "")))));
}

/** The cell's text; what bold or italics cut in the middle of a word stays one word, as it reads. */
function textOfCell(nodes: readonly PhrasingContent[], stands: (ref: string) => boolean): string {
  return nodes
    .map((node): string => {
      switch (node.type) {
        case "text":
          return node.value;
        case "emphasis":
        case "strong":
          return textOfCell(node.children, stands);
        case "delete":
          return ` ${textOfCell(node.children, stands)} `;
        case "inlineCode":
          return ` ${node.value} `;
        case "html":
          return /^<br\s*\/?>$/i.test(node.value) ? " " : ` ${node.value} `;
        case "image":
          return ` ${node.alt ?? ""} ${node.url} `;
        case "link":
          return linkText(node.url, textOfCell(node.children, stands), stands);
        case "footnoteReference":
          return ` ${node.label ?? node.identifier} `;
        default:
          return " ";
      }
    })
    .join("");
}

function linkText(url: string, label: string, stands: (ref: string) => boolean): string {
  const target = targetOf(url);
  if (target !== undefined && stands(target.ref)) return ` ${coveredLabel(label, target.ref, url).join(" ")} `;
  return sameAddress(url, label) ? label : ` ${label} ${url} `;
}

/** Words of a link's label that its reference does not say already: `PR #12` says no more than the reference does. */
function coveredLabel(label: string, ref: string, url: string): string[] {
  if (label === url || `https://${label}` === url || `http://${label}` === url) return [];
  const said = new Set(words(ref));
  const kind = kindOfLabel(label) === undefined ? [] : ["pr", "issue", "discussion", "pull", "request"];
  return words(label).filter((word) => !said.has(word) && !kind.includes(word));
}

/** Letters and digits, and pictures such as status symbols; marks that only join or decorate do not count. */
export const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu) ?? [];

function counted(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (at !== null && typeof at === "object" ? (at as Record<string | number, unknown>)[part] : undefined),
    value,
  );
}

/** Every text and number inside a value. */
export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(strings);
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}
