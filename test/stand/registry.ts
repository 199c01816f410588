import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf, imageParts, type Platform, type Pushed, TYPES } from "./image-parts.ts";
import { type RegistryAccess, startTokenServer, type TokenServer } from "./registry-tokens.ts";
import { forward, startStub, type Stub } from "./stub-server.ts";

/** Debian's docker-registry behind a logging proxy, with a token server when access is given. */
export type Registry = Stub & {
  /** `127.0.0.1:PORT`, the registry part of an image's name. */
  host: string;
  tokens: TokenServer | undefined;
  /** Pushes an index over the platforms; with `single` the one platform's manifest itself. Tags are optional. */
  push(repository: string, tag: string | undefined, platforms: Platform[], options?: { single?: boolean }): Promise<Pushed>;
  /** Points another tag at a pushed digest. */
  tag(repository: string, tag: string, digest: string): Promise<void>;
  /** The tag is gone, what it named stays. */
  removeTag(repository: string, tag: string): void;
  /** The manifest or index is gone, and with it the tags that named it. */
  removeManifest(repository: string, digest: string): Promise<void>;
};

/** Starts the registry on a free port with its storage in a temporary folder. @param access given: tokens are needed */
export async function startRegistry(access?: RegistryAccess): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "stand-registry-"));
  const storage = join(folder, "storage");
  const tokens = access && (await startTokenServer(access));
  mkdirSync(storage);
  if (tokens) writeFileSync(join(folder, "root.pem"), tokens.certificate);
  writeFileSync(join(folder, "config.yml"), configuration(folder, storage, tokens));
  const child = spawn("docker-registry", ["serve", join(folder, "config.yml")], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, OTEL_TRACES_EXPORTER: "none" },
  });
  const port = await listeningPort(child);
  const proxy = await startStub((request) => forward(port, request));

  const call = async (method: string, repository: string, path: string, body?: Buffer, type?: string): Promise<Response> => {
    const response = await fetch(path.startsWith("http") ? path : `http://127.0.0.1:${port}/v2/${repository}/${path}`, {
      method,
      headers: {
        ...(type === undefined ? {} : { "content-type": type }),
        ...(method === "GET" ? { accept: Object.values(TYPES).join(", ") } : {}),
        ...(tokens ? { authorization: `Bearer ${tokens.tokenFor(repository, ["pull", "push", "delete"])}` } : {}),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const putBlob = async (repository: string, body: Buffer): Promise<void> => {
    const begun = await call("POST", repository, "blobs/uploads/");
    const place = new URL(begun.headers.get("location") ?? "");
    place.searchParams.set("digest", digestOf(body));
    await call("PUT", repository, place.href, body, "application/octet-stream");
  };
  const putManifest = async (repository: string, reference: string, body: Buffer, type: string): Promise<void> => {
    await call("PUT", repository, `manifests/${reference}`, body, type);
  };

  return {
    ...proxy,
    host: new URL(proxy.url).host,
    tokens,
    async push(repository, tag, platforms, options = {}) {
      const { blobs, manifests, pushed } = imageParts(platforms, options);
      for (const config of blobs) await putBlob(repository, config);
      for (const { digest, type, body } of manifests) {
        await putManifest(repository, digest === pushed.digest ? (tag ?? digest) : digest, body, type);
      }
      return pushed;
    },
    async tag(repository, tag, digest) {
      const found = await call("GET", repository, `manifests/${digest}`);
      await putManifest(repository, tag, Buffer.from(await found.arrayBuffer()), found.headers.get("content-type") ?? TYPES.index);
    },
    // The registry (2.8) deletes by digest only; its storage is read afresh on every request.
    removeTag: (repository, tag) =>
      rmSync(join(storage, "docker/registry/v2/repositories", repository, "_manifests/tags", tag), { recursive: true }),
    async removeManifest(repository, digest) {
      await call("DELETE", repository, `manifests/${digest}`);
    },
    async close() {
      child.kill();
      await Promise.all([proxy.close(), tokens?.close(), new Promise((resolve) => child.once("exit", resolve))]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, storage: string, tokens: TokenServer | undefined): string {
  const auth = tokens && {
    token: { realm: `${tokens.url}/token`, service: tokens.service, issuer: tokens.issuer, rootcertbundle: join(folder, "root.pem") },
  };
  // JSON is YAML.
  return JSON.stringify({
    version: 0.1,
    log: { level: "info", formatter: "text" },
    storage: { filesystem: { rootdirectory: storage }, delete: { enabled: true } },
    http: { addr: "127.0.0.1:0", secret: "stand" },
    ...(auth ? { auth } : {}),
  });
}

/** The port that the registry says it listens on. Rejects with its log when it ends first. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      log += chunk;
      const port = /listening on [^ "]*:(\d+)/.exec(log)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`docker-registry ended with ${code}:\n${log}`)));
  });
}
