import { describe, expect, it } from "vitest";
import type { Planned } from "./repository.ts";
import { importHistory } from "./repository.ts";
import type { Stand } from "./stand.ts";
import { stand, verdict } from "./stand.ts";

/** A straight history whose messages may name earlier commits: `{fix}` becomes the hash of the commit with that id. */
async function told(messages: Record<string, string>, branches: Record<string, string> = {}): Promise<Stand> {
  const world = await stand({ commits: [{ id: "root", parents: [] }], branches: { main: "root" } });
  let parent = "root";
  for (const [id, message] of Object.entries(messages)) {
    const text = message.replace(/\{(\w+)\}/g, (_, named: string) => world.at[named] ?? "");
    Object.assign(
      world.at,
      await importHistory(
        world.upstream,
        {
          commits: [{ id, parents: [parent], message: text, time: 1_770_000_000 + Object.keys(messages).indexOf(id) }],
          branches: { main: id },
        },
        world.at,
      ),
    );
    parent = id;
  }
  await importHistory(world.upstream, { commits: [], branches }, world.at);
  return world;
}

const FIX = "[Kernel] Route the replay through a device cache (#17)";
/** Asked twice: the second time about all that the first answer named, as derive goes on to do, which must not change the answer. */
async function reverts(world: Stand, commits: string[] = ["fix"]) {
  const first = await named(world, commits);
  const known = first.flat().filter((id) => id !== undefined);
  if (known.length > 0) expect(await named(world, [...new Set([...commits, ...known])])).toEqual(first);
  return first;
}
const named = async (world: Stand, commits: string[]) =>
  (await world.ask({ commits: commits.map((id) => world.at[id] ?? "") })).reverts.map(({ commit, of, relandedBy }) => {
    const name = (sha: string | undefined) => Object.keys(world.at).find((id) => world.at[id] === sha);
    return [name(of), name(commit), name(relandedBy)];
  });

describe("A16 a change is reverted", () => {
  it.each([
    ["by the hash on a line of its own", "Take it back\n\nThis reverts commit {fix}."],
    ["by a short hash, with a reason", "Take it back\n\nThis reverts commit 12345 because of failures."],
    ["by its number", "Take it back (#20)\n\nReverts #17"],
    ["by its number in this repository", "Take it back (#20)\n\nreverts org/repo#17"],
    ["by the number in the subject", "Revert #17 (#20)"],
    ["by the number behind the quoted subject", 'Revert "Whatever" (#17) (#20)'],
    ["by the quoted subject alone", 'Revert "[Kernel] Route the replay through a device cache" (#20)'],
    ["by the quoted subject, cut off", 'Revert "[Kernel] Route the replay through a device ca… (#20)'],
  ])("%s", async (_, message) => {
    await using world = await told({ fix: FIX, other: "Something (#18)", back: "" });
    const text = message.replace("12345", (world.at.fix ?? "").slice(0, 9)).replace("{fix}", world.at.fix ?? "");
    Object.assign(
      world.at,
      await importHistory(
        world.upstream,
        { commits: [{ id: "revert", parents: ["back"], message: text }], branches: { main: "revert" } },
        world.at,
      ),
    );
    expect(await reverts(world, ["fix", "other"])).toEqual([["fix", "revert", undefined]]);
  });

  it.each([
    ["a mention in the middle of a sentence", "Explain (#20)\n\nWe found that this reverts commit {fix}."],
    ["a tale", "Explain (#20)\n\nThis reverts commit {fix} was the wrong idea."],
    ["another project's number", "Take it back (#20)\n\nReverts other/project#17"],
    ["a subject that only looks alike", 'Revert "[Kernel] Route the replay" (#20)'],
    [
      "the hash of another commit under the same subject",
      'Revert "[Kernel] Route the replay through a device cache" (#20)\n\nThis reverts commit {root}.',
    ],
  ])("not by %s", async (_, message) => {
    await using world = await told({ fix: FIX, after: message });
    expect(await reverts(world)).toEqual([]);
  });

  it("not by a commit that came before it", async () => {
    await using world = await told({ early: "Revert #17 (#3)", fix: FIX });
    expect(await reverts(world)).toEqual([]);
  });

  it("two at once", async () => {
    await using world = await told({ a: "A (#38730)", b: "B (#38791)", back: "Revert #38730 and #38791  (#40032)" });
    expect(await reverts(world, ["a", "b"])).toEqual([
      ["a", "back", undefined],
      ["b", "back", undefined],
    ]);
  });
});

