import { describe, expect, it } from "vitest";
import { compareVersions, inOrder, isPrerelease, latestVersion, namedIn, schemeProblem } from "./versions.ts";

const SHA = "0b20469c627e94060d1015170b186d19de1db583";

describe("commits and builds named in tags", () => {
  it("B23 reads a hash of 7 to 40 digits from the end and keeps the variant", () => {
    expect(namedIn(`nightly-${SHA}`)).toEqual({ kind: "commit", sha: SHA, variant: "nightly-*" });
    expect(namedIn(`nightly-rocm100-${SHA}`)).toEqual({ kind: "commit", sha: SHA, variant: "nightly-rocm100-*" });
    expect(namedIn("nightly-20260708-b93cbcb")).toEqual({ kind: "commit", sha: "b93cbcb", variant: "nightly-20260708-*" });
    expect(namedIn(`nightly-${SHA}-cu130`)).toEqual({ kind: "commit", sha: SHA, variant: "nightly-*-cu130" });
    expect(namedIn("sha-0b20469c")).toEqual({ kind: "commit", sha: "0b20469c", variant: "sha-*" });
  });

  it("B23 takes no date, version, word or longer digest for a hash", () => {
    for (const tag of [
      "nightly-20260708",
      "20260708",
      "v0.20.0",
      "latest",
      "full-decaf-facade",
      "x-deedeed",
      "cu130-gemma4",
      `x-${SHA}a`,
    ]) {
      expect(namedIn(tag), tag).toBeUndefined();
    }
  });

  it("B24 reads a build number as the git tag of that name, even one that looks like a hash", () => {
    expect(namedIn("server-cuda-b9246")).toEqual({ kind: "build", tag: "b9246", variant: "server-cuda-b*" });
    expect(namedIn("b10236")).toEqual({ kind: "build", tag: "b10236", variant: "b*" });
    expect(namedIn("server-b1234567")).toEqual({ kind: "build", tag: "b1234567", variant: "server-b*" });
  });

  it("B26 takes the commit of a development version from its hash, without the g", () => {
    expect(namedIn("0.20.2rc1.dev9+g01d4d1ad3")).toMatchObject({ kind: "commit", sha: "01d4d1ad3" });
    expect(namedIn("v0.20.2rc1.dev9+g01d4d1ad3.d20260504")).toMatchObject({ sha: "01d4d1ad3" });
    expect(namedIn("0.11.1rc6.dev12+g01d4d1ad3.cu129")).toMatchObject({ sha: "01d4d1ad3" });
    expect(namedIn("v1.2-14-g2414721")).toMatchObject({ sha: "2414721" });
  });
});

describe("order of versions", () => {
  it("B24 compares build numbers as numbers, and only within one variant", () => {
    expect(["b9999", "b10000"].sort()).toEqual(["b10000", "b9999"]);
    expect(inOrder("build-number", ["b10000", "b9999", "b10001", "server-cuda-b9"])).toEqual(["b9999", "b10000", "b10001"]);
    expect(compareVersions("build-number", "server-cuda-b9999", "server-cuda-b10000")).toBeLessThan(0);
    expect(compareVersions("build-number", "server-cuda-b9999", "server-vulkan-b10000")).toBeUndefined();
    expect(inOrder("build-number", ["server-cuda-b10", "server-cuda-b9", "b8"], "server-cuda-b*")).toEqual([
      "server-cuda-b9",
      "server-cuda-b10",
    ]);
  });

  it("B26 orders a development version before its release candidate and its release", () => {
    expect(inOrder("pep440", ["v0.20.2", "v0.20.2rc1", "v0.20.2rc1.dev9+g01d4d1ad3", "v0.20.1"])).toEqual([
      "v0.20.1",
      "v0.20.2rc1.dev9+g01d4d1ad3",
      "v0.20.2rc1",
      "v0.20.2",
    ]);
    expect(isPrerelease("pep440", "v0.20.2rc1.dev9+g01d4d1ad3")).toBe(true);
    expect(isPrerelease("pep440", "v0.20.2.post1")).toBe(false);
  });

  it("orders semver, with two parts taken for three, and calver by its numbers", () => {
    expect(inOrder("semver", ["v1.10.0", "v1.9", "v2.0.0-rc.1", "v2.0.0", "nightly"])).toEqual([
      "v1.9",
      "v1.10.0",
      "v2.0.0-rc.1",
      "v2.0.0",
    ]);
    expect(inOrder("calver", ["2026.10.1", "2026.9.2", "2026.10.1rc2", "2026.10.1rc1", "24.05"])).toEqual([
      "24.05",
      "2026.9.2",
      "2026.10.1rc1",
      "2026.10.1rc2",
      "2026.10.1",
    ]);
    expect(inOrder("calver", ["1.99.3"])).toEqual([]);
  });

  it("B28 passes over yanked versions and pre-releases when it picks the newest", () => {
    const versions = { "0.5.16": {}, "0.5.17": {}, "5.0.4": { yanked: true }, "0.6.0rc1": {} };
    expect(latestVersion("pep440", versions)).toBe("0.5.17");
    expect(latestVersion("pep440", { "5.0.4": { yanked: true } })).toBeUndefined();
  });

  it("says that an upstream names the wrong scheme, and which one its tags follow", () => {
    expect(schemeProblem("semver", ["b1", "b2", "b3", "gguf-v0.1.0"])).toBe(
      '3 of 4 tags, such as "b1", are no semver versions; they look like build-number. Correct versions: in the upstream\'s file.',
    );
    expect(schemeProblem("build-number", ["b1", "b2", "gguf-v0.1.0"])).toBeUndefined();
    expect(schemeProblem("semver", [])).toBeUndefined();
    expect(schemeProblem("none", ["x"])).toBeUndefined();
  });
});
