import type { VersionScheme } from "../../model/versions.ts";
import type { Look } from "../look.ts";
import { containment } from "./contains.ts";
import type { Graph, Marks } from "./graph.ts";
import {
  DamagedMirror,
  ancestors,
  branchTip,
  branchesOf,
  firstParents,
  instantOf,
  numbersOf,
  parentsOf,
  published,
  tagsOf,
} from "./graph.ts";
import { findLandings, landingLines } from "./landings.ts";
import { readMessages } from "./log.ts";
import type { Message } from "./messages.ts";
import { findPicks } from "./picks.ts";
import { resolve } from "./resolve.ts";
import type { FoundRevert } from "./reverts.ts";
import { REVERT_LINES, findReverts } from "./reverts.ts";
import { firstTags, tagFacts } from "./tags.ts";
import type { DescribedCommit, GitAnswers, GitQuestions, LandingEvidence, Mirror, Resolved } from "./types.ts";

const RELEASE_BRANCHES = ["release*", "stable*", "v[0-9]*", "[0-9]*"];

/** Where landing counts and where releases are made, as the repository has them. */
interface Places {
  counted: { name: string; sha: string; marks: Marks }[];
  all: Marks;
  releases: { name: string; sha: string; marks: Marks }[];
}

/** Answers everything that is asked of one upstream: a handful of git processes, whatever the number of questions. */
export async function askGit(mirror: Mirror, questions: GitQuestions): Promise<Look<GitAnswers>> {
  try {
    return { state: "seen", value: await answer(mirror, questions), source: `git history of ${mirror.url}` };
  } catch (error) {
    if (!(error instanceof DamagedMirror)) throw error;
    return { state: "failed", why: `The mirror of ${mirror.url} cannot be read: ${error.message}. Run again; it is then repaired.` };
  }
}

async function answer(mirror: Mirror, questions: GitQuestions): Promise<GitAnswers> {
  const { graph } = mirror;
  const places = placesOf(graph, questions);
  const resolved: Record<string, Resolved> = {};
  for (const name of [...questions.commits, ...questions.targets]) resolved[name] = explained(mirror, name, resolve(graph, name));
  const shaOf = (name: string) => (resolved[name]?.state === "commit" ? resolved[name].sha : undefined);
  const rebased = await readRebased(mirror, questions);
  const landings = await readLandings(mirror, questions, places);

  const wanted = [...questions.commits.map(shaOf), ...landings.map(({ commit }) => commit), ...Object.values(rebased).flat()];
  const changes = await messagesOf(mirror, [...new Set(wanted.filter((sha) => sha !== undefined))]);
  const targets = [...new Set(questions.targets.map(shaOf).filter((sha) => sha !== undefined))];
  const beside = await readBeside(mirror, places, targets);
  const reverts = await readReverts(mirror, questions.names, changes, beside, places);
  const relands = await messagesOf(mirror, [...new Set(reverts.flatMap((revert) => revert.relandedBy ?? []))]);
  const picks = findPicks([...changes, ...relands], beside);

  const chain = [...reverts.flatMap((revert) => [revert.commit, revert.of]), ...picks.map(({ commit }) => commit)];
  const tracked = new Map([...changes, ...relands].map((message) => [message.sha, message]));
  for (const message of await messagesOf(
    mirror,
    [...new Set(chain)].filter((sha) => !tracked.has(sha)),
  ))
    tracked.set(message.sha, message);
  const describe = describer(graph, places, questions.versions);
  const pairs = targets.flatMap((inside) => [...tracked.keys()].map((commit) => ({ commit, inside })));
  const tags = tagFacts(graph);
  return {
    tags,
    branches: Object.fromEntries(places.counted.map(({ name, sha }) => [name, { commit: sha, date: dateOf(graph, sha) }])),
    resolved,
    commits: Object.fromEntries([...tracked.values()].map((message) => [message.sha, describe(message)])),
    picks: picks
      .map((pick) => ({ ...pick, on: placeOf(graph, places, pick.commit, describe) }))
      .map(({ of, commit, on, evidence }) => ({ of, commit, on, evidence })),
    reverts: reverts.map((revert) => ({ ...revert })),
    containment: containment(graph, pairs),
    landings,
    rebased,
  };
}

