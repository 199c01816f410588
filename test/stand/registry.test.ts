import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { type Registry, startRegistry } from "./registry.ts";

const here = spawnSync("docker-registry", ["--version"]).status === 0;
const ACCEPT = { accept: "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json" };
const open: Registry[] = [];
const started = async (...args: Parameters<typeof startRegistry>): Promise<Registry> => {
  const registry = await startRegistry(...args);
  open.push(registry);
  return registry;
};
afterEach(async () => {
  for (const registry of open.splice(0)) await registry.close();
});

describe.skipIf(!here)("docker-registry", () => {
  it("serves an index, its platforms and the labels of their configs", async () => {
    const registry = await started();
    const labels = { "org.opencontainers.image.revision": "0".repeat(40) };
    const pushed = await registry.push("vllm/vllm-openai", "nightly", [
      { labels, created: "2026-05-01T00:00:00Z" },
      { architecture: "arm64" },
    ]);
    const get = async (path: string) => await fetch(`${registry.url}/v2/vllm/vllm-openai/${path}`, { headers: ACCEPT });
    const index = await get("manifests/nightly");
    expect([index.status, index.headers.get("docker-content-digest")]).toEqual([200, pushed.digest]);
    expect(pushed.kind).toBe("index");
    const manifest = (await (await get(`manifests/${pushed.platforms["linux/amd64"]}`)).json()) as { config: { digest: string } };
    const config = await (await get(`blobs/${manifest.config.digest}`)).json();
    expect(config).toMatchObject({ architecture: "amd64", created: "2026-05-01T00:00:00Z", config: { Labels: labels } });
    const head = await fetch(`${registry.url}/v2/vllm/vllm-openai/manifests/nightly`, { method: "HEAD", headers: ACCEPT });
    expect([head.status, head.headers.get("docker-content-digest"), Number(head.headers.get("content-length"))]).toEqual([
      200,
      pushed.digest,
      expect.any(Number),
    ]);
    expect(registry.requests.all.map((request) => request.method)).toEqual(["GET", "GET", "GET", "HEAD"]);
  });

  it("forgets a tag, a platform, or the whole image", async () => {
    const registry = await started();
    const pushed = await registry.push("a/b", "one", [{}, { architecture: "arm64" }]);
    await registry.tag("a/b", "two", pushed.digest);
    const status = async (reference: string): Promise<number> =>
      (await fetch(`${registry.url}/v2/a/b/manifests/${reference}`, { headers: ACCEPT })).status;
    registry.removeTag("a/b", "one");
    expect([await status("one"), await status("two"), await status(pushed.digest)]).toEqual([404, 200, 200]);
    await registry.removeManifest("a/b", pushed.platforms["linux/arm64"] ?? "");
    expect([await status(pushed.platforms["linux/arm64"] ?? ""), await status("two")]).toEqual([404, 200]);
    await registry.removeManifest("a/b", pushed.digest);
    expect([await status("two"), await status(pushed.digest)]).toEqual([404, 404]);
  });

  it("moves a floating tag, and serves an image of one platform without an index", async () => {
    const registry = await started();
    const first = await registry.push("a/b", "latest", [{ labels: { v: "1" } }], { single: true });
    const second = await registry.push("a/b", "latest", [{ labels: { v: "2" } }], { single: true });
    expect([first.kind, first.digest === second.digest]).toEqual(["manifest", false]);
    const now = await fetch(`${registry.url}/v2/a/b/manifests/latest`, { headers: ACCEPT });
    expect([now.headers.get("docker-content-digest"), now.headers.get("content-type")]).toEqual([
      second.digest,
      "application/vnd.oci.image.manifest.v1+json",
    ]);
  });

  it("wants a token, which the token server gives for what is public, and for accounts", async () => {
    const registry = await started({ accounts: { alice: "secret" }, hidden: ["private/x"] });
    await registry.push("public/x", "t", [{}]);
    await registry.push("private/x", "t", [{}]);
    const ask = async (name: string, login?: string): Promise<number[]> => {
      const url = `${registry.url}/v2/${name}/manifests/t`;
      const refused = await fetch(url, { headers: ACCEPT });
      const challenge = Object.fromEntries(
        [...(refused.headers.get("www-authenticate") ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
      );
      const authorization: Record<string, string> =
        login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
      const answer = await fetch(`${challenge.realm}?service=${challenge.service}&scope=${challenge.scope}`, { headers: authorization });
      const { token } = (await answer.json()) as { token?: string };
      const again = await fetch(url, { headers: { ...ACCEPT, authorization: `Bearer ${token}` } });
      return [refused.status, answer.status, again.status];
    };
    expect(await ask("public/x")).toEqual([401, 200, 200]);
    expect(await ask("private/x")).toEqual([401, 200, 401]);
    expect(await ask("private/x", "alice:secret")).toEqual([401, 200, 200]);
    expect(await ask("private/x", "alice:wrong")).toEqual([401, 401, 401]);
    expect(registry.tokens?.requests.count()).toBe(4);
  });

  it("fails on demand", async () => {
    const registry = await started();
    await registry.push("a/b", "t", [{}]);
    registry.setFaults(() => ({ kind: "limit", status: 429, retryAfter: 5 }));
    const limited = await fetch(`${registry.url}/v2/a/b/manifests/t`, { headers: ACCEPT });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "5"]);
    registry.setFaults(() => ({ kind: "truncated", how: "cut" }));
    await expect(fetch(`${registry.url}/v2/a/b/manifests/t`, { headers: ACCEPT }).then((answer) => answer.json())).rejects.toThrow();
    expect(registry.faults.count()).toBe(2);
  });
});
