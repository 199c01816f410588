import type { InventoryFile } from "../model/shapes/observed.ts";
import type { ScanSettings } from "../model/shapes/scan.ts";
import type { Citation, Context, EnvFlag, ImageUse, Invocation, Mount, PinUse, Start } from "./found.ts";
import { matcher } from "./globs.ts";
import { mutabilityOf } from "./image.ts";

interface Parts {
  tree: InventoryFile["tree"];
  found: {
    composes: string[];
    images: ImageUse[];
    pins: PinUse[];
    mounts: Mount[];
    invocations: Invocation[];
    starts: Start[];
    envFlags: EnvFlag[];
  };
  references: Citation[];
  paths: ReadonlySet<string>;
  settings: ScanSettings;
  context: Context;
}

/** Brings everything found into the shape of `observed/inventory.json`: one row an image, everything in order of place. */
export function inventoryOf({ tree, found, references, paths, settings, context }: Parts): InventoryFile {
  return {
    tree,
    images: images(found.images, context),
    pins: placed(found.pins, context),
    mounts: placed(found.mounts, context),
    invocations: placed(found.invocations, context),
    starts: placed(found.starts, context),
    envFlags: placed(found.envFlags, context),
    references: placed(references, context),
    files: [...paths].filter(context.isPatch).sort(),
    counts: counts(found.composes, settings, context),
  };
}

function images(uses: ImageUse[], { isArchived }: Context): InventoryFile["images"] {
  // An image that is built anywhere in the tree is the stack's own everywhere in it.
  const built = new Set(uses.filter((use) => use.built).map(({ image }) => image));
  const rows = new Map<string, InventoryFile["images"][number]>();
  for (const { image, raw, file, line, service } of uses) {
    const bare = image.replace(/^docker\.io\/library\//, "");
    const own = built.has(image) || built.has(bare);
    const name = own ? bare : image;
    const row = rows.get(name) ?? { image: name, raw: [], mutability: own ? ("build" as const) : mutabilityOf(name), users: [] };
    if (!row.raw.includes(raw)) row.raw.push(raw);
    if (!row.users.some((user) => user.file === file && user.line === line && user.service === service))
      row.users.push({ file, line, service, archived: isArchived(file) });
    rows.set(name, row);
  }
  return [...rows.values()]
    .map((row) => ({ ...row, raw: row.raw.sort(), users: row.users.sort(byPlace) }))
    .sort((a, b) => compare(a.image, b.image));
}

function placed<T extends { file: string; line: number }>(items: T[], { isArchived }: Context): (T & { archived?: true })[] {
  return items
    .map((item) => (isArchived(item.file) ? { ...item, archived: true as const } : item))
    .sort((a, b) => byPlace(a, b) || compare(JSON.stringify(a), JSON.stringify(b)));
}

function counts(composes: string[], settings: ScanSettings, { isArchived }: Context): InventoryFile["counts"] {
  const isSide = matcher(settings.side);
  const live = composes.filter((file) => !isArchived(file));
  const archived = composes.length - live.length;
  return {
    composes: live.filter((file) => !isSide(file)).length,
    services: live.filter(isSide).length,
    ...(archived > 0 ? { archived } : {}),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a: { file: string; line: number }, b: { file: string; line: number }) => compare(a.file, b.file) || a.line - b.line;
