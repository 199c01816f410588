import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lookUpAsset } from "../../src/observe/huggingface.ts";
import { lookUpNpm } from "../../src/observe/npm.ts";
import { recentTags } from "../../src/observe/oci/hub.ts";
import { listTags } from "../../src/observe/oci/tags.ts";
import { lookUpPypi } from "../../src/observe/pypi.ts";
import { sightOf } from "../git/stand.ts";
import type { Npm } from "../stand/npm.ts";
import { startNpm } from "../stand/npm.ts";
import type { Shelf } from "../stand/packages.ts";
import { createShelf, startDockerHub, startHuggingface, startPypi } from "../stand/packages.ts";
import type { Stub } from "../stand/stub-server.ts";
import { net } from "./net.ts";

const SHA = "0b20469c627e94060d1015170b186d19de1db583";
let shelf: Shelf;
let pypi: Stub;
let huggingface: Stub;
let hub: Stub;
beforeEach(async () => {
  shelf = createShelf();
  [pypi, huggingface, hub] = await Promise.all([startPypi(shelf), startHuggingface(shelf), startDockerHub(shelf)]);
});
afterEach(() => Promise.all([pypi, huggingface, hub].map((stub) => stub.close())));
const here = (options: Parameters<typeof net>[0] = {}) =>
  net({ bases: { pypi: pypi.url, huggingface: huggingface.url, dockerHub: hub.url }, ...options });

describe("PyPI", () => {
  it("tells versions with their days, and the newest that counts", async () => {
    shelf.pypi.transformers = [
      { version: "5.8.0", at: "2026-05-01T10:00:00.123456Z" },
      { version: "5.10.0rc1", at: "2026-05-03T10:00:00Z" },
      { version: "5.9.0", at: "2026-05-02T10:00:00Z" },
    ];
    expect(sightOf(await lookUpPypi(here(), "Transformers"))).toEqual({
      versions: {
        "5.8.0": { publishedAt: "2026-05-01T10:00:00Z" },
        "5.9.0": { publishedAt: "2026-05-02T10:00:00Z" },
        "5.10.0rc1": { publishedAt: "2026-05-03T10:00:00Z" },
      },
      latest: "5.9.0",
    });
  });

  it("B28 a yanked version is not the newest, and says why; one with a file left is not yanked; one without files is none", async () => {
    shelf.pypi.pkg = [
      {
        version: "0.5.17",
        at: "2026-05-01T00:00:00Z",
        files: ["pkg-0.5.17.tar.gz", "pkg-0.5.17-py3-none-any.whl"],
        yanked: { files: ["pkg-0.5.17.tar.gz"] },
      },
      { version: "5.0.4", at: "2026-05-02T00:00:00Z", yanked: { reason: "wrong number" } },
      { version: "6.0.0", at: "2026-05-03T00:00:00Z", files: [] },
    ];
    expect(sightOf(await lookUpPypi(here(), "pkg"))).toEqual({
      versions: {
        "0.5.17": { publishedAt: "2026-05-01T00:00:00Z" },
        "5.0.4": { publishedAt: "2026-05-02T00:00:00Z", yanked: true, reason: "wrong number" },
      },
      latest: "0.5.17",
    });
  });

  it("reads nothing again that has not changed", async () => {
    shelf.pypi.pkg = [{ version: "1.0", at: "2026-05-01T00:00:00Z" }];
    const first = await lookUpPypi(here(), "pkg");
    const etag = first.state === "seen" ? first.etag : undefined;
    expect(await lookUpPypi(here(), "pkg", { etag })).toMatchObject({ state: "unchanged" });
    shelf.pypi.pkg.push({ version: "1.1", at: "2026-05-02T00:00:00Z" });
    expect(sightOf(await lookUpPypi(here(), "pkg", { etag })).latest).toBe("1.1");
  });

  it("tells a package that is not there from a host that fails", async () => {
    expect(await lookUpPypi(here(), "nothing")).toMatchObject({ state: "gone", what: "package" });
    shelf.pypi.pkg = [{ version: "1.0", at: "2026-05-01T00:00:00Z" }];
    const faults = [
      { kind: "error", status: 404, body: "<html>" },
      { kind: "error", status: 200, body: { info: {} } },
      { kind: "unicorn", status: 502 },
      { kind: "truncated", how: "clean" },
      { kind: "truncated", how: "cut" },
      { kind: "reset" },
      { kind: "limit", status: 429, retryAfter: 120 },
    ] as const;
    for (const fault of faults) {
      pypi.setFaults(() => fault);
      expect(await lookUpPypi(here(), "pkg"), fault.kind).toMatchObject({ state: "failed" });
    }
    expect(await lookUpPypi(here(), "pkg")).toMatchObject({ notBefore: "2026-05-16T00:02:00.000Z" });
  });

  it("tries again where waiting is possible, as long as the server asks, and gives up in time", async () => {
    shelf.pypi.pkg = [{ version: "1.0", at: "2026-05-01T00:00:00Z" }];
    const waited: number[] = [];
    const patient = here({ wait: async (ms) => void waited.push(ms) });
    pypi.setFaults((request) =>
      request.index === 0
        ? { kind: "limit", status: 429, retryAfter: 7 }
        : request.index === 1
          ? { kind: "unicorn", status: 502 }
          : undefined,
    );
    expect((await lookUpPypi(patient, "pkg")).state).toBe("seen");
    expect(waited).toEqual([7000, 2000]);
    pypi.setFaults(() => ({ kind: "unicorn", status: 502 }));
    expect((await lookUpPypi(patient, "pkg")).state).toBe("failed");
    pypi.setFaults(() => ({ kind: "limit", status: 429, retryAfter: 3600 }));
    const before = pypi.requests.count();
    expect((await lookUpPypi(patient, "pkg")).state).toBe("failed");
    expect(pypi.requests.count() - before).toBe(1);
  });
});

