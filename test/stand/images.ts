import { digestOf, imageParts, type Manifest, type Platform, type Pushed } from "./image-parts.ts";
import { jsonAnswer, type Prepared } from "./respond.ts";
import { startStub, type Stub } from "./stub-server.ts";

/** The reading half of a container registry, kept in memory: for where docker-registry is not installed. */
export type Images = Stub & {
  /** Pushes an index over the platforms, under each of the tags. */
  push(repository: string, tags: string[], platforms: Platform[]): Pushed;
  /** The tag is gone, what it named stays. */
  removeTag(repository: string, tag: string): void;
};

type Shelf = { tags: Map<string, string>; manifests: Map<string, Manifest>; blobs: Map<string, Buffer> };

/** Starts it on a free port. @param now epoch milliseconds of the Date header; the wall clock unless given */
export async function startImages(now?: () => number): Promise<Images> {
  const shelves = new Map<string, Shelf>();
  const stub = await startStub(({ method, url: { pathname } }) => {
    const [, name = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs|tags)\/([^/]+)$/.exec(pathname) ?? [];
    if (pathname === "/v2/") return jsonAnswer(200, {});
    const shelf = shelves.get(name);
    if (kind === undefined || !shelf) return refused("NAME_UNKNOWN", "repository name not known to registry");
    if (kind === "tags") return jsonAnswer(200, { name, tags: [...shelf.tags.keys()].sort() });
    if (kind === "blobs") {
      const blob = shelf.blobs.get(reference);
      return blob ? content(method, blob, reference, "application/octet-stream") : refused("BLOB_UNKNOWN", "blob unknown to registry");
    }
    const manifest = shelf.manifests.get(shelf.tags.get(reference) ?? reference);
    return manifest
      ? content(method, manifest.body, manifest.digest, manifest.type)
      : refused("MANIFEST_UNKNOWN", reference.startsWith("sha256:") ? "manifest unknown to registry" : "manifest unknown");
  }, now);
  return {
    ...stub,
    push(repository, tags, platforms) {
      const shelf = shelves.get(repository) ?? { tags: new Map(), manifests: new Map(), blobs: new Map() };
      shelves.set(repository, shelf);
      const { blobs, manifests, pushed } = imageParts(platforms);
      for (const config of blobs) shelf.blobs.set(digestOf(config), config);
      for (const manifest of manifests) shelf.manifests.set(manifest.digest, manifest);
      for (const tag of tags) shelf.tags.set(tag, pushed.digest);
      return pushed;
    },
    removeTag(repository, tag) {
      if (!shelves.get(repository)?.tags.delete(tag)) throw new Error(`there is no ${repository}:${tag} to remove`);
    },
  };
}

const refused = (code: string, message: string): Prepared => jsonAnswer(404, { errors: [{ code, message }] });

/** The answer to HEAD tells the length of the body that it does not send. */
function content(method: string, body: Buffer, digest: string, type: string): Prepared {
  const headers = { "content-type": type, "docker-content-digest": digest, etag: `"${digest}"` };
  return method === "HEAD"
    ? { status: 200, headers: { ...headers, "content-length": String(body.length) }, body: undefined }
    : { status: 200, headers, body };
}