describe("A18 the net state of a change that was reverted and came back", () => {
  it.each([
    ["a revert of the revert, by subject", `Revert "Revert "${FIX}" (#20)" (#21)`],
    ["a revert of the revert, by hash", "Restore (#21)\n\nThis reverts commit {revert}."],
    ["a reland that quotes", `Reland "${FIX}" (#21)`],
    ["a reland that names the number", "[Re-land] Route the replay, second try (#17) (#21)"],
    ["a reapply", `Reapply "${FIX}"`],
    ["a line in the body", "Second try (#21)\n\nRelands #17 with a fix."],
    ["the same subject, as merge bots land it again", FIX],
  ])("by %s", async (_, message) => {
    await using world = await told({ fix: FIX, revert: `Revert "${FIX}" (#20)\n\nThis reverts commit {fix}.`, back: message });
    expect(await reverts(world)).toEqual([["fix", "revert", "back"]]);
  });

  it("reverted, relanded and reverted again: the last revert is of the reland", async () => {
    await using world = await told({
      fix: FIX,
      r1: `Revert "${FIX}" (#20)`,
      l1: `Reland "${FIX}" (#21)`,
      r2: "Take it back again (#22)\n\nReverts #17",
    });
    expect(await reverts(world)).toEqual([
      ["fix", "r1", "l1"],
      ["l1", "r2", undefined],
    ]);
  });

  it("an even number of reverts leaves it in", async () => {
    await using world = await told({
      fix: FIX,
      r1: `Revert "${FIX}" (#20)`,
      r2: `Revert "Revert "${FIX}" (#20)" (#21)`,
      r3: `Revert "Revert "Revert "${FIX}" (#20)" (#21)" (#22)`,
      r4: `Revert "Revert "Revert "Revert "${FIX}" (#20)" (#21)" (#22)" (#23)`,
    });
    expect(await reverts(world)).toEqual([
      ["fix", "r1", "r2"],
      ["r2", "r3", "r4"],
    ]);
  });

  it("tells, pin by pin, which of change, revert and reland a build has", async () => {
    await using world = await told({
      fix: FIX,
      between: "x",
      revert: "Back\n\nThis reverts commit {fix}.",
      after: "y",
      reland: `Reland "${FIX}" (#21)`,
    });
    const answers = await world.ask({
      commits: [world.at.fix ?? ""],
      targets: ["between", "after", "reland"].map((id) => world.at[id] ?? ""),
    });
    const has = (pin: string) => ["fix", "revert", "reland"].map((id) => verdict(world, answers, id, pin));
    expect(has("between")).toEqual(["yes", "no", "no"]);
    expect(has("after")).toEqual(["yes", "yes", "no"]);
    expect(has("reland")).toEqual(["yes", "yes", "yes"]);
    expect(answers.commits[world.at.reland ?? ""]).toMatchObject({ on: ["main"] });
  });

  it("a revert on a release branch alone is not on main, and takes back the pick", async () => {
    const commits: Planned[] = [
      { id: "c1", parents: [] },
      { id: "fix", parents: ["c1"], message: FIX },
      { id: "pick", parents: ["c1"], message: FIX },
      { id: "back", parents: ["pick"], message: "Not for this release\n\nReverts #17" },
    ];
    await using world = await stand({ commits, branches: { main: "fix", "release/1": "back" } });
    const answers = await world.ask({ commits: [world.at.fix ?? ""], targets: ["release/1"] });
    expect(answers.picks).toMatchObject([{ of: world.at.fix, commit: world.at.pick }]);
    expect(answers.reverts).toMatchObject([{ of: world.at.pick, commit: world.at.back }]);
    const again = await world.ask({ commits: ["fix", "pick", "back"].map((id) => world.at[id] ?? ""), targets: ["release/1"] });
    expect([again.picks, again.reverts]).toEqual([answers.picks, answers.reverts]);
    expect(answers.commits[world.at.back ?? ""]).toMatchObject({ on: [], notOn: ["main"] });
  });

  it("what comes back on a release branch alone is still missing on main", async () => {
    const commits: Planned[] = [
      { id: "fix", parents: [], message: FIX },
      { id: "revert", parents: ["fix"], message: `Revert "${FIX}" (#20)` },
      { id: "main", parents: ["revert"] },
      { id: "back", parents: ["revert"], message: `Reland "${FIX}" (#21)` },
    ];
    await using world = await stand({ commits, branches: { main: "main", "release/1": "back" } });
    expect(await reverts(world)).toEqual([["fix", "revert", undefined]]);
  });
});
