import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import type { Platform } from "./image-parts.ts";
import { startImages } from "./images.ts";
import { startRegistry } from "./registry.ts";

const here = spawnSync("docker-registry", ["--version"]).status === 0;
const ACCEPT = "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json";
const PLATFORMS: Platform[] = [{ labels: { a: "b" }, created: "2026-05-01T00:00:00Z" }, { architecture: "arm64" }];

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** What a client goes by: the status, the headers that carry facts, the code of a refusal, and the bytes. */
async function seen(base: string, method: "GET" | "HEAD", path: string) {
  const response = await fetch(`${base}/v2/${path}`, { method, headers: { accept: ACCEPT } });
  const text = await response.text();
  const code = response.ok ? undefined : text === "" ? "" : (JSON.parse(text) as { errors: { code: string }[] }).errors[0]?.code;
  const { headers } = response;
  const facts = response.ok ? [headers.get("docker-content-digest"), headers.get("content-length")] : [];
  const type = response.ok && path.includes("/manifests/") ? headers.get("content-type") : undefined;
  return { status: response.status, facts, type, code, body: response.ok ? text.trim() : undefined };
}

describe.skipIf(!here)("the registry in memory answers as docker-registry does", () => {
  it("about tags, manifests, configurations, and what is not there", async () => {
    const [images, registry] = [await startImages(), await startRegistry()];
    open.push(images, registry);
    const pushed = images.push("a/b", ["one", "two"], PLATFORMS);
    expect(await registry.push("a/b", "one", PLATFORMS)).toEqual(pushed);
    await registry.tag("a/b", "two", pushed.digest);
    const child = pushed.platforms["linux/amd64"] ?? "";
    const config = (JSON.parse((await seen(images.url, "GET", `a/b/manifests/${child}`)).body ?? "") as { config: { digest: string } })
      .config;
    const absent = `sha256:${"0".repeat(64)}`;
    const ask = async () => {
      for (const [method, path, status] of [
        ["GET", "a/b/manifests/two", 200],
        ["HEAD", "a/b/manifests/two", 200],
        ["GET", `a/b/manifests/${pushed.digest}`, 200],
        ["GET", `a/b/manifests/${child}`, 200],
        ["GET", `a/b/blobs/${config.digest}`, 200],
        ["GET", "a/b/tags/list", 200],
        ["GET", "a/b/manifests/three", 404],
        ["GET", `a/b/manifests/${absent}`, 404],
        ["GET", `a/b/blobs/${absent}`, 404],
        ["GET", "a/c/tags/list", 404],
      ] as const) {
        const mine = await seen(images.url, method, path);
        expect(mine.status, path).toBe(status);
        // How long the list of tags is says nothing: one of the two ends it with a line end.
        const told = await seen(registry.url, method, path);
        if (path.endsWith("/list")) [mine.facts, told.facts] = [[], []];
        expect(mine, path).toEqual(told);
      }
    };
    await ask();
    images.removeTag("a/b", "one");
    registry.removeTag("a/b", "one");
    expect((await seen(images.url, "GET", "a/b/manifests/one")).code).toBe("MANIFEST_UNKNOWN");
    expect((await seen(registry.url, "GET", "a/b/manifests/one")).code).toBe("MANIFEST_UNKNOWN");
    await ask();
  });
});
