import { commitOf } from "../git-data.ts";
import { commitsOf } from "../pulls.ts";
import { isLive } from "../threads.ts";
import type { Issue, Pull } from "../thread-types.ts";
import { type Repo, repoById } from "../world.ts";
import { failure, moved, notFound, page, type Reply, type RepoContext } from "./context.ts";
import { issueEvents, timeline } from "./event-shapes.ts";
import * as gitShapes from "./git-shapes.ts";
import * as shapes from "./shapes.ts";
import * as threadShapes from "./thread-shapes.ts";

/** The issue or pull request under a number, or the answer that GitHub gives instead. */
export function threadAt(context: RepoContext, number: string): { thread: Issue | Pull } | { reply: Reply } {
  const thread = context.repo.threads[Number(number)];
  if (thread?.kind === "moved") {
    const to = repoById(context.world, thread.to.repo);
    // 404 where the issue went to a repository that the reader cannot see (A27); sightOf decides once the redirect is followed.
    return { reply: to ? moved(context, `/repositories/${to.id}/issues/${thread.to.number}`) : notFound() };
  }
  if (thread?.kind === "deleted") return { reply: failure(410, "This issue was deleted") };
  if (!isLive(thread) || thread.kind === "discussion") return { reply: notFound() };
  return { thread };
}

/** Hands the thread to the handler, or answers that it is elsewhere or gone. */
export const withThread =
  (handler: (context: RepoContext, thread: Issue | Pull) => Reply) =>
  (context: RepoContext): Reply => {
    const found = threadAt(context, context.params.issue_number ?? "");
    return "reply" in found ? found.reply : handler(context, found.thread);
  };

/** As withThread for the pulls endpoints, which know no redirect and no 410: an issue's number is 404 there (A34). */
export const withPull =
  (handler: (context: RepoContext, pull: Pull) => Reply) =>
  (context: RepoContext): Reply => {
    const thread = context.repo.threads[Number(context.params.pull_number)];
    return thread?.kind === "pull" ? handler(context, thread) : notFound();
  };

export const getIssue = withThread(({ api, repo }, thread) => ({ status: 200, body: threadShapes.issue(api, repo, thread) }));

export const getPull = withPull(({ world, api, repo, caller }, pull) => ({
  status: 200,
  body: threadShapes.pull(world, api, repo, pull, caller.grant),
}));

export const getTimeline = withThread((context, thread) =>
  page(context, `/issues/${thread.number}/timeline`, timeline(context.world, context.api, context.repo, thread), (row) => row),
);

export const getIssueEvents = withThread((context, thread) =>
  page(context, `/issues/${thread.number}/events`, issueEvents(context.world, context.api, context.repo, thread), (row) => row),
);

export const getComments = withThread((context, thread) =>
  page(context, `/issues/${thread.number}/comments`, thread.comments, (of) =>
    shapes.issueComment(context.api, context.repo, thread.number, of),
  ),
);

export const getIssueLabels = withThread((context, thread) =>
  page(context, `/issues/${thread.number}/labels`, thread.labels, (name) =>
    shapes.label(context.api, context.repo, labelOf(context.repo, name)),
  ),
);

export const getReviews = withPull((context, pull) =>
  page(context, `/pulls/${pull.number}/reviews`, pull.reviews, (of) =>
    shapes.review(context.api, context.repo, pull.number, pull.headSha, of),
  ),
);

export const getPullCommits = withPull((context, pull) =>
  page(context, `/pulls/${pull.number}/commits`, commitsOf(context.repo, pull).shas ?? [], (sha) => {
    const facts = commitOf(context.repo, sha);
    if (!facts) throw new Error(`${sha} is not in the repository`);
    return gitShapes.commit(context.api, context.repo, facts);
  }),
);

export function labelOf(repo: Repo, name: string) {
  const found = repo.labels[name.toLowerCase()];
  if (!found) throw new Error(`no label ${name}`);
  return found;
}

/** Newest first, as GitHub lists both; `state` defaults to open. */
function listed<T extends Issue | Pull>(context: RepoContext, wanted: (thread: Issue | Pull) => thread is T): T[] {
  const state = context.query.get("state") ?? "open";
  const descending = (context.query.get("direction") ?? "desc") === "desc";
  const key = (thread: T): string => (context.query.get("sort") === "updated" ? thread.updatedAt : thread.createdAt);
  return Object.values(context.repo.threads)
    .filter((thread): thread is T => (thread.kind === "issue" || thread.kind === "pull") && wanted(thread))
    .filter((thread) => state === "all" || thread.state === state)
    .sort((a, b) => (descending ? -1 : 1) * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.number - b.number));
}

export function listPulls(context: RepoContext): Reply {
  const [head, base] = [context.query.get("head"), context.query.get("base")];
  const matches = (pull: Pull): boolean => {
    if (base !== null && pull.base !== base) return false;
    if (head === null) return true;
    const owner = pull.headRepo === null ? undefined : repoById(context.world, pull.headRepo)?.owner;
    // Without `owner:` GitHub ignores the filter.
    return !head.includes(":") || `${owner}:${pull.head}`.toLowerCase() === head.toLowerCase();
  };
  const pulls = listed(context, (thread): thread is Pull => thread.kind === "pull" && matches(thread));
  return page(context, "/pulls", pulls, (pull) =>
    threadShapes.pullSimple(context.world, context.api, context.repo, pull, context.caller.grant),
  );
}

export function listIssues(context: RepoContext): Reply {
  const names = (context.query.get("labels") ?? "").split(",").filter(Boolean);
  const creator = context.query.get("creator");
  const issues = listed(
    context,
    (thread): thread is Issue | Pull =>
      names.every((name) => thread.labels.includes(name)) && (creator === null || thread.author === creator),
  );
  return page(context, "/issues", issues, (thread) => threadShapes.issue(context.api, context.repo, thread));
}
