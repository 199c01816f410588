import { satisfies as pep440Satisfies } from "@renovatebot/pep440";
import satisfies from "semver/functions/satisfies.js";
import { parseRef, shortRef, urlOf } from "../model/ref.ts";
import type { Pin } from "../model/shapes/pin.ts";
import { namedIn } from "../model/versions.ts";
import type { Verdict } from "../model/vocabulary.ts";
import type { World } from "./facts.ts";
import type { Landing } from "./landing.ts";
import type { Evidence, Proof } from "./proof.ts";
import { day } from "./proof.ts";

/** Something that may contain a change: a pin's source commit, or a tag. */
export interface Target {
  name: string;
  repo: string | undefined;
  commit: string | undefined;
  /** Why there is no commit, for the reader. */
  why?: string | undefined;
  artifact?: string | undefined;
}

/** The source commit a pin stands for. A floating tag has none. */
export function pinTarget(world: World, id: string, pin: Pin): Target {
  const repo = pin.source?.repo ?? world.model.upstream[pin.upstream]?.repo;
  const artifact = pin.artifact;
  const fromGit = /^git:(.+)@([0-9a-f]{7,40})$/.exec(artifact);
  const label = world.facts.registry(artifact)?.revision;
  const named = pin.source?.commit ?? fromGit?.[2] ?? commitNamed(pin);
  if (named !== undefined && label !== undefined && !label.startsWith(named) && !named.startsWith(label)) {
    return {
      name: id,
      repo,
      commit: undefined,
      artifact,
      why: `the pin names commit ${named.slice(0, 10)}, the image says ${label.slice(0, 10)}`,
    };
  }
  const short = named ?? label;
  const commit = short === undefined || short.length === 40 || repo === undefined ? short : (world.facts.commit(repo, short)?.sha ?? short);
  const why =
    commit !== undefined
      ? undefined
      : pin.mutability === "floating"
        ? "a floating tag names no commit"
        : "no source commit is known for it";
  return { name: id, repo: fromGit?.[1] ?? repo, commit, why, artifact };
}

/** The hash in an image's tag or in a development version: `X.devN+gSHA` is that commit, whatever X is (field cases B23, B26). */
function commitNamed({ artifact, version }: Pin): string | undefined {
  const [, tag] = /^(?:oci:.+?:|pypi:.+@)([\w.+-]+)(?:@sha256:[0-9a-f]+)?$/.exec(artifact) ?? [];
  for (const text of [tag, version]) {
    const named = text === undefined ? undefined : namedIn(text);
    if (named?.kind === "commit") return named.sha;
  }
  return undefined;
}

/** A tag of the change's own repository as a target, for `contained: { in: v0.20.0 }`. */
export function tagTarget(world: World, repo: string, tag: string): Target {
  const fact = world.facts.tag(repo, tag);
  return { name: tag, repo, commit: fact?.commit, why: fact ? undefined : `tag ${tag} was not observed` };
}

/**
 * Is a landed change in a target? Methods in order: same commit, ancestor, cherry-pick twin on the release branch.
 * A date proves nothing: a change may merge hours before a tag and not be in it (a branch cut earlier), or be in it as another commit.
 */
export function propagation(world: World, landing: Landing, target: Target): Proof {
  if (target.repo === undefined || world.facts.canonical(target.repo) !== world.facts.canonical(landing.repo)) {
    return unknown(`${target.name} is not built from ${landing.repo}`);
  }
  const { commit } = target;
  if (commit === undefined) return unknown(`${target.name}: ${target.why ?? "no source commit is known"}`);
  if (landing.shas.length === 0) return unknown(`the commit with which ${shortRef(landing.ref)} landed is not known`);
  const proofs = landing.shas.map((sha) => shaIn(world, landing.repo, sha, target, commit));
  return proofs.length === 1 && proofs[0] ? proofs[0] : combine(proofs, target);
}

