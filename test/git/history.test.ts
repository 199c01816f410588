import { describe, expect, it } from "vitest";
import { gitRunner } from "../../scripts/git-host.ts";
import { containment } from "../../src/observe/git/contains.ts";
import { git, importHistory, line } from "./repository.ts";
import { stand, verdict } from "./stand.ts";

/**
 * main:      c1 - c2 - c3 - c4 - c5 - c6
 * release/1:      \- r1 - r2            (r1 is c4, picked; r2 is a fix of its own)
 */
const released = {
  commits: [
    ...line(3),
    { id: "c4", parents: ["c3"], message: "[Bugfix] Pad the tiles (#4)" },
    { id: "c5", parents: ["c4"] },
    { id: "c6", parents: ["c5"] },
    { id: "r1", parents: ["c2"], message: "[Bugfix] Pad the tiles (#4)" },
    { id: "r2", parents: ["r1"], message: "Only here (#7)" },
  ],
  branches: { main: "c6", "release/1": "r2" },
  tags: { "v1.0.0-rc.1": "c2", "v1.0.0": "r2", "v1.1.0": "c5", odd: "c1" },
};

describe("containment", () => {
  it("B07 says no by ancestry, and finds the pick that brings the fix into the release as another commit", async () => {
    await using world = await stand(released);
    const answers = await world.ask({ commits: [world.at.c4 ?? ""], targets: ["v1.0.0", "v1.1.0"] });
    expect(verdict(world, answers, "c4", "r2")).toBe("no");
    expect(verdict(world, answers, "c4", "c5")).toBe("yes");
    expect(answers.picks).toEqual([
      { of: world.at.c4, commit: world.at.r1, on: "release/1", evidence: "same subject and pull request number (#4)" },
    ]);
    expect(verdict(world, answers, "r1", "r2")).toBe("yes");
  });

  it.each([
    ["the trailer of git cherry-pick -x", (sha: string) => `Pad (backport)\n\n(cherry picked from commit ${sha})`, /trailer/],
    ["the number of the pull request in front of its own", () => "[Bugfix] Pad the tiles (#4) (#31)", /same subject/],
    ["a line that names the pull request", () => "[release/1] Pad\n\nBackport of #4", /says "Backport of #4"/],
  ])("B07 finds a pick by %s", async (_, message, evidence) => {
    await using world = await stand(released);
    const pick = { id: "p", parents: ["c2"], message: message(world.at.c4 ?? "") };
    Object.assign(world.at, await importHistory(world.upstream, { commits: [pick], branches: { "release/2": "p" } }, world.at));
    const { picks } = await world.ask({ commits: [world.at.c4 ?? ""] });
    expect(picks).toContainEqual({ of: world.at.c4, commit: world.at.p, on: "release/2", evidence: expect.stringMatching(evidence) });
  });

  it("B07 takes no other change of the release branch for a pick, nor one that mentions the number in passing", async () => {
    await using world = await stand(released);
    const commits = [{ id: "p", parents: ["c2"], message: "Clean up after #4 (#9)\n\nSee the backport of #4." }];
    await importHistory(world.upstream, { commits, branches: { "release/2": "p" } }, world.at);
    const { picks } = await world.ask({ commits: [world.at.c4 ?? ""], targets: ["release/2"] });
    expect(picks.map(({ on }) => on)).toEqual(["release/1"]);
  });

  it("B07 follows a pick of a pick to the change on main", async () => {
    await using world = await stand(released);
    const first = { id: "p1", parents: ["c1"], message: `x\n\n(cherry picked from commit ${world.at.c4})` };
    Object.assign(world.at, await importHistory(world.upstream, { commits: [first], branches: { "release/2": "p1" } }, world.at));
    const second = { id: "p2", parents: ["c1"], message: `y\n\n(cherry picked from commit ${world.at.p1})` };
    Object.assign(world.at, await importHistory(world.upstream, { commits: [second], branches: { "release/3": "p2" } }, world.at));
    const { picks } = await world.ask({ commits: [world.at.c4 ?? ""] });
    expect(picks.find(({ on }) => on === "release/3")).toMatchObject({ of: world.at.c4, commit: world.at.p2 });
  });

  it.each([
    ["by its subject", () => "[Bugfix] Pad the tiles (#4)"],
    ["by its trailer", (sha: string) => `Pad\n\n(cherry picked from commit ${sha})`],
  ])(
    "B07 a pick told %s stays one when it is asked about itself, as derive does to learn whether it was taken back",
    async (_, message) => {
      await using world = await stand(released);
      const pick = { id: "p", parents: ["c2"], message: message(world.at.c4 ?? "") };
      Object.assign(world.at, await importHistory(world.upstream, { commits: [pick], branches: { "release/2": "p" } }, world.at));
      const ids = (commits: string[]) => commits.map((id) => world.at[id] ?? "");
      const first = await world.ask({ commits: ids(["c4"]), targets: ids(["p"]) });
      expect(first.picks.map(({ of, commit }) => [of, commit]).sort()).toEqual([ids(["c4", "p"]), ids(["c4", "r1"])].sort());
      for (const commits of [
        ["c4", "p"],
        ["p", "c4"],
        ["c4", "p", "r1"],
      ]) {
        const again = await world.ask({ commits: ids(commits), targets: ids(["p"]) });
        expect(again.picks, commits.join()).toEqual(first.picks);
      }
      // Two picks alone, without the change: neither is the other's.
      expect((await world.ask({ commits: ids(["p", "r1"]) })).picks).toEqual([]);
    },
  );

  it("B09 a rebase-merged change is looked for by what it became, never by the head of its pull request", async () => {
    const commits = [...line(2), { id: "head", parents: ["c1"], message: "Fix" }, { id: "landed", parents: ["c2"], message: "Fix" }];
    await using world = await stand({ commits, branches: { main: "landed" } });
    const mirror = await world.open({ commits: [world.at.head ?? ""] });
    const answer = (commit: string) => containment(mirror.graph, [{ commit: world.at[commit] ?? "", inside: "main" }])[0]?.answer;
    expect([answer("head"), answer("landed")]).toEqual(["no", "yes"]);
  });

  it("A10 a pin between the first and the last commit of a merge by rebase has only a part", async () => {
    const steps = ["a", "b", "c"].map((id, n) => ({ id, parents: [["c2", "a", "b"][n] ?? ""], message: `Step ${id}` }));
    await using world = await stand({ commits: [...line(2), ...steps], branches: { main: "c" } });
    const answers = await world.ask({ commits: ["a", "b", "c"].map((id) => world.at[id] ?? ""), targets: [world.at.b ?? ""] });
    expect(["a", "b", "c"].map((id) => verdict(world, answers, id, "b"))).toEqual(["yes", "yes", "no"]);
  });

  it("B04 histories without a common ancestor are unknown, and said to be", async () => {
    await using world = await stand({ commits: [...line(2), ...line(2, "d")], branches: { main: "c2", imported: "d2" } });
    const { graph } = await world.open();
    expect(containment(graph, [{ commit: "imported", inside: "main" }])).toEqual([
      {
        commit: "imported",
        inside: "main",
        answer: "unknown",
        why: "imported and main have no common ancestor: the history was rewritten, or they belong to different projects",
        resolved: { commit: world.at.d2, inside: world.at.c2 },
      },
    ]);
  });

  it("B04 a common ancestor by a side branch is enough to say no", async () => {
    const commits = [...line(1), ...line(1, "d"), { id: "m", parents: ["c1", "d1"] }, { id: "e", parents: ["d1"] }];
    await using world = await stand({ commits, branches: { main: "m", other: "e" } });
    const { graph } = await world.open();
    expect(containment(graph, [{ commit: "other", inside: "main" }])[0]?.answer).toBe("no");
  });

  it("a name that does not resolve is unknown, never no", async () => {
    await using world = await stand(released);
    const { graph } = await world.open();
    const [answer] = containment(graph, [{ commit: "4".repeat(40), inside: "v9" }]);
    expect(answer).toMatchObject({
      answer: "unknown",
      why: `no branch or tag has a commit ${"4".repeat(40)}; there is no tag or branch v9`,
    });
  });

  it("B11 git itself says 1 for no and 128 for a failure; the mirror agrees with the first and never reads the second as no", async () => {
    await using world = await stand(released);
    const { graph } = await world.open();
    const run = gitRunner();
    const asked = ["c1", "c2", "c3", "c4", "c5", "c6", "r1", "r2"].map((id) => world.at[id] ?? "");
    for (const commit of asked) {
      for (const inside of asked) {
        const { code } = await run(["--git-dir", world.upstream, "merge-base", "--is-ancestor", commit, inside]);
        expect(containment(graph, [{ commit, inside }])[0]?.answer).toBe(code === 0 ? "yes" : code === 1 ? "no" : "failure");
      }
    }
    const unknown = await run(["--git-dir", world.upstream, "merge-base", "--is-ancestor", "4".repeat(40), world.at.c1 ?? ""]);
    expect(unknown.code).toBe(128);
    expect(containment(graph, [{ commit: "4".repeat(40), inside: world.at.c1 ?? "" }])[0]?.answer).toBe("unknown");
  });
});

