import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { isSameImage, lookUpImage } from "../../src/observe/oci/image.ts";
import { listTags } from "../../src/observe/oci/tags.ts";
import type { ImageAsk } from "../../src/observe/oci/types.ts";
import type { Registry } from "../stand/registry.ts";
import { startRegistry } from "../stand/registry.ts";
import { sightOf } from "../git/stand.ts";
import { net } from "./net.ts";

const SHA = "0b20469c627e94060d1015170b186d19de1db583";
const labels = { "org.opencontainers.image.revision": SHA, "org.opencontainers.image.source": "https://github.com/vllm-project/vllm" };
const NAME = "vllm/vllm-openai";
/** Debian has it as a package; elsewhere these tests say that they were skipped. */
const here = spawnSync("docker-registry", ["--version"]).status === 0;

const open: Registry[] = [];
afterEach(async () => {
  for (const registry of open.splice(0)) await registry.close();
});
async function started(...access: Parameters<typeof startRegistry>): Promise<Registry> {
  const registry = await startRegistry(...access);
  open.push(registry);
  return registry;
}
const look = (registry: Registry, reference: string, options: Partial<ImageAsk> = {}) =>
  lookUpImage(net(), { image: `${registry.host}/${NAME}${reference}`, sourceRepos: ["vllm-project/vllm"], ...options });

