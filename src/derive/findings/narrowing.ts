import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";

/** Narrowing what a row reaches needs a reason, so that it can be checked later. */
export function unexplainedNarrowing({ world }: Derived): Finding[] {
  return Object.entries(world.model.item).flatMap(([id, item]): Finding[] =>
    item.reaches && item.reaches_because === undefined
      ? [
          {
            file: fileOf("item", id),
            path: ["reaches"],
            level: "warning",
            rule: "narrowing",
            message: "reaches is narrowed without a reason. Say why in reaches_because, or remove reaches.",
          },
        ]
      : [],
  );
}
