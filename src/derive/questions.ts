import type { Model } from "../model/kinds.ts";
import { parseRef, threadOf } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import type { Observed } from "../model/shapes/observed.ts";
import { refsOf } from "./condition.ts";
import type { Derived } from "./derive.ts";
import { deriveWorld } from "./derive.ts";
import type { Facts } from "./facts.ts";
import { worldOf } from "./facts.ts";
import { countedBranches } from "./landing.ts";

/** A thread that the stack names somewhere. */
export interface NamedThread {
  /** `owner/repo#n`, under the repository's present name. */
  ref: string;
  /** What the row takes it for. */
  kind: "issue" | "pull-request" | "discussion" | undefined;
  /** Accounts whose answer a condition waits for. */
  replies: { by: string; since: string }[];
}

/** What derive asked of one repository's history. Names may be full hashes, short ones, or tags. */
export interface HistoryQuestions {
  repo: string;
  /** Branches where landing counts. */
  branches: string[];
  /** Commits and tags to describe, with their reverts and their twins on release branches. */
  commits: string[];
  tags: string[];
  /** Is `commit` in `inside`? Only pairs that were never answered. */
  pairs: { commit: string; inside: string }[];
  /** Pull requests closed without a merge and without a closer: is there a commit that carries the number? */
  pulls: number[];
}

export interface Questions {
  histories: HistoryQuestions[];
  /** Keys of `observed/registry/`: artifacts of pins, packages of conditions, assets of rows. */
  artifacts: string[];
}

