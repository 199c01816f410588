import { describe, expect, it } from "vitest";
import type { Stand } from "./stand.ts";
import { stand } from "./stand.ts";

async function history(...messages: string[]): Promise<Stand> {
  const commits = messages.map((message, n) => ({ id: `c${n}`, parents: n === 0 ? [] : [`c${n - 1}`], message }));
  return stand({
    commits: [...commits, { id: "side", parents: ["c0"], message: "Only on a branch (#12)" }],
    branches: { main: `c${messages.length - 1}`, side: "side" },
  });
}

const landed = async (world: Stand, ...pulls: number[]) =>
  (await world.ask({ pulls })).landings.map(({ pull, commit, rule }) => [
    pull,
    Object.keys(world.at).find((id) => world.at[id] === commit),
    rule,
  ]);

describe("a closed pull request landed as a commit that carries its number", () => {
  it.each([
    ["A01 pytorch's merge bot", "Fix conv (#102)\n\nPull Request resolved: https://github.com/org/repo/pull/102", 102, "squash"],
    [
      "A01 pytorch's merge bot, by the trailer alone",
      "Fix conv\n\nText.\n\nPull Request resolved: https://github.com/org/repo/pull/102\nApproved by: x",
      102,
      "trailer",
    ],
    [
      "A02 an internal import",
      "Fix\n\nCOPYBARA_INTEGRATE_REVIEW=https://github.com/org/repo/pull/822 from x:y abcdef\nPiperOrigin-RevId: 1",
      822,
      "trailer",
    ],
    [
      "A02 an internal import that quotes the pull request",
      "PR #822: Fix\n\nImported from GitHub PR https://github.com/org/repo/pull/822",
      822,
      "squash",
    ],
    ["A04 a maintainer's push", "formula: update 1.2 bottle.\n\nCloses #77788.\n\nSigned-off-by: x", 77788, "closes"],
    ["A05 bors, squashed", "feat: add lemmas (#77)", 77, "squash"],
    ["A05 bors, several at once", "Merge #76 #77\n\n76: a r=x\n77: b r=y", 77, "merge"],
    ["a merge queue", "Auto merge of #123456 - someone:branch, r=reviewer", 123456, "merge"],
    ["a merge commit", "Merge pull request #12 from someone/branch", 12, "merge"],
    ["bitcoin's merge script", "Merge org/repo#12: fix", 12, "merge"],
    ["node's landing script", "fs: fix\n\nPR-URL: https://github.com/org/repo/pull/12\nReviewed-By: x", 12, "trailer"],
  ])("%s", async (_, message, pull, rule) => {
    await using world = await history("root", message, "later");
    expect(await landed(world, pull)).toEqual([[pull, "c1", rule]]);
  });

  it.each([
    ["a mention", "Follow up to #12 (#15)"],
    ["its revert", 'Revert "Fix (#12)" (#15)'],
    ["a number that only starts alike", "Fix (#123)"],
    ["another project's trailer", "Fix\n\nPull Request resolved: https://github.com/other/project/pull/12"],
    ["a successor that closes it", "A better way (#15)\n\nCloses #12"],
    ["a line in the middle", "Fix\n\nThis also Closes #12"],
  ])("A04 not by %s", async (_, message) => {
    await using world = await history("root", message);
    expect(await landed(world, 12)).toEqual([]);
  });

  it("A12 not by a commit on another branch", async () => {
    await using world = await history("root", "later");
    expect(await landed(world, 12)).toEqual([]);
  });

  it("A01 landed, reverted and landed again under one number: the first landing, its revert and the second", async () => {
    await using world = await history("root", "Fix (#12)", 'Revert "Fix (#12)"', "Fix (#12)");
    const answers = await world.ask({ pulls: [12] });
    expect(answers.landings).toMatchObject([{ commit: world.at.c1 }]);
    expect(answers.reverts).toMatchObject([{ of: world.at.c1, commit: world.at.c2, relandedBy: world.at.c3 }]);
  });

  it("asks once for hundreds of pull requests", async () => {
    await using world = await history("root", "A (#450)", "B (#3)");
    expect(await landed(world, ...Array.from({ length: 500 }, (_, n) => n + 1))).toEqual([
      [3, "c2", "squash"],
      [450, "c1", "squash"],
    ]);
  });
});
