import type { RootContent } from "mdast";
import { nextBumps } from "../../derive/bump/next.ts";
import type { Derived } from "../../derive/derive.ts";
import { bumpSection } from "../bump.ts";
import { code, heading, paragraph } from "../markdown/build.ts";

/** The bump report of every upstream whose pins are behind its newest known build. */
export function nextBuilds(derived: Derived): RootContent[] {
  const bumps = nextBumps(derived);
  if (bumps.length === 0) return [];
  return [
    heading(2, "What the newest known builds would change"),
    paragraph([
      "Told from what was observed and recorded alone. For any other build, and to read the sources of one as well: ",
      code("npm run check-pins -- --to BUILD"),
      ".",
    ]),
    ...bumps.flatMap((bump) => bumpSection(bump, 3)),
  ];
}
