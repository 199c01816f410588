import type { Item } from "../model/shapes/item.ts";
import { LOCALS } from "../model/vocabulary.ts";

/** Carry: code or a setting here stands in for the fix. */
export const carries = (item: Item): boolean => carriesCode(item) || item.local === "workaround";
export const carriesCode = (item: Item): boolean => item.local === "vendored" || item.local === "backported";

/** What is done about a row here, as a clause. */
export function localWords(item: Item): string {
  switch (item.local) {
    case "retired":
      return "the local workaround is retired";
    case "vendored":
      return "the changed files are carried here";
    case "backported":
      return "a patch layer carries it here";
    case "workaround":
      return "a workaround is in place";
    default:
      return `locally: ${LOCALS[item.local]}`;
  }
}
