import type { GithubClient, RestAnswer } from "./client.ts";
import { GithubFailure, endsTheRun, oneLine } from "./failure.ts";
import { REST, placeOf, restDetail, restGlance, restGlanceOpen } from "./from-rest.ts";
import type { RestEvent, RestIssue, RestPull } from "./rest-nodes.ts";
import type { Eyes, Outcome, RepositoryReading, Wanted } from "./reading.ts";

/** Pages of a timeline that are followed; a longer one cannot be read to its end and is a failure, not a short timeline. */
const PAGES = 20;

export interface RestReader {
  /** One thread, with as few requests as its answer allows. */
  read: (wanted: Wanted) => Promise<Outcome>;
  /** The repository itself. */
  repository: (repo: string) => Promise<RepositoryAnswer>;
  /** Validators of issues, for the next run. */
  etags: Map<string, string>;
  /** What a person should know and mend, such as a token that is not accepted. */
  notes: Set<string>;
}

export type RepositoryAnswer =
  | { state: "seen"; reading: RepositoryReading }
  | { state: "gone"; how: "unreachable" | "blocked"; why: string }
  | { state: "failed"; why: string };

/**
 * Reads threads over REST: for transfers, for what GraphQL cannot answer, and for life without a token (60 requests an hour).
 * Where a token is refused, it asks once more without it: a public repository answers everybody (C16, C17).
 */
