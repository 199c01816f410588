import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Files = Record<string, string | Uint8Array | null>;

/** A small valid stack, by file. */
export const VALID = {
  "data/tracker.yaml": `title: A stack
repo: we/stack
zone: UTC
thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 }
`,
  "data/upstreams/up.yaml": `title: Up
repo: u/r
streams: [{ name: nightly, artifact: "oci:example.org/up:nightly-*" }]
`,
  "data/items/row.yaml": `title: Pad the tile
upstream: up
refs:
  - { ref: "u/r#1", role: bug }
stake: blocks
why: It is needed.
local: none
`,
  "data/pins/p.yaml": `title: The pin
upstream: up
artifact: "oci:example.org/up:build"
mutability: immutable
reason: It works.
`,
  "data/observed/as-of.json": `{ "asOf": "2026-05-12T00:00:00Z" }
`,
  "data/observed/github/u/r.json": `{
  "repository": { "name": "u/r", "source": "a test", "asOf": null },
  "threads": {
    "1": { "kind": "issue", "title": "Pad the tile", "state": "open", "source": "a test", "asOf": null },
    "2": { "kind": "pull-request", "title": "Pad it", "state": "closed", "merged": false, "source": "a test", "asOf": null },
    "3": { "kind": "issue", "title": "Pad it", "state": "closed", "duplicateOf": "u/r#4", "source": "a test", "asOf": null },
    "4": { "kind": "issue", "title": "Pad it", "state": "closed", "duplicateOf": "u/r#3", "source": "a test", "asOf": null }
  }
}
`,
} satisfies Files;

const made: string[] = [];

/** Writes a stack's files to a new folder and gives its path. A null leaves a file of {@link VALID} out. */
export function folderWith(files: Files = {}): string {
  const root = mkdtempSync(join(tmpdir(), "stack-"));
  made.push(root);
  for (const [path, content] of Object.entries({ ...VALID, ...files })) {
    if (content === null) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Removes every folder made; call it in `afterAll`. */
export function removeFolders(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
}

/** Every file of a folder with its bytes, but for the git-ignored cache. */
export function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.includes("/.landfall/")) found[path.slice(root.length + 1)] = readFileSync(path).toString("base64");
  }
  return found;
}
