import { describe, expect, it } from "vitest";
import { sha, worldFrom } from "../../test/world.ts";
import { buildsOf, resolveCandidate } from "./candidate.ts";

const A = sha("a");
const B = sha("b");
const stack = (facts: object = {}, more: object = {}) =>
  worldFrom({
    upstreams: {
      up: {
        repo: "u/r",
        branches: ["main"],
        streams: [
          { name: "nightly", artifact: "oci:docker.io/up/up:nightly-*" },
          { name: "release", artifact: "oci:docker.io/up/up:v*" },
        ],
      },
      other: { repo: "o/r" },
    },
    pins: {
      today: { artifact: `oci:docker.io/up/up:nightly-${A}`, commit: "a" },
      far: { upstream: "other", artifact: `git:o/r@${sha("c")}` },
    },
    ...more,
    facts: {
      tags: { "v1.0": "b", "v1.1": "d" },
      commits: { a: { committedAt: "2026-05-02" }, b: { committedAt: "2026-05-01" } },
      ...facts,
    },
  });
const resolve = (asked: string, only = ["up", "other"], world = stack()) => {
  const found = resolveCandidate(world, asked, only);
  return found.state === "build" ? { upstream: found.upstream, ...found.build } : found.why;
};

describe("what a candidate means", () => {
  it.each([
    ["a tag", "v1.0", { upstream: "up", artifact: "oci:docker.io/up/up:v1.0", commit: B, name: "v1.0" }],
    ["an image", "up/up:v1.0", { artifact: "oci:docker.io/up/up:v1.0", commit: B, date: "2026-05-01" }],
    ["an image with its scheme and host", "oci:docker.io/up/up:v1.0", { commit: B }],
    ["a nightly", `nightly-${B}`, { artifact: `oci:docker.io/up/up:nightly-${B}`, commit: B }],
    ["the start of an observed commit", "bbbbbbbb", { commit: B, artifact: `oci:docker.io/up/up:nightly-${B}` }],
    ["a repository's tag", "u/r@v1.1", { commit: sha("d"), upstream: "up" }],
    ["another pin", "today", { commit: A, artifact: `oci:docker.io/up/up:nightly-${A}` }],
  ])("%s", (_, asked, expected) => {
    expect(resolve(asked)).toMatchObject(expected);
  });

  it("a whole hash that was never observed is taken only where the upstream is clear", () => {
    const unseen = sha("e");
    expect(resolve(unseen)).toContain('is "eeeeeeee');
    expect(resolve(unseen, ["up"])).toMatchObject({ commit: unseen, available: "unknown", date: undefined });
    expect(resolve(`u/r@${unseen}`)).toMatchObject({ upstream: "up", commit: unseen });
  });

  it("the start of a hash that was never observed is not guessed at", () => {
    expect(resolve("eeeeeeeeee", ["up"])).toContain("must be given with all 40 digits");
  });

  it("a tag that was never observed is not guessed at; a like one is named", () => {
    expect(resolve("v1.2")).toBe('No observed tag, build or commit of up or other is "v1.2".');
    expect(resolve("1.1")).toContain("Observed is v1.1.");
  });

  it("an image whose source nothing tells", () => {
    expect(resolve("up/up:v9.9")).toMatchObject({ commit: undefined, why: "no source commit of it was observed", available: "unknown" });
  });

  it("a label that contradicts the tag's hash leaves the source unknown", () => {
    const image = `oci:docker.io/up/up:nightly-${B}`;
    const world = stack({ registry: { [image]: { available: "yes", revision: "d" } } });
    expect(resolve(image, ["up"], world)).toMatchObject({
      commit: undefined,
      available: "yes",
      why: expect.stringContaining("its label says dddddddddd"),
    });
  });

  it("what is gone from its registry says so", () => {
    const world = stack({ registry: { "oci:docker.io/up/up:v1.0": { available: "gone" } } });
    expect(resolve("v1.0", ["up"], world)).toMatchObject({ available: "gone" });
  });

  it("a tag of two upstreams needs the pin", () => {
    const world = stack({}, { upstreams: { up: { repo: "u/r", streams: [] }, other: { repo: "u/r" } }, pins: {} });
    expect(resolve("v1.0", ["up", "other"], world)).toContain("name the pin with --pin");
  });
});

describe("known builds", () => {
  it("pins, tags and what registries were asked for, each once, oldest first; a branch tip only where nothing is published", () => {
    const world = stack({ registry: { [`oci:docker.io/up/up:nightly-${B}`]: { available: "gone" } } });
    expect(buildsOf(world, "up").map(({ name, available }) => [name, available])).toEqual([
      ["nightly-bbbbbbbbbb", "gone"],
      ["v1.0", "unknown"],
      ["v1.1", "unknown"],
      ["nightly-aaaaaaaaaa", "unknown"],
    ]);
  });
});
