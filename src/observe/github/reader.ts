import { groupBy } from "../../model/group.ts";
import { inBatches, newStop } from "./batches.ts";
import type { Part } from "./batches.ts";
import { isCostly } from "./client.ts";
import type { GithubClient, GraphqlAnswer } from "./client.ts";
import { GithubFailure } from "./failure.ts";
import { detail, glance, rebasedCommits } from "./from-graphql.ts";
import type { Detail } from "./from-graphql.ts";
import type { RepositoryNode, ThreadNode } from "./nodes.ts";
import { BROAD, NARROW, TIER_1, TIER_2, WIDE, detailQuery, glanceQuery, rebaseQuery } from "./queries.ts";
import type { Asked, Bounds, Query } from "./queries.ts";
import type { Eyes, Outcome, RepositoryReading, Wanted } from "./reading.ts";
import { REST } from "./from-rest.ts";
import { restReader } from "./rest-reader.ts";
import { differs } from "./same.ts";

export interface ThreadReader {
  /** Asks for threads; every one gets an outcome. In the order of importance: what is last is left out first when a limit hits. */
  read: (wanted: readonly Wanted[], onProgress?: (done: number, total: number) => void) => Promise<Map<string, Outcome>>;
  /** Repositories as they answered, by the name that was asked. */
  repositories: Map<string, RepositoryReading>;
  etags: ReadonlyMap<string, string>;
  /** Reads with a token, and so all that GitHub shows. */
  full: boolean;
  notes: ReadonlySet<string>;
}

/** GraphQL requests under way at the same time; GitHub asks for few. */
const TOGETHER = 3;
const REBASES = 5;

/**
 * Reads threads in two tiers: a glance at all of them, a longer look at those that moved or were never seen.
 * What GraphQL cannot answer is asked over REST, and without a token everything is.
 */
