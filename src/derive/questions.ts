import type { Model } from "../model/kinds.ts";
import type { ArtifactQuestion, HistoryQuestions, NamedThread, Questions } from "../model/questions.ts";
import { parseRef, threadOf } from "../model/ref.ts";
import type { Condition } from "../model/shapes/condition.ts";
import type { Observed } from "../model/shapes/observed.ts";
import { NEVER_OBSERVED } from "../model/vocabulary.ts";
import { refsOf } from "./condition-names.ts";
import type { Derived } from "./derive.ts";
import { deriveWorld } from "./derive.ts";
import type { Facts, World } from "./facts.ts";
import { worldOf } from "./facts.ts";
import { countedBranches } from "./landing.ts";

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
  return worldOf(model, { asOf: NEVER_OBSERVED, github: {}, git: {}, containment: {}, registry: {}, inventory: undefined, transitions: [] })
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
  const asked = watch(world.facts);
  deriveWorld({ ...world, facts: asked.facts });
  const closed = Object.keys(observed.github).filter((repo) => closedPulls(observed, repo).length > 0);
  const repos = [...new Set([...asked.histories.keys(), ...closed])].sort();
  return {
    histories: repos.map((repo) => historyOf(world, observed, repo, asked.histories.get(repo) ?? nothingAsked())),
    artifacts: artifactsOf(model, asked.artifacts),
  };
}

interface Asked {
  commits: Set<string>;
  landings: Set<string>;
  tags: Set<string>;
  targets: Set<string>;
  open: Map<string, { commit: string; inside: string }>;
}
const nothingAsked = (): Asked => ({ commits: new Set(), landings: new Set(), tags: new Set(), targets: new Set(), open: new Map() });

/** The facts, with a note of everything that is asked of them. */
function watch(facts: Facts): { facts: Facts; histories: Map<string, Asked>; artifacts: Set<string> } {
  const histories = new Map<string, Asked>();
  const artifacts = new Set<string>();
  const of = (repo: string): Asked => {
    const name = facts.canonical(repo);
    const known = histories.get(name) ?? nothingAsked();
    histories.set(name, known);
    return known;
  };
  return {
    histories,
    artifacts,
    facts: {
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
        of(repo).landings.add(commit);
        of(repo).targets.add(inside);
        if (known === undefined) of(repo).open.set(`${commit} ${inside}`, { commit, inside });
        return known;
      },
      revertsOf: (repo, commit) => {
        of(repo).landings.add(commit);
        return facts.revertsOf(repo, commit);
      },
      picksOf: (repo, commit) => {
        of(repo).landings.add(commit);
        return facts.picksOf(repo, commit);
      },
      registry: (artifact) => {
        artifacts.add(artifact);
        return facts.registry(artifact);
      },
    },
  };
}

function historyOf(world: World, observed: Observed, repo: string, asked: Asked): HistoryQuestions {
  const upstream = Object.values(world.model.upstream).find((row) => row.repo === repo);
  return {
    repo,
    names: [repo, ...(upstream?.former ?? [])],
    branches: countedBranches(world, repo),
    versions: upstream?.versions ?? "none",
    url: upstream?.git,
    commits: [...asked.commits].sort(),
    landings: [...asked.landings].sort(),
    tags: [...asked.tags].sort(),
    targets: [...asked.targets].sort(),
    open: [...asked.open.values()],
    pulls: closedPulls(observed, repo),
  };
}

/** What registries are asked: all that derive looked at, but not what only retired pins name; git and pages have no registry. */
function artifactsOf(model: Model, asked: ReadonlySet<string>): ArtifactQuestion[] {
  const pins = Object.values(model.pin);
  return [...asked].sort().flatMap((key) => {
    const users = pins.filter((pin) => pin.artifact === key);
    if (/^(git|page):/.test(key) || (users.length > 0 && users.every((pin) => pin.retired || pin.mutability === "local"))) return [];
    const upstreams = users.map((pin) => model.upstream[pin.upstream]);
    const repos = users.flatMap((pin, index) => [pin.source?.repo ?? upstreams[index]?.repo, ...(upstreams[index]?.former ?? [])]);
    return [
      {
        key,
        floating: users.some((pin) => pin.mutability === "floating"),
        sourceRepos: [...new Set(repos.filter((repo) => repo !== undefined))],
      },
    ];
  });
}

/** Closed without a merge, and nothing says what closed them: a merge bot may have landed them under another name (A01, A04, A05). */
function closedPulls(observed: Observed, repo: string): number[] {
  return Object.entries(observed.github[repo]?.threads ?? {})
    .filter(
      ([, { kind, state, merged, closer }]) => kind === "pull-request" && state === "closed" && merged === false && closer === undefined,
    )
    .map(([number]) => Number(number));
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