describe("random histories", () => {
  /** A small generator of numbers, so that a failure can be repeated. */
  const numbers = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  it.each([1, 2, 3])("number %i: every pair is answered as git answers it", async (seed) => {
    const random = numbers(seed);
    const commits = Array.from({ length: 40 }, (_, n) => {
      const parents = new Set(
        Array.from({ length: n === 0 || random() < 0.05 ? 0 : random() < 0.3 ? 2 : 1 }, () => `r${Math.floor(random() * n)}`),
      );
      return { id: `r${n}`, parents: [...parents] };
    });
    await using world = await stand({ commits, branches: Object.fromEntries(commits.map(({ id }) => [`b-${id}`, id])) });
    const { graph } = await world.open();
    const shas = commits.map(({ id }) => world.at[id] ?? "");
    const run = gitRunner();
    const reach = new Map<string, Set<string>>();
    for (const sha of shas) reach.set(sha, new Set((await run(["--git-dir", world.upstream, "rev-list", sha])).stdout.trim().split("\n")));
    const expected = (commit: string, inside: string) => {
      const has = reach.get(inside) ?? new Set();
      if (has.has(commit)) return "yes";
      return [...(reach.get(commit) ?? [])].some((sha) => has.has(sha)) ? "no" : "unknown";
    };
    const pairs = shas.flatMap((inside) => shas.map((commit) => ({ commit, inside })));
    const wrong = containment(graph, pairs).filter(({ commit, inside, answer }) => answer !== expected(commit, inside));
    expect(wrong).toEqual([]);
    expect(new Set(pairs.map(({ commit, inside }) => expected(commit, inside))).size).toBe(3);
  });
});

