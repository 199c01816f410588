import { createHash } from "node:crypto";

/** One platform of an image. Nobody here runs it, so layers are any bytes. */
export type Platform = {
  os?: string;
  architecture?: string;
  variant?: string;
  labels?: Record<string, string>;
  created?: string;
  layers?: Buffer[];
};
export type Pushed = { digest: string; kind: "index" | "manifest"; platforms: Record<string, string> };
export type Manifest = { digest: string; type: string; body: Buffer };
/** What a client uploads for an image, in order: a registry takes nothing that refers to what it does not have. */
export type ImageParts = { blobs: Buffer[]; manifests: Manifest[]; pushed: Pushed };

export const TYPES = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};
export const digestOf = (body: Buffer): string => `sha256:${createHash("sha256").update(body).digest("hex")}`;
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** An index over the platforms, as the last of the manifests; with `single` the one platform's manifest itself. */
export function imageParts(platforms: Platform[], { single = false } = {}): ImageParts {
  const blobs: Buffer[] = [];
  const listed: { mediaType: string; digest: string; size: number; platform: object }[] = [];
  const manifests: Manifest[] = [];
  const digests: Record<string, string> = {};
  for (const { os = "linux", architecture = "amd64", variant, labels, created, layers = [] } of platforms) {
    const platform = { os, architecture, ...(variant === undefined ? {} : { variant }) };
    const config = json({ ...platform, created, config: { Labels: labels }, rootfs: { type: "layers", diff_ids: [] } });
    const body = json({
      schemaVersion: 2,
      mediaType: TYPES.manifest,
      config: { mediaType: TYPES.config, digest: digestOf(config), size: config.length },
      layers: layers.map((layer) => ({ mediaType: TYPES.layer, digest: digestOf(layer), size: layer.length })),
    });
    const digest = digestOf(body);
    blobs.push(config, ...layers);
    manifests.push({ digest, type: TYPES.manifest, body });
    listed.push({ mediaType: TYPES.manifest, digest, size: body.length, platform });
    digests[[os, architecture, variant].filter(Boolean).join("/")] = digest;
  }
  const [first] = manifests;
  if (single) return { blobs, manifests, pushed: { digest: first?.digest ?? "", kind: "manifest", platforms: digests } };
  const body = json({ schemaVersion: 2, mediaType: TYPES.index, manifests: listed });
  const digest = digestOf(body);
  return { blobs, manifests: [...manifests, { digest, type: TYPES.index, body }], pushed: { digest, kind: "index", platforms: digests } };
}
