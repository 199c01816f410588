import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../real.ts";
import { snapshot } from "../stack-folder.ts";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A checkout with what the demo's command needs, so that what it writes there is not confused with the work of others. */
export interface Checkout {
  home: string;
  /** Every file with a digest of its bytes, but for what git ignores. */
  tree(): string[];
  /** Requests that went elsewhere than to this machine: from git and from Node alike they end in a trap, and are refused. */
  asked: string[];
  run(file: string, args: string[], options?: { env?: Record<string, string>; heard?: () => void }): Promise<Ran>;
  remove(): Promise<void>;
}

const PARTS = ["scripts", "src", "test/demo", "test/stand"];
const FILES = ["package.json", "package-lock.json"];

export async function makeCheckout(): Promise<Checkout> {
  const home = mkdtempSync(join(tmpdir(), "demo-checkout-"));
  for (const part of [...PARTS, ...FILES]) cpSync(join(ROOT, part), join(home, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"));

  const asked: string[] = [];
  const trap = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  trap.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const proxies = Object.fromEntries(
    ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [name, address]),
  );
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(home, "nobody"),
    NODE_USE_ENV_PROXY: "1",
    GITHUB_TOKEN: "ghp_of_the_reader",
    ...proxies,
  };

  return {
    home,
    asked,
    tree: () => [
      ...readdirSync(home).sort(),
      ...PARTS.flatMap((part) =>
        Object.entries(snapshot(join(home, part))).map(
          ([path, bytes]) => `${part}/${path} ${createHash("sha256").update(bytes).digest("hex")}`,
        ),
      ),
    ],
    run: (file, args, options = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(file, args, { cwd: home, env: { ...env, ...options.env } });
        const said = { stdout: "", stderr: "" };
        child.stdout.on("data", (chunk: Buffer) => {
          said.stdout += chunk;
          options.heard?.();
        });
        child.stderr.on("data", (chunk: Buffer) => {
          said.stderr += chunk;
        });
        child.on("error", reject);
        child.on("close", (code) => resolve({ code, ...said }));
      }),
    remove: async () => {
      await new Promise((resolve) => trap.close(resolve));
      rmSync(home, { recursive: true, force: true });
    },
  };
}
