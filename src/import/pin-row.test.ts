import { expect, it } from "vitest";
import { readArtifact, upstreamOf } from "./pin-row.ts";

it.each([
  ["`vllm/vllm-openai:nightly-01d4d1ad`", "oci:docker.io/vllm/vllm-openai:nightly-01d4d1ad", "immutable"],
  ["`ghcr.io/ggml-org/llama.cpp:server-cuda`", "oci:ghcr.io/ggml-org/llama.cpp:server-cuda", "floating"],
  ["`ghcr.io/ggml-org/llama.cpp:server-cuda-b10236` (build)", "oci:ghcr.io/ggml-org/llama.cpp:server-cuda-b10236", "immutable"],
  ["postgres:16.2.1", "oci:docker.io/library/postgres:16.2.1", "immutable"],
  ["localhost:5000/a/b:local", "oci:localhost:5000/a/b:local", "local"],
  [`a/b@sha256:${"0".repeat(64)}`, `oci:docker.io/a/b@sha256:${"0".repeat(64)}`, "immutable"],
  ["Sandermage/genesis@7b9fd319", "git:Sandermage/genesis@7b9fd319", "immutable"],
  ["transformers==5.8.0", "pypi:transformers@5.8.0", "immutable"],
])("reads %s", (text, artifact, mutability) => {
  expect(readArtifact(text)).toMatchObject({ artifact, mutability });
});

it.each(["just words", "see docs/x.md:12", "", "12:30"])("reads no artifact in %j", (text) => {
  expect(readArtifact(text)).toBeUndefined();
});

it("finds the upstream of an image by repository, then by name, then by namespace", () => {
  const upstreams = [
    { id: "vllm", repo: "vllm-project/vllm", aliases: ["vLLM"] },
    { id: "llama", repo: "ggml-org/llama.cpp", aliases: [] },
  ];
  expect(upstreamOf("oci:docker.io/vllm/vllm-openai:v1", upstreams)).toBe("vllm");
  expect(upstreamOf("oci:ghcr.io/ggml-org/llama.cpp:b1", upstreams)).toBe("llama");
  expect(upstreamOf("oci:docker.io/library/redis:7", upstreams)).toBeUndefined();
});
