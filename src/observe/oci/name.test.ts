import { describe, expect, it } from "vitest";
import { baseOf, parseImage } from "./name.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("names of images", () => {
  it.each([
    ["vllm/vllm-openai:v0.20.0", { host: "registry-1.docker.io", repository: "vllm/vllm-openai", tag: "v0.20.0" }],
    ["oci:docker.io/vllm/vllm-openai", { host: "registry-1.docker.io", repository: "vllm/vllm-openai" }],
    ["ubuntu:22.04", { host: "registry-1.docker.io", repository: "library/ubuntu", tag: "22.04" }],
    ["docker.io/ubuntu", { host: "registry-1.docker.io", repository: "library/ubuntu" }],
    ["ghcr.io/ggml-org/llama.cpp:server-cuda", { host: "ghcr.io", repository: "ggml-org/llama.cpp", tag: "server-cuda" }],
    [`ghcr.io/a/b:t@${DIGEST}`, { host: "ghcr.io", repository: "a/b", tag: "t", digest: DIGEST }],
    ["localhost:5000/a:1", { host: "localhost:5000", repository: "a", tag: "1" }],
    ["registry.example.com:8443/a/b/c", { host: "registry.example.com:8443", repository: "a/b/c" }],
    ["localhost/a", { host: "localhost", repository: "a" }],
  ])("%s", (image, expected) => {
    expect(parseImage(image)).toEqual(expected);
  });

  it.each(["", "UPPER/case", "a b", "a:", "a@sha256:12", "https://ghcr.io/a/b"])("refuses %s", (image) => {
    expect(parseImage(image)).toBeUndefined();
  });

  it("speaks plain HTTP to this machine alone", () => {
    expect([baseOf("127.0.0.1:5000"), baseOf("localhost"), baseOf("ghcr.io"), baseOf("localhost.example.com")]).toEqual([
      "http://127.0.0.1:5000",
      "http://localhost",
      "https://ghcr.io",
      "https://localhost.example.com",
    ]);
  });
});
