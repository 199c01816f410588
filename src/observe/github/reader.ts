import { newStop } from "./batches.ts";
import type { GithubClient } from "./client.ts";
import { isAway } from "./due.ts";
import { GithubFailure } from "./failure.ts";
import { graphqlReader } from "./graphql-reader.ts";
import type { Eyes, Outcome, RepositoryReading, Wanted } from "./reading.ts";
import { restReader } from "./rest-reader.ts";

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

/** REST answers in a row that failed, after which it is not asked any more. */
const TOO_MANY = 8;

/** Reads threads over GraphQL; what that cannot answer is asked over REST, and without a token everything is. */
export function threadReader(client: GithubClient, base: Eyes): ThreadReader {
  const repositories = new Map<string, RepositoryReading>();
  const renamed = new Map<string, string>();
  const eyes: Eyes = { ...base, localName: (name) => base.localName(renamed.get(name.toLowerCase()) ?? name) };
  const rest = restReader(client, eyes);
  const stop = newStop();
  const restStop = newStop();
  const graphql = graphqlReader(client, eyes, stop, (repo, { id, nameWithOwner = repo, isArchived }) => {
    repositories.set(repo, { nodeId: id, name: nameWithOwner, archived: isArchived === true, source: "GitHub GraphQL" });
    if (nameWithOwner.toLowerCase() !== repo.toLowerCase()) renamed.set(nameWithOwner.toLowerCase(), repo);
  });

  const readOne = async (one: Wanted): Promise<Outcome> => {
    if (isAway(one)) return { state: "same", updatedAt: undefined };
    if (restStop.because !== undefined) return { state: "not-checked", why: restStop.because };
    const repo = one.ref.slice(0, one.ref.indexOf("#"));
    try {
      const outcome = await rest.read(one);
      restStop.failures = outcome.state === "failed" ? restStop.failures + 1 : 0;
      if (outcome.state === "failed" && restStop.failures >= TOO_MANY) restStop.because = `GitHub keeps failing: ${outcome.why}`;
      if (outcome.state === "gone" && outcome.how !== "deleted") {
        // When the repository itself does not answer, that is the message, once for all its threads (A32).
        const answer = await rest.repository(repo);
        return answer.state === "gone" ? { state: "gone", how: answer.how, why: answer.why } : outcome;
      }
      if (outcome.state === "seen" && !repositories.has(repo)) {
        const answer = await rest.repository(repo);
        if (answer.state === "seen") repositories.set(repo, answer.reading);
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof GithubFailure)) throw error;
      const anonymous = !client.hasToken && error.kind === "limit" ? "; without a token it is 60 requests an hour. Set GITHUB_TOKEN" : "";
      restStop.because = `${error.message}${anonymous}`;
      return { state: "not-checked", why: restStop.because };
    }
  };

  return {
    repositories,
    etags: rest.etags,
    full: client.hasToken,
    notes: rest.notes,
    read: async (wanted, onProgress = () => {}) => {
      const outcomes = new Map<string, Outcome>();
      const settle = (ref: string, outcome: Outcome) => void outcomes.set(ref, outcome);
      const left = client.hasToken ? await graphql.read(wanted, settle, onProgress) : new Set(wanted.map(({ ref }) => ref));
      if (stop.otherWay && stop.because !== undefined) rest.notes.add(stop.because);
      for (const one of wanted.filter(({ ref }) => left.has(ref))) {
        settle(one.ref, await readOne(one));
        onProgress(outcomes.size, wanted.length);
      }
      for (const { ref } of wanted)
        if (!outcomes.has(ref)) outcomes.set(ref, { state: "failed", why: `${ref} was left without an answer` });
      return outcomes;
    },
  };
}
