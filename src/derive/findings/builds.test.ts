import { expect, it } from "vitest";
import { sha, stackOf } from "../../../test/world.ts";
import type { ShortStack } from "../../../test/world.ts";
import { derive } from "../derive.ts";
import { changedBuilds } from "./builds.ts";

function told(stack: ShortStack, tags: Record<string, object> = {}): string[] {
  const { model, observed } = stackOf(stack);
  const file = observed.git["u/r"];
  for (const [tag, fact] of Object.entries(tags)) {
    if (file)
      file.tags[tag] = { commit: sha("b"), date: "2026-05-01", exact: true, source: "git tag", asOf: "2026-05-10T00:00:00Z", ...fact };
  }
  return changedBuilds(derive(model, observed)).map(
    ({ file: where, path, rule, message }) => `${where} ${path.join(".")} ${rule}: ${message}`,
  );
}

const registry = (versions: object) => ({ facts: { registry: { "pypi:pkg@5.0.4": { available: "yes", versions } } } });

it("B28 a pin on a withdrawn version is told, with the reason of its maintainers", () => {
  const pins = { p: { artifact: "pypi:pkg@5.0.4" } };
  expect(told({ pins, ...registry({ "5.0.4": { publishedAt: null, yanked: true, reason: "wrong number" } }) })).toEqual([
    'data/pins/p.yaml artifact withdrawn-version: Version 5.0.4 was withdrawn by its maintainers: "wrong number". Move the pin to another version.',
  ]);
  expect(told({ pins, ...registry({ "5.0.4": { publishedAt: null } }) })).toEqual([]);
  const retired = { on: "2026-05-01", because: "x" };
  expect(told({ pins: { p: { ...pins.p, retired } }, ...registry({ "5.0.4": { publishedAt: null, yanked: true } }) })).toEqual([]);
});

it("B12 a tag that moved is told with both commits, and never taken over silently", () => {
  expect(told({ upstreams: { up: {} }, facts: { tags: { v1: "b" } } }, { v1: { movedFrom: sha("a") } })).toEqual([
    "data/upstreams/up.yaml repo tag-moved: The upstream moved its tag v1 from aaaaaaaaaa to bbbbbbbbbb (seen 2026-05-10). Look at what changed, and test again what was tested with it.",
  ]);
  expect(told({ upstreams: { up: {} }, facts: { tags: { v1: "b" } } })).toEqual([]);
  const later = { upstreams: { up: {} }, facts: { tags: { v1: "b" }, asOf: "2026-06-30T00:00:00Z" } };
  expect(told(later, { v1: { movedFrom: sha("a") } })).toEqual([]);
});

it("B14 a pin by a tag that was deleted is told to name the commit", () => {
  const pins = { p: { artifact: "git:u/r@v1" } };
  expect(told({ pins, facts: { tags: { v1: "b" } } }, { v1: { gone: true } })).toEqual([
    "data/pins/p.yaml artifact tag-gone: The upstream deleted its tag v1 (seen 2026-05-10). Name the commit bbbbbbbbbb instead, which stays what it was.",
  ]);
});
