import { CLAIMS, DELIVERIES, FACETS, LOCALS, MUTABILITIES, RESULTS, ROLES, STAKES, STATUSES } from "../../model/vocabulary.ts";
import type { Inline } from "../markdown/build.ts";
import { anchor, code, heading, paragraph, table } from "../markdown/build.ts";
import { write } from "../markdown/write.ts";
import { symbolWords } from "../words.ts";
import { referencePage } from "./page.ts";

/** Every closed vocabulary with what each word means, from the constants that the checks use. */
export function vocabularyReference(): { path: string; content: string } {
  const words = (of: Record<string, string>): Inline[][] => Object.entries(of).map(([word, means]) => [code(word), means]);
  const tree = referencePage(
    "Words",
    "The nine statuses, the remarks beside them, and every other word with a fixed meaning.",
    10,
    "npm run reference",
    [
      heading(2, "Statuses"),
      paragraph("A row has exactly one. It is derived from the observed facts, never written down. Sign and words always stand together."),
      table(
        ["Status", "In JSON", "Means"],
        Object.entries(STATUSES).map(([status, { means }]) => [
          [anchor(`status-${status}`), symbolWords(status as keyof typeof STATUSES)],
          code(status),
          means,
        ]),
      ),
      heading(2, "Remarks beside a status"),
      paragraph("They never replace it."),
      table(["Remark", "Means"], words(FACETS)),
      heading(2, "What a reference is to its row"),
      table(["Role", "Means"], words(ROLES)),
      heading(2, "How much depends on a row"),
      table(["Stake", "Means"], words(STAKES)),
      heading(2, "What is done about it here"),
      table(["Local", "Means"], words(LOCALS)),
      heading(2, "What was believed"),
      table(["Claim", "Means"], words(CLAIMS)),
      heading(2, "How a patch is delivered"),
      table(["Delivery", "Means"], words(DELIVERIES)),
      heading(2, "Whether a pin can move under its users"),
      table(["Mutability", "Means"], words(MUTABILITIES)),
      heading(2, "How a run ended"),
      table(["Result", "Means"], words(RESULTS)),
    ],
  );
  return { path: "content/reference/words.md", content: write(tree) };
}
