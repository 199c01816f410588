import { compareVersions, isPrerelease } from "../model/versions.ts";
import type { VersionScheme } from "../model/versions.ts";
import type { ArtifactAsk, ArtifactFacts, AskArtifact } from "./artifacts.ts";
import { builtFrom, isOpen } from "./built-from.ts";
import type { FindCommit } from "./find-commit.ts";
import type { GithubClient } from "./github/client.ts";
import { githubReleases } from "./github/releases.ts";
import { lookUpAsset } from "./huggingface.ts";
import type { Look } from "./look.ts";
import type { Net } from "./net.ts";
import { lookUpNpm } from "./npm.ts";
import { isSameImage, lookUpImage } from "./oci/image.ts";
import { parseImage } from "./oci/name.ts";
import { newestBuilds } from "./oci/stream.ts";
import type { PackageFact } from "./packages.ts";
import { lookUpPypi } from "./pypi.ts";

/** What registries are reached with. Made in `scripts/`. */
export interface Reach {
  net: Net;
  /** To the GitHub of the upstreams, for their releases. */
  github: GithubClient | undefined;
  /** Looks the commit up that an image names. */
  findCommit?: FindCommit | undefined;
}

/** Looks an artifact up by its key without the scheme: `docker.io/vllm/vllm-openai:v1`, `transformers@5.8.0`. */
type LookUp = (reach: Reach, name: string, ask: ArtifactAsk) => Promise<Look<ArtifactFacts>>;

/** Every registry, by the scheme in front of a key. The one place a source of artifacts is registered. */
export const REGISTRIES = {
  oci: (reach, name, ask) => (name.includes("*") ? lookAtStream(reach, name) : lookAtImage(reach, name, ask)),
  pypi: (reach, name, ask) => lookAtPackage(reach, "pypi", name, ask),
  npm: (reach, name, ask) => lookAtPackage(reach, "npm", name, ask),
  hf: lookAtAsset,
  github: lookAtReleases,
} as const satisfies Record<string, LookUp>;

/** Asks the registry of a key's scheme. */
export function artifactSources(reach: Reach): AskArtifact {
  return async (ask) => {
    const [, scheme = "", name = ""] = /^(\w+):(.+)$/.exec(ask.key) ?? [];
    const look = (REGISTRIES as Record<string, LookUp | undefined>)[scheme];
    return look
      ? look(reach, name, ask)
      : { state: "failed", why: `${ask.key} belongs to no registry that is known. Known: ${Object.keys(REGISTRIES).join(", ")}.` };
  };
}

async function lookAtImage(
  { net, findCommit }: Reach,
  image: string,
  { known, sourceRepos, floating }: ArtifactAsk,
): Promise<Look<ArtifactFacts>> {
  const whole = known?.available === "yes" && !known.stale && !isOpen(known.note) && (!floating || known.seenDigests !== undefined);
  const look = await lookUpImage(net, { image, sourceRepos, ...(whole ? { known: known.digest } : {}) });
  if (look.state !== "seen") return look;
  const { digest, size } = look.value;
  const name = parseImage(image);
  const before = known?.digest === digest ? { revision: known.revision, revisionFrom: known.revisionFrom } : {};
  const { revision, revisionFrom, note } = await builtFrom(look.value, name?.tag, sourceRepos, before, findCommit);
  const moved = name?.tag !== undefined && name.digest !== undefined ? await tagOf(net, image, name.tag, name.digest) : undefined;
  const notes = [note, moved].filter((text) => text !== undefined).join("; ");
  return {
    ...look,
    value: {
      available: "yes",
      digest,
      ...(size === undefined ? {} : { size }),
      ...(revision === undefined ? {} : { revision, ...(revisionFrom === undefined ? {} : { revisionFrom }) }),
      ...(notes === "" ? {} : { note: notes }),
    },
  };
}

/** A stream of builds, such as `docker.io/vllm/vllm-openai:nightly-*`: the newest ones, by tag. */
async function lookAtStream({ net }: Reach, pattern: string): Promise<Look<ArtifactFacts>> {
  const look = await newestBuilds(net, pattern);
  if (look.state !== "seen") return look;
  return {
    ...look,
    value: { available: "yes", versions: Object.fromEntries(look.value.map(({ tag, pushedAt }) => [tag, { publishedAt: pushedAt }])) },
  };
}

