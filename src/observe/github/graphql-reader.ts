import { groupBy } from "../../model/group.ts";
import { answersOf } from "./answers.ts";
import type { Answer } from "./answers.ts";
import { inBatches } from "./batches.ts";
import type { Part, Stop } from "./batches.ts";
import type { GithubClient } from "./client.ts";
import { hasMoved, isAway, isKnownDiscussion, isSettled } from "./due.ts";
import { detail } from "./from-graphql.ts";
import type { Detail } from "./from-graphql.ts";
import { glance } from "./glance.ts";
import type { RepositoryNode, ThreadNode } from "./nodes.ts";
import { BROAD, NARROW, TIER_1, TIER_2, WIDE, detailQuery, glanceQuery, rebaseQuery } from "./queries.ts";
import type { Asked, Bounds, Query } from "./queries.ts";
import type { Eyes, Outcome, Wanted } from "./reading.ts";
import { rebasedCommits } from "./rebase.ts";

/** Requests under way at the same time; GitHub asks for few. */
const TOGETHER = 3;
const REBASES = 5;

/** What a pass found out about a thread: exactly one of these. */
interface Step {
  detail?: Detail;
  changed?: true;
  rebased?: string[];
  missing?: "thread" | "repository";
  /** GraphQL cannot say; why. */
  rest?: string;
  outcome?: Outcome;
}

export interface GraphqlReader {
  /** Settles what GraphQL can say; returns the references that are left for REST. */
  read: (
    wanted: readonly Wanted[],
    settle: (ref: string, outcome: Outcome) => void,
    onProgress: (done: number, total: number) => void,
  ) => Promise<Set<string>>;
}

/**
 * Reads threads in two tiers: a glance at all that were read before, a longer look at those that moved or were never read, and wide
 * looks at the few whose answer lies beyond the bounds of that.
 * @param onRepository called with every repository that answered
 */
export function graphqlReader(
  client: GithubClient,
  eyes: Eyes,
  stop: Stop,
  onRepository: (repo: string, node: RepositoryNode) => void,
): GraphqlReader {
  const ask = async (query: Query, alone: boolean): Promise<Map<string, Answer>> => {
    const answers = answersOf(query, await client.graphql(query.text, alone ? 1 : 0));
    for (const [ref, { repository }] of answers) if (repository?.nameWithOwner) onRepository(repoOf(ref), repository);
    return answers;
  };

  /** One pass over many threads in batches. `use` reads an answer, or says why it cannot be trusted. */
  const pass = async (
    wanted: readonly Wanted[],
    size: number,
    query: (asked: Asked[]) => Query,
    use: (one: Wanted, node: ThreadNode) => Step | string,
    isDiscussion: (one: Wanted) => boolean,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<Map<string, Step>> => {
    const steps = await inBatches<Wanted, Step>(wanted, {
      size,
      together: TOGETHER,
      stop,
      onProgress,
      ask: async (batch) => {
        const answers = await ask(query(batch.map((one) => ({ ref: one.ref, discussion: isDiscussion(one) }))), batch.length === 1);
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
    });
    return new Map(wanted.map((one, index) => [one.ref, steps[index] as Step]));
  };

  const look = (
    wanted: readonly Wanted[],
    bounds: Bounds,
    size: number,
    isDiscussion: (one: Wanted) => boolean,
    onProgress?: (done: number, total: number) => void,
  ) => {
    const use = (one: Wanted, node: ThreadNode) => {
      const reading = detail(node, bounds, one, eyes);
      return typeof reading === "string" ? reading : { detail: reading };
    };
    return pass(wanted, size, (asked) => detailQuery(asked, bounds), use, isDiscussion, onProgress);
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
    const use = (_: Wanted, node: ThreadNode) => ({ rebased: rebasedCommits(node) ?? [] });
    for (const [ref, step] of await pass(
      asked,
      REBASES,
      (some) => rebaseQuery(some, most),
      use,
      () => false,
    )) {
      const found = details.get(ref)?.detail;
      if (!found) continue;
      if (!step.rebased) {
        const why = `${ref}: the commits it was merged as could not be read: ${step.rest ?? "no answer"}`;
        details.set(ref, step.outcome ? step : { outcome: { state: "failed", why } });
        continue;
      }
      if (step.rebased.length > 0) found.facts.rebasedCommits = step.rebased;
      found.covers = new Set([...found.covers, "rebasedCommits"]);
    }
  };

  return {
    read: async (wanted, settle, onProgress) => {
      const left = new Set<string>();
      const byRepo = [...groupBy(wanted, ({ ref }) => repoOf(ref)).values()].flat();
      const due = new Set(byRepo.filter((one) => !isSettled(one)).map(({ ref }) => ref));
      const handle = (one: Wanted, step: Step | undefined): void => {
        if (step?.outcome) settle(one.ref, step.outcome);
        else if (step?.missing === "thread" && isAway(one)) settle(one.ref, { state: "same", updatedAt: undefined });
        else if (step?.changed) due.add(one.ref);
        else left.add(one.ref);
      };
      const settled = byRepo.filter(isSettled);
      const glances = await pass(settled, TIER_1, glanceQuery, glanceStep, isKnownDiscussion, onProgress);
      for (const one of settled) handle(one, glances.get(one.ref));

      const toRead = byRepo.filter(({ ref }) => due.has(ref));
      const details = await look(toRead, NARROW, TIER_2, isKnownDiscussion, onProgress);
      // A number that is neither issue nor pull request may be a discussion; GraphQL has another field for those.
      const lost = toRead.filter((one) => details.get(one.ref)?.missing === "thread" && one.known === undefined && !isKnownDiscussion(one));
      for (const [ref, step] of await look(lost, NARROW, TIER_2, () => true)) details.set(ref, step);

      const open = toRead.filter(({ ref }) => (details.get(ref)?.detail?.open.length ?? 0) > 0);
      const isDiscussion = ({ ref }: Wanted) => details.get(ref)?.detail?.facts.kind === "discussion";
      // What the wide look cannot say is asked in another way or reported: the narrow answer alone leaves a question open for good.
      for (const [ref, step] of await look(open, BROAD, WIDE, isDiscussion)) details.set(ref, step);
      await rebases(toRead, details);
      for (const one of toRead) {
        const step = details.get(one.ref);
        if (step?.detail) settle(one.ref, { state: "seen", reading: step.detail });
        else handle(one, step);
      }
      return left;
    },
  };
}

const repoOf = (ref: string) => ref.slice(0, ref.indexOf("#"));

function glanceStep(one: Wanted, node: ThreadNode): Step | string {
  const seen = glance(node);
  if (!seen) return "the answer has no title, state or kind";
  const moved = hasMoved(one, seen.facts, seen.covers, seen.updatedAt);
  return moved ? { changed: true } : { outcome: { state: "same", updatedAt: seen.updatedAt } };
}
