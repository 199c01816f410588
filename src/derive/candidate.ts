import { listWords } from "../model/suggest.ts";
import type { World } from "./facts.ts";
import { matches } from "./streams.ts";
import { isLive } from "./users.ts";
import { artifactBuild, commitBuild, listedBuilds, observedCommit, pinBuild, tagBuild } from "./build.ts";
import type { Build } from "./build.ts";

export type Resolution = { state: "build"; upstream: string; build: Build } | { state: "unclear"; why: string };

/**
 * What a person means by a candidate: a pin's id, an artifact, a tag, `owner/repo@commit`, or a commit of at least 7 digits.
 * Everything is looked up among observed facts; what they do not hold is said and left unknown, never guessed.
 * @param only the upstreams it may belong to
 */
export function resolveCandidate(world: World, asked: string, only: readonly string[]): Resolution {
  const pin = world.model.pin[asked];
  if (pin) {
    if (!only.includes(pin.upstream)) return { state: "unclear", why: `${asked} is a pin of ${pin.upstream}, not of ${listWords(only)}` };
    return { state: "build", upstream: pin.upstream, build: pinBuild(world, asked) };
  }
  const found = only.flatMap((id) => {
    const build = inUpstream(world, id, asked);
    return build ? [{ state: "build" as const, upstream: id, build }] : [];
  });
  const [first, second] = found;
  if (first && !second) return first;
  if (first)
    return { state: "unclear", why: `${asked} could be of ${listWords(found.map(({ upstream }) => upstream))}; name the pin with --pin` };
  const [single] = only;
  if (only.length === 1 && single !== undefined && /^[0-9a-f]{40}$/.test(asked)) {
    return { state: "build", upstream: single, build: commitBuild(world, single, asked) };
  }
  const like = only.flatMap((id) => world.facts.tags(world.model.upstream[id]?.repo ?? "").filter((tag) => tag.includes(asked)));
  const near = like.length > 0 && asked.length > 2 ? ` Observed is ${listWords(like, 5)}.` : "";
  const short = /^[0-9a-f]{7,39}$/.test(asked) ? " A commit that was never observed must be given with all 40 digits, and with --pin." : "";
  return { state: "unclear", why: `No observed tag, build or commit of ${listWords(only)} is "${asked}".${near}${short}` };
}

/** Builds of an upstream that the facts know: tags with their images, images that registries were asked for, and the pins' own. */
export function buildsOf(world: World, upstreamId: string): Build[] {
  const upstream = world.model.upstream[upstreamId];
  if (!upstream) return [];
  const pins = Object.entries(world.model.pin)
    .filter(([, pin]) => pin.upstream === upstreamId && pin.mutability === "immutable")
    .map(([id]) => pinBuild(world, id));
  const tags = world.facts
    .tags(upstream.repo ?? "")
    .filter((tag) => !upstream.branches.includes(tag) && tag !== "main" && tag !== "master")
    .map((tag) => tagBuild(world, upstreamId, upstream, tag));
  const images = world.facts
    .artifacts()
    .filter((artifact) => !artifact.includes("*") && upstream.streams.some((stream) => matches(stream.artifact, artifact)));
  const asked = images.flatMap((artifact) => artifactBuild(world, upstreamId, artifact) ?? []);
  const listed = [...asked, ...upstream.streams.flatMap((stream) => listedBuilds(world, upstreamId, upstream, stream.artifact))];
  const all = new Map<string, Build>();
  const commits = new Set<string>();
  const published = [...pins, ...listed, ...tags].sort((a, b) => Number(b.published) - Number(a.published));
  for (const build of published) {
    const key = build.artifact.replace(/^oci:docker\.io\//, "oci:");
    // A branch tip or an inferred commit is worth listing only where nothing published stands for it.
    if (all.has(key) || (!build.published && build.commit !== undefined && commits.has(build.commit))) continue;
    all.set(key, build);
    if (build.commit !== undefined) commits.add(build.commit);
  }
  return [...all.values()].sort((a, b) =>
    (a.date ?? "9") < (b.date ?? "9") ? -1 : (a.date ?? "9") > (b.date ?? "9") ? 1 : a.name < b.name ? -1 : 1,
  );
}

/** Upstreams that live pins are built from. */
export const pinnedUpstreams = (world: World): string[] => [
  ...new Set(
    Object.values(world.model.pin)
      .filter((pin) => isLive(world.facts.inventory, pin))
      .map((pin) => pin.upstream),
  ),
];

function inUpstream(world: World, id: string, asked: string): Build | undefined {
  const upstream = world.model.upstream[id];
  if (!upstream) return undefined;
  const [, repo, ref = asked] = /^([\w.-]+\/[\w.-]+)@(.+)$/.exec(asked.replace(/^git:/, "")) ?? [];
  if (repo !== undefined && !asked.includes(":") && world.facts.canonical(repo) !== upstream.repo) return undefined;
  if (repo === undefined) {
    const artifact = artifactBuild(world, id, asked);
    if (artifact) return artifact;
  }
  if (upstream.repo !== undefined && world.facts.tag(upstream.repo, ref)) return tagBuild(world, id, upstream, ref);
  const commit = upstream.repo === undefined ? undefined : observedCommit(world, upstream.repo, ref);
  if (commit !== undefined) return commitBuild(world, id, commit);
  return repo !== undefined && /^[0-9a-f]{40}$/.test(ref) ? commitBuild(world, id, ref) : undefined;
}
