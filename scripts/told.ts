import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../src/publish/files.ts";

const FILE = ".landfall/told.json";
/** Enough for years; the oldest go first. */
const MOST = 5000;

/** What each channel was told, so that news which waits for the batch is not told again every day. Kept beside the other memory of runs. */
export function readTold(root: string): Record<string, string[]> {
  try {
    return existsSync(join(root, FILE)) ? (JSON.parse(readFileSync(join(root, FILE), "utf8")) as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

export function writeTold(root: string, told: Record<string, string[]>): void {
  const kept = Object.fromEntries(Object.entries(told).map(([channel, names]) => [channel, [...new Set(names)].slice(-MOST)]));
  writeFiles(root, [{ path: FILE, content: `${JSON.stringify(kept)}\n` }]);
}
