import { z } from "zod";
import type { Answer } from "../http.ts";
import { isFailed, readJson, refused } from "../http.ts";
import type { Failed, Gone, Look, Missing } from "../look.ts";
import type { Net } from "../net.ts";
import { parseImage } from "./name.ts";
import { sourceOf } from "./revision.ts";
import type { Session } from "./session.ts";
import { openRepository } from "./session.ts";
import type { ImageAsk, ImageFact, ImageName } from "./types.ts";

/** Without them a registry answers 404 for an index, or converts it to something with another digest. */
const MANIFESTS = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

const texts = z.record(z.string(), z.string()).nullish();
const platform = z.object({ os: z.string().optional(), architecture: z.string().optional(), variant: z.string().optional() });
const descriptor = z.object({ digest: z.string(), platform: platform.optional() });
const manifest = z.object({
  manifests: z.array(descriptor).optional(),
  config: z.object({ digest: z.string() }).optional(),
  layers: z.array(z.object({ size: z.number().nonnegative() })).nullish(),
  annotations: texts,
});
const config = z.object({
  created: z.string().nullish(),
  os: z.string().optional(),
  architecture: z.string().optional(),
  config: z.object({ Labels: texts }).nullish(),
});

/**
 * Tag -> digest -> manifest of the platform -> labels -> source commit. When the digest is the one already known, one HEAD request
 * is all. Gone is told apart from failed: the registry must have said in so many words that it does not know the tag, the manifest,
 * the repository or the platform (field case B17).
 */
export async function lookUpImage(net: Net, asked: ImageAsk): Promise<Look<ImageFact>> {
  const name = parseImage(asked.image);
  if (name === undefined) return { state: "failed", why: `"${asked.image}" is no image name. Write host/name:tag or host/name@sha256:….` };
  const session = openRepository(net, name);
  const source = `registry ${name.host}`;
  const reference = name.digest ?? name.tag ?? "latest";
  if (asked.known !== undefined) {
    const head = await session(`manifests/${reference}`, { method: "HEAD", accept: MANIFESTS });
    if (isFailed(head)) return head;
    if (head.status === 200 && head.headers.get("docker-content-digest") === asked.known) return { state: "unchanged", source };
  }
  const top = await readManifest(session, name, reference, name.digest === undefined ? "tag" : "manifest", source);
  if ("state" in top) return top;
  const wanted = asked.platform ?? "linux/amd64";
  const platforms = Object.fromEntries(
    (top.value.manifests ?? []).flatMap((entry) => (nameOf(entry) === undefined ? [] : [[nameOf(entry) ?? "", entry.digest]])),
  );
  const child =
    top.value.manifests === undefined
      ? top.digest
      : (platforms[wanted] ?? platforms[Object.keys(platforms).find((key) => key.startsWith(`${wanted}/`)) ?? ""]);
  if (child === undefined) return noPlatform(name, reference, wanted, Object.keys(platforms), source);
  const own = child === top.digest ? top : await readManifest(session, name, child, "platform", source);
  if ("state" in own) return own;
  const settings = await readConfig(session, name, own.value.config?.digest, source);
  if ("state" in settings) return settings;
  const [os = "", architecture = ""] = wanted.split("/");
  const { value } = settings;
  if ((value.os ?? os) !== os || (value.architecture ?? architecture) !== architecture) {
    return noPlatform(name, reference, wanted, [`${value.os}/${value.architecture}`], source);
  }
  const labels = { ...own.value.annotations, ...value.config?.Labels };
  return {
    state: "seen",
    source,
    value: {
      digest: top.digest,
      kind: top.value.manifests === undefined ? "manifest" : "index",
      platformDigest: child,
      platforms: top.value.manifests === undefined ? { [wanted]: child } : platforms,
      created: value.created ?? undefined,
      labels,
      size: own.value.layers?.reduce((sum, layer) => sum + layer.size, 0) || undefined,
      source: sourceOf(labels, name.tag, asked.sourceRepos ?? []),
    },
  };
}

