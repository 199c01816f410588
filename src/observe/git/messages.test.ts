import { describe, expect, it } from "vitest";
import { pickedFrom, readSubject, relandOf, revertOf } from "./messages.ts";

const NAMES = ["llvm/llvm-project"];
const SHA = "0b20469c627e94060d1015170b186d19de1db583";
const revert = (subject: string, body = "") => revertOf({ subject, body }, NAMES);
const reland = (subject: string, body = "") => relandOf({ subject, body }, NAMES);

describe("subjects", () => {
  it("takes the last number at the end for the commit's own pull request", () => {
    expect(readSubject("[Core] Fix it (#12) (#34)")).toEqual({ text: "[Core] Fix it", numbers: [12, 34], own: 34 });
    expect(readSubject("Fix a regression from #12")).toEqual({ text: "Fix a regression from #12", numbers: [], own: undefined });
  });

  it("A05 keeps the original title of a change that bors renamed", () => {
    expect(readSubject("[Merged by Bors] - feat: add lemmas (#77)")).toEqual({ text: "feat: add lemmas", numbers: [77], own: 77 });
  });
});

describe("A16 wording of reverts", () => {
  it.each([
    ['Revert "[Core] X" (#12)', "", { text: "[Core] X", pulls: [] }],
    ['Revert "[Core] X (#11)" (#12)', "", { text: "[Core] X", pulls: [11] }],
    ['Revert "[Core] X" (#11) (#12)', "", { text: "[Core] X", pulls: [11] }],
    ['Revert "Say "hello" twice"', "", { text: 'Say "hello" twice', pulls: [] }],
    ["Revert [Misc] Avoid importing `x` (#11) (#12)", "", { text: "[Misc] Avoid importing `x`", pulls: [11] }],
    ["Revert #10 and #11  (#12)", "", { pulls: [10, 11] }],
    ["Revert #11 (#12)", "", { pulls: [11] }],
    ['Revert "Use --compress-mode to save 30% #11" (#12)', "", { pulls: [11] }],
    ["revert: feat(x): y", "", { text: "feat(x): y", pulls: [] }],
    ["[Revert] [Build] Y (#12)", "", { text: "[Build] Y", pulls: [] }],
    [
      'Revert "[Kernel] Speed up silu_and_mul with warp-shuf… (#12)',
      "",
      { text: "[Kernel] Speed up silu_and_mul with warp-shuf", cut: true },
    ],
  ])("reads the subject %s", (subject, body, expected) => {
    expect(revert(subject, body)).toMatchObject(expected);
  });

  it("reads the hash on a line of its own, also wrapped, shortened or of a merge", () => {
    expect(revert("Back out", `This reverts commit ${SHA}.`)?.shas).toEqual([SHA]);
    expect(revert("Back out", `Reason.\n\nThis reverts commit\n${SHA}, reversing\nchanges made to 1234567890.`)?.shas).toEqual([SHA]);
    expect(revert("Back out", `This reverts commit ${SHA}, reversing changes made to 1234567.`)?.shas).toEqual([SHA]);
    expect(revert("Back out", "this reverts commits 1234567, 2345678 and 3456789 because of failures")?.shas).toEqual([
      "1234567",
      "2345678",
      "3456789",
    ]);
  });

  it("reads the number, of this repository only", () => {
    expect(revert("X", "Reverts #123")?.pulls).toEqual([123]);
    expect(revert("X", "reverts llvm/llvm-project#123")?.pulls).toEqual([123]);
    expect(revert("X", "Reverts LLVM/llvm-project#123, #124")?.pulls).toEqual([123, 124]);
    expect(revert("X", "Reverts https://github.com/llvm/llvm-project/pull/123")?.pulls).toEqual([123]);
    expect(revert("X", "Reverts other/project#123")).toBeUndefined();
  });

  it("counts no mention in the middle of a sentence, in a quote or in a tale", () => {
    expect(revert("Fix", `Earlier somebody said that this reverts commit ${SHA}`)).toBeUndefined();
    expect(revert("Fix", `this reverts commit ${SHA} was wrong`)).toBeUndefined();
    expect(revert("Fix", `> This reverts commit ${SHA}.`)).toBeUndefined();
    expect(revert("Fix", "It reverts #12 in spirit")).toBeUndefined();
    expect(revert("Do not revert the setting (#12)")).toBeUndefined();
    expect(revert("Reverted index support (#12)")).toBeUndefined();
  });
});

describe("A18 wording of relands", () => {
  it("reads Reland, Reapply and their forms", () => {
    expect(reland('Reland "[Core] X" (#11) (#12)')).toMatchObject({ text: "[Core] X", pulls: [11] });
    expect(reland('Reapply "X (#11)" (#12)')).toMatchObject({ text: "X", pulls: [11] });
    expect(reland("[Re-land] X (#11) (#12)")).toMatchObject({ text: "X", pulls: [11] });
    expect(reland("Fix again", `This relands commit ${SHA}.`)?.shas).toEqual([SHA]);
    expect(reland("Fix again", "Relands #11")?.pulls).toEqual([11]);
    expect(reland("[Redo] #11 (#12)")?.pulls).toEqual([11]);
    expect(reland("Landing page")).toBeUndefined();
    expect(reland("Redownload the model (#12)")).toBeUndefined();
  });

  it("reads a revert of a revert as a revert, of that name", () => {
    expect(revert('Revert "Revert "X" (#11)" (#12)')).toMatchObject({ text: 'Revert "X"', pulls: [11] });
    expect(revert('Revert "Revert "X""')).toMatchObject({ text: 'Revert "X"' });
  });
});

it("B07 reads the trailer of git cherry-pick -x, and only as a trailer", () => {
  expect(pickedFrom(`Fix\n\n(cherry picked from commit ${SHA})\n(cherry picked from commit 1234567)`)).toEqual([SHA, "1234567"]);
  expect(pickedFrom(`was (cherry picked from commit ${SHA})`)).toEqual([]);
});
