/** How an upstream orders its versions; see `data/upstreams/`. */
export type VersionScheme = "semver" | "pep440" | "build-number" | "calver" | "none";
