import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where a stack's schemas lie, seen from one of its rows; undefined when it has none, and a row then names none. */
export const schemasOf = (root: string): string | undefined =>
  existsSync(join(root, "schemas", "item.schema.json")) ? "../../schemas/" : undefined;
