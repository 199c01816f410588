/** Versions of a package as its registry lists them, ready for `observed/registry/`. */
export interface PackageFact {
  versions: Record<string, { publishedAt: string | null; yanked?: boolean; reason?: string }>;
  /** The newest version that is neither yanked nor a pre-release; undefined when there is none. */
  latest: string | undefined;
}

/** A repository on Hugging Face at a revision (default `main`). */
export interface AssetFact {
  sha: string;
  lastModified: string;
  /** The name it has now, when it was renamed. */
  renamedTo?: string | undefined;
}

export interface ReleaseFact {
  tag: string;
  name: string;
  publishedAt: string;
  prerelease: boolean;
  url: string;
}
