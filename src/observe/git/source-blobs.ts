import type { SourceMirror } from "./source-mirror.ts";
import { decode, parseBatch } from "./source-output.ts";

/** Files above this are not read: no source file that a person patches is as large. */
export const HUGE = 4 * 1024 * 1024;

/** Bytes of blobs that one `cat-file` process hands over. */
const CHUNK = 32 * 1024 * 1024;

export type Blob = { state: "bytes"; bytes: Uint8Array } | { state: "huge"; size: number } | { state: "failed"; why: string };

/** Sizes first, then the content of those that are here; the missing ones are fetched in one request. */
export async function readBlobs(mirror: SourceMirror, wanted: readonly string[]): Promise<Map<string, Blob>> {
  const blobs = [...new Set(wanted)];
  const found = new Map<string, Blob>();
  const sizes = await sizesOf(mirror, blobs);
  const missing = blobs.filter((sha) => !sizes.has(sha));
  let why: string | undefined;
  if (missing.length > 0) {
    why = await mirror.fetchBlobs(missing);
    for (const [sha, size] of await sizesOf(mirror, missing)) sizes.set(sha, size);
  }
  let chunk: string[] = [];
  let total = 0;
  const flush = async () => {
    if (chunk.length === 0) return;
    for (const [sha, bytes] of parseBatch((await mirror.read(["cat-file", "--batch"], `${chunk.join("\n")}\n`)).stdout)) {
      found.set(sha, { state: "bytes", bytes });
    }
    chunk = [];
    total = 0;
  };
  for (const sha of blobs) {
    const size = sizes.get(sha);
    if (size === undefined) found.set(sha, { state: "failed", why: `it was not fetched yet${why ? ` (${why})` : ""}` });
    else if (size > HUGE) found.set(sha, { state: "huge", size });
    else {
      chunk.push(sha);
      total += size;
      if (total > CHUNK) await flush();
    }
  }
  await flush();
  return found;
}

async function sizesOf(mirror: SourceMirror, blobs: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (blobs.length === 0) return sizes;
  const { stdout } = await mirror.read(["cat-file", "--batch-check"], `${blobs.join("\n")}\n`);
  for (const line of decode(stdout).split("\n")) {
    const [sha = "", kind, size] = line.split(" ");
    if (kind === "blob") sizes.set(sha, Number(size));
  }
  return sizes;
}
