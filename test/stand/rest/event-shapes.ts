import { commitOf } from "../git-data.ts";
import { nodeId } from "../node-id.ts";
import { commitsOf } from "../pulls.ts";
import { isLive } from "../threads.ts";
import type { Issue, Pull, ThreadEvent, ThreadRef } from "../thread-types.ts";
import { fullName, type Repo, repoById, type World } from "../world.ts";
import { gitCommit } from "./git-shapes.ts";
import { issueComment, repository, review, user } from "./shapes.ts";
import { issue } from "./thread-shapes.ts";

/** Events in the shapes of `/issues/{n}/timeline` and `/issues/{n}/events`, which differ in what they leave out (A14, A38). */

const NOT_IN_TIMELINE = ["base_ref_changed", "automatic_base_change_succeeded"];
/** Node id prefixes do not matter to clients; the GraphQL type name keeps them apart. */
export const eventNodeId = (event: ThreadEvent): string => nodeId("Event", event.id);

function issueOf(world: World, api: string, ref: ThreadRef) {
  const repo = repoById(world, ref.repo);
  const thread = repo?.threads[ref.number];
  if (!repo || !isLive(thread) || thread.kind === "discussion") return undefined;
  return { ...issue(api, repo, thread), repository: repository(api, repo) };
}

/** The commit that an event names, as `commit_id` and `commit_url`. */
function commitFields(world: World, api: string, repo: Repo, event: ThreadEvent) {
  const named =
    event.event === "referenced" || event.event === "merged"
      ? { sha: event.sha, repo: event.event === "referenced" ? event.repo : repo.id }
      : event.event === "closed" && event.closer && "commit" in event.closer
        ? { sha: event.closer.commit, repo: event.closer.repo }
        : undefined;
  const home = named && repoById(world, named.repo);
  return {
    commit_id: named?.sha ?? null,
    commit_url: named && home ? `${api}/repos/${fullName(home)}/commits/${named.sha}` : null,
  };
}

function plainEvent(world: World, api: string, repo: Repo, event: ThreadEvent) {
  return {
    id: event.id,
    node_id: eventNodeId(event),
    url: `${api}/repos/${fullName(repo)}/issues/events/${event.id}`,
    actor: user(api, event.actor ?? "ghost"),
    event: event.event,
    ...commitFields(world, api, repo, event),
    created_at: event.at,
    performed_via_github_app: null,
    ...(event.event === "closed" ? { state_reason: event.stateReason ?? null } : {}),
    ...(event.event === "renamed" ? { rename: { from: event.from, to: event.to } } : {}),
    ...(event.event === "labeled" || event.event === "unlabeled" ? { label: { name: event.label, color: "ededed" } } : {}),
    ...(event.event === "locked" ? { lock_reason: null } : {}),
  };
}

/** Everything of the issue events endpoint, oldest first. Cross references are only in the timeline (A38). */
export function issueEvents(world: World, api: string, repo: Repo, thread: Issue | Pull) {
  return thread.events.filter((event) => event.event !== "cross-referenced").map((event) => plainEvent(world, api, repo, event));
}

/** Everything of the timeline endpoint, oldest first: events, comments, reviews and a pull request's commits. */
export function timeline(world: World, api: string, repo: Repo, thread: Issue | Pull) {
  const rows: { at: string; body: unknown }[] = [];
  if (thread.kind === "pull") {
    for (const sha of commitsOf(repo, thread).shas ?? []) {
      const facts = commitOf(repo, sha);
      if (facts) rows.push({ at: facts.committer.date, body: { event: "committed", ...gitCommit(api, repo, facts) } });
    }
    for (const of of thread.reviews)
      rows.push({ at: of.at, body: { event: "reviewed", ...review(api, repo, thread.number, thread.headSha, of) } });
  }
  for (const of of thread.comments) {
    const shape = issueComment(api, repo, thread.number, of);
    rows.push({
      at: of.at,
      body: { event: "commented", actor: user(api, of.author ?? "ghost"), ...shape, user: user(api, of.author ?? "ghost") },
    });
  }
  for (const event of thread.events) {
    if (NOT_IN_TIMELINE.includes(event.event)) continue;
    if (event.event !== "cross-referenced") {
      rows.push({ at: event.at, body: plainEvent(world, api, repo, event) });
      continue;
    }
    const source = issueOf(world, api, event.source);
    if (!source) continue;
    const actor = user(api, event.actor ?? "ghost");
    rows.push({
      at: event.at,
      body: { event: event.event, actor, created_at: event.at, updated_at: event.at, source: { type: "issue", issue: source } },
    });
  }
  return rows.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map((row) => row.body);
}
