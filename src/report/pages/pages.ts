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
