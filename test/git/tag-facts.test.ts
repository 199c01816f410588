import { expect, it } from "vitest";
import type { HistoryQuestions } from "../../src/model/questions.ts";
import type { Observed } from "../../src/model/shapes/observed.ts";
import { gitHistories, mirrorsOf } from "../../src/observe/git-histories.ts";
import { observeHistories } from "../../src/observe/histories.ts";
import { git, line } from "./repository.ts";
import { stand } from "./stand.ts";

it("B12 B14 a tag that moved keeps where it was, one that was deleted keeps its commit, and a host that is away changes nothing", async () => {
  await using world = await stand({ commits: line(3), branches: { main: "c3" }, tags: { v1: "c1", v2: "c2" } });
  const observed: Observed = {
    asOf: "2026-05-01",
    github: {},
    git: {},
    containment: {},
    registry: {},
    inventory: undefined,
    transitions: [],
  } as Observed;
  const asked: HistoryQuestions = {
    repo: "org/repo",
    names: ["org/repo"],
    branches: ["main"],
    versions: "semver",
    url: world.url,
    commits: [],
    landings: [],
    tags: ["v1", "v2"],
    targets: [],
    open: [],
    pulls: [],
  };
  const sync = async (now: string) => {
    const ask = gitHistories(mirrorsOf({ host: world.host, base: "", offline: false, spend: () => true }));
    const options = { inScope: () => true, offline: false, say: () => {} };
    const outcome = await observeHistories(() => ({ histories: [asked], artifacts: [] }), ask, { observed, now }, options);
    return { failed: outcome.failed, tags: structuredClone(observed.git["org/repo"]?.tags ?? {}) };
  };
  const first = await sync("2026-05-02T00:00:00Z");
  expect(first.tags).toMatchObject({ v1: { commit: world.at.c1, exact: true }, v2: { commit: world.at.c2 } });
  expect(await sync("2026-05-03T00:00:00Z")).toEqual(first);

  await git(world.upstream, "tag", "-f", "v1", world.at.c3 ?? "");
  await git(world.upstream, "tag", "-d", "v2");
  const changed = await sync("2026-05-04T00:00:00Z");
  expect(changed.tags.v1).toMatchObject({ commit: world.at.c3, movedFrom: world.at.c1, asOf: "2026-05-04T00:00:00Z" });
  expect(changed.tags.v2).toMatchObject({ commit: world.at.c2, gone: true, stale: { since: "2026-05-04T00:00:00Z" } });
  expect((await sync("2026-05-05T00:00:00Z")).tags).toEqual(changed.tags);

  await world.host.files.rename(world.upstream, `${world.upstream}.away`);
  const away = await sync("2026-05-06T00:00:00Z");
  expect(away.tags).toEqual(changed.tags);
  expect(away.failed).toMatchObject([{ ref: "org/repo", why: expect.stringContaining("did not answer") }]);
});
