import type { Anchor } from "../../model/shapes/patch.ts";
import { splitLines } from "./apply.ts";
import type { Sources } from "./sources.ts";

/** What an anchor looks for, ready to search with; or why it cannot be searched for. */
export type Needle =
  | { kind: "text"; text: string }
  | { kind: "pattern"; pattern: RegExp }
  | { kind: "hash"; sha256: string; lines: number; starts: string }
  | { kind: "unusable"; why: string }
  /** The file of the stack that holds the text could not be read. */
  | { kind: "unknown"; why: string };

/** Text that stands more often than this says nothing about a place. */
export const EVERYWHERE = 100;
/** Longer inputs are not searched with a regular expression: one bad expression would stop the run. */
const LONGEST_FOR_PATTERN = 2_000_000;

/** Undefined: the anchor's own file was not read yet. */
export function needleOf(sources: Sources, anchor: Anchor): Needle | undefined {
  if (anchor.text !== undefined) return textNeedle(anchor.text);
  if (anchor.hash) return { kind: "hash", ...anchor.hash };
  if (anchor.file !== undefined) {
    const own = sources.own(anchor.file);
    if (own === undefined) return undefined;
    if (own.state === "text") return textNeedle(own.text);
    if (own.state === "failed") return { kind: "unknown", why: `${anchor.file}: ${own.why}` };
    return { kind: "unusable", why: `the stack has no file ${anchor.file}` };
  }
  return patternNeedle(anchor.pattern ?? "");
}

function textNeedle(text: string): Needle {
  if (text.trim() === "") return { kind: "unusable", why: "the anchor is empty, so it would match everywhere" };
  return { kind: "text", text };
}

function patternNeedle(source: string): Needle {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "gm");
  } catch (error) {
    return { kind: "unusable", why: `its pattern is no regular expression (${error instanceof Error ? error.message : String(error)})` };
  }
  // An expression that matches nothing at all matches at every place.
  if (new RegExp(source, "mu").exec("")?.[0] === "")
    return { kind: "unusable", why: "its pattern matches the empty text, so it matches everywhere" };
  return { kind: "pattern", pattern };
}

/** Places where a needle stands in a text, as offsets; they do not overlap. */
export interface Place {
  from: number;
  to: number;
}

/** Every place, by plain search. Undefined: the text is too long for a regular expression. */
export function placesOf(needle: Needle, text: string, sha256: Sources["sha256"]): Place[] | undefined {
  switch (needle.kind) {
    case "text":
      return textPlaces(needle.text, text);
    case "pattern":
      if (text.length > LONGEST_FOR_PATTERN) return undefined;
      return [...text.matchAll(needle.pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
    case "hash":
      return hashPlaces(needle, text, sha256);
    case "unusable":
    case "unknown":
      return [];
  }
}

function textPlaces(wanted: string, text: string): Place[] {
  const found: Place[] = [];
  for (let from = text.indexOf(wanted); from !== -1; from = text.indexOf(wanted, from + wanted.length)) {
    found.push({ from, to: from + wanted.length });
  }
  return found;
}

/** Only windows that start with the known first line are hashed: with and without its indentation and the last line end. */
function hashPlaces(needle: { sha256: string; lines: number; starts: string }, text: string, sha256: Sources["sha256"]): Place[] {
  if (!text.includes(needle.starts)) return [];
  const lines = splitLines(text);
  const found: Place[] = [];
  let offset = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === needle.starts) {
      const window = lines.slice(index, index + needle.lines).join("");
      const indent = line.length - line.trimStart().length;
      const place = [0, indent]
        .flatMap((from) => [window.slice(from), window.slice(from).replace(/\n$/, "")].map((part) => ({ from, part })))
        .find(({ part }) => sha256(part) === needle.sha256);
      if (place) found.push({ from: offset + place.from, to: offset + place.from + place.part.length });
    }
    offset += line.length;
  }
  return found;
}

/** The 1-based line of an offset. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Where to look when an anchor is lost: its first telling line where that still stands, or the same text with other spaces. */
export function hintFor(needle: Needle, text: string): string | undefined {
  if (needle.kind !== "text" && needle.kind !== "hash") return undefined;
  if (needle.kind === "text") {
    const loose = needle.text
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
      .join("\\s+");
    const match = loose.length < 20_000 ? new RegExp(loose).exec(text) : null;
    if (match) return `the same words stand at line ${lineOf(text, match.index)}, with other spaces or line ends`;
  }
  const wanted = needle.kind === "hash" ? [needle.starts] : needle.text.split("\n").map((line) => line.trim());
  const telling = wanted.find((line) => line.length >= 12 && text.includes(line));
  return telling === undefined
    ? undefined
    : `its line "${telling.slice(0, 60)}" still stands at line ${lineOf(text, text.indexOf(telling))}`;
}
