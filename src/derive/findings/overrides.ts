import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";
import { decide, liveOverride } from "../status.ts";

/** An exception must stay necessary: an override that expired, or says what is derived anyway, is an error. */
export function needlessOverrides({ world, items }: Derived): Finding[] {
  return Object.keys(items).flatMap((id): Finding[] => {
    const item = world.model.item[id];
    if (!item?.override) return [];
    const base = {
      file: fileOf("item", id),
      path: ["override"],
      level: "error" as const,
      rule: "needless-override",
      fix: { does: "remove the override", edit: "remove" as const },
    };
    const derived = decide(world, { ...item, override: undefined }).status;
    if (!liveOverride(world, item))
      return [
        {
          ...base,
          message: `The override expired; the derived status is "${derived}". Remove the override. (npm run check-data -- --fix)`,
        },
      ];
    if (derived === item.override.status)
      return [
        { ...base, message: `Says "${derived}", and so does the derived status. Remove the override. (npm run check-data -- --fix)` },
      ];
    return [];
  });
}
