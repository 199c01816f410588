import type { Derived } from "../../derive/derive.ts";
import { write } from "../markdown/write.ts";
import { cliffsPage } from "./cliffs.ts";
import { retirementPage } from "./retirement.ts";
import { singleCardPage } from "./single-card.ts";
import { upstreamPages } from "./upstream.ts";

/** Every generated page, as files from the stack's root. The one place a page is registered. */
export function renderPages(derived: Derived): { path: string; content: string }[] {
  return [...upstreamPages(derived), cliffsPage(derived), singleCardPage(derived), retirementPage(derived)].map(({ path, tree }) => ({
    path,
    content: write(tree),
  }));
}

/** Is a path, from the stack's root, one that {@link renderPages} writes now or wrote before? */
export const isGeneratedPage = (path: string): boolean =>
  /^content\/(?:UPSTREAM|CLIFFS|SINGLE_CARD|PIN_RETIREMENT|upstream\/[^/]+)\.md$/.test(path);
