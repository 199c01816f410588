import { z } from "zod";
import type { Failed, Look } from "./look.ts";
import type { Request } from "./net.ts";
import type { ReleaseFact } from "./packages.ts";

const release = z.object({
  tag_name: z.string(),
  name: z.string().nullish(),
  published_at: z.string().nullish(),
  prerelease: z.boolean(),
  draft: z.boolean(),
  html_url: z.string(),
});
const PER_PAGE = 100;

/**
 * Published releases of a repository on GitHub, newest first, drafts left out. Reads until a page brings nothing that is not
 * known, so a project with thousands of releases costs one request a run.
 *
 * @param known tags of releases read before; with none, `pages` bounds the first reading
 */
export async function listReleases(
  request: Request,
  repository: string,
  { known = new Set<string>(), pages = 10 }: { known?: ReadonlySet<string>; pages?: number } = {},
): Promise<Look<ReleaseFact[]>> {
  const [owner = "", repo = ""] = repository.split("/");
  const source = `GitHub releases of ${repository}`;
  const found: ReleaseFact[] = [];
  for (let page = 1; page <= pages; page++) {
    let answer: Awaited<ReturnType<Request>>;
    try {
      answer = await request("GET /repos/{owner}/{repo}/releases", { owner, repo, per_page: PER_PAGE, page });
    } catch (error) {
      const { status, response } = (error ?? {}) as { status?: unknown; response?: unknown };
      // Octokit says 500 where there was no answer at all.
      const answered = typeof status === "number" && (status !== 500 || response !== undefined) ? status : undefined;
      return failed(`${source} could not be read (${answered === undefined ? "no answer" : `status ${answered}`}).`, answered);
    }
    const parsed = z.array(release).safeParse(answer.data);
    if (!parsed.success) return failed(`${source}: the answer has not the expected shape; npm run doctor tells more.`);
    const fresh = parsed.data.filter(({ draft, tag_name: tag }) => !draft && !known.has(tag));
    found.push(
      ...fresh.flatMap(({ tag_name: tag, name, published_at: at, prerelease, html_url: url }) =>
        at ? [{ tag, name: name || tag, publishedAt: at, prerelease, url }] : [],
      ),
    );
    const more = /rel="next"/.test(String(answer.headers.link ?? ""));
    if (!more || fresh.length === 0) break;
  }
  return { state: "seen", value: found, source };
}

const failed = (why: string, status?: number): Failed => ({ state: "failed", why, status });
