import type { NamedThread, Questions } from "../model/questions.ts";
import { parseRef } from "../model/ref.ts";
import type { Observed } from "../model/shapes/observed.ts";
import type { AskArtifact } from "./artifacts.ts";
import { observeArtifacts } from "./artifacts.ts";
import type { Change, Failure } from "./change.ts";
import { changesOf } from "./changes.ts";
import type { ThreadReader } from "./github/reader.ts";
import type { AskHistory } from "./histories.ts";
import { observeHistories } from "./histories.ts";
import type { Memory } from "./memory.ts";
import { digestOf } from "./memory.ts";
import { observeThreads, threadOf } from "./threads.ts";

/** The world outside, made in `scripts/`. A source that is left out is not asked, and that is said. */
export interface Sources {
  threads?: ThreadReader | undefined;
  history?: AskHistory | undefined;
  artifact?: AskArtifact | undefined;
}

export interface SyncInput {
  observed: Observed;
  memory: Memory;
  /** ISO instant of the run. */
  now: string;
  named: NamedThread[];
  /** What derive asks, given the facts so far. */
  questions: (observed: Observed) => Questions;
  urgency: (ref: string) => number;
  sources: Sources;
  scope: Scope;
  say: (line: string) => void;
}

export interface Scope {
  /** Only this reference and what it leads to. */
  only?: string | undefined;
  /** Only a share of the repositories and artifacts, for runs side by side. */
  shard?: { index: number; of: number } | undefined;
  /** Without the network: what is old is not a failure. */
  offline?: boolean | undefined;
}

export interface SyncResult {
  observed: Observed;
  memory: Memory;
  /** Things that gave an answer. */
  seen: number;
  changed: Change[];
  failed: Failure[];
  /** Facts that an answer changed. A mark that something could not be observed is no news from the world. */
  news: boolean;
  /** What this run was not to look at. Said, and no error. */
  notChecked: string[];
  /** What a person should know and mend in the data. */
  notes: string[];
}

/**
 * Observes the world: threads first, then registries, then the histories that the two raise questions about.
 * Pure apart from the sources: the given facts are not changed, the new ones are returned with what changed in them.
 */
export async function sync(input: SyncInput): Promise<SyncResult> {
  const { scope, say, now, sources } = input;
  const observed = structuredClone(input.observed);
  const memory = structuredClone(input.memory);
  const state = { observed, memory, now };
  const failed: Failure[] = [];
  const notChecked: string[] = [];
  const notes: string[] = [];
  let seen = 0;

  if (sources.threads) {
    const named = scope.only === undefined ? input.named : input.named.filter(({ ref }) => ref === scope.only);
    if (scope.only !== undefined && named.length === 0 && parseRef(scope.only)?.type === "thread") {
      named.push({ ref: scope.only, kind: undefined, replies: [] });
    }
    const inScope = (ref: string) => inShard(scope, ref.slice(0, ref.indexOf("#")));
    const threads = await observeThreads(named, sources.threads, state, { inScope, urgency: input.urgency, say });
    seen += threads.observed;
    failed.push(...threads.failed);
  } else notChecked.push("issues, pull requests and discussions");

  const artifacts = input
    .questions(observed)
    .artifacts.filter(({ key }) => (scope.only === undefined || key === scope.only) && inShard(scope, key));
  if (sources.artifact) {
    const found = await observeArtifacts(artifacts, sources.artifact, state, say);
    seen += found.observed;
    failed.push(...found.failed);
  } else if (artifacts.length > 0) notChecked.push("images, packages and assets");

  if (sources.history) {
    const only = scope.only === undefined ? undefined : repoOf(scope.only);
    const inScope = (repo: string) => (scope.only === undefined || repo === only) && inShard(scope, repo);
    const found = await observeHistories(input.questions, sources.history, state, { inScope, offline: scope.offline === true, say });
    seen += found.seen;
    failed.push(...found.failed);
    notes.push(...found.notes);
    if (scope.offline) notChecked.push("what is newer than the mirrors of this machine");
  } else notChecked.push("git histories");

  if (scope.only !== undefined) notChecked.push(`everything but ${scope.only}`);
  if (scope.shard) notChecked.push(`what is not in share ${scope.shard.index} of ${scope.shard.of}`);
  for (const [ref, entry] of Object.entries(memory.threads)) {
    const thread = threadOf(observed, ref);
    if (entry.verifiedAt === now && thread) entry.of = digestOf(thread);
  }
  memory.lastRun = now;
  const changed = changesOf(input.observed, observed);
  const unique = new Map(failed.map((failure) => [`${failure.ref} ${failure.why}`, failure]));
  return {
    observed,
    memory,
    seen,
    changed,
    news: changed.some(({ field, to }) => field !== "stale" || to === null),
    failed: [...unique.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    notChecked,
    notes,
  };
}

function repoOf(ref: string): string | undefined {
  const parsed = parseRef(ref);
  return parsed && "repo" in parsed ? parsed.repo : undefined;
}

/** The same share for the same name, everywhere and for ever. */
function inShard({ shard }: Scope, name: string): boolean {
  if (!shard) return true;
  let hash = 2_166_136_261;
  for (const character of name.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash % shard.of === shard.index - 1;
}