/** A digest of the index or of any of its platforms is the same image, not drift (field case B21). */
export const isSameImage = (fact: Pick<ImageFact, "digest" | "platforms">, digest: string): boolean =>
  fact.digest === digest || Object.values(fact.platforms).includes(digest);

async function readManifest(
  session: Session,
  name: ImageName,
  reference: string,
  what: Missing,
  source: string,
): Promise<{ digest: string; value: z.infer<typeof manifest> } | Gone | Failed> {
  const label = `The manifest ${shown(name, reference)}`;
  const answer = await session(`manifests/${reference}`, { accept: MANIFESTS });
  if (isFailed(answer)) return answer;
  if (answer.status === 404) return missing(answer, name, reference, what, source);
  if (answer.status !== 200) return refused(answer, label);
  const digest = await digestOf(answer.body);
  const told = reference.startsWith("sha256:") ? reference : answer.headers.get("docker-content-digest");
  if (told !== null && told !== digest)
    return { state: "failed", why: `${label} is cut off or was changed on the way: its digest is ${digest}.` };
  const value = readJson(answer, manifest, label);
  if (isFailed(value)) return value;
  if (value.manifests === undefined && value.config === undefined)
    return { state: "failed", why: `${label} is of a kind that is not known.` };
  return { digest, value };
}

async function readConfig(
  session: Session,
  name: ImageName,
  digest: string | undefined,
  source: string,
): Promise<{ value: z.infer<typeof config> } | Gone | Failed> {
  if (digest === undefined) return { value: {} };
  const label = `The configuration of ${name.repository}`;
  const answer = await session(`blobs/${digest}`);
  if (isFailed(answer)) return answer;
  if (answer.status === 404) return missing(answer, name, digest, "manifest", source);
  if (answer.status !== 200) return refused(answer, label);
  if ((await digestOf(answer.body)) !== digest) return { state: "failed", why: `${label} is cut off or was changed on the way.` };
  const value = readJson(answer, config, label);
  return isFailed(value) ? value : { value };
}

/** Codes with which a registry says that something is not there; any other 404 may come from something in between. */
const UNKNOWN: Record<string, Missing | undefined> = {
  NAME_UNKNOWN: "repository",
  MANIFEST_UNKNOWN: "manifest",
  BLOB_UNKNOWN: "manifest",
  TAG_UNKNOWN: "tag",
  NOT_FOUND: "manifest",
};
const problems = z.object({ errors: z.array(z.object({ code: z.string(), message: z.string().nullish() })) });

export function missing(answer: Answer, name: ImageName, reference: string, what: Missing, source: string): Gone | Failed {
  const told = readJson(answer, problems, "");
  const first = isFailed(told) ? undefined : told.errors.find((error) => UNKNOWN[error.code] !== undefined);
  // ghcr.io says MANIFEST_UNKNOWN also for a kind of manifest that was not asked for.
  if (first === undefined || /accept header/i.test(first.message ?? "")) return refused(answer, shown(name, reference));
  const lost = UNKNOWN[first.code] === "repository" ? "repository" : what;
  const why =
    lost === "repository"
      ? `${name.host} does not know the repository ${name.repository}`
      : lost === "platform"
        ? `${name.host} no longer has the manifest ${reference} that the index of ${name.repository} lists`
        : `${name.host} does not have ${shown(name, reference)}`;
  return { state: "gone", what: lost, why, source };
}

function noPlatform(name: ImageName, reference: string, wanted: string, there: readonly string[], source: string): Gone {
  return {
    state: "gone",
    what: "platform",
    why: `${shown(name, reference)} is not built for ${wanted}; there is ${there.toSorted().join(", ") || "no platform"}`,
    source,
  };
}

const shown = (name: ImageName, reference: string): string =>
  `${name.repository}${reference.startsWith("sha256:") ? "@" : ":"}${reference}`;

/** Attestations stand in an index as `unknown/unknown`; they are no platform. */
function nameOf({ platform: of }: z.infer<typeof descriptor>): string | undefined {
  if (of?.os === undefined || of.architecture === undefined || of.os === "unknown") return undefined;
  return [of.os, of.architecture, ...(of.variant === undefined ? [] : [of.variant])].join("/");
}

async function digestOf(body: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
