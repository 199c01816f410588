import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";

/** Typed counts of users that the inventory does not bear out, and pins nobody uses (pain E1, E5). */
export function typedCounts({ pins, patches, world }: Derived): Finding[] {
  const fromPins = Object.entries(pins).flatMap(([id, { users, live }]): Finding[] => {
    const pin = world.model.pin[id];
    if (!pin || !users || pin.retired) return [];
    const file = fileOf("pin", id);
    const real = users.filter((user) => !user.archived).length;
    const found: Finding[] = [];
    if (pin.claim?.users !== undefined && pin.claim.users !== real) {
      found.push({
        file,
        path: ["claim", "users"],
        level: "notice",
        rule: "count-differs",
        message: `A document says ${pin.claim.users} users; the tree has ${real}.`,
      });
    }
    if (!live)
      found.push({
        file,
        path: ["artifact"],
        level: "warning",
        rule: "unused-pin",
        message: `${users.length > 0 ? "Only archived files use" : "Nothing in the tree uses"} this pin. Retire it, or correct the artifact.`,
      });
    return found;
  });
  const fromPatches = Object.entries(patches).flatMap(([id, { delivered }]): Finding[] => {
    const claimed = world.model.patch[id]?.claim?.users;
    if (claimed === undefined || !delivered) return [];
    const real = new Set(delivered.filter((where) => !where.archived).map((where) => where.file)).size;
    return claimed === real
      ? []
      : [
          {
            file: fileOf("patch", id),
            path: ["claim", "users"],
            level: "notice",
            rule: "count-differs",
            message: `A document says ${claimed} users; the tree has ${real}.`,
          },
        ];
  });
  return [...fromPins, ...fromPatches];
}
