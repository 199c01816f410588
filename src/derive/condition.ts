import { parseRef, shortRef, threadOf, urlOf } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import type { World } from "./facts.ts";
import { follow } from "./facts.ts";
import { landingOf } from "./landing.ts";
import type { Answer, Evidence } from "./proof.ts";
import { answer, clause, dayInZone, notObserved } from "./proof.ts";
import { pinTarget, propagation, tagTarget, versionProof } from "./propagation.ts";
import { available, released, updated } from "./registry.ts";
import { streamBuilds } from "./streams.ts";

/**
 * Answers a condition with yes, no or unknown, always with what the answer rests on.
 * It judges the reference it names; a successor is only proposed (`never.instead`), never silently followed.
 */
export function evaluate(world: World, condition: Condition): Answer {
  if (condition.all)
    return combine(
      condition.all.map((inner) => evaluate(world, inner)),
      "all",
    );
  if (condition.any)
    return combine(
      condition.any.map((inner) => evaluate(world, inner)),
      "any",
    );
  if (condition.not) return negate(evaluate(world, condition.not), condition.not.after !== undefined);
  if (condition.merged !== undefined) return merged(world, condition.merged);
  if (condition.closed !== undefined) return closed(world, condition.closed);
  if (condition.contained) return contained(world, condition.contained);
  if (condition.built) return built(world, condition.built);
  if (condition.released !== undefined) return released(world, condition.released);
  if (condition.replied) return replied(world, condition.replied);
  if (condition.updated) return updated(world, condition.updated);
  if (condition.available !== undefined) return available(world, condition.available);
  if (condition.after !== undefined) return after(world, condition.after);
  if (condition.manual) return manual(condition.manual);
  return { truth: "unknown", evidence: [] };
}

function combine(answers: Answer[], how: "all" | "any"): Answer {
  const [decisive, neutral] = how === "all" ? (["no", "yes"] as const) : (["yes", "no"] as const);
  const decided = answers.filter((inner) => inner.truth === decisive);
  const truth = decided.length > 0 ? decisive : answers.some((inner) => inner.truth === "unknown") ? "unknown" : neutral;
  const evidence = (decided.length > 0 ? decided : answers).flatMap((inner) => inner.evidence).filter(isFirst);
  const hopeless = answers.filter((inner) => inner.never);
  const never = how === "all" ? hopeless[0]?.never : hopeless.length === answers.length ? hopeless[0]?.never : undefined;
  return { truth, evidence, ...(never ? { never } : {}) };
}

const isFirst = (entry: Evidence, index: number, all: Evidence[]) => all.findIndex(({ fact }) => fact === entry.fact) === index;

/** @param final once the inner condition holds it holds for ever, so its opposite never will again */
function negate({ truth, evidence }: Answer, final: boolean): Answer {
  const never = final && truth === "yes" ? { because: evidence[0]?.fact ?? "its day has passed" } : undefined;
  return { truth: truth === "yes" ? "no" : truth === "no" ? "yes" : "unknown", evidence, ...(never ? { never } : {}) };
}

function successorOf(world: World, ref: string): string | undefined {
  const { end, steps } = follow(world.facts, threadOf(ref));
  return steps.length > 0 ? end : undefined;
}

/** Closed without landing: waiting for its merge is waiting for ever. */
function closedForGood(world: World, ref: string): Answer["never"] {
  const thread = world.facts.thread(ref);
  if (!thread || thread.state === "open" || thread.merged === true || landingOf(world, ref)) return undefined;
  const instead = successorOf(world, ref);
  return {
    because: `${shortRef(threadOf(ref))} was closed${thread.kind === "pull-request" ? " unmerged" : " without a landing"}${instead ? ` and replaced by ${shortRef(instead)}` : ""}`,
    ...(instead === undefined ? {} : { instead }),
  };
}

function threadEvidence(world: World, ref: string, fact: string): Evidence {
  const thread = world.facts.thread(ref);
  return { source: thread?.source ?? "not observed", url: urlOf(ref, thread?.kind), fact, asOf: thread?.asOf ?? null };
}

function merged(world: World, ref: string): Answer {
  const landing = landingOf(world, ref);
  if (landing) return { truth: landing.reverted ? "no" : "yes", evidence: [landing.evidence] };
  const thread = world.facts.thread(ref);
  if (!thread) return notObserved(ref);
  const never = closedForGood(world, ref);
  return {
    truth: "no",
    evidence: [threadEvidence(world, ref, `${shortRef(threadOf(ref))} is ${thread.state}, not merged where it counts`)],
    ...(never ? { never } : {}),
  };
}

function closed(world: World, ref: string): Answer {
  const thread = world.facts.thread(ref);
  if (!thread) return notObserved(ref);
  return {
    truth: thread.state === "closed" ? "yes" : "no",
    evidence: [threadEvidence(world, ref, `${shortRef(threadOf(ref))} is ${thread.state}`)],
  };
}

function contained(world: World, { ref, in: place }: { ref: string; in: string }): Answer {
  const pin = world.model.pin[place];
  const versions = pin && versionProof(ref, pin);
  if (versions) return { truth: versions.verdict === "contained" ? "yes" : "no", evidence: versions.evidence };
  const landing = landingOf(world, ref);
  if (!landing) {
    const outcome = merged(world, ref);
    return outcome.truth === "unknown" ? outcome : { ...outcome, truth: "no" };
  }
  const target = pin ? pinTarget(world, place, pin) : tagTarget(world, landing.repo, place);
  const proof = propagation(world, landing, target);
  const truth = proof.verdict === "contained" ? "yes" : proof.verdict === "unknown" ? "unknown" : "no";
  return { truth, evidence: [landing.evidence, ...proof.evidence] };
}

