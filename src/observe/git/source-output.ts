import type { Version } from "../../model/source.ts";

/** What git prints about trees, histories and blobs, taken apart. Bytes, because files are. */

export interface Entry {
  mode: string;
  kind: string;
  sha: string;
}

export function parseTree(bytes: Uint8Array): (Entry & { path: string })[] {
  return decode(bytes)
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [meta = "", path = ""] = line.split("\t", 2);
      const [mode = "", kind = "", sha = ""] = meta.split(" ");
      return { mode, kind, sha, path };
    });
}

export const FORMAT = "%x01%H%x02%cI%x02%s";

export interface LogEntry extends Omit<Version, "blob"> {
  path: string;
  before: string | null;
  after: string | null;
}

/** Records of `log -z --raw`: a header that starts with \x01, then pairs of `:modes blobs status` and path. */
export function parseLog(bytes: Uint8Array): LogEntry[] {
  const entries: LogEntry[] = [];
  let header = { commit: "", at: "", subject: "" };
  let meta: string[] | undefined;
  for (const part of decode(bytes).split("\0")) {
    const token = part.replace(/^\n+/, "");
    if (meta) {
      entries.push({ ...header, path: token, before: blobOf(meta[0] ?? "", meta[2] ?? ""), after: blobOf(meta[1] ?? "", meta[3] ?? "") });
      meta = undefined;
    } else if (token.startsWith("\x01")) {
      const [commit = "", at = "", subject = ""] = token.slice(1).split("\x02");
      header = { commit, at, subject: subject.trim() };
    } else if (token.startsWith(":")) meta = token.slice(1).split(" ");
  }
  return entries;
}

/** Links and submodules are no files that a patch could change. */
const blobOf = (mode: string, sha: string): string | null => (mode.startsWith("100") && !/^0+$/.test(sha) ? sha : null);

/** `<sha> blob <size>\n<bytes>\n`, one after the other. */
export function parseBatch(bytes: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) break;
    const [sha = "", kind, size] = decode(bytes.subarray(at, end)).split(" ");
    at = end + 1;
    if (kind !== "blob") continue;
    found.set(sha, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** As git decides it: a zero byte near the start. */
export const isBinary = (bytes: Uint8Array) => bytes.subarray(0, 8000).includes(0);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const decode = (bytes: Uint8Array) => decoder.decode(bytes);
