import type { Hunk } from "./unified.ts";

export interface HunkOutcome {
  /** 1-based place of the hunk in its file's part of the diff. */
  hunk: number;
  heading: string;
  state: "clean" | "offset" | "failed";
  /** 1-based line where it lands; for a failed one, where it was expected. */
  line: number;
  /** Lines it moved by; negative is up. */
  offset: number;
  /** The function it lands in, when that is another one than the diff says. */
  landsIn?: string;
  /** For a failed hunk: the first line it expects that the file does not have. */
  missing?: string;
}

/**
 * Applies hunks as `git apply` does without options: every line of context must match byte for byte, a hunk may land anywhere
 * in the file (nearest first, forward before backward), one without leading or trailing context must stand at the file's start
 * or end, and lines written by an earlier hunk do not match again. Hunks that fail are skipped, so that all failures are named.
 * @returns the patched text, undefined when a hunk failed, and what became of each hunk
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): { text: string | undefined; hunks: HunkOutcome[] } {
  let lines = splitLines(text);
  let written = new Array<boolean>(lines.length).fill(false);
  const outcomes = hunks.map((hunk, index): HunkOutcome => {
    const expected = hunk.newStart > 0 ? hunk.newStart - 1 : 0;
    const at = findPlace(lines, written, hunk, expected);
    const base = { hunk: index + 1, heading: hunk.heading };
    if (at === undefined) return { ...base, state: "failed", line: expected + 1, offset: 0, ...missingLine(lines, hunk) };
    const landsIn = elsewhere(lines, at, hunk);
    const end = at + hunk.before.length;
    lines = [...lines.slice(0, at), ...hunk.after, ...lines.slice(end)];
    written = [...written.slice(0, at), ...hunk.after.map(() => true), ...written.slice(end)];
    const offset = at - expected;
    return { ...base, state: offset === 0 ? "clean" : "offset", line: at + 1, offset, ...(landsIn === undefined ? {} : { landsIn }) };
  });
  return { text: outcomes.some(({ state }) => state === "failed") ? undefined : lines.join(""), hunks: outcomes };
}

/** The same hunks the other way round: what stands after becomes what must stand before. */
export const reversed = (hunks: readonly Hunk[]): Hunk[] =>
  hunks.map((hunk) => ({ ...hunk, before: hunk.after, after: hunk.before, oldStart: hunk.newStart, newStart: hunk.oldStart }));

/** Lines with their line ends; the last one may have none. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** `find_pos` and `match_fragment` of git's apply.c. */
function findPlace(lines: readonly string[], written: readonly boolean[], hunk: Hunk, expected: number): number | undefined {
  const { before } = hunk;
  const atStart = hunk.oldStart <= 1;
  const atEnd = hunk.trailing === 0;
  const fits = (at: number) =>
    at + before.length <= lines.length &&
    (!atStart || at === 0) &&
    (!atEnd || (at + before.length === lines.length && lines.at(-1) === (before.at(-1) ?? lines.at(-1)))) &&
    before.every((line, index) => sameLine(lines[at + index] ?? "", line) && written[at + index] !== true);
  const last = lines.length;
  const start = Math.min(Math.max(atStart ? 0 : atEnd ? last - before.length : expected, 0), last);
  if (fits(start)) return start;
  for (let step = 1; step <= last; step++) {
    if (start + step <= last && fits(start + step)) return start + step;
    if (start - step >= 0 && fits(start - step)) return start - step;
  }
  return undefined;
}

/** Git compares bytes from the hunk's start, so a last line without line end also fits one that goes on with spaces or a line end. */
const sameLine = (line: string, wanted: string): boolean =>
  line === wanted || (!wanted.endsWith("\n") && line.startsWith(wanted) && line.slice(wanted.length).trim() === "");

function missingLine(lines: readonly string[], hunk: Hunk): { missing?: string } {
  const known = new Set(lines);
  const line = hunk.before.find((wanted) => wanted.trim() !== "" && !known.has(wanted));
  return line === undefined ? {} : { missing: line.trim() };
}

/**
 * The function a hunk lands in, when the diff names another: code that moved may match in a place where it means something else.
 * Git's default heading is the last line before the hunk that starts with a letter; its Python one is the last class or def.
 */
function elsewhere(lines: readonly string[], at: number, hunk: Hunk): string | undefined {
  if (hunk.heading === "") return undefined;
  const before = lines.slice(0, at);
  const nearest = (pattern: RegExp) => before.findLast((line) => pattern.test(line))?.trim();
  const candidates = [nearest(/^[A-Za-z_$]/), nearest(/^\s*(class|def|async\s+def)\s/)].filter((line) => line !== undefined);
  const same = candidates.some((line) => line.startsWith(hunk.heading) || hunk.heading.startsWith(line));
  return same || candidates.length === 0 ? undefined : (candidates.at(-1) ?? "").slice(0, 80);
}
