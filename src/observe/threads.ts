import type { NamedThread } from "../model/questions.ts";
import { parseRef } from "../model/ref.ts";
import type { Observed, Thread } from "../model/shapes/observed.ts";
import type { Failure } from "./change.ts";
import { REST } from "./github/from-rest.ts";
import { keepRepository, keepThread } from "./github/keep.ts";
import type { Outcome, RepositoryReading, Wanted } from "./github/reading.ts";
import type { ThreadReader } from "./github/reader.ts";
import type { Memory } from "./memory.ts";
import { digestOf, recall } from "./memory.ts";

/** How far links are followed within one run: issue, its fix, what superseded it, and so on. */
const ROUNDS = 6;

export interface ThreadsResult {
  /** Threads that gave an answer. */
  observed: number;
  failed: Failure[];
}

/**
 * Observes the named threads and what they lead to: pull requests that close them, what superseded them, where they moved.
 * Writes the outcome into `observed` and `memory`.
 * @param inScope which of the threads this run may look at
 */
export async function observeThreads(
  named: readonly NamedThread[],
  reader: ThreadReader,
  state: { observed: Observed; memory: Memory; now: string },
  options: { inScope: (ref: string) => boolean; urgency: (ref: string) => number; say: (line: string) => void },
): Promise<ThreadsResult> {
  const { observed, memory, now } = state;
  const authored = new Map(named.map((one) => [one.ref, one]));
  const asked = new Set<string>();
  const result: ThreadsResult = { observed: 0, failed: [] };
  let frontier = closure(observed, [...authored.keys()]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const wanted = frontier
      .filter((ref) => !asked.has(ref) && options.inScope(ref) && !isSettledLink(observed, authored, ref, reader.full))
      .map((ref) => wantedOf(ref, authored.get(ref), observed, memory));
    if (wanted.length === 0) break;
    const late = (ref: string) => (memory.lastRun !== undefined && (memory.threads[ref]?.verifiedAt ?? "") >= memory.lastRun ? 1 : 0);
    wanted.sort((a, b) => late(a.ref) - late(b.ref) || options.urgency(a.ref) - options.urgency(b.ref) || (a.ref < b.ref ? -1 : 1));
    const outcomes = await reader.read(wanted, (done, total) =>
      options.say(`Threads: ${done} of ${total}${round > 0 ? " linked ones" : ""}`),
    );
    for (const one of wanted) {
      asked.add(one.ref);
      store(one, outcomes.get(one.ref) ?? { state: "failed", why: "it was left without an answer" }, reader, state, result);
    }
    frontier = closure(observed, [...authored.keys()]);
  }
  for (const [name, reading] of reader.repositories) storeRepository(name, reading, observed, now, result);
  return result;
}

function wantedOf(ref: string, named: NamedThread | undefined, observed: Observed, memory: Memory): Wanted {
  const known = threadOf(observed, ref);
  const recalled = recall(memory, ref, known);
  return { ref, known, kind: named?.kind, replies: named?.replies ?? [], seenUpdatedAt: recalled?.updatedAt, etag: recalled?.etag };
}

function store(
  wanted: Wanted,
  outcome: Outcome,
  reader: ThreadReader,
  state: { observed: Observed; memory: Memory; now: string },
  result: ThreadsResult,
) {
  const { observed, memory, now } = state;
  const { ref } = wanted;
  const kept = keepThread(ref, wanted.known, outcome, now);
  if (kept.failure) result.failed.push(kept.failure);
  if (
    outcome.state === "seen" ||
    outcome.state === "same" ||
    outcome.state === "moved" ||
    (outcome.state === "gone" && outcome.how === "deleted")
  )
    result.observed += 1;
  if (!kept.fact) return;
  const [repo = "", number = ""] = ref.split("#");
  observed.github[repo] ??= {
    repository: { name: repo, source: kept.fact.source, asOf: kept.fact.asOf, since: now },
    threads: {},
  };
  const file = observed.github[repo];
  file.threads[number] = kept.fact;
  if (outcome.state !== "seen" && outcome.state !== "same") {
    if (outcome.state !== "not-checked") delete memory.threads[ref];
    return;
  }
  const updatedAt = outcome.state === "seen" ? outcome.reading.updatedAt : outcome.updatedAt;
  const etag = reader.etags.get(ref) ?? (outcome.state === "same" ? wanted.etag : undefined);
  memory.threads[ref] = {
    verifiedAt: now,
    of: digestOf(kept.fact),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(etag === undefined ? {} : { etag }),
  };
}

function storeRepository(name: string, reading: RepositoryReading, observed: Observed, now: string, result: ThreadsResult): void {
  const file = observed.github[name];
  if (!file) return;
  const isPlaceholder = file.repository.nodeId === undefined && file.repository.archived === undefined;
  const kept = keepRepository(name, isPlaceholder ? undefined : file.repository, reading, now);
  if (kept.failure) result.failed.push(kept.failure);
  if (kept.fact) file.repository = kept.fact;
}

export function threadOf(observed: Observed, ref: string): Thread | undefined {
  const parsed = parseRef(ref);
  return parsed?.type === "thread" ? observed.github[parsed.repo]?.threads[String(parsed.number)] : undefined;
}

/** The references, and everything the known facts lead to from them. */
function closure(observed: Observed, refs: readonly string[]): string[] {
  const seen = new Set(refs);
  for (const ref of seen) {
    const thread = threadOf(observed, ref);
    if (thread) for (const next of linksOf(thread)) seen.add(next);
  }
  return [...seen];
}

function linksOf(thread: Thread): string[] {
  const refs = [...(thread.closedBy ?? []), thread.closer?.ref, thread.supersededBy?.ref, thread.duplicateOf, thread.movedTo];
  return refs.filter((ref) => ref !== undefined && parseRef(ref)?.type === "thread") as string[];
}

/** A linked pull request that is merged stays merged; nothing about it can change that matters to a row. */
function isSettledLink(observed: Observed, authored: ReadonlyMap<string, NamedThread>, ref: string, full: boolean): boolean {
  const thread = authored.has(ref) ? undefined : threadOf(observed, ref);
  if (thread?.merged !== true || thread.nodeId === undefined || thread.stale !== undefined) return false;
  return !full || thread.source !== REST;
}
