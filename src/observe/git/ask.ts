import type { Look } from "../look.ts";
import { containment } from "./contains.ts";
import type { Graph } from "./graph.ts";
import { DamagedMirror, numbersOf, parentsOf, tagsOf } from "./graph.ts";
import { findLandings, landingLines } from "./landings.ts";
import { readMessages } from "./log.ts";
import type { Message } from "./messages.ts";
import { findPicks } from "./picks.ts";
import type { Places } from "./places.ts";
import { dateOf, describer, placeOf, placesOf } from "./places.ts";
import { resolve } from "./resolve.ts";
import type { FoundRevert } from "./reverts.ts";
import { REVERT_LINES, findReverts } from "./reverts.ts";
import { tagFacts } from "./tags.ts";
import type { GitAnswers, GitQuestions, LandingEvidence, Mirror, Resolved } from "./types.ts";

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
  const landings = await readLandings(mirror, questions, places);

  const wanted = [...questions.commits.map(shaOf), ...landings.map(({ commit }) => commit)];
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
  };
}

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
  const asked = new Set(changes.map(({ sha }) => sha));
  const picked = beside.filter(({ sha }) => !asked.has(sha) && picks.some(({ commit }) => commit === sha));
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
