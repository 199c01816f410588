import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import type { Derived } from "../src/derive/derive.ts";
import { derive } from "../src/derive/derive.ts";
import { namedThreads, questionsOf, urgency } from "../src/derive/questions.ts";
import { outlineOf, transitionsBetween } from "../src/derive/transitions.ts";
import type { Model } from "../src/model/kinds.ts";
import { parseRef } from "../src/model/ref.ts";
import type { Observed, Transition } from "../src/model/shapes/observed.ts";
import { didYouMean, listWords } from "../src/model/suggest.ts";
import { sortedJson } from "../src/model/sorted-json.ts";
import type { ObservedFile } from "../src/observe/files.ts";
import { observedFiles } from "../src/observe/files.ts";
import type { Memory } from "../src/observe/memory.ts";
import { parseMemory } from "../src/observe/memory.ts";
import type { Scope, Sources, SyncResult } from "../src/observe/sync.ts";
import { sync } from "../src/observe/sync.ts";
import type { Budget } from "../src/observe/github/budget.ts";
import { writeFiles } from "../src/publish/files.ts";
import type { SyncReport } from "../src/report/terminal/sync.ts";
import { UserError } from "./cli.ts";
import { loadStack } from "./stack.ts";
import { transitionLogs } from "./transition-logs.ts";

export interface SyncOptions {
  root: string;
  dryRun: boolean;
  scope: Scope;
  /** Done under the run's lock, before anything is read. */
  prepare?: () => Promise<void>;
  /** Told what the run learnt, with the derived object before and after. */
  learnt?: (news: { before: Derived; after: Derived; transitions: Transition[]; failed: SyncReport["failed"] }) => void;
}

/** Another run of this stack is going on. */
export class Busy extends UserError {}

/** The world outside, as a run uses it. */
export interface Outside {
  now: () => Date;
  sources: (model: Model, observed: Observed) => Promise<Sources>;
  budget: Budget;
  /** Texts for people; filled while the sources work. */
  notes: () => string[];
  say: (line: string) => void;
}

const MEMORY = ".landfall/sync.json";
const AS_OF = "data/observed/as-of.json";

/** Observes, derives before and after, and writes what changed: transitions first, then the facts, the observation time last. */
export async function runSync({ root, dryRun, scope, prepare, learnt }: SyncOptions, outside: Outside): Promise<SyncReport> {
  const release = dryRun ? undefined : await lock(root);
  try {
    await prepare?.();
    const { model, observed } = await loadStack(root);
    nothingCalled(scope.only, model, observed);
    const now = `${outside.now().toISOString().slice(0, 19)}Z`;
    const before = derive(model, observed);
    const only = scope.only === undefined ? undefined : presentName(before, scope.only);
    const result = await sync({
      observed,
      memory: readMemory(root),
      now,
      named: namedThreads(model),
      questions: (facts) => questionsOf(model, facts),
      urgency: urgency(before),
      sources: await outside.sources(model, observed),
      scope: { ...scope, only },
      say: outside.say,
    });
    const files = observedFiles(observed, result.observed);
    const after = settle(model, before, result, now);
    const transitions = transitionsBetween(before, after, observed.transitions, now);
    if (!dryRun) {
      const logs = transitionLogs(observed.transitions, [...observed.transitions, ...transitions]);
      writeFiles(root, [...logs, ...files, ...asOfFile(before, after)]);
      writeMemory(root, result.memory);
    }
    learnt?.({ before, after, transitions, failed: result.failed });
    return {
      asOf: after.asOf,
      requests: outside.budget.requests,
      observed: result.seen,
      changed: result.changed,
      transitions,
      failed: result.failed,
      notChecked: result.notChecked,
      notes: [...outside.notes(), ...result.notes],
      dryRun,
      exitCode: result.failed.length > 0 ? 2 : 0,
    };
  } finally {
    await release?.();
  }
}

/** The thread under the name that facts use: former names of its repository resolved. */
function presentName({ world }: Derived, ref: string): string {
  const parsed = parseRef(ref);
  return parsed?.type === "thread" ? `${world.facts.canonical(parsed.repo)}#${parsed.number}` : ref;
}

/** Something that the stack does not name can be looked at if it is a thread; an artifact cannot. */
function nothingCalled(only: string | undefined, model: Model, observed: Observed): void {
  if (only === undefined || parseRef(only)?.type === "thread") return;
  const { artifacts, histories } = questionsOf(model, observed);
  const keys = artifacts.map(({ key }) => key);
  const parsed = parseRef(only);
  if (keys.includes(only) || (parsed && "repo" in parsed && histories.some(({ repo }) => repo === parsed.repo))) return;
  throw new UserError(`Nothing in the stack rests on "${only}".${didYouMean(only, keys)} Known artifacts: ${listWords(keys)}.`);
}

/**
 * Everything derived as of the right moment: the run's when facts changed or time alone changed a status, else still the earlier one,
 * so that a run that learnt nothing leaves every page as it is. A run that got no answer at all cannot vouch for a later moment:
 * nothing becomes quiet or overdue because the network was down. The moment never goes back.
 */
function settle(model: Model, before: Derived, { observed, news, seen }: SyncResult, now: string): Derived {
  if (seen === 0 || Date.parse(now) <= Date.parse(before.asOf)) return derive(model, observed);
  const present = derive(model, { ...observed, asOf: now });
  if (news || isBehind(observed)) return present;
  const still = derive(model, observed);
  return outlineOf(present) === outlineOf(still) ? still : present;
}

/** A run that was killed between the facts and the observation time left facts that are newer than it. */
function isBehind({ asOf, github }: Observed): boolean {
  const limit = Date.parse(asOf);
  return Object.values(github).some(({ threads }) =>
    Object.values(threads).some((thread) => thread.asOf !== null && Date.parse(thread.asOf) > limit),
  );
}

const asOfFile = (before: Derived, after: Derived): ObservedFile[] =>
  before.asOf === after.asOf ? [] : [{ path: AS_OF, content: sortedJson({ asOf: after.asOf }) }];

function readMemory(root: string): Memory {
  const file = join(root, MEMORY);
  return parseMemory(existsSync(file) ? readFileSync(file, "utf8") : undefined);
}

/** Only saves requests: a folder that cannot be written is no error. */
function writeMemory(root: string, memory: Memory): void {
  try {
    writeFileSync(join(root, `${MEMORY}.${process.pid}`), JSON.stringify(memory));
    renameSync(join(root, `${MEMORY}.${process.pid}`), join(root, MEMORY));
  } catch {
    return;
  }
}

/** One run at a time, and what a killed one left half-written goes. */
async function lock(root: string): Promise<() => Promise<void>> {
  const folder = join(root, ".landfall");
  mkdirSync(folder, { recursive: true });
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, { lockfilePath: join(folder, "sync.lock"), stale: 30_000, realpath: false });
  } catch (error) {
    if ((error as { code?: string }).code !== "ELOCKED") throw error;
    throw new Busy("Another sync of this stack is running. Wait for it; one that was killed is forgotten after 30 seconds.");
  }
  const observed = join(root, "data/observed");
  if (existsSync(observed)) {
    for (const name of readdirSync(observed, { recursive: true, encoding: "utf8" })) {
      if (/\.landfall-\d+$/.test(name)) rmSync(join(observed, name), { force: true });
    }
  }
  return release;
}
