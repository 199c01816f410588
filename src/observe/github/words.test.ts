import { describe, expect, it } from "vitest";
import { closes, plainTitle, refOfUrl, supersededBy, supersedes } from "./words.ts";

const by = (text: string) => supersededBy(text, "o/r")?.ref;
const over = (text: string) => supersedes(text, "o/r").map(({ ref }) => ref);

describe("superseded by", () => {
  it.each([
    ["Superseded by #45295", "o/r#45295"],
    ["superseded by: **#7**", "o/r#7"],
    ["Closing in favor of #45295.", "o/r#45295"],
    ["Closing this in favour of the new PR #8, thanks!", "o/r#8"],
    ["This was replaced by other/repo#9", "other/repo#9"],
    ["Superseded by https://github.com/o/r/pull/10#issuecomment-1", "o/r#10"],
    ["superceded by [the rewrite](https://github.com/o/other/pull/11)", "o/other#11"],
    ["First superseded by #1, later superseded by #2", "o/r#2"],
    ["Continued in GH-12", "o/r#12"],
  ])("%s", (text, ref) => {
    expect(by(text)).toBe(ref);
  });

  it.each([
    ["> Superseded by #5\n\nI disagree"],
    ["<!-- Superseded by #5 -->"],
    ["This is not superseded by #5"],
    ["It isn't really superseded by #5"],
    ["`Superseded by #5`"],
    ["```\nSuperseded by #5\n```\n"],
    ["Related to #5"],
    ["This supersedes #5"],
    ["superseded by #0"],
    ["superseded by the release"],
  ])("is not said by: %s", (text) => {
    expect(by(text)).toBeUndefined();
  });

  it("keeps the words for the reader", () => {
    expect(supersededBy("Hi.\nClosing in\nfavor of #45295, sorry", "o/r")?.words).toBe("Closing in favor of #45295");
  });
});

describe("supersedes", () => {
  it.each([
    ["Supersedes #40361", ["o/r#40361"]],
    ["Supersedes #1, #2 and o/x#3.", ["o/r#1", "o/r#2", "o/x#3"]],
    ["This PR replaces PR #4", ["o/r#4"]],
    ["Supersedes: https://github.com/o/r/pull/6", ["o/r#6"]],
    ["Superseded by #7", []],
    ["does not supersede #8; it never replaces #8", []],
  ])("%s", (text, refs) => {
    expect(over(text)).toEqual(refs);
  });
});

it("reads GitHub's closing keywords and nothing else", () => {
  expect(closes("Fixes #1, resolves: o/x#2\ncloses https://github.com/o/r/issues/3. See #4. `fixes #5`", "o/r")).toEqual([
    "o/r#1",
    "o/x#2",
    "o/r#3",
  ]);
});

it("A05 bors' mark is no part of the title", () => {
  expect(plainTitle("[Merged by Bors] - feat: pad  the tile")).toBe("feat: pad the tile");
});

it("reads the reference from an address", () => {
  expect(refOfUrl("https://ghe.example.org/o/r/discussions/5#discussioncomment-1")).toBe("o/r#5");
  expect(refOfUrl("https://github.com/o/r")).toBeUndefined();
});
