import type { Patch, PatchTarget } from "../../model/shapes/patch.ts";
import { sharedEnd } from "./paths.ts";

/** The file of an overlay that replaces a target: the one it names, else the one whose path ends most like the target's. */
export function overlayFile(patch: Pick<Patch, "files">, target: Pick<PatchTarget, "path" | "file">): string | undefined {
  if (target.file !== undefined) return target.file;
  const scored = patch.files.map((file) => ({ file, shared: sharedEnd(file, target.path) })).sort((a, b) => b.shared - a.shared);
  const best = scored[0];
  return best && best.shared > 0 && best.shared > (scored[1]?.shared ?? 0) ? best.file : undefined;
}