describe("names", () => {
  it("B30 an ambiguous short hash is an error that names the candidates", async () => {
    await using world = await stand({ commits: line(300), branches: { main: "c300" } });
    const shas = Object.values(world.at);
    const short =
      shas.map((sha) => sha.slice(0, 4)).find((prefix, n, all) => all.indexOf(prefix) !== n) ?? shas.map((sha) => sha.slice(0, 4))[0] ?? "";
    const candidates = shas.filter((sha) => sha.startsWith(short)).sort();
    const { resolved } = await world.ask({ commits: [short, (shas[0] ?? "").slice(0, 12)] });
    expect(candidates.length).toBeGreaterThan(1);
    expect(resolved[short]).toMatchObject({ state: "ambiguous", candidates, why: expect.stringContaining(candidates[0] ?? "") });
    expect(resolved[(shas[0] ?? "").slice(0, 12)]).toEqual({ state: "commit", sha: shas[0], by: "hash" });
  });

  it("B30 a hash that is also a tag's name is ambiguous, unless both are one commit", async () => {
    await using world = await stand(released);
    const c2 = world.at.c2 ?? "";
    await git(world.upstream, "tag", c2.slice(0, 8), world.at.c3 ?? "");
    await git(world.upstream, "tag", c2.slice(0, 9), c2);
    const { resolved } = await world.ask({ commits: [c2.slice(0, 8), c2.slice(0, 9)] });
    expect(resolved[c2.slice(0, 8)]).toMatchObject({ state: "ambiguous", candidates: [world.at.c3, c2] });
    expect(resolved[c2.slice(0, 9)]).toMatchObject({ state: "commit", sha: c2, by: "tag" });
  });

  it("resolves annotated tags, tags of tags and branches, and no tag of a file", async () => {
    await using world = await stand({ ...released, annotated: { "v1.2.0": "c6" } });
    await git(world.upstream, "config", "user.email", "test@example.org");
    await git(world.upstream, "config", "user.name", "Test");
    await git(world.upstream, "tag", "-a", "-m", "nested", "nested", "v1.2.0");
    await git(world.upstream, "tag", "-a", "-m", "tree", "tree", `${world.at.c1}^{tree}`);
    const { resolved, tags } = await world.ask({ commits: ["v1.2.0", "nested", "tree", "release/1"] });
    expect(resolved["v1.2.0"]).toMatchObject({ sha: world.at.c6, by: "tag" });
    expect(resolved.nested).toMatchObject({ sha: world.at.c6, by: "tag" });
    expect(resolved["release/1"]).toMatchObject({ sha: world.at.r2, by: "branch" });
    expect(resolved.tree?.state).toBe("absent");
    expect(tags).not.toHaveProperty("tree");
  });
});

