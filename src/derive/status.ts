import { shortRef, threadOf } from "../model/ref.ts";
import type { Item, ItemRef } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import type { Facet, Rule, Status, Verdict } from "../model/vocabulary.ts";
import { STATUSES } from "../model/vocabulary.ts";
import { carries, carriesCode, localWords } from "./carry.ts";
import { evaluate, inWords, isAsset } from "./condition.ts";
import type { Step, World } from "./facts.ts";
import { follow } from "./facts.ts";
import { drifted, mismatch } from "./identity.ts";
import type { Landing } from "./landing.ts";
import { landingOf } from "./landing.ts";
import { decideOpen } from "./open.ts";
import type { Proof } from "./proof.ts";
import { dayInZone } from "./proof.ts";
import { pinTarget, propagation, unknown, versionProof } from "./propagation.ts";
import { list, upper } from "./sentence.ts";
import { reachedPins } from "./users.ts";

export interface PinVerdict {
  pin: string;
  verdict: Verdict;
  proof: Proof;
}

/** A deciding reference, followed to its end. */
export interface Deciding {
  ref: ItemRef;
  end: string;
  steps: Step[];
  circle: boolean;
  thread: Thread | undefined;
}

export interface Decision {
  status: Status;
  rule: Rule;
  facets: Facet[];
  because: string;
  deciding: Deciding[];
  /** What landed upstream. All of it reverted: the row is decided as if nothing had landed. */
  landings: Landing[];
  /** Pins the row waits for, with the verdict for each; empty before anything landed. */
  pins: PinVerdict[];
}

/** Decides a row's status by the table of the design (section 4). Pure: facts in, decision out. */
export function decide(world: World, item: Item): Decision {
  const facets = new Set<Facet>();
  const deciding = decidingRefs(world, item, facets);
  const reached = reachedPins(world.model, world.facts.inventory, item);
  reached.forEach((id) => {
    pinFacets(world, id, facets);
  });
  const partial = { deciding, landings: [] as Landing[], pins: [] as PinVerdict[] };
  const done = (rule: Rule, status: Status, because: string, more: Partial<Decision> = {}): Decision => ({
    ...partial,
    status,
    rule,
    because,
    ...more,
    facets: [...facets].sort(),
  });
  const own = decideByFacts(world, item, reached, deciding, facets, done);
  const set = liveOverride(world, item);
  if (!set) return own;
  facets.add("overridden");
  return {
    ...own,
    status: set.status,
    rule: "0",
    because: `Set by hand: ${set.because} Derived would be ${STATUSES[own.status].words.toLowerCase()}.`,
    facets: [...facets].sort(),
  };
}

/** Finishes a decision; the facets gathered so far go with it. */
export type Done = (rule: Rule, status: Status, because: string, more?: Partial<Decision>) => Decision;

function decideByFacts(world: World, item: Item, reached: string[], deciding: Deciding[], facets: Set<Facet>, done: Done): Decision {
  const local = localWords(item);
  const odd = deciding
    .map(({ ref }) => {
      const named = world.facts.thread(ref.ref);
      return named && mismatch(ref, named);
    })
    .find((why) => why !== undefined);
  const reused = deciding.find(({ thread }) => thread?.nodeMismatch === true);
  if (odd !== undefined || reused) {
    facets.add("kind-mismatch");
    return done(
      "1",
      "unknown",
      `${upper(odd ?? `another thread answers under the name ${reused?.end}`)}. Correct the reference, or confirm it.`,
    );
  }
  if (deciding.length === 0) {
    if (!item.filed || item.refs.length === 0) facets.add("not-filed");
    if (item.local === "retired") return done("2", "resolved", `Nothing is filed upstream, and ${local}.`);
    if (carriesCode(item)) return done("2", "local-workaround", `Nothing is filed upstream, and ${local}.`);
    facets.add("not-filed");
    return done("2", "open-no-pr", "Nothing is filed upstream that would decide it.");
  }
  if (deciding.every(({ ref }) => isAsset(ref.ref))) return decideAsset(world, item, reached, deciding, facets, done);
  if (deciding.every(({ end, thread }) => thread === undefined && landingOf(world, end) === undefined)) {
    return done(
      "4",
      "unknown",
      `${list(deciding.map(({ end }) => shortRef(end)))} ${deciding.length > 1 ? "were" : "was"} never observed.`,
    );
  }
  const landings = landedBy(world, item, deciding);
  if (!landings) return decideOpen(world, item, deciding, [], facets, done);
  const reverted = landings.filter((landing) => landing.reverted);
  if (reverted.length === 0 || (item.fixes === "any" && reverted.length < landings.length))
    return decideLanded(world, item, reached, landings, facets, done);
  facets.add("reverted");
  return { ...decideOpen(world, item, deciding, reverted, facets, done), landings };
}

function decidingRefs(world: World, item: Item, facets: Set<Facet>): Deciding[] {
  const role = (["fix", "bug", "tracking"] as const).find((candidate) => item.refs.some((ref) => ref.role === candidate));
  return item.refs
    .filter((ref) => ref.role === role)
    .map((ref) => {
      const name = threadOf(ref.ref);
      const path = item.local === "negative-result" ? { end: name, steps: [], circle: false } : follow(world.facts, name);
      for (const step of path.steps) facets.add(step.because === "moved" ? "moved" : "superseded");
      const thread = world.facts.thread(path.end);
      if (thread?.stale || world.facts.thread(name)?.stale) facets.add("stale-observation");
      if (thread && drifted(thread)) facets.add("title-drift");
      return { ref, ...path, thread };
    });
}