function placesOf(graph: Graph, questions: GitQuestions): Places {
  const place = (name: string) => {
    const sha = branchTip(graph, name);
    return sha === undefined ? [] : [{ name, sha, marks: ancestors(graph, numbersOf(graph, [sha])) }];
  };
  const patterns = (questions.releaseBranches ?? RELEASE_BRANCHES).map(asExpression);
  const counted = questions.branches.flatMap(place);
  const names = branchesOf(graph).filter((name) => !questions.branches.includes(name) && patterns.some((pattern) => pattern.test(name)));
  return {
    counted,
    all: ancestors(
      graph,
      numbersOf(
        graph,
        counted.map(({ sha }) => sha),
      ),
    ),
    releases: names.sort().flatMap(place),
  };
}

/** `*` stands for any text, `[0-9]` for a digit. */
const asExpression = (pattern: string) => new RegExp(`^${pattern.replace(/[.+^${}()|\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** A commit the upstream refused to hand over has a better reason than "no branch has it". From a stale mirror nothing is absent. */
function explained(mirror: Mirror, name: string, found: Resolved): Resolved {
  if (found.state !== "absent") return found;
  const why = mirror.missing[name] ?? found.why;
  return { state: "absent", why: mirror.stale === undefined ? why : `${why}, as far as the mirror goes (${mirror.stale})` };
}

const messagesOf = (mirror: Mirror, shas: readonly string[]): Promise<Message[]> => readMessages(mirror, { from: shas, only: true });

async function readLandings(mirror: Mirror, { pulls = [], names }: GitQuestions, places: Places): Promise<LandingEvidence[]> {
  const found = new Map<number, LandingEvidence>();
  for (const { name, sha } of pulls.length === 0 ? [] : places.counted) {
    const open = pulls.filter((pull) => !found.has(pull));
    const messages = await readMessages(mirror, { from: [sha], matching: landingLines(open) });
    for (const landing of findLandings(mirror.graph, names, name, open, messages)) found.set(landing.pull, landing);
  }
  return [...found.values()];
}

/** Commits of release branches, tags and targets that no counted branch has: few, whatever the age of the project. */
async function readBeside(mirror: Mirror, places: Places, targets: readonly string[]): Promise<Message[]> {
  if (places.counted.length === 0) return [];
  const tags = tagsOf(mirror.graph).flatMap((tag) => mirror.graph.refs.get(`refs/tags/${tag}`) ?? []);
  const tips = [...new Set([...targets, ...tags, ...places.releases.map(({ sha }) => sha)])];
  const outside = tips.filter((sha) => places.all[mirror.graph.at.get(sha) ?? -1] !== 1);
  return readMessages(mirror, { from: outside, not: places.counted.map(({ sha }) => sha) });
}

async function readReverts(
  mirror: Mirror,
  names: readonly string[],
  changes: readonly Message[],
  beside: readonly Message[],
  places: Places,
): Promise<FoundRevert[]> {
  if (changes.length === 0 || places.counted.length === 0) return [];
  const { graph } = mirror;
  const picks = findPicks(changes, beside);
  const picked = beside.filter(({ sha }) => picks.some(({ commit }) => commit === sha));
  const known = [...changes, ...picked];
  const from = places.counted.map(({ sha }) => sha);
  const not = olderThanAll(graph, known);
  const told = await readMessages(mirror, { from, not, matching: REVERT_LINES });
  const first = findReverts(graph, names, known, [...told, ...beside], places.all);
  const lost = first.filter((revert) => revert.relandedBy === undefined);
  if (lost.length === 0) return first;
  // What was taken back may have come again under its old subject, without a word about it.
  const subjects = known
    .filter(({ sha }) => lost.some(({ of }) => of === sha))
    .map(({ subject }) => subject.replace(/(\s*\(#\d+\))+\s*$/, ""));
  const again = await readMessages(mirror, { from, not, containing: subjects });
  return again.length === 0 ? first : findReverts(graph, names, known, [...told, ...beside, ...again], places.all);
}

/** The oldest of the commits if all others descend from it: nothing before it can take one of them back. */
function olderThanAll(graph: Graph, changes: readonly Message[]): string[] {
  const numbers = numbersOf(
    graph,
    changes.map(({ sha }) => sha),
  );
  const oldest = numbers.reduce((a, b) => Math.max(a, b), -1);
  if (oldest === -1) return [];
  const descends = new Uint8Array(graph.shas.length);
  descends[oldest] = 1;
  for (let n = oldest - 1; n >= 0; n--) if (parentsOf(graph, n).some((parent) => descends[parent] === 1)) descends[n] = 1;
  return numbers.every((n) => descends[n] === 1) ? [graph.shas[oldest] ?? ""] : [];
}

/**
 * The commits a merge by rebase put on the branch, oldest first (field cases A10, B09): the line that ends in the merge commit
 * has the subjects of the pull request's own commits. Otherwise it was a squash or a merge, and one commit stands for all.
 */
async function readRebased(mirror: Mirror, { rebased = [] }: GitQuestions): Promise<Record<string, string[]>> {
  const { graph } = mirror;
  const lines = rebased.flatMap(({ commit, subjects }) => {
    const tip = graph.at.get(commit);
    if (tip === undefined || subjects.length < 2 || parentsOf(graph, tip).length !== 1) return [];
    const shas = firstParents(graph, tip, subjects.length)
      .map((n) => graph.shas[n] ?? "")
      .toReversed();
    return shas.length === subjects.length ? [{ commit, subjects, shas }] : [];
  });
  const messages = await messagesOf(mirror, [...new Set(lines.flatMap(({ shas }) => shas))]);
  const subjectOf = new Map(messages.map(({ sha, subject }) => [sha, subject]));
  return Object.fromEntries(
    lines
      .filter(({ shas, subjects }) => shas.every((sha, n) => subjectOf.get(sha) === subjects[n]))
      .map(({ commit, shas }) => [commit, shas]),
  );
}

function describer(graph: Graph, places: Places, versions: VersionScheme): (message: Message) => DescribedCommit {
  const own = published(graph);
  const first = firstTags(graph, versions);
  return ({ sha, subject }) => {
    const n = graph.at.get(sha) ?? -1;
    const firstTag = first.any(sha);
    const firstRelease = first.release(sha);
    return {
      subject,
      committedAt: dateOf(graph, sha),
      on: places.counted.filter(({ marks }) => marks[n] === 1).map(({ name }) => name),
      notOn: places.counted.filter(({ marks }) => marks[n] !== 1).map(({ name }) => name),
      ...(own[n] === 1 ? {} : { loose: true }),
      ...(firstTag === undefined ? {} : { firstTag }),
      ...(firstRelease === undefined ? {} : { firstRelease }),
    };
  };
}

/** The release branch a pick is on, else the first tag with it, else the commit itself: a pin made from a branch that is gone. */
function placeOf(graph: Graph, places: Places, sha: string, describe: (message: Message) => DescribedCommit): string {
  const n = graph.at.get(sha) ?? -1;
  const branch = places.releases.find(({ marks }) => marks[n] === 1)?.name;
  return branch ?? describe({ sha, subject: "", body: "" }).firstTag ?? `the build made from ${sha.slice(0, 10)}`;
}

const dateOf = (graph: Graph, sha: string): string => instantOf(graph, graph.at.get(sha) ?? 0);
