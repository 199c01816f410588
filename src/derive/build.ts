import type { Upstream } from "../model/shapes/upstream.ts";
import type { World } from "./facts.ts";
import { day } from "./proof.ts";
import { pinTarget } from "./propagation.ts";
import { dateOf, matches, streamBuilds, withTag } from "./streams.ts";
import { sameImage } from "./users.ts";

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
  /** Bytes that fetching it downloads; absent when that was never observed. */
  size?: number | undefined;
}

/** `8.1 GB to download` */
export function sizeWords({ size }: Build): string {
  if (size === undefined) return "its size was never observed";
  return size < 1e9 ? `${Math.max(1, Math.round(size / 1e6))} MB to download` : `${(size / 1e9).toFixed(1)} GB to download`;
}

/** A commit by at least seven digits, among the described commits and those that tags name. */
export function observedCommit(world: World, repo: string, ref: string): string | undefined {
  if (!/^[0-9a-f]{7,40}$/.test(ref)) return undefined;
  const described = world.facts.commit(repo, ref);
  if (described) return described.sha;
  const tagged = new Set(world.facts.tags(repo).flatMap((tag) => world.facts.tag(repo, tag)?.commit ?? []));
  const found = [...tagged].filter((sha) => sha.startsWith(ref));
  return found.length === 1 ? found[0] : undefined;
}

/** An artifact as written, with or without its scheme, or the bare tag of one of the upstream's streams. */
export function artifactBuild(world: World, id: string, asked: string): Build | undefined {
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

/** Is an artifact the image that is asked for, with or without its scheme and the default registry? */
export function sameArtifact(artifact: string, asked: string): boolean {
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

export function pinBuild(world: World, id: string): Build {
  const pin = world.model.pin[id];
  const target = pin && pinTarget(world, id, pin);
  const name = pin?.artifact.split(/[:@]/).at(-1) ?? id;
  return built(world, pin?.upstream ?? "", pin?.artifact ?? "", { ...target }, name);
}

export function tagBuild(world: World, id: string, upstream: Upstream, tag: string): Build {
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

/** What the registry of a stream listed. That it listed them is the proof that it has them. */
export function listedBuilds(world: World, id: string, upstream: Upstream, pattern: string): Build[] {
  const because = world.facts.registry(pattern)?.source ?? "its registry";
  return (streamBuilds(world, upstream, pattern) ?? []).map(({ artifact, tag, target }) => ({
    ...built(world, id, artifact, target, tag),
    available: "yes",
    because,
  }));
}

export function commitBuild(world: World, id: string, commit: string): Build {
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
    size: fact?.size,
    because: git ? "a commit of the repository" : fact?.available ? fact.source : "never looked up in its registry",
  };
}
