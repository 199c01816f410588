import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forward, startStub, type Stub } from "./stub-server.ts";

/** Verdaccio, a real npm registry, behind a logging proxy. It stamps versions with the wall clock. */
export type Npm = Stub & {
  publish(name: string, version: string, options?: { deprecated?: string; tag?: string }): Promise<void>;
  /** Deprecates a published version, as `npm deprecate` does. */
  deprecate(name: string, version: string, message: string): Promise<void>;
};

type Packument = { versions: Record<string, Record<string, unknown>> } & Record<string, unknown>;

/** Starts it on a free port, with its storage in a temporary folder and no other registry behind it. */
export async function startNpm(): Promise<Npm> {
  const folder = mkdtempSync(join(tmpdir(), "stand-npm-"));
  const { runServer } = await import("verdaccio");
  // Its type says `any`; it is an http.Server that does not listen yet.
  const server = (await runServer({
    storage: join(folder, "storage"),
    self_path: folder,
    configPath: join(folder, "config.yaml"),
    uplinks: {},
    web: { enable: false },
    packages: { "**": { access: "$all", publish: "$anonymous", unpublish: "$anonymous" } },
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    log: { type: "stdout", format: "pretty", level: "fatal" },
  } as never)) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const proxy = await startStub((request) => {
    // Fetch adds `cache-control: no-cache` to a conditional request. The public registry's cache answers 304 all the
    // same, verdaccio would not. Compression is left out.
    const { "cache-control": _, pragma: __, "accept-encoding": ___, ...headers } = request.headers;
    return forward(port, { ...request, headers });
  });

  const put = async (path: string, body: object): Promise<void> => {
    const response = await fetch(origin + path, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  };
  const pathOf = (name: string): string => `/${name.replace("/", "%2f")}`;

  return {
    ...proxy,
    async publish(name, version, options = {}) {
      const file = `${name.split("/").at(-1)}-${version}.tgz`;
      const tarball = Buffer.from(`${name} ${version}`);
      const manifest = {
        name,
        version,
        ...(options.deprecated === undefined ? {} : { deprecated: options.deprecated }),
        dist: { tarball: `${origin}/${name}/-/${file}`, shasum: createHash("sha1").update(tarball).digest("hex") },
      };
      await put(pathOf(name), {
        _id: name,
        name,
        "dist-tags": { [options.tag ?? "latest"]: version },
        versions: { [version]: manifest },
        _attachments: { [file]: { content_type: "application/octet-stream", data: tarball.toString("base64"), length: tarball.length } },
      });
    },
    async deprecate(name, version, message) {
      const whole = (await (await fetch(`${origin}${pathOf(name)}?write=true`)).json()) as Packument;
      const manifest = whole.versions[version];
      if (!manifest) throw new Error(`${name}@${version} is not published`);
      manifest.deprecated = message;
      await put(pathOf(name), whole);
    },
    async close() {
      server.closeAllConnections();
      await Promise.all([proxy.close(), new Promise((resolve) => server.close(resolve))]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
