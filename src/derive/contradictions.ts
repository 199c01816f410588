import type { Item } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import type { ClaimClass } from "../model/vocabulary.ts";
import type { World } from "./facts.ts";
import { landingOf } from "./landing.ts";
import { dayInZone } from "./proof.ts";
import type { Decision } from "./status.ts";

/** How a claim stands to the fact: wrong on its own day, overtaken on a known day, or overtaken on a day that is not known. */
export type ContradictionKind = "wrong-then" | "outdated" | "undated";

export interface Contradiction {
  item: string;
  ref: string;
  claim: { says: ClaimClass; on: string; note?: string | undefined };
  fact: { state: "open" | "closed" | "merged" | "not-landed"; since: string | undefined; source: string; asOf: string | null };
  kind: ContradictionKind;
}

/**
 * Compares what the maintainers believed with what was observed, by state class (open, closed, merged, landed).
 * A claim about a context reference is not judged, and a pin that cannot be told contradicts nobody. A notice: it informs and never fails a check.
 */
export function contradictionOf(world: World, id: string, item: Item, decision: Decision): Contradiction | undefined {
  const { claim } = item;
  if (!claim || claim.says === "local") return undefined;
  const ref = claim.about ?? decision.deciding[0]?.ref.ref;
  if (ref === undefined || item.refs.find((known) => known.ref === ref)?.role === "context") return undefined;
  const thread = world.facts.thread(ref);
  if (!thread) return undefined;
  const fact = stateOf(world, ref, thread, decision, claim.says);
  if (agrees(claim.says, fact.state)) return undefined;
  return {
    item: id,
    ref,
    claim: { says: claim.says, on: claim.on, note: claim.note },
    fact: { ...fact, source: thread.source, asOf: thread.asOf },
    kind: kindOf(claim.says, claim.on, fact, thread, world.model.tracker.zone),
  };
}

type FactState = Contradiction["fact"]["state"];

function stateOf(
  world: World,
  ref: string,
  thread: Thread,
  decision: Decision,
  says: ClaimClass,
): { state: FactState; since: string | undefined } {
  const landing = landingOf(world, ref);
  if (thread.merged === true || (landing && thread.kind === "pull-request")) {
    const lacking = decision.pins.some(({ verdict }) => verdict === "not-contained" || verdict === "partial");
    const notLanded = says === "landed" && (!landing || lacking);
    return { state: notLanded ? "not-landed" : "merged", since: thread.mergedAt ?? landing?.at };
  }
  return { state: thread.state, since: thread.state === "closed" ? thread.closedAt : thread.reopenedAt };
}

function agrees(says: ClaimClass, state: FactState): boolean {
  switch (says) {
    case "open":
      return state === "open";
    case "closed":
      return state !== "open";
    case "merged":
      return state === "merged" || state === "not-landed";
    case "landed":
      return state === "merged" || state === "closed";
    case "local":
      return true;
  }
}

function kindOf(
  says: ClaimClass,
  on: string,
  fact: { state: FactState; since: string | undefined },
  thread: Thread,
  zone: string,
): ContradictionKind {
  if (fact.state === "open") return thread.reopenedAt !== undefined && dayInZone(thread.reopenedAt, zone) > on ? "outdated" : "wrong-then";
  if (fact.state === "not-landed" || (says === "merged" && fact.state === "closed")) return "wrong-then";
  if (fact.since === undefined) return "undated";
  return dayInZone(fact.since, zone) <= on ? "wrong-then" : "outdated";
}