/** Every thread the stack names: rows, conditions, patches, cliffs, notes. Whether it is known or not plays no part. */
export function namedThreads(model: Model): NamedThread[] {
  const found = new Map<string, NamedThread>();
  const canonical = canonicalOf(model);
  const add = (ref: string | undefined, kind?: NamedThread["kind"], reply?: { by: string; since: string }) => {
    const parsed = ref === undefined ? undefined : parseRef(threadOf(ref));
    if (parsed?.type !== "thread") return;
    const name = `${canonical(parsed.repo)}#${parsed.number}`;
    const known = found.get(name) ?? { ref: name, kind: undefined, replies: [] };
    known.kind ??= kind;
    if (reply) known.replies.push(reply);
    found.set(name, known);
  };
  const addCondition = (condition: Condition | undefined): void => {
    for (const ref of refsOf(condition)) add(ref);
    for (const { ref, by, since } of repliesOf(condition)) add(ref, undefined, { by, since });
  };
  for (const item of Object.values(model.item)) {
    for (const { ref, kind } of item.refs) add(ref, kind);
    addCondition(item.lands_when);
    addCondition(item.workaround?.drop);
    if (typeof item.override?.until === "object") addCondition(item.override.until);
    add(item.claim?.about);
  }
  for (const pin of Object.values(model.pin)) addCondition(pin.retire?.when);
  for (const patch of Object.values(model.patch)) {
    for (const ref of patch.covers) add(ref);
    addCondition(patch.drop);
  }
  for (const row of [...Object.values(model.trigger), ...Object.values(model.followUp)]) addCondition(row.when);
  for (const upstream of Object.values(model.upstream)) for (const ref of upstream.see) add(ref);
  for (const cliff of Object.values(model.cliff)) {
    for (const { ref } of [...cliff.mechanisms, ...cliff.landscape, ...cliff.references, ...cliff.history]) add(ref);
  }
  return [...found.values()].sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

function canonicalOf(model: Model): (repo: string) => string {
  return worldOf(model, { asOf: "1970-01-01", github: {}, git: {}, containment: {}, registry: {}, inventory: undefined, transitions: [] })
    .facts.canonical;
}

function repliesOf(condition: Condition | undefined): NonNullable<Condition["replied"]>[] {
  if (!condition) return [];
  return [
    ...(condition.replied ? [condition.replied] : []),
    ...(condition.all ?? []).flatMap(repliesOf),
    ...(condition.any ?? []).flatMap(repliesOf),
    ...repliesOf(condition.not),
  ];
}

/**
 * What derive would have to know, found out by deriving and watching which facts it asks for: so the questions cannot drift away from
 * the rules. Answers lead to new questions (a revert of a commit that turned out to be in a pin), so ask until there are none left.
 */
export function questionsOf(model: Model, observed: Observed): Questions {
  const world = worldOf(model, observed);
  const { facts } = world;
  const artifacts = new Set<string>();
  const histories = new Map<string, { commits: Set<string>; tags: Set<string>; pairs: Map<string, { commit: string; inside: string }> }>();
  const of = (repo: string) => {
    const name = facts.canonical(repo);
    const known = histories.get(name) ?? { commits: new Set(), tags: new Set(), pairs: new Map() };
    histories.set(name, known);
    return known;
  };
  const watched: Facts = {
    ...facts,
    commit: (repo, sha) => {
      of(repo).commits.add(sha);
      return facts.commit(repo, sha);
    },
    tag: (repo, name) => {
      of(repo).tags.add(name);
      return facts.tag(repo, name);
    },
    contains: (repo, commit, inside) => {
      const known = facts.contains(repo, commit, inside);
      if (known === undefined) of(repo).pairs.set(`${commit} ${inside}`, { commit, inside });
      return known;
    },
    revertsOf: (repo, commit) => {
      of(repo).commits.add(commit);
      return facts.revertsOf(repo, commit);
    },
    picksOf: (repo, commit) => {
      of(repo).commits.add(commit);
      return facts.picksOf(repo, commit);
    },
    registry: (artifact) => {
      artifacts.add(artifact);
      return facts.registry(artifact);
    },
  };
  deriveWorld({ ...world, facts: watched });
  const retired = new Set(Object.values(model.pin).flatMap((pin) => (pin.retired ? [pin.artifact] : [])));
  for (const pin of Object.values(model.pin)) if (!pin.retired) retired.delete(pin.artifact);
  for (const [repo, file] of Object.entries(observed.github))
    if (Object.keys(file.threads).some((number) => isClosedPull(file, number))) of(repo);
  return {
    artifacts: [...artifacts].filter((artifact) => !retired.has(artifact) && !/^(git|page):/.test(artifact)).sort(),
    histories: [...histories]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([repo, { commits, tags, pairs }]) => ({
        repo,
        branches: countedBranches(world, repo),
        commits: [...commits].sort(),
        tags: [...tags].sort(),
        pairs: [...pairs.values()],
        pulls: Object.keys(observed.github[repo]?.threads ?? {})
          .filter((number) => isClosedPull(observed.github[repo], number))
          .map(Number),
      })),
  };
}

/** Closed without a merge, and nothing says what closed it: a merge bot may have landed it under another name (A01, A04, A05). */
function isClosedPull(file: Observed["github"][string] | undefined, number: string): boolean {
  const thread = file?.threads[number];
  return thread?.kind === "pull-request" && thread.state === "closed" && thread.merged === false && thread.closer === undefined;
}

const URGENT = { blocks: 0, degrades: 1, watch: 2 } as const;

/**
 * The order in which threads are asked for when not all can be: what still moves before what is settled, what blocks before what is
 * only watched. @returns a number for a reference, smaller is sooner
 */
export function urgency(derived: Derived): (ref: string) => number {
  const order = new Map<string, number>();
  const settled = new Set(["landed", "resolved"]);
  for (const [id, decision] of Object.entries(derived.items)) {
    const item = derived.world.model.item[id];
    if (!item) continue;
    const value = (settled.has(decision.status) ? 10 : 0) + URGENT[item.stake];
    const refs = [...item.refs.map(({ ref }) => ref), ...decision.deciding.map(({ end }) => end)];
    for (const ref of refs) {
      const parsed = parseRef(threadOf(ref));
      if (parsed?.type !== "thread") continue;
      const name = `${derived.world.facts.canonical(parsed.repo)}#${parsed.number}`;
      order.set(name, Math.min(order.get(name) ?? 100, value));
    }
  }
  return (ref) => order.get(ref) ?? 5;
}
