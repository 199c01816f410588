import { describe, expect, it } from "vitest";
import { worldFrom } from "../../test/world.ts";
import { released } from "./registry.ts";

const at = (versions: string, registry: Record<string, unknown>) =>
  worldFrom({
    upstreams: { up: { repo: "u/r", versions, former: ["old/r"] } },
    facts: { registry: { "github:u/r": { versions: registry } } },
  });
const truth = (scheme: string, versions: string[], condition: string) =>
  released(at(scheme, Object.fromEntries(versions.map((version) => [version, { publishedAt: null }]))), condition).truth;

describe("a release on GitHub, in the upstream's own order", () => {
  it.each([
    ["semver", ["v7.72.2", "v7.73.0"], "github:u/r >=7.73.0", "yes"],
    ["semver", ["v7.72.2"], "github:u/r >=7.73.0", "no"],
    ["semver", ["v7.73.0-rc.1"], "github:u/r >=7.73.0", "no"],
    ["semver", ["v7.9.0"], "github:u/r >=7.10.0", "no"],
    ["semver", ["v1.5.0"], "github:u/r >=1.2, <2", "yes"],
    ["semver", ["v2.1.0"], "github:u/r >=1.2 <2", "no"],
    ["build-number", ["b9999", "b10000"], "github:u/r >b9999", "yes"],
    ["build-number", ["b9999"], "github:u/r >b9999", "no"],
    ["semver", ["v1.5.0"], "github:old/r ==1.5.0", "yes"],
    ["none", ["v7.73.0"], "github:u/r >=7.73.0", "unknown"],
  ])("%s %j %s -> %s", (scheme, versions, condition, expected) => {
    expect(truth(scheme, versions, condition)).toBe(expected);
  });

  it("is unknown when it was never observed", () => {
    expect(released(worldFrom({}), "github:u/r >=1").truth).toBe("unknown");
  });
});
