/** Names of lock files. Apart from their reader, so that telling a name loads no parser. */
export const LOCK_NAMES: readonly string[] = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "Pipfile.lock",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
];
