/** One cell as it stands in a row: its text without the pipes, and the column (1-based) where the text starts in the row. */
export interface RawCell {
  text: string;
  column: number;
}

export interface SplitRow {
  cells: RawCell[];
  /** What was unusual, in words for the report; empty for a plain row. */
  remarks: string[];
}

/**
 * Splits a raw table row into the cells its author meant.
 *
 * GitHub splits at every pipe that is not escaped, even inside code (E14, remarkjs/remark-gfm#60), and drops what is
 * left over. The row is therefore read from its raw line: when the plain split does not give the table's number of
 * columns, pipes inside code are taken for text, then pipes inside brackets. Cells that are still left over are kept
 * (E21); the caller says where they went.
 * @param columns the number of columns of the table's head
 */
export function splitRow(raw: string, columns: number): SplitRow {
  const plain = splitAt(raw, []);
  if (plain.length === columns) return { cells: plain, remarks: [] };
  const codes = codeSpans(raw);
  const aware = splitAt(raw, codes);
  const joined = aware.length < plain.length ? ["a pipe inside code is text; GitHub splits the row there"] : [];
  if (aware.length > columns) {
    const bracketed = splitAt(raw, [...codes, ...brackets(raw, codes)]);
    if (bracketed.length === columns) {
      return { cells: bracketed, remarks: [...joined, "a pipe inside brackets is taken for text; GitHub splits the row there"] };
    }
  }
  const ragged = aware.length === columns ? [] : [`the row has ${aware.length} cells and the table ${columns} columns`];
  return { cells: aware, remarks: [...joined, ...ragged] };
}

/** True for the line under a table's head: `|---|:-:|`. */
export function isDelimiterRow(raw: string): boolean {
  return (
    /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(raw) && raw.includes("-") && (raw.includes("|") || /^\s*:?-+:?\s*$/.test(raw))
  );
}

type Span = [from: number, to: number];

function splitAt(raw: string, closed: readonly Span[]): RawCell[] {
  const cuts: number[] = [];
  let span = 0;
  const spans = [...closed].sort((a, b) => a[0] - b[0]);
  for (let at = 0; at < raw.length; at++) {
    while (span < spans.length && (spans[span] as Span)[1] <= at) span += 1;
    if (raw[at] === "\\") at += 1;
    else if (raw[at] === "|" && !spans.slice(span, span + 2).some(([from, to]) => from <= at && at < to)) cuts.push(at);
  }
  const first = raw.length - raw.trimStart().length;
  const last = raw.trimEnd().length - 1;
  if (cuts[0] !== first) cuts.unshift(-1);
  if (cuts.at(-1) !== last || cuts.length === 1) cuts.push(raw.length);
  return cuts.slice(0, -1).map((cut, index) => {
    const text = raw.slice(cut + 1, cuts[index + 1]);
    return { text: text.trim(), column: cut + 2 + (text.length - text.trimStart().length) };
  });
}

/** Code spans: a run of backticks up to the next run of the same length. An escaped backtick opens none. */
function codeSpans(raw: string): Span[] {
  const runs = [...raw.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  const next = new Map<number, number>();
  const closing = new Array<number | undefined>(runs.length);
  for (let at = runs.length - 1; at >= 0; at--) {
    const length = runs[at]?.length ?? 0;
    closing[at] = next.get(length);
    next.set(length, at);
  }
  const spans: Span[] = [];
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at];
    const close = closing[at];
    if (!run || close === undefined || (raw[run.at - 1] === "\\" && raw[run.at - 2] !== "\\")) continue;
    spans.push([run.at, (runs[close]?.at ?? 0) + run.length]);
    at = close;
  }
  return spans;
}

/** Stretches in round or square brackets that open and close in the row, outside code. */
function brackets(raw: string, codes: readonly Span[]): Span[] {
  const spans: Span[] = [];
  const open: { at: number; close: string }[] = [];
  let span = 0;
  for (let at = 0; at < raw.length; at++) {
    while (span < codes.length && (codes[span] as Span)[1] <= at) span += 1;
    const code = codes[span];
    if (code && code[0] <= at) at = code[1] - 1;
    else if (raw[at] === "\\") at += 1;
    else if (raw[at] === "(" || raw[at] === "[") open.push({ at, close: raw[at] === "(" ? ")" : "]" });
    else if (open.at(-1)?.close === raw[at]) {
      const from = open.pop()?.at ?? at;
      if (open.length === 0) spans.push([from, at + 1]);
    }
  }
  return spans;
}
