import { z } from "zod";
import { isFailed, readJson, refused } from "../http.ts";
import type { Failed, Look } from "../look.ts";
import type { Net } from "../net.ts";
import { missing } from "./image.ts";
import { parseImage } from "./name.ts";
import { openRepository } from "./session.ts";

const page = z.object({ tags: z.array(z.string()).nullable() });
/** A repository with a million tags; more pages than that go in circles. */
const MAX_PAGES = 1000;

/** All tags, following pages. A page that fails fails the whole: half a list would read as tags that vanished. */
export async function listTags(net: Net, image: string): Promise<Look<string[]>> {
  const name = parseImage(image);
  if (name === undefined) return failed(`"${image}" is no image name. Write host/name.`);
  const session = openRepository(net, name);
  const source = `registry ${name.host}`;
  const tags: string[] = [];
  const visited = new Set<string>();
  for (let next: string | undefined = `/v2/${name.repository}/tags/list?n=1000`; next !== undefined; ) {
    if (visited.has(next) || visited.size === MAX_PAGES) return failed(`${name.host} lists the tags of ${name.repository} in circles.`);
    visited.add(next);
    const answer = await session(next);
    if (isFailed(answer)) return answer;
    if (answer.status === 404) return missing(answer, name, "tags", "repository", source);
    if (answer.status !== 200) return refused(answer, `The tags of ${name.repository}`);
    const found = readJson(answer, page, `The tags of ${name.repository}`);
    if (isFailed(found)) return found;
    tags.push(...(found.tags ?? []));
    next = nextPage(answer.headers.get("link"), answer.url);
  }
  return { state: "seen", value: [...new Set(tags)], source };
}

/** Path of the next page, on the same host, whatever the link says. */
function nextPage(link: string | null, base: string): string | undefined {
  const target = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? "")?.[1];
  if (target === undefined) return undefined;
  const url = new URL(target, base);
  return `${url.pathname}${url.search}`;
}

const failed = (why: string): Failed => ({ state: "failed", why });
