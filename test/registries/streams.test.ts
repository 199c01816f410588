import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { newestBuilds } from "../../src/observe/oci/stream.ts";
import { sightOf } from "../git/stand.ts";
import { createShelf, startDockerHub } from "../stand/packages.ts";
import { startRegistry } from "../stand/registry.ts";
import { net } from "./net.ts";

it("the newest builds of a stream on Docker Hub come in one request, by their push", async () => {
  const shelf = createShelf();
  shelf.dockerHub["vllm/vllm-openai"] = ["nightly-a1", "v0.20.0", "nightly-b2", "nightly", "nightly-a0"].map((name, n) => ({
    name,
    digest: `sha256:${"0".repeat(64)}`,
    at: `2026-05-0${n + 1}T00:00:00Z`,
  }));
  const hub = await startDockerHub(shelf);
  const here = net({ bases: { dockerHub: hub.url } });
  expect(sightOf(await newestBuilds(here, "oci:docker.io/vllm/vllm-openai:nightly-*"))).toEqual([
    { tag: "nightly-a0", pushedAt: "2026-05-05T00:00:00Z" },
    { tag: "nightly-b2", pushedAt: "2026-05-03T00:00:00Z" },
    { tag: "nightly-a1", pushedAt: "2026-05-01T00:00:00Z" },
  ]);
  expect(hub.requests.count()).toBe(1);
  hub.setFaults(() => ({ kind: "unicorn", status: 502 }));
  expect((await newestBuilds(here, "oci:docker.io/vllm/vllm-openai:nightly-*")).state).toBe("failed");
  expect((await newestBuilds(here, "oci:no stream")).state).toBe("failed");
  await hub.close();
});

it.skipIf(spawnSync("docker-registry", ["--version"]).status !== 0)("B24 elsewhere by their number, not by their name", async () => {
  const registry = await startRegistry();
  for (const tag of ["server-cuda-b9999", "server-cuda-b10000", "server-vulkan-b10001", "server-cuda", "server-cuda-b998"])
    await registry.push("org/llama", tag, [{}]);
  const builds = sightOf(await newestBuilds(net(), `oci:${registry.host}/org/llama:server-cuda-*`, 2));
  expect(builds.map(({ tag }) => tag)).toEqual(["server-cuda-b10000", "server-cuda-b9999"]);
  await registry.close();
});
