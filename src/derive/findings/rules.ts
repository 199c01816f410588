import type { Finding } from "../../model/problem.ts";
import type { Derived } from "../derive.ts";
import { changedBuilds } from "./builds.ts";
import { circles } from "./circles.ts";
import { hopelessConditions } from "./conditions.ts";
import { contradictedClaims } from "./contradictions.ts";
import { typedCounts } from "./counts.ts";
import { undelivered } from "./delivery.ts";
import { unexplainedNarrowing } from "./narrowing.ts";
import { needlessOverrides } from "./overrides.ts";
import { renamedUpstreams } from "./renamed.ts";
import { unknownIds } from "./unknown-ids.ts";
import { unwritten } from "./unwritten.ts";

/** Rules that look across rows or at the facts. The one place they are registered. */
const RULES: Record<string, (derived: Derived, unread: ReadonlySet<string>) => Finding[]> = {
  "unknown-ids": ({ world }, unread) => unknownIds(world.model, unread),
  circles,
  "hopeless-conditions": hopelessConditions,
  "needless-overrides": needlessOverrides,
  undelivered,
  "typed-counts": typedCounts,
  "unexplained-narrowing": unexplainedNarrowing,
  "contradicted-claims": contradictedClaims,
  "changed-builds": changedBuilds,
  "renamed-upstreams": renamedUpstreams,
  unwritten,
};

/**
 * Everything the cross-row rules find, in rule order; the caller finds the lines.
 * @param unread files of rows that exist and could not be read, and so are missing from the model
 */
export const findingsOf = (derived: Derived, unread: ReadonlySet<string> = new Set()): Finding[] =>
  Object.values(RULES).flatMap((rule) => rule(derived, unread));
