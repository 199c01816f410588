import { same } from "../change.ts";
import type { Facts } from "./reading.ts";

/** Does a reading differ from the known facts, in the fields it can speak about? */
export function differs(known: Facts, facts: Facts, covers: ReadonlySet<keyof Facts>): boolean {
  return [...covers].some((key) => !same(known[key], facts[key]));
}
