import type { Rule } from "../../src/model/vocabulary.ts";

/** The rows of the decision table in words, for people who want to know why (design, section 4). */
export const RULES: Record<Rule, string> = {
  "0": "a status set by hand is in force",
  "1": "a reference is another thing than the row says, and nobody confirmed it",
  "2": "nothing is filed upstream that could decide it",
  "3": "it waits for an asset or a package, not for a change",
  "4": "nothing that decides it was ever observed",
  "5b": "it landed, and does not resolve the problem here",
  "5c": "it landed, and what was carried here is retired",
  "5d": "it landed, and no live pin waits for it",
  "5e": "it landed, and every pin that needs it is proved to contain it",
  "5f": "it landed, and some pin that needs it lacks it or cannot be proved to have it",
  "6": "a fix is open upstream, or was merged where landing does not count",
  "7": "the problem is open upstream and no fix is",
  "8": "it was closed upstream, and no landing is known",
};
