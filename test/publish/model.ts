import { expect } from "vitest";
import type { Outcome } from "../../src/publish/pull-request/types.ts";
import { MergeConflict, mergeCommit, mergePull, moveRef } from "../stand/merging.ts";
import { close } from "../stand/threads.ts";
import { nowOf } from "../stand/world.ts";
import { interleave } from "./interleave.ts";
import type { Stage } from "./toy.ts";
import { BRANCH, FACTS, PAGE, checkout, days, filesAt, isOwned, openPulls, pullsOf, render, run, snooze, stage } from "./toy.ts";

/** Operations of the world and of people, by name; a seed decides their order. */
const OPERATIONS = [
  "news",
  "urgent",
  "undo",
  "days",
  "human",
  "base",
  "synced",
  "clash",
  "settle",
  "merge",
  "close",
  "snooze",
  "bot",
  "stale",
  "race",
  "two",
] as const;
export type Operation = (typeof OPERATIONS)[number];
const ACTIONS = ["none", "created", "updated", "conflict", "lost", "cleaned"] as const;
export type Tally = Record<Operation | Outcome["action"], number>;
const emptyTally = (): Tally => Object.fromEntries([...OPERATIONS, ...ACTIONS].map((name) => [name, 0])) as Tally;

/** mulberry32: the same seed, the same run. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface State extends Stage {
  draw: (below: number) => number;
  /** Commits by people on the branch. */
  human: string[];
  /** Their files that nobody writes on the base, in order. */
  writes: { path: string; text: string; sha: string }[];
  counter: number;
  tally: Tally;
  log: string[];
}

/** Long enough to deal every operation once and some of them twice. */
const STEPS = 18;

/** Lives with seeds that follow each other. */
export async function liveThrough(first: number, count: number): Promise<Tally> {
  const tally = emptyTally();
  for (let seed = first; seed < first + count; seed += 1) await live(seed, STEPS, tally);
  return tally;
}

export function expectAllMet(tally: Tally): void {
  for (const [name, times] of Object.entries(tally)) expect(times, `${name}, of ${JSON.stringify(tally)}`).toBeGreaterThanOrEqual(50);
}

/** One random life of a rolling pull request; every promise is checked after every run of a bot. */
async function live(seed: number, steps: number, tally: Tally): Promise<void> {
  const here: State = { ...(await stage()), draw: random(seed), human: [], writes: [], counter: 0, tally, log: [] };
  try {
    let deck: Operation[] = [];
    for (let step = 0; step < steps; step += 1) {
      // Dealt from a deck, so that every life meets everything once.
      if (deck.length === 0) deck = [...OPERATIONS];
      const [operation = "bot"] = deck.splice(here.draw(deck.length), 1);
      here.log.push(operation);
      here.world.clock += 60_000;
      if (await operate(here, operation)) tally[operation] += 1;
      check(here);
    }
    await quiet(here);
  } catch (error) {
    throw new Error(`seed ${seed}: ${here.log.join(", ")}`, { cause: error });
  } finally {
    await here.close();
  }
}

