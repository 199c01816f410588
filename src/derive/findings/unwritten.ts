import { fileOf } from "../../model/paths.ts";
import type { Finding } from "../../model/problem.ts";
import { WHY_TO_WRITE } from "../../model/vocabulary.ts";
import type { Derived } from "../derive.ts";

/** Rows that `add-item` made and nobody wrote on: they tell the others nothing. */
export const unwritten = ({ world }: Derived): Finding[] =>
  Object.entries(world.model.item)
    .filter(([, { why }]) => why.trim() === WHY_TO_WRITE)
    .map(([id]) => ({
      file: fileOf("item", id),
      path: ["why"],
      level: "warning" as const,
      rule: "unwritten",
      message: "Why the row matters is not written yet. Write it, or delete the row.",
    }));
