import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The scheme changes colours and nothing else, and the width changes no colour: the second scheme is looked at with these alone. */
export const OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** What axe has against a page, in words. @param only rules to run; undefined: all */
export async function violations(page: Page, scheme: string, only?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    // Only what is reported is worked out; the rest takes most of the time.
    resultTypes: ["violations"],
    selectors: false,
    ...(only ? { runOnly: { type: "rule", values: only } } : {}),
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