export function threadReader(client: GithubClient, base: Eyes): ThreadReader {
  const repositories = new Map<string, RepositoryReading>();
  const eyes: Eyes = { ...base, localName: (name) => base.localName(renamed.get(name.toLowerCase()) ?? name) };
  const renamed = new Map<string, string>();
  const rest = restReader(client, eyes);
  const stop = newStop();
  const restStop = newStop();

  const graphql = async (query: Query, alone: boolean): Promise<Map<string, Answer>> => {
    const answer = await client.graphql(query.text, alone ? 1 : 0);
    const answers = answersOf(query, answer);
    for (const [ref, part] of answers) {
      const repo = ref.slice(0, ref.indexOf("#"));
      if (!part.repository?.nameWithOwner) continue;
      const { id, nameWithOwner, isArchived } = part.repository;
      repositories.set(repo, { nodeId: id, name: nameWithOwner, archived: isArchived === true, source: "GitHub GraphQL" });
      if (nameWithOwner.toLowerCase() !== repo.toLowerCase()) renamed.set(nameWithOwner.toLowerCase(), repo);
    }
    return answers;
  };

  /** One pass over many threads in batches. `use` reads an answer, or says why it cannot be trusted. */
  const pass = async (
    wanted: readonly Wanted[],
    size: number,
    query: (asked: Asked[]) => Query,
    use: (one: Wanted, node: ThreadNode) => Step | string,
    isDiscussion: (one: Wanted) => boolean,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Map<string, Step>> => {
    const steps = await inBatches<Wanted, Step>(wanted, {
      size,
      together: TOGETHER,
      stop,
      ask: async (batch) => {
        const answers = await graphql(query(batch.map((one) => ({ ref: one.ref, discussion: isDiscussion(one) }))), batch.length === 1);
        return batch.map((one): Part<Step> => {
          const answer = answers.get(one.ref);
          if (!answer || answer.again !== undefined) return { again: answer?.again ?? "the answer leaves it out" };
          if (answer.missing) return { answer: { missing: answer.missing } };
          if (answer.refused !== undefined) return { answer: { rest: answer.refused } };
          const used = use(one, answer.node ?? {});
          return typeof used === "string" ? { again: used } : { answer: used };
        });
      },
      alone: async (_, why) => ({ rest: why }),
      unasked: (_, why) => (stop.otherWay ? { rest: why } : { outcome: { state: "not-checked", why } }),
      ...(onProgress ? { onProgress } : {}),
    });
    return new Map(wanted.map((one, index) => [one.ref, steps[index] as Step]));
  };

  const look = (
    wanted: readonly Wanted[],
    bounds: Bounds,
    size: number,
    isDiscussion: (one: Wanted) => boolean,
    onProgress?: (done: number, total: number) => void,
  ) =>
    pass(
      wanted,
      size,
      (asked) => detailQuery(asked, bounds),
      (one, node) => {
        const reading = detail(node, bounds, one, eyes);
        return typeof reading === "string" ? reading : { detail: reading };
      },
      isDiscussion,
      onProgress,
    );

  const read: ThreadReader["read"] = async (wanted, onProgress = () => {}) => {
    const outcomes = new Map<string, Outcome>();
    const settle = (ref: string, outcome: Outcome) => {
      outcomes.set(ref, outcome);
      onProgress(outcomes.size, wanted.length);
    };
    const toRest = new Map<string, string>();
    if (client.hasToken) await readGraphql(wanted, settle, toRest);
    else for (const { ref } of wanted) toRest.set(ref, "there is no token");
    if (stop.otherWay && stop.because !== undefined) rest.notes.add(stop.because);
    await readRest(
      wanted.filter(({ ref }) => toRest.has(ref)),
      settle,
    );
    for (const { ref } of wanted) if (!outcomes.has(ref)) outcomes.set(ref, { state: "failed", why: `${ref} was left without an answer` });
    return outcomes;
  };

  const readGraphql = async (wanted: readonly Wanted[], settle: (ref: string, outcome: Outcome) => void, toRest: Map<string, string>) => {
    const byRepo = [...groupBy(wanted, ({ ref }) => ref.slice(0, ref.indexOf("#"))).values()].flat();
    const known = byRepo.filter(isSettled);
    const glances = await pass(known, TIER_1, glanceQuery, glanceStep, isKnownDiscussion);
    const due = new Set(byRepo.filter((one) => !isSettled(one)).map(({ ref }) => ref));
    const handle = (one: Wanted, step: Step | undefined): void => {
      if (!step) return;
      if (step.outcome) settle(one.ref, step.outcome);
      else if (step.missing === "thread" && isAway(one)) settle(one.ref, { state: "same", updatedAt: undefined });
      else if (step.rest !== undefined) toRest.set(one.ref, step.rest);
      else if (step.missing) toRest.set(one.ref, step.missing);
      else if (step.changed) due.add(one.ref);
    };
    for (const one of known) handle(one, glances.get(one.ref));

    const toDetail = byRepo.filter(({ ref }) => due.has(ref));
    const details = await look(toDetail, NARROW, TIER_2, isKnownDiscussion);
    // A number that is neither issue nor pull request may be a discussion; GraphQL has another field for those.
    const lost = toDetail.filter((one) => details.get(one.ref)?.missing === "thread" && one.known === undefined && !isKnownDiscussion(one));
    for (const [ref, step] of await look(lost, NARROW, TIER_2, () => true)) details.set(ref, step);

    const open = toDetail.filter(({ ref }) => (details.get(ref)?.detail?.open.length ?? 0) > 0);
    // What the wide look cannot say is asked in another way or reported: the narrow answer alone leaves a question open for good.
    for (const [ref, step] of await look(open, BROAD, WIDE, isKnownDiscussion)) details.set(ref, step);
    await rebases(toDetail, details);
    for (const one of toDetail) {
      const step = details.get(one.ref);
      if (step?.detail) settle(one.ref, { state: "seen", reading: step.detail });
      else handle(one, step);
    }
  };

  /** Which commits a rebase merge put on the base branch (A10). Not found out: the thread counts as not observed. */
  const rebases = async (wanted: readonly Wanted[], details: Map<string, Step>) => {
    const asked = wanted.filter(({ ref, known }) => {
      const found = details.get(ref)?.detail;
      if (!found?.rebased) return false;
      const same = known?.rebasedCommits !== undefined && known.mergeCommit === found.facts.mergeCommit;
      if (same) found.facts.rebasedCommits = known.rebasedCommits;
      return !same;
    });
    const most = Math.max(2, ...asked.map(({ ref }) => details.get(ref)?.detail?.rebased ?? 0));
    const steps = await pass(
      asked,
      REBASES,
      (some) => rebaseQuery(some, most),
      (_, node) => ({ rebased: rebasedCommits(node) ?? [] }),
      () => false,
    );
    for (const [ref, step] of steps) {
      const found = details.get(ref)?.detail;
      if (!found) continue;
      if (!step.rebased) {
        details.set(
          ref,
          step.outcome ? step : { outcome: { state: "failed", why: `${ref}: the commits it was merged as: ${step.rest ?? "no answer"}` } },
        );
        continue;
      }
      if (step.rebased.length > 0) found.facts.rebasedCommits = step.rebased;
      found.covers = new Set([...found.covers, "rebasedCommits"]);
    }
  };

  const readRest = async (wanted: readonly Wanted[], settle: (ref: string, outcome: Outcome) => void) => {
    for (const one of wanted) settle(one.ref, await readOne(one));
  };

  const readOne = async (one: Wanted): Promise<Outcome> => {
    if (isAway(one)) return { state: "same", updatedAt: undefined };
    if (restStop.because !== undefined) return { state: "not-checked", why: restStop.because };
    const repo = one.ref.slice(0, one.ref.indexOf("#"));
    try {
      const outcome = await rest.read(one);
      restStop.failures = outcome.state === "failed" ? restStop.failures + 1 : 0;
      if (restStop.failures >= 8) restStop.because = outcome.state === "failed" ? outcome.why : "GitHub keeps failing";
      if (outcome.state === "gone" && outcome.how !== "deleted") return await wholeRepository(repo, outcome);
      if (outcome.state === "seen" && !repositories.has(repo)) await noteRepository(repo);
      return outcome;
    } catch (error) {
      if (!(error instanceof GithubFailure)) throw error;
      const anonymous = !client.hasToken && error.kind === "limit" ? "; without a token it is 60 requests an hour. Set GITHUB_TOKEN" : "";
      restStop.because = `${error.message}${anonymous}`;
      return { state: "not-checked", why: restStop.because };
    }
  };

  /** When the repository itself does not answer, that is the message, once for all its threads (A32). */
  const wholeRepository = async (repo: string, outcome: Outcome): Promise<Outcome> => {
    const answer = await rest.repository(repo);
    return answer.state === "gone" ? { state: "gone", how: answer.how, why: answer.why } : outcome;
  };

  const noteRepository = async (repo: string) => {
    const answer = await rest.repository(repo);
    if (answer.state === "seen") repositories.set(repo, answer.reading);
  };

  return { read, repositories, etags: rest.etags, full: client.hasToken, notes: rest.notes };
}

/** What a pass found out about a thread. */
interface Step {
  detail?: Detail;
  changed?: true;
  rebased?: string[];
  missing?: "thread" | "repository";
  rest?: string;
  outcome?: Outcome;
}

/** Read to the end before, so that a glance can tell whether to look again. REST does not show everything that GraphQL does. */
function isSettled(one: Wanted): boolean {
  const { known, replies } = one;
  if (known === undefined) return false;
  if (isAway(one)) return true;
  const complete = known.nodeId !== undefined && known.source !== REST && (replies.length === 0 || known.replies !== undefined);
  return complete && known.stale === undefined;
}

/** Moved away or deleted, as is known: nothing answers under its name any more, and that needs no second proof. */
const isAway = ({ known, ref }: Wanted): boolean =>
  known?.gone === "deleted" || (known?.movedTo !== undefined && known.movedTo.split("#")[0] !== ref.split("#")[0]);

const isKnownDiscussion = ({ known, kind }: Wanted): boolean => (known?.kind ?? kind) === "discussion";

function glanceStep(one: Wanted, node: ThreadNode): Step | string {
  const seen = glance(node);
  if (!seen) return "the answer has no title, state or kind";
  return hasMoved(one, seen.facts, seen.covers, seen.updatedAt)
    ? { changed: true }
    : { outcome: { state: "same", updatedAt: seen.updatedAt } };
}

/** A day: clocks of two machines differ, but not by that. */
const MARGIN = 86_400_000;

/**
 * Is a longer look due? When a glanced field differs, or the thread moved since the last look. Without the memory of the last look
 * (a fresh clone), anything that moved after its facts were last written may be news.
 */
function hasMoved(
  { known, seenUpdatedAt }: Wanted,
  ...[facts, covers, updatedAt]: [Detail["facts"], Detail["covers"], string | undefined]
): boolean {
  if (!known || differs(known, facts, covers)) return true;
  if (updatedAt === undefined) return true;
  if (seenUpdatedAt !== undefined) return updatedAt !== seenUpdatedAt;
  return known.asOf === null || Date.parse(updatedAt) > Date.parse(known.asOf) - MARGIN;
}

interface Answer {
  node?: ThreadNode;
  repository?: RepositoryNode;
  missing?: "thread" | "repository";
  refused?: string;
  again?: string;
}

/**
 * Sorts a partial answer out by the path of each error (C09): `null` with NOT_FOUND is missing, `null` with a refusal is refused,
 * and `null` for any other reason, or an error anywhere below, says nothing about the thread.
 */
export function answersOf({ places }: Query, { data, errors }: GraphqlAnswer): Map<string, Answer> {
  const at = (...path: string[]) => errors.filter((error) => path.every((part, index) => String(error.path?.[index]) === part));
  const general = errors.find((error) => (error.path?.length ?? 0) === 0);
  if (general)
    throw new GithubFailure(isCostly(general) ? "cost" : "broken", `GitHub's answer has an error: ${general.message ?? general.type}`);
  const answers = new Map<string, Answer>();
  for (const { ref, path } of places.values()) {
    const [repoAlias, alias] = path;
    const repository = data[repoAlias] as (RepositoryNode & Record<string, unknown>) | null | undefined;
    const about = [...at(repoAlias).filter((error) => error.path?.length === 1), ...at(repoAlias, alias)];
    const node = repository?.[alias] as ThreadNode | null | undefined;
    const first = about[0];
    const refused = about.find((error) => error.type === "FORBIDDEN" || error.extensions?.saml_failure === true);
    if (refused) answers.set(ref, { refused: `GitHub refuses it: ${refused.message ?? "no reason given"}` });
    else if (node && about.length === 0) answers.set(ref, { node, repository: repository ?? {} });
    else if (first?.type === "NOT_FOUND" && !repository) answers.set(ref, { missing: "repository" });
    else if (first?.type === "NOT_FOUND" && !node) answers.set(ref, { missing: "thread", repository: repository ?? {} });
    else answers.set(ref, { again: first?.message ?? first?.type ?? "GitHub answered null without a reason" });
  }
  return answers;
}
