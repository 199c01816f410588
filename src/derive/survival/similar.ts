import { diffLines } from "diff";
import { splitLines } from "./apply.ts";

/** Lines added and removed between two texts; undefined when they are too far apart or too long to be compared in time. */
export function lineChanges(before: string, after: string): { added: number; removed: number } | undefined {
  if (before === after) return { added: 0, removed: 0 };
  const parts = diffLines(before, after, { maxEditLength: 4000, timeout: 1000 });
  if (!parts) return undefined;
  const count = (which: "added" | "removed") => parts.reduce((sum, part) => sum + (part[which] ? part.count : 0), 0);
  return { added: count("added"), removed: count("removed") };
}

/** How much of the longer text's lines both share, from 0 to 1, without regard to order. */
export function similarity(a: string, b: string): number {
  const [left, right] = [telling(a), telling(b)];
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 0;
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of right) {
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    counts.set(line, count - 1);
    shared += 1;
  }
  return shared / longer;
}

const telling = (text: string) =>
  splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== "");
