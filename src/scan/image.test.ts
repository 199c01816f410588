import { describe, expect, it } from "vitest";
import { mutabilityOf, normaliseImage, parseImage } from "./image.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("image names", () => {
  it.each([
    ["nginx", "docker.io/library/nginx:latest"],
    ["nginx:alpine", "docker.io/library/nginx:alpine"],
    ["o/n:1", "docker.io/o/n:1"],
    ["docker.io/o/n:1", "docker.io/o/n:1"],
    ["ghcr.io/o/n", "ghcr.io/o/n:latest"],
    ["ghcr.io/o/deep/n_x:1", "ghcr.io/o/deep/n_x:1"],
    ["localhost/n:1", "localhost/n:1"],
    ["127.0.0.1:5000/n:1", "127.0.0.1:5000/n:1"],
    ["registry:5000/n", "registry:5000/n:latest"],
    [`o/n@${DIGEST}`, `docker.io/o/n@${DIGEST}`],
    [`o/n:1@${DIGEST}`, `docker.io/o/n:1@${DIGEST}`],
  ])("%s is %s", (text, expected) => {
    expect(normaliseImage(text)).toBe(expected);
  });
  it.each(["", "O/N:1", "o/n:", ":1", "o//n", "o/n:1:2", "o/n@sha256:abc", "a b", "./x", "{{ .Values.image }}", "-x"])(
    "%s is no image",
    (text) => {
      expect(parseImage(text)).toBeUndefined();
    },
  );
  it.each([
    [`o/n@${DIGEST}`, "immutable"],
    [`o/n:latest@${DIGEST}`, "immutable"],
    ["o/n:nightly-1acd67a795ebccdf9b9db7697ae9082058301657", "immutable"],
    ["o/n:multiarch-v0.3.0-efe856397", "immutable"],
    ["o/n:v0.27.1", "immutable"],
    ["o/n:v0.4.7-cu129", "immutable"],
    ["o/n:server-cuda-b10236", "immutable"],
    ["o/n:2026-08-22", "immutable"],
    ["o/n", "floating"],
    ["o/n:latest", "floating"],
    ["o/n:main-latest", "floating"],
    ["o/n:server-cuda", "floating"],
    ["o/n:v0.27", "floating"],
    ["o/n:gemma4-unified", "floating"],
    ["o/n:deadbeef", "floating"],
    ["llama-cpp:local", "local"],
    ["localhost/n:1.2.3", "local"],
    ["comfyui-local:latest", "local"],
    ["o/locale:1", "floating"],
  ])("%s is %s", (text, expected) => {
    expect(mutabilityOf(text)).toBe(expected);
  });
});
