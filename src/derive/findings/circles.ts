import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { shortRef } from "../../model/ref.ts";
import type { Derived } from "../derive.ts";

/** Supersession that leads back to its start: no end to follow, in facts or in pins that replace each other. */
export function circles({ items, world }: Derived): Finding[] {
  const threads = Object.entries(items).flatMap(([id, { deciding }]) =>
    deciding.flatMap(({ circle, ref, steps }): Finding[] => {
      if (!circle) return [];
      const index = world.model.item[id]?.refs.findIndex((known) => known.ref === ref.ref) ?? 0;
      const path = [ref.ref, ...steps.map(({ to }) => to)].map(shortRef).join(" → ");
      return [
        {
          file: fileOf("item", id),
          path: ["refs", index, "ref"],
          level: "error",
          rule: "circular",
          message: `The reference is superseded in a circle: ${path}. Name the one that decides as the fix.`,
        },
      ];
    }),
  );
  return [...threads, ...pinCircles(world.model.pin), ...measurementCircles(world.model.measurement)];
}

function pinCircles(pins: Derived["world"]["model"]["pin"]): Finding[] {
  return chains(Object.keys(pins), (id) => pins[id]?.retired?.replaced_by ?? pins[id]?.retire?.to).map(({ id, chain }) => ({
    file: fileOf("pin", id),
    path: pins[id]?.retired ? ["retired", "replaced_by"] : ["retire", "to"],
    level: "error",
    rule: "circular",
    message: `The pins replace each other in a circle: ${chain.join(" → ")}. Correct one of them.`,
  }));
}

function measurementCircles(rows: Derived["world"]["model"]["measurement"]): Finding[] {
  return chains(Object.keys(rows), (id) => rows[id]?.superseded_by).map(({ id, chain }) => ({
    file: fileOf("measurement", id),
    path: ["superseded_by"],
    level: "error",
    rule: "circular",
    message: `The measurements supersede each other in a circle: ${chain.join(" → ")}. Correct one of them.`,
  }));
}

function chains(ids: readonly string[], next: (id: string) => string | undefined): { id: string; chain: string[] }[] {
  return ids.flatMap((id) => {
    const chain = [id];
    for (let at = next(id); at !== undefined; at = next(at)) {
      chain.push(at);
      if (at === id) return [{ id, chain }];
      if (chain.indexOf(at) < chain.length - 1) return [];
    }
    return [];
  });
}
