import type { Upstream } from "../model/shapes/upstream.ts";
import { listWords } from "../model/suggest.ts";
import type { World } from "./facts.ts";
import { day } from "./proof.ts";
import { pinTarget } from "./propagation.ts";
import { dateOf, listedBuilds, matches, withTag } from "./streams.ts";
import { isLive, sameImage } from "./users.ts";

/** A build that a pin could move to. */
export interface Build {
  /** `oci:image:tag`, `git:owner/repo@sha`, … */
  artifact: string;
  repo: string | undefined;
  /** Full hash of the source; undefined when it is not known. */
  commit: string | undefined;
  /** Why there is no commit, for the reader. */
  why?: string | undefined;
  /** Day of the source commit, for the order of builds only: a date proves no containment. */
  date: string | undefined;
  /** What people call it: a tag, or the start of a hash. */
  name: string;
  /** False: a branch tip or an inferred commit, which no registry need ever have had. */
  published: boolean;
  /** Whether the registry has it; `unknown` when it was never asked. */
  available: "yes" | "gone" | "unknown";
  because: string;
}

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
  const listed = [...asked, ...upstream.streams.flatMap((stream) => listedBuilds(world, upstream, stream.artifact))];
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

/** A commit by at least seven digits, among the described commits and those that tags name. */
function observedCommit(world: World, repo: string, ref: string): string | undefined {
  if (!/^[0-9a-f]{7,40}$/.test(ref)) return undefined;
  const described = world.facts.commit(repo, ref);
  if (described) return described.sha;
  const tagged = new Set(world.facts.tags(repo).flatMap((tag) => world.facts.tag(repo, tag)?.commit ?? []));
  const found = [...tagged].filter((sha) => sha.startsWith(ref));
  return found.length === 1 ? found[0] : undefined;
}

/** An artifact as written, with or without its scheme, or the bare tag of one of the upstream's streams. */
function artifactBuild(world: World, id: string, asked: string): Build | undefined {
  const upstream = world.model.upstream[id];
  const streams = upstream?.streams.map((stream) => stream.artifact) ?? [];
  const written = [asked, `oci:${asked}`, `oci:docker.io/${asked}`].find((artifact) =>
    streams.some((pattern) => matches(pattern, artifact)),
  );
  const byPin = Object.entries(world.model.pin).find(
    ([, pin]) => pin.upstream === id && (pin.artifact === asked || sameArtifact(pin.artifact, asked)),
  );
  if (byPin) return pinBuild(world, byPin[0]);
  const bare = /^[\w.-]+$/.test(asked) && /^nightly-/.test(asked) ? streams.flatMap((pattern) => withTag(pattern, asked) ?? []) : [];
  const artifact = written ?? bare[0];
  return artifact === undefined
    ? undefined
    : built(world, id, artifact, commitIn(world, upstream, artifact), artifact.split(":").at(-1) ?? artifact);
}

function sameArtifact(artifact: string, asked: string): boolean {
  const image = /^oci:(.+)$/.exec(artifact)?.[1];
  return image !== undefined && sameImage(image, asked.replace(/^oci:/, ""));
}

/** The commit an image says it is built from: its tag's hash, its revision label, or the tag of its name. */
function commitIn(world: World, upstream: Upstream | undefined, artifact: string): { commit?: string; why?: string } {
  const named = /[:@-]([0-9a-f]{40})$/.exec(artifact)?.[1];
  const label = world.facts.registry(artifact)?.revision;
  if (named !== undefined && label !== undefined && named !== label) {
    return { why: `its tag names ${named.slice(0, 10)}, its label says ${label.slice(0, 10)}` };
  }
  const tag = artifact.split(":").at(-1) ?? "";
  const fact = upstream?.repo === undefined ? undefined : world.facts.tag(upstream.repo, tag);
  const commit = named ?? label ?? fact?.commit;
  return commit === undefined ? { why: "no source commit of it was observed" } : { commit };
}

function pinBuild(world: World, id: string): Build {
  const pin = world.model.pin[id];
  const target = pin && pinTarget(world, id, pin);
  const name = pin?.artifact.split(/[:@]/).at(-1) ?? id;
  return built(world, pin?.upstream ?? "", pin?.artifact ?? "", { ...target }, name);
}

function tagBuild(world: World, id: string, upstream: Upstream, tag: string): Build {
  const fact = world.facts.tag(upstream.repo ?? "", tag);
  if (fact?.exact === false) {
    const build = tag.startsWith("nightly-") ? commitBuild(world, id, fact.commit) : undefined;
    const because = `${tag} is the tip of a branch or an inferred commit, not a published build`;
    return {
      ...(build ?? built(world, id, `git:${upstream.repo}@${fact.commit}`, { commit: fact.commit }, tag, fact.date)),
      name: tag,
      date: day(new Date(fact.date).toISOString()),
      ...(build ? {} : { published: false, available: "unknown" as const, because }),
    };
  }
  const image = upstream.streams.flatMap((stream) => (/[:@]v?\*$/.test(stream.artifact) ? (withTag(stream.artifact, tag) ?? []) : []))[0];
  return built(world, id, image ?? `git:${upstream.repo}@${tag}`, { commit: fact?.commit }, tag, fact?.date);
}

function commitBuild(world: World, id: string, commit: string): Build {
  const upstream = world.model.upstream[id];
  const pinned = Object.values(world.model.pin).some((pin) => pin.upstream === id && /-[0-9a-f]{40}$/.test(pin.artifact));
  const nightly = pinned
    ? upstream?.streams.flatMap((stream) =>
        stream.artifact.endsWith("-*") ? (withTag(stream.artifact, `nightly-${commit}`) ?? []) : [],
      )[0]
    : undefined;
  return built(world, id, nightly ?? `git:${upstream?.repo}@${commit}`, { commit }, commit.slice(0, 10));
}

function built(
  world: World,
  id: string,
  artifact: string,
  source: { commit?: string | undefined; why?: string | undefined },
  name: string,
  date?: string,
): Build {
  const repo = world.model.upstream[id]?.repo;
  const { commit, why } = source;
  const fact = world.facts.registry(artifact);
  const at = date ?? (repo === undefined || commit === undefined ? undefined : dateOf(world, repo, commit));
  const git = artifact.startsWith("git:") && commit !== undefined;
  return {
    artifact,
    repo,
    commit,
    why,
    date: at === undefined ? undefined : day(new Date(at).toISOString()),
    name: name.replace(/([0-9a-f]{10})[0-9a-f]{30}$/, "$1"),
    published: true,
    available: git ? "yes" : (fact?.available ?? "unknown"),
    because: git ? "a commit of the repository" : fact?.available ? fact.source : "never looked up in its registry",
  };
}