describe.skipIf(!here)("images in a real registry", () => {
  it("leads from the tag to the digest, the platform, the labels and the source commit", async () => {
    const registry = await started();
    const layers = [Buffer.from("first layer"), Buffer.from("second")];
    const pushed = await registry.push(NAME, "v0.20.0", [{ architecture: "arm64" }, { labels, created: "2026-05-01T00:00:00Z", layers }]);
    expect(sightOf(await look(registry, ":v0.20.0"))).toEqual({
      digest: pushed.digest,
      kind: "index",
      platformDigest: pushed.platforms["linux/amd64"],
      platforms: pushed.platforms,
      created: "2026-05-01T00:00:00Z",
      labels,
      size: 17,
      source: { sha: SHA, from: "revision label" },
    });
  });

  it("gets a token where one is wanted, anonymously for a public image", async () => {
    const registry = await started({ hidden: ["private/x"] });
    await registry.push(NAME, "t", [{ labels }]);
    expect(sightOf(await look(registry, ":t")).source.sha).toBe(SHA);
    expect(registry.tokens?.requests.count()).toBe(1);
  });

  it("takes a private image for failed, not for gone, and reads it with a login", async () => {
    const registry = await started({ accounts: { alice: "secret" }, hidden: ["private/x"] });
    await registry.push("private/x", "t", [{}]);
    const image = `${registry.host}/private/x:t`;
    expect(await lookUpImage(net(), { image })).toMatchObject({
      state: "failed",
      status: 401,
      why: expect.stringContaining("is private, or does not exist"),
    });
    const login = (password: string) => net({ login: () => ({ username: "alice", password }) });
    expect((await lookUpImage(login("secret"), { image })).state).toBe("seen");
    const refused = await lookUpImage(login("wrong-word"), { image });
    expect(refused.state).toBe("failed");
    expect(JSON.stringify(refused)).not.toContain("wrong-word");
  });

  it("B17 tells a tag that is gone, and keeps what it named reachable by digest", async () => {
    const registry = await started();
    const pushed = await registry.push(NAME, `nightly-${SHA}`, [{}]);
    registry.removeTag(NAME, `nightly-${SHA}`);
    expect(await look(registry, `:nightly-${SHA}`)).toMatchObject({ state: "gone", what: "tag" });
    expect((await look(registry, `@${pushed.digest}`)).state).toBe("seen");
    await registry.removeManifest(NAME, pushed.digest);
    expect(await look(registry, `@${pushed.digest}`)).toMatchObject({ state: "gone", what: "manifest" });
  });

  it("B17 tells a platform that was never built from one whose manifest is gone", async () => {
    const registry = await started();
    const pushed = await registry.push(NAME, "t", [{}, { architecture: "arm64" }]);
    expect(await look(registry, ":t", { platform: "linux/riscv64" })).toMatchObject({
      state: "gone",
      what: "platform",
      why: `${NAME}:t is not built for linux/riscv64; there is linux/amd64, linux/arm64`,
    });
    await registry.removeManifest(NAME, pushed.platforms["linux/amd64"] ?? "");
    expect(await look(registry, ":t")).toMatchObject({
      state: "gone",
      what: "platform",
      why: expect.stringContaining("no longer has the manifest"),
    });
  });

  it("B17 tells a repository that the registry does not know", async () => {
    const registry = await started();
    const errors = [{ code: "NAME_UNKNOWN", message: "repository name not known to registry" }];
    registry.setFaults(() => ({ kind: "error", status: 404, body: { errors } }));
    expect(await look(registry, ":t")).toMatchObject({ state: "gone", what: "repository" });
    registry.setFaults(() => ({
      kind: "error",
      status: 404,
      body: { errors: [{ code: "MANIFEST_UNKNOWN", message: "OCI index found, but Accept header does not support OCI indexes" }] },
    }));
    expect((await look(registry, ":t")).state).toBe("failed");
  });

  it("B21 knows a digest of one platform and a digest of the index for the same image", async () => {
    const registry = await started();
    const pushed = await registry.push(NAME, "t", [{}, { architecture: "arm64", variant: "v8" }]);
    const byTag = sightOf(await look(registry, ":t"));
    const child = pushed.platforms["linux/amd64"] ?? "";
    const byDigest = sightOf(await look(registry, `@${child}`));
    expect([byTag.kind, byDigest.kind]).toEqual(["index", "manifest"]);
    expect([byTag.digest, byTag.platformDigest, byDigest.digest]).toEqual([pushed.digest, child, child]);
    expect([child, pushed.digest, pushed.platforms["linux/arm64/v8"]].every((digest) => isSameImage(byTag, digest ?? ""))).toBe(true);
    expect(isSameImage(byTag, `sha256:${"0".repeat(64)}`)).toBe(false);
    expect((await look(registry, ":t", { platform: "linux/arm64" })).state).toBe("seen");
  });

  it("reads an image of a single platform, and says when it is another one", async () => {
    const registry = await started();
    await registry.push(NAME, "one", [{ architecture: "arm64", labels }], { single: true });
    expect(await look(registry, ":one")).toMatchObject({ state: "gone", what: "platform" });
    expect(sightOf(await look(registry, ":one", { platform: "linux/arm64" }))).toMatchObject({ kind: "manifest", source: { sha: SHA } });
  });

  it("reads no body when a floating tag still has the digest it had", async () => {
    const registry = await started();
    const first = await registry.push(NAME, "latest", [{ labels: { v: "1" } }]);
    const before = registry.requests.all.length;
    expect(await look(registry, ":latest", { known: first.digest })).toMatchObject({ state: "unchanged" });
    expect(registry.requests.all.slice(before).map(({ method }) => method)).toEqual(["HEAD"]);
    const second = await registry.push(NAME, "latest", [{ labels: { v: "2" } }]);
    expect(sightOf(await look(registry, ":latest", { known: first.digest })).digest).toBe(second.digest);
  });

  it.each([
    ["too many requests", { kind: "limit", status: 429 }],
    ["an overloaded server", { kind: "unicorn", status: 502 }],
    ["a cut off answer", { kind: "truncated", how: "cut" }],
    ["half an answer that ends well", { kind: "truncated", how: "clean" }],
    ["a broken connection", { kind: "reset" }],
    ["a server that hangs", { kind: "stall" }],
    ["a server that hangs in the middle", { kind: "stall", headers: true }],
    ["a page of something in between that says 404", { kind: "error", status: 404, body: "<html>not here</html>" }],
    ["a refusal", { kind: "error", status: 403, body: { errors: [{ code: "DENIED" }] } }],
  ] as const)("learns nothing from %s, and never says gone", async (_, fault) => {
    const registry = await started();
    await registry.push(NAME, "t", [{ labels }]);
    const requests = [0, 1, 2];
    // Only a server that hangs is waited for, and long enough for the requests before it on a busy machine.
    const timeoutMs = fault.kind === "stall" ? 1500 : 60_000;
    for (const spoiled of requests) {
      const first = registry.requests.all.length;
      registry.setFaults((request) => (request.index === first + spoiled ? fault : undefined));
      const outcome = await lookUpImage(net({ timeoutMs }), {
        image: `${registry.host}/${NAME}:t`,
        sourceRepos: ["vllm-project/vllm"],
      });
      expect(outcome, `request ${spoiled}`).toMatchObject({ state: "failed", why: expect.any(String) });
      expect(JSON.stringify(outcome)).not.toContain("<html>");
    }
    expect(registry.faults.count()).toBe(requests.length);
  });

  it("lists tags, and tells a repository that is not there", async () => {
    const registry = await started({});
    for (const tag of ["a", "b"]) await registry.push(NAME, tag, [{}]);
    expect(sightOf(await listTags(net(), `${registry.host}/${NAME}`)).sort()).toEqual(["a", "b"]);
    expect(await listTags(net(), `${registry.host}/none/such`)).toMatchObject({ state: "gone", what: "repository" });
  });
});
