import type { HistoryQuestions, Questions } from "../model/questions.ts";
import { schemeProblem } from "../model/versions.ts";
import type { GitFile, Observed } from "../model/shapes/observed.ts";
import type { Failure } from "./change.ts";
import { same } from "./change.ts";
import type { GitAnswers } from "./git/types.ts";
import type { Look } from "./look.ts";

/** Answers questions to one repository's history: a mirror, or the compare API where there is no git. */
export type AskHistory = (questions: HistoryQuestions) => Promise<Look<HistoryAnswers>>;

export interface HistoryAnswers extends GitAnswers {
  /** Why the history may be older than the upstream's. From an old one nothing is absent, and no tag moved. */
  stale?: string | undefined;
  /** Only containment was asked: of everything else nothing is known. */
  partial?: boolean | undefined;
}

/** Answers lead to new questions: a revert, a closing commit that has to be described. Three rounds reach their end. */
const ROUNDS = 4;

/**
 * Asks repositories for what derive wants to know of their history, until it wants nothing more. Writes into `observed`.
 * @param questions what derive asks, given the facts so far
 */
export async function observeHistories(
  questions: (observed: Observed) => Questions,
  ask: AskHistory,
  state: { observed: Observed; now: string },
  options: { inScope: (repo: string) => boolean; offline: boolean; say: (line: string) => void },
): Promise<{ seen: number; failed: Failure[]; notes: string[] }> {
  const failed = new Map<string, Failure>();
  const asked = new Map<string, HistoryQuestions>();
  const seen = new Set<string>();
  const notes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = questions(state.observed).histories.filter((one) => options.inScope(one.repo) && hasNews(one, asked.get(one.repo)));
    if (due.length === 0) break;
    for (const one of due) {
      options.say(`History of ${one.repo}`);
      asked.set(one.repo, one);
      const look = await ask(one);
      if (look.state === "seen") {
        seen.add(one.repo);
        const { stale } = look.value;
        if (stale !== undefined && !options.offline) failed.set(one.repo, { ref: one.repo, why: `${one.repo}: ${stale}` });
        const odd = schemeProblem(one.versions, Object.keys(look.value.tags));
        if (odd !== undefined) notes.add(`${one.repo}: ${odd}`);
        for (const failure of store(one, look.value, look.source, state)) failed.set(failure.ref, failure);
      } else if (look.state !== "unchanged" && !options.offline) {
        failed.set(one.repo, { ref: one.repo, why: look.why });
      }
    }
  }
  return { seen: seen.size, failed: [...failed.values()], notes: [...notes] };
}

/** Is there anything in it that was not asked in an earlier round? */
function hasNews(now: HistoryQuestions, before: HistoryQuestions | undefined): boolean {
  const something = now.commits.length + now.landings.length + now.tags.length + now.targets.length + now.pulls.length > 0;
  if (!before) return something;
  const fresh = <T>(list: readonly T[], earlier: readonly T[]) => {
    const known = new Set(earlier);
    return list.some((one) => !known.has(one));
  };
  return (
    fresh(now.commits, before.commits) ||
    fresh(now.landings, before.landings) ||
    fresh(now.tags, before.tags) ||
    fresh(now.targets, before.targets) ||
    fresh(now.pulls, before.pulls)
  );
}

function store(
  asked: HistoryQuestions,
  answers: HistoryAnswers,
  source: string,
  { observed, now }: { observed: Observed; now: string },
): Failure[] {
  const { repo } = asked;
  const failed: Failure[] = [];
  const file: GitFile = observed.git[repo] ?? { repository: repo, tags: {}, commits: {}, picks: [], reverts: [] };
  storeTags(file, asked, answers, now);
  for (const name of asked.commits) {
    const found = answers.resolved[name];
    if (found?.state === "commit") storeCommit(file, found.sha, answers, source, now);
    else if (found) failed.push({ ref: `${repo}@${name}`, why: `${repo}@${name}: ${found.why}` });
  }
  const complete = answers.stale === undefined && answers.partial !== true;
  const about = new Set(asked.landings.map((name) => shaOf(answers, name)));
  file.picks = replaced(
    file.picks,
    answers.picks,
    (pick) => complete && about.has(pick.of),
    (pick) => `${pick.of} ${pick.commit}`,
  );
  file.reverts = replaced(
    file.reverts,
    answers.reverts,
    (revert) => complete && about.has(revert.of),
    (revert) => `${revert.of} ${revert.commit}`,
  );
  if (file.picks.length + file.reverts.length + Object.keys(file.tags).length + Object.keys(file.commits).length > 0)
    observed.git[repo] = file;
  failed.push(...storeContainment(asked, answers, observed));
  storeLandings(repo, answers, observed, now);
  return failed;
}