export function restReader(client: GithubClient, eyes: Eyes): RestReader {
  const etags = new Map<string, string>();
  const notes = new Set<string>();
  const repositories = new Map<string, Promise<RepositoryAnswer>>();
  let anonymousOver: string | undefined;
  let tokenRefused = !client.hasToken;

  const get = async (path: string, etag?: string): Promise<RestAnswer> => {
    let refusal: GithubFailure | undefined;
    let answer: RestAnswer | undefined;
    if (tokenRefused) return client.get(path, { anonymous: true, etag });
    try {
      answer = await client.get(path, { etag });
      if (answer.status !== 404) return answer;
    } catch (error) {
      if (!(error instanceof GithubFailure) || error.kind !== "refused") throw error;
      refusal = error;
      if (error.status === 401) tokenRefused = true;
      if (error.status === 401 || error.sso) notes.add(error.message);
    }
    if (anonymousOver === undefined) {
      try {
        return await client.get(path, { anonymous: true, etag });
      } catch (error) {
        if (!(error instanceof GithubFailure)) throw error;
        if (error.kind === "limit") anonymousOver = error.message;
      }
    }
    if (refusal) throw refusal;
    return answer as RestAnswer;
  };

  const repository = async (repo: string): Promise<RepositoryAnswer> => {
    try {
      const answer = await get(`/repos/${repo}`);
      if (answer.status === 451) return { state: "gone", how: "blocked", why: blocked(repo, answer.data) };
      if (answer.status !== 200)
        return {
          state: "gone",
          how: "unreachable",
          why: `${repo} answers ${answer.status}: it is private, was deleted or renamed away, or never existed`,
        };
      const { full_name: name, node_id: nodeId, archived } = answer.data as { full_name?: string; node_id?: string; archived?: boolean };
      if (name === undefined) return { state: "failed", why: `GitHub's answer about ${repo} has no name` };
      return { state: "seen", reading: { name, nodeId, archived: archived === true, source: REST } };
    } catch (error) {
      if (error instanceof GithubFailure && !endsTheRun(error)) return { state: "failed", why: error.message };
      throw error;
    }
  };
  const repositoryOnce = (repo: string) => {
    const known = repositories.get(repo) ?? repository(repo);
    repositories.set(repo, known);
    return known;
  };

  const read = async (wanted: Wanted): Promise<Outcome> => {
    const [repo = "", number = ""] = wanted.ref.split("#");
    // A validator of an answer that led to a stale fact would keep it stale for ever.
    const etag = wanted.known && !wanted.known.stale ? wanted.etag : undefined;
    const answer = await get(`/repos/${repo}/issues/${number}`, etag);
    if (answer.status === 304) return stillOpen(wanted, wanted.seenUpdatedAt);
    if (answer.status === 410) return { state: "gone", how: "deleted", why: `${wanted.ref} was deleted (410)` };
    if (answer.status === 451) return { state: "gone", how: "blocked", why: blocked(repo, answer.data) };
    if (answer.status !== 200) return notFound(wanted, !tokenRefused);
    const issue = answer.data as RestIssue;
    const place = placeOf(issue);
    if (!place) return { state: "failed", why: `GitHub's answer about ${wanted.ref} does not say which thread it is` };
    if (place.number !== Number(number) || !sameName(place.repo, repo)) {
      const renamed = place.number === Number(number) && (await renamedTo(repo, place.repo));
      if (!renamed) return moved(wanted, issue, `${eyes.localName(place.repo)}#${place.number}`);
    }
    const seen = restGlance(issue);
    if (!seen) return { state: "failed", why: `GitHub's answer about ${wanted.ref} has no title or state` };
    if (answer.headers.etag) etags.set(wanted.ref, answer.headers.etag);
    if (wanted.known && !wanted.known.stale && seen.updatedAt !== undefined && seen.updatedAt === wanted.seenUpdatedAt) {
      return stillOpen(wanted, seen.updatedAt);
    }
    const pull = issue.pull_request ? await get(`/repos/${repo}/pulls/${number}`) : undefined;
    if (pull && pull.status !== 200) return { state: "failed", why: `the pull request ${wanted.ref} answers ${pull.status}` };
    const timeline = await pages(`/repos/${repo}/issues/${number}/timeline?per_page=100`);
    if (timeline === undefined) return { state: "failed", why: `the timeline of ${wanted.ref} could not be read to its end` };
    const reading = restDetail(issue, pull?.data as RestPull | undefined, timeline, wanted, eyes);
    return typeof reading === "string" ? { state: "failed", why: `${wanted.ref}: ${reading}` } : { state: "seen", reading };
  };

  /** The thread did not move. An open pull request may still have got a conflict, or lost it. */
  const stillOpen = async (wanted: Wanted, updatedAt: string | undefined): Promise<Outcome> => {
    const { known } = wanted;
    if (known?.kind !== "pull-request" || known.state !== "open") return { state: "same", updatedAt };
    const [repo = "", number = ""] = wanted.ref.split("#");
    const pull = await get(`/repos/${repo}/pulls/${number}`);
    if (pull.status !== 200) return { state: "failed", why: `the pull request ${wanted.ref} answers ${pull.status}` };
    const reading = restGlanceOpen(known, pull.data as RestPull, updatedAt);
    return reading ? { state: "seen", reading } : { state: "same", updatedAt };
  };

  const renamedTo = async (repo: string, name: string) => {
    const answer = await repositoryOnce(repo);
    return answer.state === "seen" && sameName(answer.reading.name, name);
  };

  /** Follows the Link header; page addresses are never built (C14). */
  const pages = async (first: string): Promise<RestEvent[] | undefined> => {
    const found: RestEvent[] = [];
    let next: string | undefined = first;
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= PAGES) return undefined;
      const answer: RestAnswer = await get(next);
      if (answer.status !== 200 || !Array.isArray(answer.data)) return undefined;
      found.push(...(answer.data as RestEvent[]));
      next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.link ?? "")?.[1];
    }
    return found;
  };

  return {
    etags,
    notes,
    repository: repositoryOnce,
    read: async (wanted) => {
      try {
        return await read(wanted);
      } catch (error) {
        if (!(error instanceof GithubFailure)) throw error;
        if (endsTheRun(error)) throw error;
        return { state: "failed", why: `${wanted.ref}: ${error.message}` };
      }
    },
  };
}

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** 404 never means deleted: GitHub hides what one may not read behind it (A27, A33). */
function notFound(wanted: Wanted, hasToken: boolean): Outcome {
  const kind = wanted.known?.kind ?? wanted.kind;
  if (!hasToken && kind === "discussion") {
    return { state: "not-checked", why: `${wanted.ref} is a discussion, which GitHub shows only to a token. Set GITHUB_TOKEN.` };
  }
  const never = wanted.known ? "it became private, was deleted, or its repository was" : "it does not exist, or is private";
  const hint = hasToken ? "" : ", or it is a discussion, which GitHub shows only to a token";
  return { state: "gone", how: "unreachable", why: `${wanted.ref} answers 404: ${never}${hint}` };
}

function blocked(repo: string, data: unknown): string {
  const block = (data as { block?: { reason?: string; html_url?: string } } | null)?.block;
  return `${repo} is blocked by GitHub (451${block?.reason ? `, ${oneLine(block.reason)}` : ""})${block?.html_url ? `: ${block.html_url}` : ""}`;
}

/**
 * The thread went to another place. Its facts are there; here only stays that it moved (A24).
 * Kind, title and state are those at the moment of the move, for readers who see the old reference.
 */
function moved(wanted: Wanted, issue: RestIssue, to: string): Outcome {
  const seen = restGlance(issue);
  const known = wanted.known;
  return {
    state: "moved",
    to,
    source: REST,
    reading: {
      facts: {
        kind: known?.kind ?? seen?.facts.kind ?? "issue",
        title: known?.title ?? seen?.facts.title ?? wanted.ref,
        state: known?.state ?? seen?.facts.state ?? "open",
        movedTo: to,
      },
      covers: new Set(known ? ["movedTo"] : ["kind", "title", "state", "movedTo"]),
      source: REST,
      updatedAt: undefined,
    },
  };
}