/** False: there was nothing to do it to. */
async function operate(here: State, operation: Operation): Promise<boolean> {
  const { draw, truth, git, world, repo } = here;
  here.counter += 1;
  const value = String(here.counter);
  // What needs an open pull request gets one, so that lives are not spent on what cannot happen.
  if (["human", "clash", "settle", "merge", "close", "snooze"].includes(operation) && openPulls(here).length === 0) {
    truth[`blocks-${draw(2)}`] = value;
    await bot(here);
  }
  const [pull] = openPulls(here);
  switch (operation) {
    case "news":
      truth[`fact-${draw(3)}`] = value;
      return bot(here);
    case "urgent":
      truth[`blocks-${draw(2)}`] = value;
      return bot(here);
    case "undo": {
      const known = Object.keys(truth);
      if (known.length === 0) {
        truth["fact-0"] = value;
        return bot(here);
      }
      truth[known[draw(known.length)] as string] = "as before";
      return true;
    }
    case "days":
      world.clock += days(1 + draw(5));
      return true;
    case "human":
      if (git.resolve(BRANCH) === undefined) return false;
      push(here, BRANCH, { [`data/human-${draw(2)}.txt`]: `${value}\n` });
      return true;
    case "base":
      push(here, "main", { [`data/base-${draw(2)}.txt`]: `${value}\n` });
      return true;
    case "synced": {
      const files = checkout(here);
      push(here, "main", { [FACTS]: files.get(FACTS) ?? "", [PAGE]: render(files) });
      return true;
    }
    case "clash":
      if (!pull) return false;
      push(here, BRANCH, { "data/row.txt": `branch ${value}\n` });
      push(here, "main", { "data/row.txt": `base ${value}\n` });
      return bot(here);
    case "settle":
      push(here, "main", { [`data/base-${draw(2)}.txt`]: `${value}\n` });
      return settle(here);
    case "merge":
      if (!pull) return false;
      if (git.mergeTree("main", pull.headSha).conflicts.length > 0) settle(here);
      mergePull(world, repo, pull, { method: draw(2) === 0 ? "squash" : "merge" });
      return draw(2) === 0 || bot(here);
    case "close":
    case "snooze":
      if (!pull) return false;
      if (operation === "snooze") snooze(here, pull);
      close(world, pull);
      return draw(2) === 0 || bot(here);
    case "bot":
      return bot(here);
    case "stale": {
      // A run whose checkout is older than the base.
      const local = checkout(here);
      push(here, "main", { [`data/base-${draw(2)}.txt`]: `${value}\n` });
      return settled(here, [await run(here, { local })]);
    }
    case "race": {
      // Somebody pushes, or pushes and merges, at one moment of the run.
      truth[`blocks-${draw(2)}`] = value;
      let left = draw(14);
      const via: typeof fetch = (...request) => {
        left -= 1;
        if (left === 0 && git.resolve(BRANCH) !== undefined) push(here, BRANCH, { [`data/human-${draw(2)}.txt`]: `${value} in between\n` });
        return fetch(...request);
      };
      return settled(here, [await run(here, { fetch: via })]);
    }
    case "two": {
      truth[`blocks-${draw(2)}`] = value;
      const first = checkout(here);
      truth[`fact-${draw(3)}`] = value;
      // The second started a moment later, so its commits are others.
      world.clock += 1000;
      const second = checkout(here);
      return settled(
        here,
        await interleave(
          draw,
          [first, second].map((local) => (via) => run(here, { local, fetch: via })),
        ),
      );
    }
  }
}

function push(here: State, branch: string, files: Record<string, string>): void {
  const date = nowOf(here.world);
  const sha = here.git.commit({ message: "By hand", branch, files, date });
  if (branch === BRANCH) byHand(here, sha, files);
  moveRef(here.world, here.repo, `refs/heads/${branch}`, sha);
}

function byHand(here: State, sha: string, files: Record<string, string>): void {
  here.human.push(sha);
  for (const [path, text] of Object.entries(files)) if (/^data\/(human|row)/.test(path)) here.writes.push({ path, text, sha });
}

/** A person merges the base into the branch by hand. */
function settle(here: State): boolean {
  const { git, world, repo } = here;
  const [head, base] = [git.resolve(BRANCH), git.resolve("main")];
  if (head === undefined || base === undefined || git.isAncestor(base, head)) return false;
  try {
    const sha = mergeCommit(repo, head, base, "Merge by hand", nowOf(world));
    here.human.push(sha);
    moveRef(world, repo, `refs/heads/${BRANCH}`, sha);
  } catch (error) {
    if (!(error instanceof MergeConflict)) throw error;
    const files = Object.fromEntries(filesAt(git, base));
    const sha = git.commit({ message: "Merge by hand", branch: BRANCH, parents: [head, base], files, date: nowOf(world) });
    byHand(here, sha, files);
    moveRef(world, repo, `refs/heads/${BRANCH}`, sha);
  }
  return true;
}

