import type { Model } from "../../src/model/kinds.ts";
import type { Kind } from "../../src/model/vocabulary.ts";
import { stack } from "../stack.ts";

/** A row's title; undefined when there is no such row. */
export function rowTitle(kind: Kind, id: string, model: Model = stack().derived.world.model): string | undefined {
  if (kind === "tracker") return model.tracker.title;
  const rows: Record<string, { title: string; short?: string }> = model[kind];
  const row = rows[id];
  return kind === "cliff" && row?.short !== undefined ? row.short : row?.title;
}
