import type { Fault } from "../stand/faults.ts";
import type { Github } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import type { World } from "../stand/world.ts";
import { aWeekLater, busyWorld, truthOf } from "./busy-world.ts";
import { factOf, lookAt } from "./looking.ts";
import type { Looked } from "./looking.ts";
import { replayOf } from "./replay.ts";
import type { Replay, ReplayCache, Seen } from "./replay.ts";
import { errorsIn } from "./truth.ts";

/** A stream of numbers from 0 to 1 that a seed decides. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FIELDS = ["talk", "events", "mentions", "fixes", "reviews"];

/** Faults by a seed: some runs are mildly disturbed, some badly. A few end the run by a limit. */
export function scheduleOf(seed: number): (request: Seen) => Fault | undefined {
  const random = randomOf(seed);
  const density = [0.08, 0.2, 0.4][seed % 3] ?? 0.2;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return () => {
    if (random() >= density) return undefined;
    const roll = random();
    if (roll < 0.02) return { kind: "limit", status: pick([403, 429] as const), primary: true };
    if (roll < 0.03) return { kind: "graphql-limit" };
    if (roll < 0.12) return { kind: "limit", status: pick([403, 429] as const), ...(random() < 0.5 ? { retryAfter: 1 } : {}) };
    if (roll < 0.24) return { kind: "too-costly", data: pick(["null", "aliases"] as const) };
    if (roll < 0.44) {
      const share = pick([0.05, 0.3]);
      return { kind: "partial", lose: () => random() < share, type: pick(["NOT_FOUND", "INTERNAL", "RESOURCE_LIMITS_EXCEEDED"]) };
    }
    if (roll < 0.62) {
      const field = pick([...FIELDS, undefined]);
      return { kind: "silent-empty", ...(field === undefined ? {} : { field: (name: string) => name === field }) };
    }
    if (roll < 0.74) return { kind: "unicorn", status: pick([502, 504] as const) };
    if (roll < 0.8) return { kind: "truncated", how: pick(["clean", "cut"] as const) };
    if (roll < 0.88) return { kind: "reset" };
    if (roll < 0.92) return { kind: "stall" };
    return { kind: "error", status: pick([500, 403] as const), body: { message: "Something odd" } };
  };
}

export interface Stage {
  before: World;
  after: World;
  refs: string[];
  github: [Github, Github];
  caches: [ReplayCache, ReplayCache];
  close: () => Promise<void>;
}

/** Two states of a world of 200 references, a week apart. */
export async function stage(): Promise<Stage> {
  const { world, refs } = busyWorld(10);
  const after = aWeekLater(world);
  const options = { limits: { core: 1e9, graphql: 1e9, anonymous: 1e9 } };
  const github: Stage["github"] = [await startGithub(world, options), await startGithub(after, options)];
  return {
    before: world,
    after,
    refs,
    github,
    caches: [new Map(), new Map()],
    close: async () => void (await Promise.all(github.map((one) => one.close()))),
  };
}

export interface Verdict {
  /** What is wrong; empty: nothing. */
  errors: string[];
  /** Faults that took effect, by kind. */
  hits: Record<string, number>;
  requests: number;
}

/**
 * Three runs: a first one with faults, one a week later with faults, one without. After each, every stored fact must be true of the
 * world as it is, or be reported as not observed and still be what was true before.
 */
