import type { Look } from "../look.ts";
import type { ReleaseFact } from "../packages.ts";
import { listReleases } from "../releases.ts";
import type { GithubClient } from "./client.ts";
import { GithubFailure, endsTheRun } from "./failure.ts";
import type { Connection } from "./nodes.ts";

/** Newest releases that are read; what is older was seen before. */
const NEWEST = 100;

interface ReleaseNode {
  tagName?: string;
  name?: string | null;
  isDraft?: boolean;
  isPrerelease?: boolean;
  publishedAt?: string | null;
  url?: string;
}

export const releasesQuery = (repo: string): string => {
  const [owner = "", name = ""] = repo.split("/");
  return `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) {
  releases(first: ${NEWEST}, orderBy: { field: CREATED_AT, direction: DESC }) { totalCount nodes { tagName name isDraft isPrerelease publishedAt url } }
} }`;
};

/** Published releases of a repository, newest first, without drafts: one GraphQL request, or REST without a token. */
export async function githubReleases(client: GithubClient, repo: string): Promise<Look<ReleaseFact[]>> {
  if (!client.hasToken) return listReleases(client.request, repo);
  const source = `GitHub releases of ${repo}`;
  try {
    const { data, errors } = await client.graphql(releasesQuery(repo), 1);
    const repository = data.repository as { releases?: Connection<ReleaseNode> | null } | null | undefined;
    if (!repository && errors[0]?.type === "NOT_FOUND") {
      return { state: "failed", why: `${source} could not be read: the repository is private, was deleted, or never existed.` };
    }
    const nodes = repository?.releases?.nodes;
    const due = Math.min(NEWEST, repository?.releases?.totalCount ?? 0);
    if (!nodes || errors.length > 0 || nodes.length < due) return listReleases(client.request, repo);
    const found = nodes.flatMap((node): ReleaseFact[] => {
      if (!node?.tagName || !node.publishedAt || node.isDraft) return [];
      return [
        {
          tag: node.tagName,
          name: node.name || node.tagName,
          publishedAt: node.publishedAt,
          prerelease: node.isPrerelease === true,
          url: node.url ?? "",
        },
      ];
    });
    return { state: "seen", value: found, source };
  } catch (error) {
    if (!(error instanceof GithubFailure)) throw error;
    if (endsTheRun(error)) return { state: "failed", why: `${source} could not be read: ${error.message}.` };
    return listReleases(client.request, repo);
  }
}