/** Known builds of a stream are the pins that run it and the registry's seen tags; only a build known to contain the change says yes. */
/** Newest builds of a stream that are judged; a change that none of them has is in no older one either, or nearly so. */
const JUDGED = 5;

function built(world: World, { ref, stream }: { ref: string; stream: string }): Answer {
  const upstream = Object.values(world.model.upstream).find((row) => row.streams.some((known) => known.name === stream));
  const pattern = upstream?.streams.find((known) => known.name === stream)?.artifact;
  if (pattern === undefined) return answer("unknown", "not observed", `no upstream has a stream named ${stream}`);
  const landing = landingOf(world, ref);
  if (!landing) {
    const outcome = merged(world, ref);
    return outcome.truth === "unknown" ? outcome : { ...outcome, truth: "no" };
  }
  const pins = Object.entries(world.model.pin).filter(([, pin]) => matchesPattern(pin.artifact, pattern));
  const listed = upstream && streamBuilds(world, upstream, pattern)?.slice(0, JUDGED);
  const targets = [...pins.map(([id, pin]) => pinTarget(world, id, pin)), ...(listed ?? []).map(({ target }) => target)];
  const proofs = targets.map((target) => propagation(world, landing, target));
  const has = proofs.find(({ verdict }) => verdict === "contained");
  if (has) return { truth: "yes", evidence: [landing.evidence, ...has.evidence] };
  // Only what the registry listed can say no: a pin is one build of many.
  const judged = proofs.slice(pins.length);
  const complete = judged.length > 0 && judged.every(({ verdict }) => verdict === "not-contained");
  const source = complete ? (world.facts.registry(pattern)?.source ?? "the registry") : "not observed";
  const fact = complete
    ? `none of the ${judged.length} newest builds of ${stream} contains it`
    : listed === undefined
      ? `no known build of ${stream} contains it; builds that are not pinned here were not looked at`
      : `of the ${judged.length} newest builds of ${stream} none is proved to contain it, and not all could be judged`;
  return {
    truth: complete ? "no" : "unknown",
    evidence: [landing.evidence, { source, fact, asOf: world.facts.registry(pattern)?.asOf ?? null }],
  };
}

const matchesPattern = (artifact: string, pattern: string) =>
  new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
  ).test(artifact);

function replied(world: World, { ref, by, since }: { ref: string; by: string; since: string }): Answer {
  const thread = world.facts.thread(ref);
  if (!thread) return notObserved(ref);
  const { zone } = world.model.tracker;
  const reply = thread.replies?.find((found) => found.by.toLowerCase() === by.toLowerCase() && dayInZone(found.at, zone) >= since);
  if (reply) return { truth: "yes", evidence: [threadEvidence(world, ref, `${reply.by} answered on ${dayInZone(reply.at, zone)}`)] };
  const seen = thread.replies !== undefined && thread.asOf !== null && dayInZone(thread.asOf, zone) >= since;
  return {
    truth: seen ? "no" : "unknown",
    evidence: [
      threadEvidence(
        world,
        ref,
        seen ? `no answer by ${by} since ${since}` : `the answers in ${shortRef(threadOf(ref))} were not observed`,
      ),
    ],
  };
}

/** Dates are days of the stack's zone; the present is the observation time. */
function after(world: World, date: string): Answer {
  const today = dayInZone(world.asOf, world.model.tracker.zone);
  return answer(today > date ? "yes" : "no", "the calendar", `observed on ${today}, ${today > date ? "after" : "not after"} ${date}`, {
    asOf: world.asOf,
  });
}

function manual({ what, done }: { what: string; done?: string | undefined }): Answer {
  return done === undefined
    ? answer("no", "a person", `to be done by a person: ${clause(what)}`)
    : answer("yes", "a person", `${clause(what)}: done ${done}`);
}

/** A condition in words. */
export function inWords(condition: Condition): string {
  if (condition.all) return condition.all.map((inner) => (inner.any ? `(${inWords(inner)})` : inWords(inner))).join(" and ");
  if (condition.any) return condition.any.map((inner) => (inner.all ? `(${inWords(inner)})` : inWords(inner))).join(" or ");
  if (condition.not) return `not (${inWords(condition.not)})`;
  if (condition.merged !== undefined) return `${shortRef(condition.merged)} is merged`;
  if (condition.closed !== undefined) return `${shortRef(condition.closed)} is closed`;
  if (condition.contained) return `${condition.contained.in} contains ${shortRef(condition.contained.ref)}`;
  if (condition.built) return `a build of ${condition.built.stream} contains ${shortRef(condition.built.ref)}`;
  if (condition.released !== undefined) return `${condition.released.replace(/^\w+:/, "")} is released`;
  if (condition.replied)
    return `${condition.replied.by} answers in ${shortRef(condition.replied.ref)} on or after ${condition.replied.since}`;
  if (condition.updated) return `${shortRef(condition.updated.ref)} changes on or after ${condition.updated.since}`;
  if (condition.available !== undefined) return `${condition.available} can be fetched`;
  if (condition.after !== undefined) return `${condition.after} has passed`;
  return condition.manual ? `a person confirms: ${clause(condition.manual.what)}` : "";
}

/** Does a reference name an asset, package, image or page rather than repository work? */
export function isAsset(ref: string): boolean {
  const type = parseRef(ref)?.type;
  return type === "asset" || type === "package" || type === "image" || type === "page";
}
