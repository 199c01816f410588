import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".atom": "application/atom+xml",
  ".xml": "application/xml",
  ".ics": "text/calendar",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};
const COMPRESSED = new Set([".html", ".css", ".js", ".json", ".svg", ".atom", ".xml", ".ics", ".txt"]);

export interface Served {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** Address of a page; `path` without the base. */
  url: (path: string) => string;
  close: () => Promise<void>;
}

/** Serves a built site under its base as a plain file server would, compressed; everything outside the base is 404. */
export async function serve(folder: string, base: string): Promise<Served> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length)) : undefined;
    const wanted = inside === undefined || inside.startsWith("..") ? undefined : join(folder, inside);
    const file = wanted !== undefined && existsSync(wanted) && statSync(wanted).isDirectory() ? join(wanted, "index.html") : wanted;
    if (file === undefined || !existsSync(file)) {
      response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><title>Not found</title>");
      return;
    }
    const type = extname(file);
    response.setHeader("content-type", TYPES[type] ?? "application/octet-stream");
    if (!COMPRESSED.has(type)) {
      createReadStream(file).pipe(response);
      return;
    }
    response.setHeader("content-encoding", "gzip");
    createReadStream(file).pipe(createGzip()).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (path) => origin + base + path,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