describe("tags", () => {
  it("tells the first tag and the first release that contain a commit, in the order of the project's versions", async () => {
    await using world = await stand(released);
    const { commits } = await world.ask({ commits: ["c2", "c4", "c6", "r1"].map((id) => world.at[id] ?? "") });
    const first = (id: string) => [commits[world.at[id] ?? ""]?.firstTag, commits[world.at[id] ?? ""]?.firstRelease];
    expect(first("c2")).toEqual(["v1.0.0-rc.1", "v1.0.0"]);
    expect(first("c4")).toEqual(["v1.1.0", "v1.1.0"]);
    expect(first("r1")).toEqual(["v1.0.0", "v1.0.0"]);
    expect(first("c6")).toEqual([undefined, undefined]);
  });

  it("B24 orders llama.cpp's builds by number when it looks for the first one", async () => {
    const tags = Object.fromEntries([9998, 9999, 10000, 10001].map((build, n) => [`b${build}`, `c${n + 1}`]));
    await using world = await stand({ commits: line(4), branches: { main: "c4" }, tags: { ...tags, "gguf-v0.1": "c1" } });
    const { commits } = await world.ask({ versions: "build-number", commits: [world.at.c3 ?? "", world.at.c1 ?? ""] });
    expect([commits[world.at.c1 ?? ""]?.firstTag, commits[world.at.c3 ?? ""]?.firstTag]).toEqual(["b9998", "b10000"]);
  });

  it("B12 B14 tells a tag that moved and one that was deleted, whose commit stays valid", async () => {
    await using world = await stand(released);
    const before = (await world.ask({})).tags;
    await git(world.upstream, "tag", "-f", "v1.1.0", world.at.c6 ?? "");
    await git(world.upstream, "tag", "-d", "v1.0.0");
    const answers = await world.ask({ commits: ["v1.0.0", before["v1.0.0"]?.commit ?? ""], targets: [world.at.r2 ?? ""] });
    expect([before["v1.1.0"]?.commit, answers.tags["v1.1.0"]?.commit]).toEqual([world.at.c5, world.at.c6]);
    expect(answers.tags).not.toHaveProperty("v1.0.0");
    expect(answers.resolved["v1.0.0"]).toEqual({ state: "absent", why: "there is no tag or branch v1.0.0" });
    expect(verdict(world, answers, "r2", "r2")).toBe("yes");
  });
});

describe("branches", () => {
  it("A12 a change merged into another branch is not on main", async () => {
    await using world = await stand({
      commits: [...line(2), { id: "f", parents: ["c2"], message: "Feature (#9)" }],
      branches: { main: "c2", feature: "f" },
    });
    const { commits, branches } = await world.ask({ commits: [world.at.f ?? ""], branches: ["main", "nowhere"] });
    expect(commits[world.at.f ?? ""]).toMatchObject({ on: [], notOn: ["main"], subject: "Feature (#9)" });
    expect(Object.keys(branches)).toEqual(["main"]);
  });
});