async function bot(here: State): Promise<boolean> {
  return settled(here, [await run(here)]);
}

/** Counts outcomes, and after a run that nobody disturbed holds the branch against a fresh render. */
async function settled(here: State, outcomes: readonly Outcome[]): Promise<boolean> {
  for (const { action } of outcomes) here.tally[action] += 1;
  here.log.push(`(${outcomes.map(({ action }) => action).join("+")})`);
  const [outcome] = outcomes;
  const undisturbed = outcomes.length === 1 && here.log.at(-2) !== "race" && outcome?.action !== "lost";
  if (undisturbed && outcome?.action !== "conflict") fresh(here);
  if (undisturbed && here.draw(3) === 0) await unchanged(here);
  return true;
}

/** What holds at every moment. */
function check(here: State): void {
  expect(openPulls(here).length, "open pull requests").toBeLessThanOrEqual(1);
  const tips = here.git.refs.list("refs/").map(([, tip]) => tip);
  for (const sha of here.human)
    expect(
      tips.some((tip) => here.git.isAncestor(sha, tip)),
      `commit ${sha} by a person is on a branch or in a pull request`,
    ).toBe(true);
  const forced = here.github.requests.writes().filter(({ body }) => (body as { force?: boolean } | undefined)?.force === true);
  expect(forced).toEqual([]);
  here.github.requests.clear();
  for (const [name] of here.git.refs.list("refs/heads/")) expect(["refs/heads/main", `refs/heads/${BRANCH}`]).toContain(name);
}

/** The branch of an open pull request is base and people's commits merged, with the files of the bot rendered from that. */
function fresh(here: State): void {
  const { git, truth } = here;
  const [pull] = openPulls(here);
  if (!pull) return;
  expect(git.isAncestor(git.resolve("main") ?? "", pull.headSha), "the base is in the branch").toBe(true);
  const files = filesAt(git, BRANCH);
  expect(files.get(PAGE)).toBe(render(files));
  for (const [path, text] of expected(here)) expect([path, files.get(path)]).toEqual([path, text]);
  // What presses is told at once.
  for (const [name, value] of Object.entries(truth))
    if (name.startsWith("blocks") && value !== "as before") expect(files.get(PAGE)).toContain(`${name}=${value}\n`);
}

/** People's files on the branch, from what they did: the last write that is on the branch alone, else what the base has. */
function expected({ git, writes }: State): Map<string, string> {
  const [head, base] = [git.resolve(BRANCH) ?? "", git.resolve("main") ?? ""];
  const found = new Map([...filesAt(git, base)].filter(([path]) => path.startsWith("data/") && !isOwned(path)));
  for (const { path, text, sha } of writes) {
    if (git.isAncestor(sha, head) && !git.isAncestor(sha, base)) found.set(path, text);
  }
  return found;
}

/** A second run at the same moment writes nothing. */
async function unchanged(here: State): Promise<void> {
  here.github.requests.clear();
  const tips = JSON.stringify(here.git.refs.list("refs/"));
  const again = await run(here);
  here.tally[again.action] += 1;
  expect([again.action, here.github.requests.writes().map(({ method, path }) => `${method} ${path}`)], again.because).toEqual([
    again.action,
    [],
  ]);
  expect(JSON.stringify(here.git.refs.list("refs/"))).toBe(tips);
}

/** At the end: after a few runs with nothing new, everything has come to rest, and the page tells the truth if a pull request is open. */
async function quiet(here: State): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    here.world.clock += days(8);
    here.log.push("rest", (await run(here)).action);
  }
  check(here);
  await unchanged(here);
  const [pull] = openPulls(here);
  if (!pull || pull.comments.length > 0) return;
  const page = filesAt(here.git, BRANCH).get(PAGE);
  for (const [name, value] of Object.entries(here.truth)) expect(page).toContain(`${name}=${value}\n`);
  expect(pullsOf(here).filter(({ state }) => state === "open")).toHaveLength(1);
}
