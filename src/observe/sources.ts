import { compareVersions, isPrerelease } from "../model/versions.ts";
import type { VersionScheme } from "../model/versions.ts";
import type { ArtifactAsk, ArtifactFacts, AskArtifact } from "./artifacts.ts";
import type { GithubClient } from "./github/client.ts";
import { githubReleases } from "./github/releases.ts";
import { lookUpAsset } from "./huggingface.ts";
import type { Look } from "./look.ts";
import type { Net } from "./net.ts";
import { lookUpNpm } from "./npm.ts";
import { lookUpImage } from "./oci/image.ts";
import type { PackageFact } from "./packages.ts";
import { lookUpPypi } from "./pypi.ts";

/** What registries are reached with. Made in `scripts/`. */
export interface Reach {
  net: Net;
  /** To the GitHub of the upstreams, for their releases. */
  github: GithubClient | undefined;
}

/** Looks an artifact up by its key without the scheme: `docker.io/vllm/vllm-openai:v1`, `transformers@5.8.0`. */
type LookUp = (reach: Reach, name: string, ask: ArtifactAsk) => Promise<Look<ArtifactFacts>>;

/** Every registry, by the scheme in front of a key. The one place a source of artifacts is registered. */
export const REGISTRIES = {
  oci: lookAtImage,
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

async function lookAtImage({ net }: Reach, image: string, { known, sourceRepos, floating }: ArtifactAsk): Promise<Look<ArtifactFacts>> {
  const unchanged = known?.available === "yes" && !known.stale && (!floating || known.seenDigests !== undefined) ? known.digest : undefined;
  const look = await lookUpImage(net, { image, sourceRepos, ...(unchanged === undefined ? {} : { known: unchanged }) });
  if (look.state !== "seen") return look;
  const { digest, source } = look.value;
  const whole = source.sha?.length === 40 ? source.sha : undefined;
  const short = source.sha !== undefined && whole === undefined ? `its label names commit ${source.sha}, which is cut short` : undefined;
  const note = [source.note, short].filter((text) => text !== undefined).join("; ");
  return {
    ...look,
    value: {
      available: "yes",
      digest,
      ...(whole === undefined ? {} : { revision: whole, ...(source.from === undefined ? {} : { revisionFrom: source.from }) }),
      ...(note === "" ? {} : { note }),
    },
  };
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
  return { ...look, value: { available: "yes", ...(withdrawn === undefined ? {} : { note: withdrawn }) } };
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
