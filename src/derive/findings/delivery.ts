import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";

/** A patch that silently does nothing is the worst outcome (pain D1-D10). */
export function undelivered({ patches, world }: Derived): Finding[] {
  const files = world.facts.inventory?.files;
  return Object.entries(patches).flatMap(([id, derived]): Finding[] => {
    const patch = world.model.patch[id];
    if (!patch || patch.dropped || !files) return [];
    const file = fileOf("patch", id);
    const found: Finding[] = [];
    if (derived.undelivered) {
      found.push({
        file,
        path: ["load_bearing"],
        level: "warning",
        rule: "undelivered",
        message: "The patch is declared load-bearing, and nothing in the tree mounts, runs or enables it. Deliver it, or mark it dropped.",
      });
    }
    patch.files.forEach((name, index) => {
      if (!files.some((known) => known === name || known.startsWith(`${name.replace(/\/$/, "")}/`))) {
        found.push({
          file,
          path: ["files", index],
          level: "warning",
          rule: "missing-file",
          message: `The tree has no ${name}. Correct the path, or mark the patch dropped.`,
        });
      }
    });
    return found;
  });
}
