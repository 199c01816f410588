import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The scheme changes colours and nothing else, and the width changes no colour: the second scheme is looked at with these alone. */
const OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Which rules to look with. The second width changes no colour, and looking at colours takes most of the time. */
const RULES = {
  all: {},
  "of colour": { runOnly: { type: "rule" as const, values: OF_COLOUR } },
  "but of colour": { rules: Object.fromEntries(OF_COLOUR.map((rule) => [rule, { enabled: false }])) },
};

/** What axe has against a page, in words. */
export async function violations(page: Page, scheme: string, rules: keyof typeof RULES = "all"): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    // Only what is reported is worked out; the rest takes most of the time.
    resultTypes: ["violations"],
    selectors: false,
    ...RULES[rules],
  });
  const found = (await axe.analyze()).violations;
  return found.map(
    ({ id, nodes }) =>
      `axe ${id}, ${scheme}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(" | ")}`,
  );
}