/** A pin of tag and digest runs the digest. That its tag names another image by now is worth a word; a platform of the same is none (B21). */
async function tagOf(net: Net, image: string, tag: string, digest: string): Promise<string | undefined> {
  const look = await lookUpImage(net, { image: image.replace(/@sha256:[0-9a-f]{64}$/, ""), known: digest });
  if (look.state === "gone") return `the tag ${tag} is gone; its image is still there by digest`;
  return look.state === "seen" && !isSameImage(look.value, digest) ? `the tag ${tag} names another image now` : undefined;
}

const PACKAGES = { pypi: { look: lookUpPypi, scheme: "pep440" }, npm: { look: lookUpNpm, scheme: "semver" } } as const;

/** `name` alone is the package with its versions, `name@1.2` one version, `name@>=1` whether there is such a package. */
async function lookAtPackage(
  { net }: Reach,
  registry: keyof typeof PACKAGES,
  key: string,
  { etag }: ArtifactAsk,
): Promise<Look<ArtifactFacts>> {
  const [, name = "", wanted = ""] = /^(@?[^@\s]+)\s*(?:@\s*(.+))?$/.exec(key) ?? [];
  const { look: lookUp, scheme } = PACKAGES[registry];
  const look = await lookUp(net, name, { etag });
  if (look.state !== "seen") return look;
  const { versions } = look.value;
  if (wanted === "") return { ...look, value: { available: "yes", versions: released(versions, scheme) } };
  if (/^[<>=!~^*]/.test(wanted)) return { ...look, value: { available: "yes" } };
  const version = Object.keys(versions).find((one) => one === wanted || compareVersions(scheme, one, wanted) === 0);
  const found = version === undefined ? undefined : versions[version];
  if (version === undefined || !found) {
    return {
      state: "gone",
      what: "version",
      why: `${registry === "npm" ? "npm" : "PyPI"} has no version ${wanted} of ${name}`,
      source: look.source,
    };
  }
  const withdrawn = found.yanked ? `Version ${wanted} was withdrawn${found.reason ? `: ${found.reason}` : ""}` : undefined;
  const { publishedAt, yanked, reason } = found;
  const fact = { publishedAt, ...(yanked ? { yanked } : {}), ...(reason ? { reason } : {}) };
  return { ...look, value: { available: "yes", versions: { [version]: fact }, ...(withdrawn === undefined ? {} : { note: withdrawn }) } };
}

/** Versions that can satisfy a condition. Pre-releases and nightlies decide nothing, and some packages have thousands. */
function released(versions: PackageFact["versions"], scheme: VersionScheme): NonNullable<ArtifactFacts["versions"]> {
  return Object.fromEntries(
    Object.entries(versions)
      .filter(([version]) => !isPrerelease(scheme, version))
      .map(([version, { publishedAt, yanked }]) => [version, { publishedAt, ...(yanked ? { yanked } : {}) }]),
  );
}

async function lookAtAsset({ net }: Reach, key: string, { etag }: ArtifactAsk): Promise<Look<ArtifactFacts>> {
  const [name = "", revision] = key.split("@");
  const look = await lookUpAsset(net, name, { etag, ...(revision === undefined ? {} : { revision }) });
  if (look.state !== "seen") return look;
  const { sha, lastModified, renamedTo } = look.value;
  const note = renamedTo === undefined ? {} : { note: `It is called ${renamedTo} now` };
  return { ...look, value: { available: "yes", revision: sha, lastModified, ...note } };
}

async function lookAtReleases({ github }: Reach, repo: string, { known }: ArtifactAsk): Promise<Look<ArtifactFacts>> {
  if (!github) return { state: "failed", why: `The releases of ${repo} are read from GitHub, which this run does not ask.` };
  const before = known?.versions ?? {};
  const look = await githubReleases(github, repo);
  if (look.state !== "seen") return look;
  const fresh = Object.fromEntries(
    look.value.filter(({ prerelease }) => !prerelease).map(({ tag, publishedAt }) => [tag, { publishedAt }]),
  );
  return { ...look, value: { available: "yes", versions: { ...before, ...fresh } } };
}
