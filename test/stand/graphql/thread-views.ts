import { EMPTY_TREE } from "../git-data.ts";
import { nodeId } from "../node-id.ts";
import { changedFilesOf, commitsOf, mergeableOf } from "../pulls.ts";
import { WEB } from "../rest/context.ts";
import type { LiveThread } from "../threads.ts";
import type { Comment, Discussion, Issue, Pull, Review, ThreadRef } from "../thread-types.ts";
import { fullName, type Label, type Repo } from "../world.ts";
import { timelineView } from "./event-views.ts";
import { commitView, factsView, refView } from "./git-views.ts";
import { repositoryView } from "./repository-view.ts";
import { actor, connection, type Scene, textOf, type View, visibleRepo, visibleThread } from "./view.ts";

type Args = Record<string, unknown>;

export function threadView(scene: Scene, repo: Repo, of: LiveThread): View {
  if (of.kind === "issue") return issueView(scene, repo, of);
  return of.kind === "pull" ? pullView(scene, repo, of) : discussionView(scene, repo, of);
}

/** The view behind a reference, or null where the caller may not look. */
export function viewOf(scene: Scene, ref: ThreadRef): View | null {
  const found = visibleThread(scene, ref);
  return found ? threadView(scene, found.repo, found.thread) : null;
}

export const labelView = (label: Label): View => ({
  __typename: "Label",
  id: nodeId("Label", label.id),
  name: label.name,
  color: label.color,
  description: label.description,
  isDefault: false,
});

export function commentView(typename: string, of: Comment): View {
  return {
    __typename: typename,
    id: nodeId("IssueComment", of.id),
    databaseId: of.id,
    createdAt: of.at,
    updatedAt: of.at,
    publishedAt: of.at,
    author: actor(of.author),
    authorAssociation: of.association,
    body: of.body,
    bodyText: textOf(of.body),
    isMinimized: false,
    ...(typename === "DiscussionComment"
      ? { replies: (args: Args) => connection(of.replies ?? [], args, (reply) => commentView(typename, reply)), isAnswer: false }
      : {}),
  };
}

export function reviewView(of: Review): View {
  return { ...commentView("PullRequestReview", of), id: nodeId("PullRequestReview", of.id), submittedAt: of.at, state: of.state };
}

function shared(scene: Scene, repo: Repo, of: LiveThread, typename: string, segment: string) {
  const path = `/${fullName(repo)}/${segment}/${of.number}`;
  const labels = of.labels.map((name) => repo.labels[name.toLowerCase()] ?? { id: 0, name, color: "ededed", description: null });
  return {
    __typename: typename,
    id: nodeId(typename, of.id),
    databaseId: of.id,
    number: of.number,
    title: of.title,
    url: WEB + path,
    resourcePath: path,
    body: of.body,
    bodyText: textOf(of.body),
    author: actor(of.author),
    authorAssociation: of.association,
    createdAt: of.createdAt,
    updatedAt: of.updatedAt,
    publishedAt: of.createdAt,
    closed: of.state === "closed",
    closedAt: of.closedAt,
    locked: of.locked,
    activeLockReason: null,
    repository: () => repositoryView(scene, repo),
    labels: (args: Args) => connection(labels, args, labelView),
    comments: (args: Args) =>
      connection(of.comments, args, (comment) => commentView(of.kind === "discussion" ? "DiscussionComment" : "IssueComment", comment)),
  };
}

function issueView(scene: Scene, repo: Repo, of: Issue): View {
  return {
    ...shared(scene, repo, of, "Issue", "issues"),
    state: of.state === "open" ? "OPEN" : "CLOSED",
    // Without enableDuplicate GitHub hides the newer reason behind the older one.
    stateReason: ({ enableDuplicate }: Args) =>
      of.stateReason === null
        ? null
        : of.stateReason === "duplicate" && enableDuplicate !== true
          ? "NOT_PLANNED"
          : of.stateReason.toUpperCase(),
    milestone: null,
    timelineItems: (args: Args) => timelineView(scene, repo, of, args),
    closedByPullRequestsReferences: (args: Args) => {
      const pulls = of.closedByPulls.flatMap((ref) => {
        const found = visibleThread(scene, ref);
        return found?.thread.kind === "pull" ? [{ repo: found.repo, pull: found.thread }] : [];
      });
      const shown = args.includeClosedPrs === true ? pulls : pulls.filter(({ pull }) => pull.state === "open");
      const rank = (pull: Pull): number => (pull.state === "open" ? 0 : pull.mergedAt !== null ? 1 : 2);
      if (args.orderByState === true) shown.sort((a, b) => rank(a.pull) - rank(b.pull));
      return connection(shown, args, ({ repo: home, pull }) => pullView(scene, home, pull));
    },
  };
}

