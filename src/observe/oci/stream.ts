import { namedIn } from "../../model/versions.ts";
import type { Look } from "../look.ts";
import type { Net } from "../net.ts";
import { recentTags } from "./hub.ts";
import { parseImage } from "./name.ts";
import { listTags } from "./tags.ts";

export interface PublishedBuild {
  tag: string;
  /** ISO instant of the push; null where the registry does not tell. */
  pushedAt: string | null;
}

/** Builds that are worth knowing: older ones are for history, and most streams do not even keep that many. */
const NEWEST = 30;

/**
 * The newest builds of a stream such as `docker.io/vllm/vllm-openai:nightly-*`, newest first: by their push on Docker Hub, which
 * tells it in one request, elsewhere by build number, else by name.
 * @param pattern image whose tag has one `*`, with or without `oci:`
 */
export async function newestBuilds(net: Net, pattern: string, count = NEWEST): Promise<Look<PublishedBuild[]>> {
  const [, image = "", before = "", after = ""] = /^(?:oci:)?(.+):([\w.-]*)\*([\w.-]*)$/.exec(pattern) ?? [];
  const name = parseImage(image);
  if (name === undefined)
    return { state: "failed", why: `"${pattern}" is no stream of images. Write host/name:tag with one * in the tag.` };
  const fits = (tag: string) => tag.startsWith(before) && tag.endsWith(after) && tag.length > before.length + after.length;
  if (name.host === "registry-1.docker.io") {
    const look = await recentTags(net, name.repository, { matching: before, count: 4 * count });
    if (look.state !== "seen") return look;
    const value = look.value.filter(({ tag }) => fits(tag)).map(({ tag, pushedAt }) => ({ tag, pushedAt }));
    return { ...look, value: value.slice(0, count) };
  }
  const look = await listTags(net, image);
  if (look.state !== "seen") return look;
  const value = look.value.filter(fits).sort((a, b) => numberOf(b) - numberOf(a) || (a < b ? 1 : -1));
  return { ...look, value: value.slice(0, count).map((tag) => ({ tag, pushedAt: null })) };
}

function numberOf(tag: string): number {
  const named = namedIn(tag);
  return named?.kind === "build" ? Number(named.tag.slice(1)) : 0;
}
