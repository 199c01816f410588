import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { mirrorHost } from "../../scripts/git-host.ts";
import type { ArtifactAsk, ArtifactFacts } from "../../src/observe/artifacts.ts";
import { commitFinder } from "../../src/observe/find-commit.ts";
import { mirrorsOf } from "../../src/observe/git-histories.ts";
import type { Look } from "../../src/observe/look.ts";
import { artifactSources } from "../../src/observe/sources.ts";
import type { Stand } from "../git/stand.ts";
import { sightOf, stand } from "../git/stand.ts";
import type { Registry } from "../stand/registry.ts";
import { startRegistry } from "../stand/registry.ts";
import { net } from "./net.ts";

const here = spawnSync("docker-registry", ["--version"]).status === 0;
const history = {
  commits: [
    { id: "c1", parents: [] },
    { id: "c2", parents: ["c1"] },
    { id: "c3", parents: ["c2"] },
  ],
  branches: { main: "c3" },
  tags: { b9246: "c2", "v0.20.0": "c1" },
};
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface World {
  registry: Registry;
  upstream: Stand;
  ask: (tag: string, known?: ArtifactAsk["known"]) => Promise<Look<ArtifactFacts>>;
}

/** A registry and the repository its images are built from. */
async function world(): Promise<World> {
  const registry = await startRegistry();
  const upstream = await stand(history);
  closing.push(
    () => registry.close(),
    () => upstream[Symbol.asyncDispose](),
  );
  const host = mirrorHost(`${upstream.folder}/mirrors`);
  const ask: World["ask"] = (tag, known) => {
    // The stand's repository answers under the upstream's name.
    const mirrorOf = mirrorsOf({ host, base: "", offline: false, spend: () => true });
    const findCommit = commitFinder((_, __, commits) => mirrorOf("org/repo", upstream.url, commits));
    const key = `oci:${registry.host}/org/image${tag}`;
    return artifactSources({ net: net(), github: undefined, findCommit })({
      key,
      floating: false,
      sourceRepos: ["org/repo"],
      known,
      etag: undefined,
    });
  };
  return { registry, upstream, ask };
}
const labels = (sha: string | undefined) => ({
  "org.opencontainers.image.revision": sha ?? "",
  "org.opencontainers.image.source": "https://github.com/org/repo",
});

describe.skipIf(!here)("the commit an image was built from", () => {
  it("B19 is the label's when its project has that commit, and nobody's when it has not", async () => {
    const { registry, upstream, ask } = await world();
    await registry.push("org/image", "good", [{ labels: labels(upstream.at.c2) }]);
    await registry.push("org/image", "base", [{ labels: labels("7".repeat(40)) }]);
    expect(sightOf(await ask(":good"))).toMatchObject({ available: "yes", revision: upstream.at.c2, revisionFrom: "revision label" });
    const foreign = sightOf(await ask(":base"));
    expect(foreign).toMatchObject({ available: "yes", note: "its revision label names 777777777777, which org/repo does not have" });
    expect(foreign.revision).toBeUndefined();
  });

  it("B23 completes a short hash in the tag before it is stored", async () => {
    const { registry, upstream, ask } = await world();
    await registry.push("org/image", `nightly-20260708-${upstream.at.c3?.slice(0, 9)}`, [{}]);
    expect(sightOf(await ask(`:nightly-20260708-${upstream.at.c3?.slice(0, 9)}`))).toMatchObject({
      revision: upstream.at.c3,
      revisionFrom: "tag",
    });
  });

  it("B24 is the git tag's of the same build number or version", async () => {
    const { registry, upstream, ask } = await world();
    for (const tag of ["server-cuda-b9246", "server-cuda-b1", "v0.20.0"]) await registry.push("org/image", tag, [{}]);
    expect(sightOf(await ask(":server-cuda-b9246"))).toMatchObject({ revision: upstream.at.c2, revisionFrom: "git tag b9246" });
    expect(sightOf(await ask(":v0.20.0"))).toMatchObject({ revision: upstream.at.c1, revisionFrom: "git tag v0.20.0" });
    expect(sightOf(await ask(":server-cuda-b1")).revision).toBeUndefined();
  });

  it("stays what it was while the repository cannot be read, and is looked at again", async () => {
    const { registry, upstream, ask } = await world();
    const pushed = await registry.push("org/image", "good", [{ labels: labels(upstream.at.c2) }]);
    await upstream.host.files.rename(upstream.upstream, `${upstream.upstream}.away`);
    const source = { source: "x", asOf: null };
    const first = sightOf(await ask(":good"));
    expect(first).toEqual({ available: "yes", digest: pushed.digest, note: "the commit it names could not be looked up in org/repo" });
    const kept = sightOf(await ask(":good", { ...first, ...source, revision: upstream.at.c1, revisionFrom: "earlier" }));
    expect(kept).toMatchObject({ revision: upstream.at.c1, revisionFrom: "earlier" });
    await upstream.host.files.rename(`${upstream.upstream}.away`, upstream.upstream);
    const later = sightOf(await ask(":good", { ...first, ...source }));
    expect(later).toEqual({ available: "yes", digest: pushed.digest, revision: upstream.at.c2, revisionFrom: "revision label" });
    expect(await ask(":good", { ...later, ...source })).toMatchObject({ state: "unchanged" });
  });

  it("B17 B21 a pin of tag and digest says that its tag moved or is gone, and not that it names another platform's digest", async () => {
    const { registry, ask } = await world();
    const first = await registry.push("org/image", "rolling", [{}, { architecture: "arm64" }]);
    const child = first.platforms["linux/amd64"] ?? "";
    expect(sightOf(await ask(`:rolling@${child}`)).note).not.toMatch(/rolling/);
    await registry.push("org/image", "rolling", [{ labels: { v: "2" } }]);
    expect(sightOf(await ask(`:rolling@${first.digest}`))).toMatchObject({
      digest: first.digest,
      note: expect.stringContaining("the tag rolling names another image now"),
    });
    registry.removeTag("org/image", "rolling");
    expect(sightOf(await ask(`:rolling@${first.digest}`)).note).toContain("the tag rolling is gone; its image is still there by digest");
  });
});