function pullView(scene: Scene, repo: Repo, of: Pull): View {
  const merged = of.mergedAt !== null;
  const headRepo = visibleRepo(scene, of.headRepo);
  return {
    ...shared(scene, repo, of, "PullRequest", "pull"),
    permalink: `${WEB}/${fullName(repo)}/pull/${of.number}`,
    state: merged ? "MERGED" : of.state === "open" ? "OPEN" : "CLOSED",
    merged,
    mergedAt: of.mergedAt,
    mergedBy: actor(of.mergedBy),
    isDraft: of.draft,
    isInMergeQueue: of.inMergeQueue,
    isCrossRepository: of.headRepo !== repo.id,
    autoMergeRequest: null,
    mergeable: () => (of.state === "open" ? mergeableOf(repo, of) : "UNKNOWN"),
    reviewDecision: of.reviewDecision,
    baseRefName: of.base,
    baseRefOid: of.baseSha,
    baseRef: () => refView(scene, repo, `refs/heads/${of.base}`),
    headRefName: of.head,
    headRefOid: of.headSha,
    headRef: () => (headRepo ? refView(scene, headRepo, `refs/heads/${of.head}`) : null),
    headRepository: () => (headRepo ? repositoryView(scene, headRepo) : null),
    headRepositoryOwner: actor(headRepo?.owner ?? null),
    changedFiles: () => changedFilesOf(repo, of),
    additions: 1,
    deletions: 0,
    milestone: null,
    maintainerCanModify: false,
    // Only the real merge: the test merge is `potentialMergeCommit` in GraphQL (A09).
    mergeCommit: () => (merged && of.mergeSha !== null ? commitView(scene, repo, of.mergeSha) : null),
    potentialMergeCommit: () => (!merged && of.mergeSha !== null ? commitView(scene, repo, of.mergeSha) : null),
    commits: (args: Args) => commitsView(scene, repo, of, args),
    reviews: (args: Args) => connection(of.reviews, args, reviewView),
    timelineItems: (args: Args) => timelineView(scene, repo, of, args),
    closingIssuesReferences: (args: Args) => {
      const issues = of.closes.flatMap((ref) => {
        const found = visibleThread(scene, ref);
        return found?.thread.kind === "issue" ? [{ repo: found.repo, issue: found.thread }] : [];
      });
      return connection(issues, args, ({ repo: home, issue }) => issueView(scene, home, issue));
    },
  };
}

function commitsView(scene: Scene, repo: Repo, of: Pull, args: Args): View {
  const { total, shas } = commitsOf(repo, of);
  if (shas) return connection(shas, args, (sha) => ({ __typename: "PullRequestCommit", commit: commitView(scene, repo, sha) }));
  // Without git only the last commit is known.
  const person = { name: of.author ?? "ghost", email: "", date: of.lastCommitAt };
  const last = {
    sha: of.headSha,
    tree: EMPTY_TREE,
    parents: [],
    message: of.title,
    author: { ...person, login: of.author },
    committer: person,
  };
  const view = () => ({ __typename: "PullRequestCommit", commit: factsView(scene, repo, last) });
  return connection([last], args, view, { totalCount: total });
}

function discussionView(scene: Scene, repo: Repo, of: Discussion): View {
  return {
    ...shared(scene, repo, of, "Discussion", "discussions"),
    stateReason: of.stateReason,
    isAnswered: of.answered,
    answerChosenAt: null,
    answer: null,
    upvoteCount: 1,
    category: {
      __typename: "DiscussionCategory",
      id: nodeId("Category", repo.id, of.category),
      name: of.category,
      isAnswerable: of.category === "Q&A",
    },
  };
}
