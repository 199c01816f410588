import { refOf, refsOf } from "../git-data.ts";
import { nodeId } from "../node-id.ts";
import { WEB } from "../rest/context.ts";
import { isLive, type LiveThread } from "../threads.ts";
import type { Pull } from "../thread-types.ts";
import { fullName, type Release, type Repo } from "../world.ts";
import { commitView, expressionView, objectView, refView } from "./git-views.ts";
import { labelView, threadView } from "./thread-views.ts";
import { actor, connection, githubError, type Scene, type View } from "./view.ts";

type Args = Record<string, unknown>;

const UNRESOLVED = {
  issue: "an Issue",
  pull: "a PullRequest",
  discussion: "a Discussion",
  either: "an issue or pull request",
} as const;

/** A thread by number. What moved or was deleted is NOT_FOUND here; only REST tells which (A26). */
function thread(scene: Scene, repo: Repo, number: unknown, wanted: keyof typeof UNRESOLVED): View {
  const found = repo.threads[Number(number)];
  const fits = (candidate: LiveThread): boolean => (wanted === "either" ? candidate.kind !== "discussion" : candidate.kind === wanted);
  if (isLive(found) && fits(found)) return threadView(scene, repo, found);
  throw githubError("NOT_FOUND", `Could not resolve to ${UNRESOLVED[wanted]} with the number of ${number}.`);
}

export function repositoryView(scene: Scene, repo: Repo): View {
  const path = `/${fullName(repo)}`;
  return {
    __typename: "Repository",
    id: nodeId("Repository", repo.id),
    databaseId: repo.id,
    name: repo.name,
    nameWithOwner: fullName(repo),
    owner: actor(repo.owner),
    description: repo.description,
    url: WEB + path,
    resourcePath: path,
    isArchived: repo.archived,
    isPrivate: repo.private,
    isFork: repo.fork,
    isDisabled: false,
    isLocked: false,
    createdAt: repo.createdAt,
    updatedAt: repo.updatedAt,
    pushedAt: repo.updatedAt,
    defaultBranchRef: () => refView(scene, repo, `refs/heads/${repo.defaultBranch}`),
    issue: ({ number }: Args) => thread(scene, repo, number, "issue"),
    pullRequest: ({ number }: Args) => thread(scene, repo, number, "pull"),
    discussion: ({ number }: Args) => thread(scene, repo, number, "discussion"),
    issueOrPullRequest: ({ number }: Args) => thread(scene, repo, number, "either"),
    object: ({ expression, oid }: Args) =>
      typeof oid === "string" ? objectView(scene, repo, oid) : expressionView(scene, repo, String(expression)),
    ref: ({ qualifiedName }: Args) => refView(scene, repo, fullRefName(repo, String(qualifiedName))),
    refs: (args: Args) => {
      const names = refsOf(repo, String(args.refPrefix));
      const order = args.orderBy as { direction?: string } | undefined;
      return connection(order?.direction === "DESC" ? names.reverse() : names, args, (name) => refView(scene, repo, name));
    },
    releases: (args: Args) => connection(newestFirst(repo), args, (release) => releaseView(scene, repo, release)),
    latestRelease: () => {
      const latest = newestFirst(repo).find((release) => !release.prerelease);
      return latest ? releaseView(scene, repo, latest) : null;
    },
    release: ({ tagName }: Args) => {
      const found = newestFirst(repo).find((release) => release.tag === tagName);
      return found ? releaseView(scene, repo, found) : null;
    },
    labels: (args: Args) => connection(Object.values(repo.labels), args, labelView),
    pullRequests: (args: Args) => connection(pullsOf(repo, args), args, (pull) => threadView(scene, repo, pull)),
  };
}

/** `ref(qualifiedName:)` takes full names, `heads/x`, and bare branch or tag names. */
function fullRefName(repo: Repo, name: string): string {
  if (name.startsWith("refs/")) return name;
  return [`refs/${name}`, `refs/heads/${name}`, `refs/tags/${name}`].find((candidate) => refOf(repo, candidate)) ?? `refs/heads/${name}`;
}

const newestFirst = (repo: Repo): Release[] =>
  repo.releases
    .filter((release) => !release.draft)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id));

function pullsOf(repo: Repo, args: Args): Pull[] {
  const states = args.states as string[] | undefined;
  const stateOf = (pull: Pull): string => (pull.mergedAt !== null ? "MERGED" : pull.state === "open" ? "OPEN" : "CLOSED");
  return Object.values(repo.threads).filter(
    (candidate): candidate is Pull =>
      candidate.kind === "pull" &&
      (states?.includes(stateOf(candidate)) ?? true) &&
      (typeof args.headRefName !== "string" || candidate.head === args.headRefName) &&
      (typeof args.baseRefName !== "string" || candidate.base === args.baseRefName),
  );
}

function releaseView(scene: Scene, repo: Repo, release: Release): View {
  const path = `/${fullName(repo)}/releases/tag/${encodeURIComponent(release.tag)}`;
  const target = refOf(repo, `refs/tags/${release.tag}`);
  return {
    __typename: "Release",
    id: nodeId("Release", release.id),
    databaseId: release.id,
    name: release.name,
    tagName: release.tag,
    description: release.body,
    isDraft: release.draft,
    isPrerelease: release.prerelease,
    isLatest: newestFirst(repo).find((candidate) => !candidate.prerelease)?.id === release.id,
    createdAt: release.createdAt,
    publishedAt: release.publishedAt,
    updatedAt: release.createdAt,
    url: WEB + path,
    resourcePath: path,
    author: () => actor(release.author),
    repository: () => repositoryView(scene, repo),
    tag: () => refView(scene, repo, `refs/tags/${release.tag}`),
    tagCommit: () => (target ? commitView(scene, repo, target.commit) : null),
    releaseAssets: (args: Args) =>
      connection(release.assets, args, (asset) => ({
        __typename: "ReleaseAsset",
        id: nodeId("ReleaseAsset", asset.id),
        name: asset.name,
        size: asset.size,
        createdAt: release.createdAt,
        updatedAt: release.createdAt,
        downloadCount: 0,
        contentType: "application/octet-stream",
        url: `${WEB}/${fullName(repo)}/releases/download/${release.tag}/${asset.name}`,
      })),
  };
}
