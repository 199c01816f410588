import type { GithubFile, Thread } from "../../model/shapes/observed.ts";
import type { Failure } from "../change.ts";
import { same } from "../change.ts";
import { REST } from "./from-rest.ts";
import type { Facts, Outcome, Reading, RepositoryReading } from "./reading.ts";

/** A fact as it is to be stored, and what could not be observed of it. */
export interface Kept<T> {
  fact: T | undefined;
  failure?: Failure;
}

/**
 * What is known of a thread after asking for it. A fact changes only when the facts change: the same answer keeps the fact as it is,
 * to the byte; a failed look keeps the last known fact, marked stale; an answer takes the mark away again.
 * @param now ISO instant of the run
 */
export function keepThread(ref: string, known: Thread | undefined, outcome: Outcome, now: string): Kept<Thread> {
  switch (outcome.state) {
    case "same":
      return { fact: known };
    case "seen":
    case "moved":
      return keepReading(ref, known, outcome.reading, now);
    case "gone":
      return keepGone(ref, known, outcome, now);
    case "failed":
      return stale(ref, known, outcome.why, now);
    case "not-checked":
      return { fact: known, failure: { ref, why: outcome.why } };
  }
}

function keepReading(ref: string, known: Thread | undefined, reading: Reading, now: string): Kept<Thread> {
  if (known?.nodeId !== undefined && isAnother(known.nodeId, reading.facts.nodeId)) {
    const why = `${ref} is another thing than before: it answers with id ${reading.facts.nodeId}, and was ${known.nodeId}. The name was re-used: name the right reference in the row, or, if this one is meant, remove its entry from data/observed/github/.`;
    const fact: Thread = known.nodeMismatch ? known : { ...known, nodeMismatch: true, asOf: now };
    return { fact, failure: { ref, why } };
  }
  const facts = merged(known, reading);
  const { source, asOf, since } = known ?? { source: reading.source, asOf: null, since: now };
  const changed = !known || !same(facts, factsOf(known)) || known.gone !== undefined || known.nodeMismatch === true;
  // The fuller source takes over even when it has nothing to add, so that it is not asked for the same again.
  const fuller = source === REST && reading.source !== REST;
  const fact: Thread = {
    ...facts,
    source: changed || fuller ? reading.source : source,
    asOf: changed || asOf === null ? now : asOf,
    ...(since === undefined ? {} : { since }),
  };
  return { fact };
}

/** What the reading can speak about is as it says; the rest stays as it was. */
function merged(known: Thread | undefined, { facts, covers }: Reading): Facts {
  const next = { ...(known ? factsOf(known) : {}), ...facts } as Facts;
  for (const key of covers) if (facts[key] === undefined) delete next[key];
  // GitHub does not know of a landing that was found in the history.
  if (known?.closer?.evidence !== undefined && next.closer === undefined && next.state === "closed") next.closer = known.closer;
  // A rename that was seen happening counts even where the timeline does not reach back to it.
  if (known && facts.title !== known.title && facts.previousTitle === undefined) next.previousTitle = known.title;
  return next;
}

function factsOf({ source: _, asOf: __, since: ___, stale: ____, gone: _____, nodeMismatch: ______, ...facts }: Thread): Facts {
  return facts;
}

/** Ids come in an old and a new form; only two of one form can be told apart. */
function isAnother(before: string, now: string | undefined): boolean {
  const isNew = (id: string) => /^[A-Z]+_/.test(id);
  return now !== undefined && now !== before && isNew(now) === isNew(before);
}

/** Deleted is an answer, and final; unreachable and blocked are not, and may end (A27, A32, A33). */
function keepGone(ref: string, known: Thread | undefined, { how, why }: Extract<Outcome, { state: "gone" }>, now: string): Kept<Thread> {
  if (!known) return { fact: undefined, failure: { ref, why } };
  const failure = how === "deleted" ? {} : { failure: { ref, why } };
  if (known.gone === how && known.stale) return { fact: known, ...failure };
  const fact: Thread = { ...known, gone: how, stale: { since: now, why }, asOf: known.asOf };
  return { fact, ...failure };
}

/** The last known fact stays, marked; a mark that is there keeps its date. */
function stale<T extends { stale?: Thread["stale"] }>(ref: string, known: T | undefined, why: string, now: string): Kept<T> {
  const failure = { ref, why };
  if (!known) return { fact: undefined, failure };
  const fact: T = known.stale ? known : { ...known, stale: { since: now, why } };
  return { fact, failure };
}

/** As {@link keepThread}, for the repository. Another repository under the old name keeps the facts of the first one (A30). */
export function keepRepository(
  name: string,
  known: GithubFile["repository"] | undefined,
  reading: RepositoryReading,
  now: string,
): Kept<GithubFile["repository"]> {
  if (known?.nodeId !== undefined && isAnother(known.nodeId, reading.nodeId)) {
    const why = `another repository answers under the name ${name} now (${reading.nodeId}, and was ${known.nodeId})`;
    return stale(name, known, why, now);
  }
  const renamed = reading.name.toLowerCase() !== name.toLowerCase();
  const facts = {
    name,
    archived: reading.archived,
    ...(reading.nodeId === undefined ? (known?.nodeId === undefined ? {} : { nodeId: known.nodeId }) : { nodeId: reading.nodeId }),
    ...(renamed ? { renamedTo: reading.name } : {}),
  };
  const before = known && { name: known.name, archived: known.archived, nodeId: known.nodeId, renamedTo: known.renamedTo };
  const changed = !before || !same(before, facts);
  const since = known ? known.since : now;
  const fact = {
    ...facts,
    source: changed ? reading.source : known.source,
    asOf: changed || known.asOf === null ? now : known.asOf,
    ...(since === undefined ? {} : { since }),
  };
  return { fact };
}