const shaOf = (answers: GitAnswers, name: string) => {
  const found = answers.resolved[name];
  return found?.state === "commit" ? found.sha : undefined;
};

/** Tags that matter, and those that mattered before: one may move (B12), or vanish while its commit stays (B14). */
function storeTags(file: GitFile, asked: HistoryQuestions, answers: HistoryAnswers, now: string): void {
  const kept = Object.entries(file.tags).filter(([, tag]) => tag.exact);
  for (const name of new Set([...asked.tags, ...kept.map(([tag]) => tag)])) {
    const known = file.tags[name];
    const tag = answers.tags[name];
    const branch = tag ? undefined : answers.branches[name];
    const found = tag ?? branch;
    if (found) {
      const fact = { commit: found.commit, date: found.date, exact: tag !== undefined };
      const unchanged = known && !known.stale && same(fact, { commit: known.commit, date: known.date, exact: known.exact });
      if (unchanged) continue;
      const from = known?.exact && tag ? (known.commit === tag.commit ? known.movedFrom : known.commit) : undefined;
      file.tags[name] = {
        ...fact,
        ...(from === undefined ? {} : { movedFrom: from }),
        source: tag ? "git tag" : "git branch tip",
        asOf: now,
        since: known?.since ?? now,
      };
    } else if (known?.exact && !known.stale && answers.stale === undefined && answers.partial !== true) {
      file.tags[name] = {
        ...known,
        gone: true,
        stale: { since: now, why: `the tag ${name} is not there any more; its commit ${known.commit.slice(0, 10)} was kept` },
      };
    }
  }
}

function storeCommit(file: GitFile, sha: string, answers: GitAnswers, source: string, now: string): void {
  const found = answers.commits[sha];
  if (!found) return;
  const known = file.commits[sha];
  const fact = {
    subject: found.subject,
    committedAt: found.committedAt,
    ...(found.on.length > 0 ? { on: found.on } : {}),
    ...(found.notOn.length > 0 ? { notOn: found.notOn } : {}),
  };
  if (known && !known.stale && same(fact, { subject: known.subject, committedAt: known.committedAt, on: known.on, notOn: known.notOn }))
    return;
  file.commits[sha] = { ...fact, source, asOf: now, since: known?.since ?? now };
}

/** New entries for what was asked, old ones for the rest, in a fixed order. */
function replaced<T>(known: readonly T[], found: readonly T[], isAsked: (one: T) => boolean, key: (one: T) => string): T[] {
  const entries = new Map<string, T>();
  for (const one of known) if (!isAsked(one)) entries.set(key(one), one);
  for (const one of found) entries.set(key(one), one);
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Ancestry of two commits never changes, so an answer is only ever added. */
function storeContainment({ repo, open }: HistoryQuestions, answers: GitAnswers, observed: Observed): Failure[] {
  const failed = new Map<string, Failure>();
  const isOpen = new Set(open.map(({ commit, inside }) => `${commit} ${inside}`));
  observed.containment[repo] ??= {};
  const table = observed.containment[repo];
  for (const { commit, inside, answer, resolved, why } of answers.containment) {
    if (answer !== "unknown" && resolved) {
      if (resolved.commit === resolved.inside) continue;
      table[resolved.commit] = { [resolved.inside]: answer, ...table[resolved.commit] };
    } else if (isOpen.has(`${commit} ${inside}`)) {
      const ref = `${repo}@${inside}`;
      failed.set(ref, {
        ref,
        why: `Whether ${inside.slice(0, 12)} contains ${commit.slice(0, 12)} could not be told: ${why ?? "no reason given"}`,
      });
    }
  }
  for (const { commit, inside } of open) {
    for (const name of [commit, inside]) {
      const found = answers.resolved[name];
      if (found && found.state !== "commit")
        failed.set(`${repo}@${name}`, { ref: `${repo}@${name}`, why: `${repo}@${name}: ${found.why}` });
    }
  }
  if (Object.keys(table).length === 0) delete observed.containment[repo];
  return [...failed.values()];
}

/** A closed pull request whose number a commit on a counted branch carries was landed by it, whatever GitHub calls it (A01, A04, A05). */
function storeLandings(repo: string, answers: GitAnswers, observed: Observed, now: string): void {
  for (const { pull, commit, at, evidence, on } of answers.landings) {
    const thread = observed.github[repo]?.threads[String(pull)];
    if (!thread || thread.closer !== undefined || thread.state !== "closed" || thread.merged === true) continue;
    const closer = { ref: `${repo}@${commit}`, at, evidence: `${evidence} (on ${on})` };
    (observed.github[repo] as { threads: Record<string, unknown> }).threads[String(pull)] = { ...thread, closer, asOf: now };
  }
}
