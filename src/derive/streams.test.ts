import { expect, it } from "vitest";
import { sha, worldFrom } from "../../test/world.ts";
import { buildsOf } from "./candidate.ts";

const PATTERN = "oci:example.org/up:nightly-*";
const world = worldFrom({
  upstreams: { up: { versions: "build-number", streams: [{ name: "nightly", artifact: PATTERN }] } },
  pins: { p: { artifact: `oci:example.org/up:nightly-${sha("b")}`, commit: "b" } },
  facts: {
    commits: { b: { committedAt: "2026-05-02T00:00:00Z" }, c: { committedAt: "2026-05-03T00:00:00Z" } },
    tags: { b7: "c" },
    registry: {
      [PATTERN]: {
        versions: {
          [`nightly-${sha("b")}`]: { publishedAt: "2026-05-02T03:00:00Z" },
          "nightly-b7": { publishedAt: "2026-05-03T03:00:00Z" },
          "nightly-special": { publishedAt: "2026-05-04T03:00:00Z" },
        },
      },
    },
  },
});

it("the builds that a registry listed stand beside the pins, each once, with their commit where their tag tells it", () => {
  const builds = buildsOf(world, "up").filter(({ artifact }) => artifact.startsWith("oci:"));
  expect(builds.map(({ artifact, commit, available, date }) => [artifact.split(":").at(-1), commit, available, date])).toEqual([
    [`nightly-${sha("b")}`, sha("b"), expect.stringMatching(/yes|unknown/), "2026-05-02"],
    ["nightly-b7", sha("c"), "yes", "2026-05-03"],
    ["nightly-special", undefined, "yes", undefined],
  ]);
});
