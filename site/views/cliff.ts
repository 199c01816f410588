import type { Model } from "../../src/model/kinds.ts";
import type { Cliff } from "../../src/model/shapes/cliff.ts";

/** How a cliff stands, in words and in the tone of a status. */
export const STANDING: Record<Cliff["standing"], { words: string; tone: string }> = {
  open: { words: "Open", tone: "s-open-no-pr" },
  regressed: { words: "Closed once, and back", tone: "s-stalled" },
  mitigated: { words: "Open, and can be avoided", tone: "s-in-review" },
  closed: { words: "Closed", tone: "s-landed" },
};

/** Tone of an answer about a mitigation, a backend or a pattern; `good`: the answer that is welcome. */
export const toneOf = (answer: string, good: "yes" | "no"): string =>
  answer === good
    ? "v-contained"
    : answer === "yes" || answer === "no"
      ? "v-not-contained"
      : answer === "partly" || answer === "borderline"
        ? "v-partial"
        : "v-unknown";

/** Cliffs in their own order. */
export const cliffOrder = (model: Model): [string, Cliff][] =>
  Object.entries(model.cliff).sort(([a, one], [b, two]) => one.order - two.order || (a < b ? -1 : 1));