function pinFacets(world: World, id: string, facets: Set<Facet>): void {
  const pin = world.model.pin[id];
  if (pin?.mutability === "floating") facets.add("floating");
  if (pin && world.facts.registry(pin.artifact)?.available === "gone") facets.add("image-gone");
}

function landedBy(world: World, item: Item, deciding: Deciding[]): Landing[] | undefined {
  const found = deciding.map(({ end }) => landingOf(world, end));
  const landings = found.filter((landing) => landing !== undefined);
  if (landings.length === 0) return undefined;
  return item.fixes === "all" && landings.length < found.length ? undefined : landings;
}

function decideLanded(world: World, item: Item, reached: string[], landings: Landing[], facets: Set<Facet>, done: Done): Decision {
  const live = landings.filter((landing) => !landing.reverted);
  const pins = reached.map((pin): PinVerdict => {
    const proof = bestProof(world, item, pin, live);
    return { pin, verdict: proof.verdict, proof };
  });
  return decideArrived(item, pins, facets, done, live.map((landing) => landing.evidence.fact).join("; "), live);
}

function decideArrived(item: Item, pins: PinVerdict[], facets: Set<Facet>, done: Done, how: string, landings: Landing[]): Decision {
  const more = { landings, pins };
  if (item.resolves_us === "partly") facets.add("partly");
  if (item.resolves_us === "no") {
    facets.add("does-not-help");
    const status = carries(item) ? "local-workaround" : "resolved";
    return done("5b", status, `${upper(how)}, but it does not resolve the problem here, and ${localWords(item)}.`, more);
  }
  if (item.local === "retired") return done("5c", "resolved", `${upper(how)}, and ${localWords(item)}.`, more);
  if (pins.length === 0) {
    facets.add("no-pin-waits");
    return done("5d", "resolved", `${upper(how)}. No pin of this stack waits for it.`, more);
  }
  const lacking = pins.filter(({ verdict }) => verdict !== "contained");
  if (lacking.length === 0)
    return done(
      "5e",
      "landed",
      `${upper(how)}. ${pins.length === 1 ? `The pin ${pins[0]?.pin} contains` : `All ${pins.length} pins that need it contain`} it.`,
      more,
    );
  return done(
    "5f",
    "awaiting-propagation",
    `${upper(how)}. ${upper(list(lacking.map(({ pin, verdict }) => `${pin} ${VERDICT_WORDS[verdict]}`)))}.`,
    more,
  );
}

export const VERDICT_WORDS: Record<Verdict, string> = {
  contained: "contains it",
  "not-contained": "lacks it",
  partial: "has only a part of it",
  unknown: "cannot be proved to contain it",
};

/** With `fixes: any` the best of several landings counts for a pin; with `all`, the worst. */
function bestProof(world: World, item: Item, id: string, landings: Landing[]): Proof {
  const pin = world.model.pin[id];
  if (!pin) return unknown(`no pin is named ${id}`);
  const target = pinTarget(world, id, pin);
  const order: Verdict[] =
    item.fixes === "all" ? ["not-contained", "partial", "unknown", "contained"] : ["contained", "partial", "unknown", "not-contained"];
  const proofs = landings.map((landing) => propagation(world, landing, target));
  return proofs.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))[0] ?? unknown(`nothing landed to look for in ${id}`);
}

function decideAsset(world: World, item: Item, reached: string[], deciding: Deciding[], facets: Set<Facet>, done: Done): Decision {
  const names = list(deciding.map(({ ref }) => shortRef(ref.ref)));
  const outcome = item.lands_when && evaluate(world, item.lands_when);
  if (outcome?.truth === "yes") {
    const pins = reached.map((pin): PinVerdict => {
      const row = world.model.pin[pin];
      const proof =
        deciding.map(({ ref }) => (row ? versionProof(ref.ref, row) : undefined)).find((found) => found !== undefined) ??
        unknown(`what ${pin} ships of ${names} was not observed`);
      return { pin, verdict: proof.verdict, proof };
    });
    return decideArrived(item, pins, facets, done, outcome.evidence.map(({ fact }) => fact).join("; "), []);
  }
  if (carries(item)) return done("3", "local-workaround", `${upper(names)} has not arrived as far as is known, and ${localWords(item)}.`);
  if (outcome?.truth === "unknown" || (!outcome && deciding.every(({ ref }) => world.facts.registry(ref.ref) === undefined))) {
    return done("3", "unknown", `${upper(names)} ${deciding.length > 1 ? "were" : "was"} never observed.`);
  }
  return done(
    "3",
    "open-no-pr",
    item.lands_when
      ? `It counts as landed when ${inWords(item.lands_when)}, which has not happened.`
      : `${upper(names)} is watched, and nothing says when it would count as landed.`,
  );
}

/** The override that holds today: not one that expired, by date or by condition. */
export function liveOverride(world: World, item: Item): Item["override"] {
  const set = item.override;
  if (!set) return undefined;
  if (set.until === "never") return set;
  if (typeof set.until === "string") return dayInZone(world.asOf, world.model.tracker.zone) <= set.until ? set : undefined;
  return evaluate(world, set.until).truth === "yes" ? undefined : set;
}