describe("Hugging Face", () => {
  beforeEach(() => {
    shelf.huggingface["org/model"] = {
      revisions: { main: SHA, v1: "1".repeat(40) },
      dates: { [SHA]: "2026-05-02T00:00:00Z", ["1".repeat(40)]: "2026-04-01T00:00:00Z" },
    };
  });

  it("tells the commit and the day of a revision, main by default", async () => {
    expect(sightOf(await lookUpAsset(here(), "org/model"))).toEqual({ sha: SHA, lastModified: "2026-05-02T00:00:00.000Z" });
    expect(sightOf(await lookUpAsset(here(), "org/model", { revision: "v1" })).sha).toBe("1".repeat(40));
  });

  it("reads nothing again that has not changed", async () => {
    const first = await lookUpAsset(here(), "org/model");
    expect(await lookUpAsset(here(), "org/model", { etag: first.state === "seen" ? first.etag : undefined })).toMatchObject({
      state: "unchanged",
    });
  });

  it("tells a missing revision from a repository that is private, gated or gone", async () => {
    expect(await lookUpAsset(here(), "org/model", { revision: "v9" })).toMatchObject({ state: "gone", what: "revision" });
    expect(await lookUpAsset(here(), "org/none")).toMatchObject({
      state: "failed",
      status: 401,
      why: expect.stringContaining("private, gated, or does not exist"),
    });
  });

  it("follows a rename and says so", async () => {
    shelf.huggingface["old/model"] = { ...shelf.huggingface["org/model"], revisions: {}, dates: {}, movedTo: "org/model" };
    expect(sightOf(await lookUpAsset(here(), "old/model"))).toMatchObject({ sha: SHA, renamedTo: "org/model" });
  });

  it("learns nothing from an overloaded host", async () => {
    huggingface.setFaults(() => ({ kind: "unicorn", status: 504 }));
    expect(await lookUpAsset(here(), "org/model")).toMatchObject({ state: "failed", status: 504 });
  });
});

describe("Docker Hub", () => {
  beforeEach(() => {
    shelf.dockerHub["vllm/vllm-openai"] = Array.from({ length: 250 }, (_, n) => ({
      name: `nightly-${n}`,
      digest: `sha256:${String(n).padStart(64, "0")}`,
      at: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
    }));
  });

  it("tells the newest tags with the day of their push, page by page", async () => {
    const tags = sightOf(await recentTags(here(), "vllm/vllm-openai", { count: 150 }));
    expect(tags).toHaveLength(150);
    expect(tags[0]).toMatchObject({ tag: "nightly-249", pushedAt: "2026-09-07T00:00:00.000Z" });
    expect(hub.requests.count()).toBe(2);
    expect(await recentTags(here(), "none/such")).toMatchObject({ state: "failed", status: 404 });
  });

  it("lists all tags of a registry that pages, and fails as a whole when a page fails", async () => {
    const image = `${new URL(hub.url).host}/vllm/vllm-openai`;
    const small = net({ fetch: (url, init) => fetch(url.replace("n=1000", "n=100"), init) });
    expect(sightOf(await listTags(small, image))).toHaveLength(250);
    hub.setFaults((request) => (request.path.includes("last=") ? { kind: "unicorn", status: 502 } : undefined));
    expect(await listTags(small, image)).toMatchObject({ state: "failed", status: 502 });
  });

  it("gives up on a registry whose pages go in circles", async () => {
    const image = `${new URL(hub.url).host}/vllm/vllm-openai`;
    const link = `</v2/vllm/vllm-openai/tags/list?n=1000>; rel="next"`;
    hub.setFaults(() => ({ kind: "error", status: 200, body: { name: "x", tags: ["a"] }, headers: { link } }));
    expect(await listTags(net(), image)).toMatchObject({ state: "failed", why: expect.stringContaining("in circles") });
  });
});

describe("npm", () => {
  let npm: Npm;
  beforeAll(async () => {
    npm = await startNpm();
  });
  afterAll(() => npm.close());
  const registry = () => net({ bases: { npm: npm.url } });

  it("tells versions with their days, what is deprecated and why, and the newest that is not", async () => {
    for (const version of ["1.0.0", "1.2.0", "1.10.0"]) await npm.publish("@scope/pkg", version);
    await npm.publish("@scope/pkg", "2.0.0-rc.1", { tag: "next" });
    await npm.deprecate("@scope/pkg", "1.10.0", "broken build");
    const fact = sightOf(await lookUpNpm(registry(), "@scope/pkg"));
    expect(fact.latest).toBe("1.2.0");
    expect(fact.versions["1.10.0"]).toMatchObject({ yanked: true, reason: "broken build" });
    expect(fact.versions["1.0.0"]).toEqual({ publishedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) });
    expect(Object.keys(fact.versions)).toHaveLength(4);
  });

  it("reads nothing again that has not changed, and tells a package that is not there", async () => {
    await npm.publish("plain", "1.0.0");
    const first = await lookUpNpm(registry(), "plain");
    expect(await lookUpNpm(registry(), "plain", { etag: first.state === "seen" ? first.etag : undefined })).toMatchObject({
      state: "unchanged",
    });
    expect(await lookUpNpm(registry(), "not-there")).toMatchObject({ state: "gone", what: "package" });
  });
});
