import type { InventoryFile } from "../../model/shapes/observed.ts";

export interface Here {
  known: boolean;
  mounts: InventoryFile["mounts"];
  invocations: InventoryFile["invocations"];
  envFlags: InventoryFile["envFlags"];
  pins: InventoryFile["pins"];
  starts: NonNullable<InventoryFile["starts"]> | undefined;
}

/** The inventory by compose file, sorted out once: every patch of every variant is looked up in it. */
const SORTED = new WeakMap<InventoryFile, Map<string, Here>>();

export function inCompose(inventory: InventoryFile, compose: string): Here {
  const sorted = SORTED.get(inventory) ?? byCompose(inventory);
  SORTED.set(inventory, sorted);
  return sorted.get(compose) ?? { known: false, ...NOTHING, starts: inventory.starts && [] };
}

const NOTHING = { mounts: [], invocations: [], envFlags: [], pins: [] };

function byCompose(inventory: InventoryFile): Map<string, Here> {
  const all = new Map<string, Here>();
  const here = (file: string, known: boolean): Here => {
    const found = all.get(file) ?? { known: false, mounts: [], invocations: [], envFlags: [], pins: [], starts: inventory.starts && [] };
    found.known ||= known;
    all.set(file, found);
    return found;
  };
  for (const { users } of inventory.images) for (const { file } of users) here(file, true);
  for (const one of inventory.mounts) here(one.file, true).mounts.push(one);
  for (const one of inventory.invocations) here(one.file, true).invocations.push(one);
  for (const one of inventory.envFlags) here(one.file, true).envFlags.push(one);
  for (const one of inventory.pins) here(one.file, false).pins.push(one);
  for (const one of inventory.starts ?? []) here(one.file, true).starts?.push(one);
  return all;
}
