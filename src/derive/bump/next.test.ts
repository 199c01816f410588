import { expect, it } from "vitest";
import type { ShortStack } from "../../../test/world.ts";
import { sha, stackOf } from "../../../test/world.ts";
import { derive } from "../derive.ts";
import { nextBumps } from "./next.ts";

const image = (tag: string) => `oci:docker.io/up/up:${tag}`;
const pull = { kind: "pull-request", state: "closed", merged: true, mergedAt: "2026-05-02", base: "main", mergeCommit: "1" };

/** Builds v1 to v3 of days 1 to 3; pin p is on v1, and a row waits for a change that v2 and v3 have. */
function bumps({ facts, ...rest }: ShortStack = {}) {
  const { model, observed } = stackOf({
    upstreams: { up: { repo: "u/r", branches: ["main"], streams: [{ name: "release", artifact: image("v*") }] } },
    pins: { p: { artifact: image("v1"), commit: "a" } },
    items: { row: { refs: [{ ref: "u/r#1", role: "fix" }] } },
    ...rest,
    facts: {
      threads: { "u/r#1": pull },
      tags: { v1: "a", v2: "b", v3: "c" },
      contains: { "1": { a: "no", b: "yes", c: "yes" } },
      ...facts,
    },
  });
  for (const [tag, day] of Object.entries({ v1: 1, v2: 2, v3: 3 })) {
    const fact = observed.git["u/r"]?.tags[tag];
    if (fact) fact.date = `2026-05-0${day}`;
  }
  return nextBumps(derive(model, observed));
}
const shape = (found: ReturnType<typeof bumps>) => found.map(({ candidate, pins }) => [candidate.name, ...pins.map(({ pin }) => pin)]);

it("moves the pins that are behind to the newest build, and says what it has", () => {
  const found = bumps();
  expect(shape(found)).toEqual([["v3", "p"]]);
  expect(found[0]?.newlyContained.map(({ item }) => item)).toEqual(["row"]);
});

it("C1 passes over a build that is gone", () => {
  expect(shape(bumps({ facts: { registry: { [image("v3")]: { available: "gone" } } } }))).toEqual([["v2", "p"]]);
});

it("proposes nothing for a pin on the newest build, for one that floats, and for one that is retired", () => {
  expect(bumps({ pins: { p: { artifact: image("v3"), commit: "c" } } })).toEqual([]);
  expect(bumps({ pins: { p: { artifact: image("v1"), commit: "a", mutability: "floating" } } })).toEqual([]);
  expect(bumps({ pins: { p: { artifact: image("v1"), commit: "a", retired: { on: "2026-05-04", because: "Gone." } } } })).toEqual([]);
});

it("does not move a newer pin back, nor one whose own day is not known", () => {
  const pins = {
    p: { artifact: image("v1"), commit: "a" },
    q: { artifact: image("v3"), commit: "c" },
    r: { artifact: image("odd"), commit: "e" },
  };
  expect(shape(bumps({ pins }))).toEqual([["v3", "p"]]);
});

it("says of a patch whose source was not read there that it was not checked", () => {
  const [found] = bumps({ patches: { it: { targets: [{ path: "x.py", anchors: [{ text: "a" }] }], load_bearing: true } } });
  expect(found?.unchecked).toEqual([{ pins: ["p"], patch: "it", target: "x.py", because: "the source of that build was not read yet" }]);
  expect(found?.candidate.commit).toBe(sha("c"));
  expect(found?.exitCode).toBe(2);
});
