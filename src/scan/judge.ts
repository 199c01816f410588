import type { InventoryFile } from "../model/shapes/observed.ts";
import type { ScanSettings } from "../model/shapes/scan.ts";
import type { TreeFinding } from "../model/tree.ts";
import { andMore, finding } from "../model/tree.ts";
import type { TreePaths } from "./documents.ts";
import type { Context } from "./found.ts";
import { matcher } from "./globs.ts";
import { shortImage } from "./image.ts";

/** Images whose name can change its meaning, or that exist on one machine; archived users and side services aside. */
export function imageFindings({ images }: InventoryFile, settings: ScanSettings): TreeFinding[] {
  const isSide = matcher(settings.side);
  return images.flatMap(({ image, mutability, users }): TreeFinding[] => {
    const [first, ...others] = users.filter(({ archived, file }) => !archived && !isSide(file));
    if (!first) return [];
    const more = andMore(others.length);
    if (mutability === "floating")
      return [
        finding("floating-tag", first, `${shortImage(image)} moves under its users${more}. Pin a digest, or a tag that names one build.`),
      ];
    if (mutability === "local")
      return [
        finding("local-tag", first, `${shortImage(image)} exists on one machine only${more}. Publish it, or add the build beside it.`),
      ];
    return [];
  });
}

/** Patches that a live service mounts and the tree does not have: the container starts with an empty folder in their place. */
export function missingSources({ mounts }: InventoryFile, tree: TreePaths): TreeFinding[] {
  const missing = new Map<string, InventoryFile["mounts"]>();
  for (const mount of mounts) {
    if (mount.archived === true || /^[/~]|^\.\./.test(mount.source) || tree.paths.has(mount.source) || tree.folders.has(mount.source))
      continue;
    missing.set(mount.source, [...(missing.get(mount.source) ?? []), mount]);
  }
  return [...missing].flatMap(([source, [first, ...others]]) => {
    if (!first) return [];
    const more = andMore(others.length);
    return [
      finding(
        "missing-source",
        first,
        `Mounts ${source}${more}, and the tree does not have it, so an empty folder would be mounted. Correct the path; if a script fetches it, nothing is wrong.`,
      ),
    ];
  });
}

/** Folders of patches that nothing live mounts, runs or names. */
export function patchFolderFindings(inventory: InventoryFile, { isArchived, settings }: Context): TreeFinding[] {
  const isHome = matcher(settings.patches.flatMap((glob) => (glob.endsWith("/**") ? [glob.slice(0, -3)] : [])));
  const folders = new Map<string, string>();
  for (const file of inventory.files) {
    const folder = patchFolder(file, isHome);
    if (folder !== undefined && !isArchived(file) && !folders.has(folder)) folders.set(folder, file);
  }
  const used = (path: string, folder: string) =>
    path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path.replace(/\/$/, "")}/`);
  return [...folders].flatMap(([folder, file]): TreeFinding[] => {
    const mounts = inventory.mounts.filter(({ source }) => used(source, folder));
    const runs = inventory.invocations.filter(({ path, source }) => used(source ?? path, folder) || path.includes(`${folder}/`));
    if ([...mounts, ...runs].some(({ archived }) => archived !== true)) return [];
    const only = mounts.length + runs.length > 0 ? "Only archived composes use" : "Nothing uses";
    return [finding("unused-patch-folder", { file, line: 1 }, `${only} ${folder}. Remove it, or say in its row why it is kept.`)];
  });
}

/** `models/x/vllm/patches/NAME` of a file below a folder of patches; undefined for a file directly in it. */
function patchFolder(file: string, isHome: (folder: string) => boolean): string | undefined {
  const names = file.split("/");
  const home = names.findIndex((_, depth) => depth > 0 && isHome(names.slice(0, depth).join("/")));
  return home > 0 && names.length > home + 1 ? names.slice(0, home + 1).join("/") : undefined;
}
