import type { Pin } from "../model/shapes/pin.ts";
import type { Stake, Truth, Verdict } from "../model/vocabulary.ts";
import { carries } from "./carry.ts";
import { evaluate, inWords } from "./condition.ts";
import type { World } from "./facts.ts";
import type { Evidence, Never, Proof } from "./proof.ts";
import type { Target } from "./propagation.ts";
import { pinTarget, propagation, unknown } from "./propagation.ts";
import type { Decision } from "./status.ts";
import type { User } from "./users.ts";
import { deliveriesOf, isLive, reachedPins, usersOfPin } from "./users.ts";

export interface ItemOnPin {
  item: string;
  /** The deciding reference as the row writes it. */
  ref: string;
  /** What landed: the reference itself, or the one that took its place. */
  landing: string;
  verdict: Verdict;
  proof: Proof;
  stake: Stake;
  /** The build has a change that upstream took back: together with its revert, or still without it. */
  reverted: boolean;
  /** Code or a setting here stands in for the change. */
  carried: boolean;
  /** The row waits for this pin. False: told for completeness, and never a reason to fail. */
  waits: boolean;
}

export interface DerivedPin {
  id: string;
  artifact: string;
  source: { repo: string | undefined; commit: string | undefined; why?: string | undefined };
  live: boolean;
  availability: { state: "yes" | "gone" | "unknown"; because: string };
  /** Undefined: no inventory was taken, so the users are not known. */
  users: User[] | undefined;
  verdicts: ItemOnPin[];
  retirement: { ready: Truth; because: string; evidence: Evidence[]; todo: string[]; never?: Never | undefined };
}

export function derivePin(world: World, id: string, pin: Pin, decisions: Record<string, Decision>): DerivedPin {
  const target = pinTarget(world, id, pin);
  const users = usersOfPin(world.facts.inventory, pin);
  return {
    id,
    artifact: pin.artifact,
    source: { repo: target.repo, commit: target.commit, why: target.why },
    live: isLive(world.facts.inventory, pin),
    availability: availability(world, pin),
    users,
    verdicts: verdictsOn(world, id, pin, target, decisions),
    retirement: retirement(world, id, pin, users),
  };
}

function availability(world: World, pin: Pin): DerivedPin["availability"] {
  const fact = world.facts.registry(pin.artifact);
  if (fact?.available === "gone") return { state: "gone", because: `${fact.source}: the registry no longer has it` };
  if (fact?.available === "yes") return { state: "yes", because: fact.source };
  return { state: "unknown", because: "never looked up in its registry" };
}

/**
 * Every landed change of the pin's upstream, in this pin or not; rows that do not wait for the pin are told too.
 * A row about which nothing is known is unknown in the pins it waits for, and never left out.
 */
function verdictsOn(world: World, id: string, pin: Pin, target: Target, decisions: Record<string, Decision>): ItemOnPin[] {
  return Object.entries(decisions).flatMap(([item, decision]) => {
    const row = world.model.item[item];
    if (!row) return [];
    const landing = decision.landings[0];
    const reaches = reachedPins(world.model, world.facts.inventory, row).includes(id);
    if (!reaches && row.upstream !== pin.upstream) return [];
    const proof =
      decision.pins.find((found) => found.pin === id)?.proof ?? (landing && propagation(world, landing, target)) ?? untold(decision);
    if (!proof || !(landing || reaches)) return [];
    const named = decision.deciding.find(({ end }) => end === landing?.ref) ?? decision.deciding[0];
    const ref = named?.ref.ref ?? landing?.ref ?? "";
    return [
      {
        item,
        ref,
        landing: landing?.ref ?? named?.end ?? ref,
        verdict: proof.verdict,
        proof,
        stake: row.stake,
        reverted: landing?.reverted === true ? proof.verdict === "contained" : proof.method === "reverted",
        carried: carries(row),
        waits: reaches && decision.status !== "resolved",
      },
    ];
  });
}

/** Nothing was observed that decides the row, or it is another thing: whether a pin has it cannot be told. */
const untold = ({ status, because }: Decision): Proof | undefined => (status === "unknown" ? unknown(because) : undefined);

function retirement(world: World, id: string, pin: Pin, users: User[] | undefined): DerivedPin["retirement"] {
  if (pin.retired) return { ready: "yes", because: `Retired on ${pin.retired.on}: ${pin.retired.because}`, evidence: [], todo: [] };
  const live = users?.filter((user) => !user.archived);
  const outcome = pin.retire && evaluate(world, pin.retire.when);
  if (live?.length === 0) {
    return {
      ready: "yes",
      because: users !== undefined && users.length > 0 ? "Only archived files use it." : "Nothing in the tree uses it.",
      evidence: [],
      todo: [`Remove the cached artifact ${pin.artifact}.`, `Mark ${id} as retired in data/pins/${id}.yaml.`],
    };
  }
  if (!pin.retire || !outcome) return { ready: "no", because: "No condition for its retirement is written down.", evidence: [], todo: [] };
  const words = inWords(pin.retire.when);
  const because =
    outcome.truth === "yes"
      ? `Its condition holds: ${words}.`
      : outcome.truth === "no"
        ? `Waits until ${words}.`
        : `Cannot be told whether ${words}.`;
  return {
    ready: outcome.truth,
    because,
    evidence: outcome.evidence,
    todo: outcome.truth === "yes" ? todo(world, id, pin, live) : [],
    never: outcome.never,
  };
}

function todo(world: World, id: string, pin: Pin, live: User[] | undefined): string[] {
  const next = pin.retire?.to;
  const patches = Object.entries(world.model.patch)
    .filter(([, patch]) => patch.upstream === pin.upstream && !patch.dropped)
    .filter(([, patch]) => deliveriesOf(world.facts.inventory, patch)?.some((where) => live?.some((user) => user.file === where.file)));
  return [
    ...(next ? [`Check that ${next} works for every user: npm run check-pins -- --pin ${next}.`] : ["Choose the build that replaces it."]),
    ...(live ?? []).map((user) => `Move ${user.file} (line ${user.line}) to ${next ?? "the replacement"}.`),
    ...patches.map(([name]) => `Check whether ${name} still applies on the new build.`),
    `Mark ${id} as retired in data/pins/${id}.yaml, with the date and the reason.`,
    `Remove the cached artifact ${pin.artifact}.`,
  ];
}