export async function faultRun(on: Stage, seed: number): Promise<Verdict> {
  const verdict: Verdict = { errors: [], hits: {}, requests: 0 };
  const run = async (state: 0 | 1, faults: (request: Seen) => Fault | undefined, last: Looked | undefined) => {
    const replay = replayOf(on.github[state], on.caches[state], faults);
    const looked = await lookAt(on.github[state], on.refs, {
      known: last?.observed,
      memory: last?.memory,
      checked: false,
      client: { fetch: replay.fetch, timeoutMs: 15 },
    });
    for (const { fault } of replay.log) if (fault) verdict.hits[fault] = (verdict.hits[fault] ?? 0) + 1;
    verdict.requests += replay.log.length;
    return { looked, replay };
  };
  const one = await run(0, scheduleOf(seed), undefined);
  judge(verdict, "first", on, [on.before], one.looked, one.replay, undefined);
  const two = await run(1, scheduleOf(seed + 500_000), one.looked);
  judge(verdict, "second", on, [on.after, on.before], two.looked, two.replay, one.looked);
  const three = await run(1, () => undefined, two.looked);
  judge(verdict, "third", on, [on.after], three.looked, three.replay, two.looked);
  const four = await run(1, () => undefined, three.looked);
  if (four.looked.changed.length > 0) verdict.errors.push(`fourth: changed ${JSON.stringify(four.looked.changed.slice(0, 2))}`);
  return verdict;
}

export interface Tally {
  /** What is wrong, with the seed; empty: nothing. */
  errors: string[];
  hits: Record<string, number>;
  runs: number;
}

/** Every kind of fault must have met something; a schedule that never hits proves nothing. */
export const KINDS = ["error", "graphql-limit", "limit", "partial", "reset", "silent-empty", "stall", "too-costly", "truncated", "unicorn"];

/** Runs the seeds 1 to `seeds`. Some side by side: most of a run is waiting for timers of a millisecond. */
export async function faultRuns(on: Stage, seeds: number): Promise<Tally> {
  const tally: Tally = { errors: [], hits: {}, runs: 0 };
  let next = 1;
  const work = async () => {
    for (let seed = next++; seed <= seeds; seed = next++) {
      const verdict = await faultRun(on, seed);
      tally.runs += 1;
      tally.errors.push(...verdict.errors.map((text) => `seed ${seed}, ${text}`));
      for (const [kind, count] of Object.entries(verdict.hits)) tally.hits[kind] = (tally.hits[kind] ?? 0) + count;
    }
  };
  await Promise.all(Array.from({ length: 24 }, work));
  return tally;
}

function judge(verdict: Verdict, name: string, on: Stage, worlds: World[], looked: Looked, replay: Replay, last: Looked | undefined): void {
  const say = (text: string) => verdict.errors.push(`${name}: ${text}`);
  const reported = new Map(looked.failed.map(({ ref, why }) => [ref, why]));
  const stopped = looked.failed.some(({ why }) => /rate limit|slower pace|keeps failing/.test(why));
  const disturbed = new Set(replay.log.flatMap(({ refs, fault }) => (fault ? refs : [])));
  const now = worlds[0] as World;
  for (const ref of on.refs) {
    const fact = factOf(looked.observed, ref);
    const known = last && factOf(last.observed, ref);
    const wrong = errorsIn(now, ref, fact);
    if (known && !fact) say(`${ref} is lost`);
    if (!reported.has(ref)) {
      if (wrong.length > 0) say(wrong.join("; "));
      if (fact?.stale) say(`${ref} is marked stale and was observed`);
      continue;
    }
    if (truthOf(now, ref) === "deleted" && !fact) continue;
    // Not observed: what is stored is what was known, and was true when it was read.
    if (fact && !worlds.some((world) => errorsIn(world, ref, fact).length === 0))
      say(`${ref} was not observed, and is wrong: ${wrong.join("; ")}`);
    if (fact && known && fact.asOf !== known.asOf) say(`${ref} was not observed, and its fact was written anew`);
    if (!disturbed.has(ref) && !stopped) say(`${ref} was not disturbed, and not observed: ${reported.get(ref)}`);
    if (name === "third") say(`${ref} was not observed without a fault: ${reported.get(ref)}`);
  }
  if (name === "third") {
    for (const [repo, { threads }] of Object.entries(looked.observed.github)) {
      for (const [number, thread] of Object.entries(threads)) {
        const wrong = errorsIn(now, `${repo}#${number}`, thread);
        if (wrong.length > 0) say(`linked ${wrong.join("; ")}`);
        if (thread.source === "GitHub REST" && thread.movedTo === undefined) say(`${repo}#${number} stays at what REST shows`);
      }
    }
  }
}
