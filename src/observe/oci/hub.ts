import { z } from "zod";
import { ask, isFailed, readJson, refused } from "../http.ts";
import type { Failed, Look } from "../look.ts";
import type { Net } from "../net.ts";

const page = z.object({
  next: z.string().nullish(),
  results: z.array(
    z.object({ name: z.string(), digest: z.string().nullish(), tag_last_pushed: z.string().nullish(), last_updated: z.string().nullish() }),
  ),
});

export interface PushedTag {
  tag: string;
  /** ISO instant of the last push; null when Docker Hub does not tell. */
  pushedAt: string | null;
  digest: string | undefined;
}

/**
 * Newest tags of a Docker Hub repository with the day each was pushed, which the registry itself does not tell. Used to know how
 * long builds are kept (field case B17), never to decide what a build contains.
 *
 * @param matching text that the tags must contain, such as `nightly-`
 */
export async function recentTags(
  net: Net,
  repository: string,
  { matching, count = 100 }: { matching?: string; count?: number } = {},
): Promise<Look<PushedTag[]>> {
  const what = `The tags of ${repository} on Docker Hub`;
  const base = net.bases?.dockerHub ?? "https://hub.docker.com";
  const first = new URL(`${base}/v2/repositories/${repository}/tags`);
  first.searchParams.set("page_size", "100");
  first.searchParams.set("ordering", "last_updated");
  if (matching !== undefined) first.searchParams.set("name", matching);
  const tags: PushedTag[] = [];
  for (let next: string | undefined = first.href; next !== undefined && tags.length < count; ) {
    const answer = await ask(net, next);
    if (isFailed(answer)) return answer;
    if (answer.status === 404) return failed(`Docker Hub does not show ${repository}: it is private, or does not exist.`, 404);
    if (answer.status !== 200) return refused(answer, what);
    const found = readJson(answer, page, what);
    if (isFailed(found)) return found;
    tags.push(
      ...found.results.map(({ name, digest, tag_last_pushed: pushed, last_updated: updated }) => ({
        tag: name,
        pushedAt: pushed ?? updated ?? null,
        digest: digest ?? undefined,
      })),
    );
    // Only the path and the query are taken over, so that an answer cannot send the next request elsewhere.
    const url: URL | undefined = found.next ? new URL(found.next, base) : undefined;
    next = url && found.results.length > 0 ? `${base}${url.pathname}${url.search}` : undefined;
  }
  return { state: "seen", value: tags.slice(0, count), source: "Docker Hub" };
}

const failed = (why: string, status: number): Failed => ({ state: "failed", why, status });
