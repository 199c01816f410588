import type { InventoryFile } from "../model/shapes/observed.ts";
import type { TreeFinding } from "../model/tree.ts";
import { byLevelAndPlace } from "../model/tree.ts";

/** `scan --json`: the inventory, what is wrong with it, and the exit code. Fields are added, never renamed. */
export interface ScanReport extends Omit<InventoryFile, "counts"> {
  findings: TreeFinding[];
  notChecked: string[];
  counts: InventoryFile["counts"] & { errors: number; warnings: number; notices: number };
  exitCode: 0 | 1;
}

export function scanReport(inventory: InventoryFile, findings: readonly TreeFinding[], notChecked: string[]): ScanReport {
  const count = (level: TreeFinding["level"]) => findings.filter((found) => found.level === level).length;
  const errors = count("error");
  return {
    ...inventory,
    findings: [...findings].sort(byLevelAndPlace),
    notChecked,
    counts: { ...inventory.counts, errors, warnings: count("warning"), notices: count("notice") },
    exitCode: errors > 0 ? 1 : 0,
  };
}
