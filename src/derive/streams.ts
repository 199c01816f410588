import type { Upstream } from "../model/shapes/upstream.ts";
import { namedIn } from "../model/versions.ts";
import type { World } from "./facts.ts";
import type { Target } from "./propagation.ts";

/** A published build of a stream, as something that may contain a change. */
export interface StreamBuild {
  artifact: string;
  tag: string;
  pushedAt: string | null;
  target: Target;
}

/**
 * The builds of a stream that its registry listed, newest first; undefined when it was never asked.
 * The commit of each is the one in its tag, or that of the git tag of the same build number or version (field cases B23, B24).
 */
export function streamBuilds(world: World, upstream: Upstream, pattern: string): StreamBuild[] | undefined {
  const listed = pattern.includes("*") ? world.facts.registry(pattern)?.versions : undefined;
  if (listed === undefined) return undefined;
  return Object.entries(listed)
    .sort(([a, { publishedAt: at }], [b, { publishedAt: than }]) =>
      (than ?? "") < (at ?? "") ? -1 : (than ?? "") > (at ?? "") ? 1 : byBuild(b) - byBuild(a),
    )
    .map(([tag, { publishedAt }]) => {
      const artifact = `${pattern.slice(0, pattern.lastIndexOf(":") + 1)}${tag}`;
      const commit = commitOf(world, upstream.repo, tag);
      return {
        artifact,
        tag,
        pushedAt: publishedAt,
        target: {
          name: tag,
          repo: upstream.repo,
          commit,
          artifact,
          why: commit === undefined ? "its tag names no commit that was observed" : undefined,
        },
      };
    });
}

function commitOf(world: World, repo: string | undefined, tag: string): string | undefined {
  if (repo === undefined) return undefined;
  const named = namedIn(tag);
  if (named?.kind === "commit") return named.sha.length === 40 ? named.sha : world.facts.commit(repo, named.sha)?.sha;
  const fact = world.facts.tag(repo, named?.tag ?? tag);
  return fact?.exact ? fact.commit : undefined;
}

function byBuild(tag: string): number {
  const named = namedIn(tag);
  return named?.kind === "build" ? Number(named.tag.slice(1)) : 0;
}

/** When a commit was made, as far as it was observed. */
export function dateOf(world: World, repo: string, commit: string): string | undefined {
  const described = world.facts.commit(repo, commit);
  if (described) return described.fact.committedAt;
  const tag = world.facts.tags(repo).find((name) => world.facts.tag(repo, name)?.commit === commit);
  return tag === undefined ? undefined : world.facts.tag(repo, tag)?.date;
}

/** Does an artifact belong to a stream: `oci:docker.io/vllm/vllm-openai:nightly-*`. */
export const matches = (pattern: string, artifact: string): boolean => {
  const [head = "", tail = ""] = pattern.split("*", 2);
  return pattern.includes("*")
    ? artifact.startsWith(head) && artifact.endsWith(tail) && artifact.length > head.length + tail.length
    : artifact === pattern;
};

/** The stream's artifact with this tag, when the tag fits the stream's pattern. */
export function withTag(pattern: string, tag: string): string | undefined {
  const at = pattern.lastIndexOf(":");
  const candidate = `${pattern.slice(0, at + 1)}${tag}`;
  return pattern.startsWith("oci:") && matches(pattern, candidate) ? candidate : undefined;
}
