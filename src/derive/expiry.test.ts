import { expect, it } from "vitest";
import { stackOf } from "../../test/world.ts";
import { expiryOf } from "./expiry.ts";
import { worldOf } from "./facts.ts";

const STREAM = "oci:docker.io/up/up:nightly-*";

/** A pin on the build that has so many newer ones, each a day apart up to 2026-05-11; the facts are of 2026-05-12. */
function expiry(newer: number, keeps?: object, artifact = "oci:up/up:nightly-0"): string | undefined {
  const published = (n: number) =>
    new Date(Date.parse("2026-05-11T00:00:00Z") - (newer - n) * 86_400_000).toISOString().replace(".000", "");
  const versions = Object.fromEntries(Array.from({ length: newer + 1 }, (_, n) => [`nightly-${n}`, { publishedAt: published(n) }]));
  const { model, observed } = stackOf({
    upstreams: { up: { streams: [{ name: "nightly", artifact: STREAM, ...(keeps ? { keeps } : {}) }] } },
    pins: { p: { artifact } },
    facts: { registry: { [STREAM]: { versions } } },
  });
  return expiryOf(worldOf(model, observed), "p");
}

it("B17 warns when the last builds before its own deletion are out", () => {
  expect(expiry(10, { builds: 14 })).toBeUndefined();
  expect(expiry(11, { builds: 14 })).toBe("11 newer builds are out, and nightly keeps about 14");
  expect(expiry(20, { builds: 14 })).toBe("20 newer builds are out, and nightly keeps about 14");
});

it("B17 warns in the last days where builds are kept by age", () => {
  expect(expiry(51, { days: 60 })).toBeUndefined();
  expect(expiry(52, { days: 60 })).toBe("it was published 53 days ago, and nightly keeps builds for about 60");
});

it("says nothing where nobody wrote down what is kept, of a build that was not listed, and of what is no image", () => {
  expect(expiry(20)).toBeUndefined();
  expect(expiry(20, { builds: 14 }, "oci:up/up:nightly-old")).toBeUndefined();
  expect(expiry(20, { builds: 14 }, "git:u/r@v1")).toBeUndefined();
});
