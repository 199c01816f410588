import type { Thread } from "../../src/model/shapes/observed.ts";
import type { World } from "../stand/world.ts";
import type { Truth } from "./busy-world.ts";
import { truthOf } from "./busy-world.ts";

/** Fields that REST cannot show; it leaves them as they were known, or unknown. */
const BEYOND_REST = new Set<keyof Truth>(["review", "duplicateOf", "closer", "closedBy", "movedTo"]);

/** What a stored fact says that is not true of the world, or leaves out that its source shows. Empty: right. */
export function errorsIn(world: World, ref: string, fact: Thread | undefined): string[] {
  const truth = truthOf(world, ref);
  if (truth === "deleted") return fact === undefined || fact.gone === "deleted" ? [] : [`${ref} is deleted, and kept as there`];
  if (truth === undefined) return fact === undefined ? [] : [`${ref} does not exist`];
  if (fact === undefined) return [`${ref} is missing`];
  if (truth.movedTo !== undefined && truth.kind === undefined)
    return fact.movedTo === truth.movedTo ? [] : [`${ref} moved to ${truth.movedTo}, kept: ${fact.movedTo}`];
  const said: Truth = {
    kind: fact.kind,
    title: fact.title,
    state: fact.state,
    stateReason: fact.stateReason ?? undefined,
    merged: fact.merged,
    mergeCommit: fact.mergeCommit,
    base: fact.base,
    draft: fact.draft,
    conflicting: fact.conflicting,
    review: fact.review ?? undefined,
    closedAt: fact.closedAt,
    closer: fact.closer?.ref,
    closedBy: fact.closedBy,
    supersededBy: fact.supersededBy?.ref,
    duplicateOf: fact.duplicateOf,
    movedTo: fact.movedTo,
    lastActivity: fact.lastActivity,
  };
  const keys = [...new Set([...Object.keys(said), ...Object.keys(truth)])] as (keyof Truth)[];
  return keys.flatMap((key) => {
    const [is, shall] = [JSON.stringify(said[key]), JSON.stringify(truth[key])];
    if (is === shall) return [];
    if (is === undefined && fact.source === "GitHub REST" && BEYOND_REST.has(key)) return [];
    return [`${ref} ${key}: ${is}, and is ${shall}`];
  });
}
