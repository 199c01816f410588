import type { Finding } from "../../model/problem.ts";
import type { ScanSettings } from "../../model/shapes/scan.ts";
import type { TreeFinding, TreeScan } from "../../model/tree.ts";
import { finding } from "../../model/tree.ts";
import type { Derived } from "../derive.ts";
import { typedCounts } from "../findings/counts.ts";
import { undelivered } from "../findings/delivery.ts";
import { exceptionsOf } from "./exceptions.ts";
import { missingFiles, patchesWithoutRow, sharedTargets } from "./patches.ts";
import { untrackedPins } from "./pins.ts";
import { lintReferences, uncitedRows, untrackedReferences } from "./references.ts";

/** How paths are matched; handed in, because globs are the scan's business. */
export interface PathTests {
  isSide: (file: string) => boolean;
  /** Documents whose citations are history. */
  skip: (file: string) => boolean;
}

/** Findings in files of the tree, and findings in rows, whose lines the caller looks up. */
export interface Comparison {
  tree: TreeFinding[];
  rows: Finding[];
}

/**
 * Compares a scanned tree with the rows. `derived` must have been derived with the scan's own inventory, so that users and
 * deliveries are those of this tree.
 */
export function compareTree(derived: Derived, scan: TreeScan, settings: ScanSettings, { isSide, skip }: PathTests): Comparison {
  const { model } = derived.world;
  const { inventory } = scan;
  const exceptions = exceptionsOf(settings, derived.asOf);
  const tree = [
    ...noImages(derived, scan),
    ...untrackedPins(inventory, model.pin, exceptions, isSide),
    ...patchesWithoutRow(inventory, model, exceptions),
    ...sharedTargets(inventory, model),
    ...untrackedReferences(derived, inventory, exceptions, skip),
  ];
  const fromRules = [...typedCounts(derived), ...undelivered(derived)].filter(({ rule }) => rule !== "missing-file");
  return {
    tree: [...tree, ...exceptions.needless()],
    rows: [...fromRules, ...missingFiles(scan, model), ...uncitedRows(derived, inventory)],
  };
}

/** The lint of comments and documents alone. */
export function compareReferences(derived: Derived, scan: TreeScan, settings: ScanSettings, { skip }: PathTests): Comparison {
  const exceptions = exceptionsOf(settings, derived.asOf);
  const tree = lintReferences(derived, scan.inventory, exceptions, skip);
  return { tree: [...tree, ...exceptions.needless()], rows: [] };
}

/** Images are tracked and none was found: the globs miss the compose files (pain E2: "no compose files matched", exit code 0). */
function noImages({ world }: Derived, { inventory, paths }: TreeScan): TreeFinding[] {
  const tracked = Object.values(world.model.pin).filter(({ artifact, retired }) => artifact.startsWith("oci:") && !retired).length;
  if (tracked === 0 || inventory.images.length > 0 || paths.size === 0) return [];
  return [
    finding(
      "nothing-found",
      { file: ".", line: 1 },
      `data/pins/ tracks ${tracked} images, and the tree runs none that scan can see. Check the folder, and the include and ignore globs of scan in data/tracker.yaml.`,
    ),
  ];
}
