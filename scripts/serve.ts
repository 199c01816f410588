import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".xml": "application/xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".ics": "text/calendar; charset=utf-8",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder of files on loopback.
 * @param base the path the site was built for, `/` or `/name/`
 * @param port 0 takes a free one
 */
export async function serve(folder: string, base: string, port: number): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const inside = path.startsWith(base) ? normalize(path.slice(base.length - 1)) : undefined;
    const file = inside === undefined ? undefined : fileAt(folder, inside);
    if (file === undefined) {
      const missing = join(folder, "404.html");
      response.writeHead(404, { "content-type": "text/html; charset=utf-8" });
      if (existsSync(missing)) createReadStream(missing).pipe(response);
      else response.end("Not found");
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${taken}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fileAt(folder: string, path: string): string | undefined {
  const full = join(folder, path);
  if (!full.startsWith(folder) || !existsSync(full)) return undefined;
  if (statSync(full).isFile()) return full;
  const index = join(full, "index.html");
  return existsSync(index) ? index : undefined;
}
