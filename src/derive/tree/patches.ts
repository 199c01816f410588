import type { Model } from "../../model/kinds.ts";
import { fileOf } from "../../model/paths.ts";
import type { Finding, Path } from "../../model/problem.ts";
import type { InventoryFile } from "../../model/shapes/observed.ts";
import type { TreeFinding, TreeScan } from "../../model/tree.ts";
import { TREE_RULES, andMore, finding } from "../../model/tree.ts";
import { deliveriesOf } from "../users.ts";
import type { Exceptions } from "./exceptions.ts";

/** Patches that live services mount and no row names. One finding for each folder or file that is mounted. */
export function patchesWithoutRow({ mounts }: InventoryFile, { patch }: Model, exceptions: Exceptions): TreeFinding[] {
  const files = Object.values(patch).flatMap((row) => row.files.map((file) => file.replace(/\/$/, "")));
  const covered = (path: string) =>
    files.some((file) => path === file || path.startsWith(`${file}/`) || file.startsWith(`${path.replace(/\/$/, "")}/`));
  const groups = new Map<string, InventoryFile["mounts"]>();
  for (const mount of mounts) {
    if (mount.archived === true || covered(mount.source)) continue;
    const group = /^(.*?\/?patches\/[^/]+)\//.exec(mount.source)?.[1] ?? mount.source;
    groups.set(group, [...(groups.get(group) ?? []), mount]);
  }
  return [...groups].flatMap(([group, [first, ...more]]) => {
    if (!first || exceptions.untracked(group)) return [];
    const also = andMore(more.length, "mount");
    return [
      finding(
        "patch-without-row",
        first,
        `Mounts ${group}${also}, and no row in data/patches/ names it. Add one, so that it can be dropped some day, or list it under scan.untracked.`,
      ),
    ];
  });
}

/** Two patches that change one upstream file in the same service: the later one wins, silently (pain D5). */
export function sharedTargets(inventory: InventoryFile, { patch }: Model): TreeFinding[] {
  const byService = new Map<string, { id: string; path: string; file: string; line: number }[]>();
  for (const [id, row] of Object.entries(patch)) {
    if (row.dropped || row.targets.length === 0) continue;
    const seen = new Set<string>();
    for (const { file, line, service, archived } of deliveriesOf(inventory, row) ?? []) {
      const key = `${file} ${service}`;
      if (archived || seen.has(key)) continue;
      seen.add(key);
      byService.set(key, [...(byService.get(key) ?? []), ...row.targets.map(({ path }) => ({ id, path, file, line }))]);
    }
  }
  const pairs = new Map<string, { first: { file: string; line: number }; paths: Set<string>; services: Set<string> }>();
  for (const [service, targets] of byService) {
    for (const [index, a] of targets.entries()) {
      for (const b of targets.slice(index + 1)) {
        // Patches of one layer are made to work together; its authors see to that.
        const [layer, other] = [patch[a.id]?.part_of, patch[b.id]?.part_of];
        if (a.path !== b.path || a.id === b.id || (layer !== undefined && layer === other)) continue;
        const key = [a.id, b.id].sort().join(" and ");
        const pair = pairs.get(key) ?? { first: { file: b.file, line: b.line }, paths: new Set(), services: new Set() };
        pair.paths.add(a.path);
        pair.services.add(service);
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs].map(([names, { first, paths, services }]) => {
    const also = andMore(services.size - 1, "service", "in ");
    return finding(
      "shared-target",
      first,
      `${names} both change ${[...paths].join(", ")}${also}. Check that they do not undo each other, and say so in their rows.`,
    );
  });
}

/** Files of the stack that rows cite and the tree does not have. */
export function missingFiles({ paths }: TreeScan, model: Model): Finding[] {
  const folders = new Set<string>();
  for (const path of paths) for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) folders.add(path.slice(0, at));
  const has = (path: string) => paths.has(path) || folders.has(path.replace(/\/$/, ""));
  const missing = (file: string, path: Path, name: string): Finding[] =>
    has(name)
      ? []
      : [
          {
            file,
            path,
            level: TREE_RULES["missing-file"].level,
            rule: "missing-file",
            message: `The tree has no ${name}. Correct the path, or say when it went.`,
          },
        ];
  return [
    ...Object.entries(model.patch).flatMap(([id, row]) =>
      row.dropped ? [] : row.files.flatMap((name, index) => missing(fileOf("patch", id), ["files", index], name)),
    ),
    ...Object.entries(model.pin).flatMap(([id, row]) =>
      row.retired ? [] : row.written.flatMap(({ file }, index) => missing(fileOf("pin", id), ["written", index, "file"], file)),
    ),
    ...Object.entries(model.variant).flatMap(([id, row]) => missing(fileOf("variant", id), ["compose"], row.compose)),
  ];
}
