import { describe, expect, it } from "vitest";
import { sourceOf } from "./revision.ts";

const SHA = "0b20469c627e94060d1015170b186d19de1db583";
const OTHER = "1acd67a795ebccdf9b9db7697ae9082058301657";
const VLLM = ["vllm-project/vllm"];
const labels = (revision: string | undefined, source?: string) => ({
  ...(revision === undefined ? {} : { "org.opencontainers.image.revision": revision }),
  ...(source === undefined ? {} : { "org.opencontainers.image.source": source }),
});

describe("the source commit of an image", () => {
  it.each([
    "https://github.com/vllm-project/vllm",
    "https://github.com/vllm-project/vllm.git",
    "https://github.com/VLLM-project/vllm/tree/main/docker",
    "git@github.com:vllm-project/vllm.git",
    "ssh://git@github.com/vllm-project/vllm",
    "github.com/vllm-project/vllm",
  ])("B19 believes a revision label when the source label %s names the expected repository", (source) => {
    expect(sourceOf(labels(SHA, source), "v0.20.0", VLLM)).toEqual({ sha: SHA, from: "revision label" });
  });

  it("B19 does not believe a label that a base image left there", () => {
    expect(sourceOf(labels(SHA, "https://github.com/nvidia/cuda"), "v1", VLLM)).toEqual({
      note: "the revision label 0b20469c62 is not believed: the source label names https://github.com/nvidia/cuda, not vllm-project/vllm",
    });
    expect(sourceOf(labels(SHA), "v1", VLLM).note).toContain("there is no source label");
    expect(sourceOf(labels("22.04", "https://github.com/vllm-project/vllm"), "v1", VLLM)).toEqual({
      note: 'the revision label "22.04" is no commit',
    });
    expect(sourceOf(labels(SHA, "https://github.com/vllm-project/vllm"), "v1", [])).not.toHaveProperty("sha");
  });

  it("B19 says when there is no label and no hash in the tag", () => {
    expect(sourceOf({ "org.opencontainers.image.ref.name": "ubuntu" }, "server-cuda", VLLM)).toEqual({
      note: "no revision label, and no hash in the tag",
    });
  });

  it("B23 takes the hash of the tag, and the longer of two that agree", () => {
    expect(sourceOf({}, `nightly-${SHA}`, VLLM)).toEqual({ sha: SHA, from: "tag" });
    expect(sourceOf({}, "nightly-20260708-b93cbcb", VLLM)).toEqual({ sha: "b93cbcb", from: "tag" });
    expect(sourceOf(labels(SHA), `nightly-${SHA.slice(0, 8)}`, VLLM)).toEqual({ sha: SHA, from: "revision label and tag" });
    expect(sourceOf(labels(SHA.slice(0, 12)), `nightly-${SHA}`, VLLM)).toEqual({ sha: SHA, from: "revision label and tag" });
  });

  it("B23 knows nothing when label and tag disagree, and goes by the tag when the label is not believed", () => {
    expect(sourceOf(labels(OTHER, "https://github.com/vllm-project/vllm"), `nightly-${SHA}`, VLLM)).toEqual({
      note: "the revision label says 1acd67a795, the tag says 0b20469c62",
    });
    expect(sourceOf(labels(OTHER, "https://github.com/nvidia/cuda"), `nightly-${SHA}`, VLLM)).toMatchObject({ sha: SHA, from: "tag" });
  });
});