function shaIn(world: World, repo: string, sha: string, target: Target, commit: string): Proof {
  const { facts } = world;
  const answer = facts.contains(repo, sha, commit);
  const url = `https://github.com/${facts.canonical(repo)}/compare/${sha.slice(0, 12)}...${commit.slice(0, 12)}`;
  const say = (fact: string): Evidence => ({ source: "git history", url, fact, asOf: null });
  if (answer === "yes") {
    const revert = facts.revertsOf(repo, sha).find((found) => facts.contains(repo, found.commit, commit) === "yes");
    const back = revert?.relandedBy !== undefined && facts.contains(repo, revert.relandedBy, commit) === "yes";
    if (revert && !back) {
      return {
        verdict: "not-contained",
        method: "reverted",
        evidence: [say(`${target.name} has ${sha.slice(0, 10)} and its revert ${revert.commit.slice(0, 10)} of ${day(revert.at)}`)],
      };
    }
    const method = sha === commit ? "same commit" : "ancestor";
    return {
      verdict: "contained",
      method,
      evidence: [say(`${sha.slice(0, 10)} is ${sha === commit ? "the commit" : "an ancestor"} of ${target.name} (${commit.slice(0, 10)})`)],
    };
  }
  const inside = (other: string) => facts.contains(repo, other, commit) === "yes";
  const twin = facts.picksOf(repo, sha).find((pick) => pick.on === target.name || inside(pick.commit));
  const takenBack =
    twin &&
    facts.revertsOf(repo, twin.commit).find(({ commit: revert, relandedBy }) => inside(revert) && !(relandedBy && inside(relandedBy)));
  if (twin && takenBack) {
    return {
      verdict: "not-contained",
      method: "reverted",
      evidence: [
        say(
          `${target.name} has its cherry-pick ${twin.commit.slice(0, 10)} and the revert ${takenBack.commit.slice(0, 10)} of ${day(takenBack.at)}`,
        ),
      ],
    };
  }
  if (twin) {
    return {
      verdict: "contained",
      method: "cherry-pick",
      evidence: [
        {
          source: twin.evidence,
          url: urlOf(`${facts.canonical(repo)}@${twin.commit}`),
          fact: `${target.name} carries it as ${twin.commit.slice(0, 10)} on ${twin.on}`,
          asOf: null,
        },
      ],
    };
  }
  if (answer === "no") {
    return {
      verdict: "not-contained",
      method: "ancestor",
      evidence: [say(`${sha.slice(0, 10)} is no ancestor of ${target.name} (${commit.slice(0, 10)})`)],
    };
  }
  return unknown(`whether ${sha.slice(0, 10)} is an ancestor of ${target.name} (${commit.slice(0, 10)}) was not observed`);
}

function combine(proofs: Proof[], target: Target): Proof {
  const has = (verdict: Verdict) => proofs.some((proof) => proof.verdict === verdict);
  const evidence = proofs.flatMap((proof) => proof.evidence);
  if (has("unknown")) return { verdict: "unknown", method: "none", evidence };
  if (!has("not-contained")) return { verdict: "contained", method: "rebase", evidence };
  if (!has("contained")) return { verdict: "not-contained", method: "rebase", evidence };
  const count = proofs.filter((proof) => proof.verdict === "contained").length;
  return {
    verdict: "partial",
    method: "rebase",
    evidence: [
      { source: "git history", fact: `${target.name} has ${count} of its ${proofs.length} rebased commits`, asOf: null },
      ...evidence,
    ],
  };
}

/** Does a package pin satisfy a version range? Undefined when pin and range speak of different packages. */
export function versionProof(ref: string, pin: Pin): Proof | undefined {
  const wanted = parseRef(ref);
  const has = /^(pypi|npm):(.+)@([^@]+)$/.exec(pin.artifact);
  if (wanted?.type !== "package" || !has || has[1] !== wanted.registry || has[2] !== wanted.name) return undefined;
  const version = has[3] ?? "";
  const inside = inRange(wanted.registry, version, wanted.range);
  return {
    verdict: inside ? "contained" : "not-contained",
    method: "version range",
    evidence: [{ source: `the pin ${pin.artifact}`, fact: `${version} ${inside ? "is" : "is not"} in ${wanted.range}`, asOf: null }],
  };
}

/** Orders by the registry's own scheme: PEP 440 for PyPI, semver for npm. A bare version means that one. */
export function inRange(registry: "pypi" | "npm", version: string, range: string): boolean {
  if (registry === "npm") return satisfies(version, range);
  return pep440Satisfies(version, /^[<>=!~]/.test(range) ? range : `==${range}`);
}

export const unknown = (fact: string): Proof => ({
  verdict: "unknown",
  method: "none",
  evidence: [{ source: "not observed", fact, asOf: null }],
});
