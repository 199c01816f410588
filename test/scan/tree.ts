import type { InventoryFile } from "../../src/model/shapes/observed.ts";
import { scanSettings } from "../../src/model/shapes/scan.ts";
import type { TreeScan } from "../../src/model/tree.ts";
import type { Known, Tree } from "../../src/scan/context.ts";
import { nothingKnown } from "../../src/scan/known.ts";
import { scan } from "../../src/scan/scan.ts";

export const HEAD = { repo: "we/stack", commit: "a".repeat(40), date: "2026-05-12T00:00:00Z" };

/** A tree of invented files. `listed` are paths without a text, as in an exported tree. */
export function treeOf(files: Record<string, string>, listed: string[] = []): Tree {
  const texts = new Map(Object.entries(files));
  return { files: texts, paths: new Set([...texts.keys(), ...listed]), origin: HEAD, findings: [] };
}

export interface Given {
  settings?: Record<string, unknown>;
  rows?: Partial<Known>;
  listed?: string[];
}

/** Scans invented files with the usual settings, changed where a case says so. */
export function scanOf(files: Record<string, string>, { settings = {}, rows = {}, listed }: Given = {}): Promise<TreeScan> {
  return scan(treeOf(files, listed), scanSettings.parse(settings), { ...nothingKnown("we/stack"), ...rows });
}

/** `image users` in short: `file:line service`. */
export const usersIn = (inventory: InventoryFile): Record<string, string[]> =>
  Object.fromEntries(
    inventory.images.map(({ image, users }) => [
      image,
      users.map(({ file, line, service, archived }) => `${file}:${line} ${service}${archived ? " (archived)" : ""}`),
    ]),
  );

/** `kind:name@value file:line` for every pin that is no image of a service. */
export const pinsIn = (inventory: InventoryFile): string[] =>
  inventory.pins.map(({ kind, name, value, file, line }) => `${kind}:${name}@${value} ${file}:${line}`);

/** `rule file:line` for every finding. */
export const rulesIn = ({ findings }: TreeScan): string[] => findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);
