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
        level: "error",
        rule: "undelivered",
        message: `The patch is declared load-bearing, and no live variant delivers it${derived.missedBy[0] ? ` (${derived.missedBy[0].variant}: ${derived.missedBy[0].because})` : ""}. Deliver it, or mark it dropped.`,
      });
    } else {
      for (const { variant, because } of patch.load_bearing ? derived.missedBy : []) {
        const at = patch.required_by.indexOf(variant);
        found.push({
          file,
          path: at === -1 ? ["load_bearing"] : ["required_by", at],
          level: "warning",
          rule: "undelivered",
          message: `${variant} needs the patch and does not get it: ${because}. Deliver it there, or take the variant off the list.`,
        });
      }
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
