/** An image by name, as people write it, taken apart. `docker.io/library/x` for a bare `x`. */
export interface ImageName {
  /** Host that serves the registry API, such as `registry-1.docker.io`. */
  host: string;
  repository: string;
  tag?: string | undefined;
  digest?: string | undefined;
}

export interface ImageAsk {
  /** `host/name:tag@digest`, with or without `oci:`. */
  image: string;
  /** `os/architecture`; default `linux/amd64`. */
  platform?: string;
  /** Repositories (`owner/name`) whose commits a revision label may name: the upstream and its former names. */
  sourceRepos?: readonly string[];
  /** The digest seen last time: when the tag still has it, the look is `unchanged` and no body is read. */
  known?: string | undefined;
}

export interface ImageFact {
  /** Digest the tag (or the given digest) stands for now. */
  digest: string;
  /** A digest of an index covers all platforms, one of a manifest a single one (field case B21). */
  kind: "index" | "manifest";
  /** Digest of the platform's manifest; the same as `digest` when that is a manifest. */
  platformDigest: string;
  /** All platforms of an index, `os/architecture[/variant]` to digest. */
  platforms: Record<string, string>;
  /** ISO instant the image says it was built at. */
  created?: string | undefined;
  labels: Record<string, string>;
  /** Bytes that a pull downloads: the platform's compressed layers. Undefined when the manifest lists none. */
  size?: number | undefined;
  /** What the image says it was built from, cross-checked; see `oci/revision.ts`. */
  source: ImageSource;
}

/** The source commit of an image. A short hash must be resolved in the repository before it is stored. */
export interface ImageSource {
  sha?: string | undefined;
  /** Which evidence named it: "revision label", "tag", "revision label and tag". */
  from?: string | undefined;
  /** Why there is none, or what was disregarded, for the row. */
  note?: string | undefined;
}
