import { describe, expect, it } from "vitest";
import { isBareLabel, targetOf } from "./links.ts";

describe("targetOf", () => {
  it.each([
    ["https://github.com/o/r/issues/12", "o/r#12", "issue"],
    ["https://github.com/o/r/pull/12", "o/r#12", "pull-request"],
    ["https://github.com/o/r/pull/12/files", "o/r#12", "pull-request"],
    ["https://github.com/o/r/pull/12/commits/abcdef1234", "o/r@abcdef1234", undefined],
    ["https://www.github.com/o/r/discussions/12", "o/r#12", "discussion"],
    ["https://redirect.github.com/o/r/issues/12", "o/r#12", "issue"],
    ["https://github.com/o/r/issues/9#issuecomment-4359541875", "o/r#9#issuecomment-4359541875", "issue"],
    ["https://github.com/o/r/discussions/19#discussioncomment-16785590", "o/r#19#discussioncomment-16785590", "discussion"],
    ["https://github.com/o/r/pull/5#discussion_r123", "o/r#5#discussion_r123", "pull-request"],
    ["https://github.com/o/r/commit/0123456789abcdef0123456789abcdef01234567", "o/r@0123456789abcdef0123456789abcdef01234567", undefined],
    ["https://github.com/o/r/releases/tag/v1.2%2B3", "o/r@v1.2+3", undefined],
    ["https://huggingface.co/owner/name", "hf:owner/name", undefined],
    ["https://huggingface.co/owner/name/tree/main", "hf:owner/name", undefined],
    ["https://hf.co/owner/name/commit/abcdef1", "hf:owner/name@abcdef1", undefined],
    ["https://pypi.org/project/transformers/5.8.0/", "pypi:transformers@==5.8.0", undefined],
    ["https://www.npmjs.com/package/@scope/name/v/1.2.3", "npm:@scope/name@1.2.3", undefined],
  ])("reads %s", (url, ref, kind) => {
    expect(targetOf(url)).toEqual({ ref, ...(kind ? { kind } : {}) });
  });

  it.each([
    "https://github.com/o/r",
    "https://github.com/o/r/tree/branch",
    "https://github.com/o/r/blob/main/AGENTS.md",
    "https://huggingface.co/datasets/owner/name",
    "https://huggingface.co/owner/name/discussions/4",
    "https://pypi.org/project/transformers/",
    "https://gitlab.com/o/r/-/issues/3",
    "https://blog.example.org/a?b=c#d",
  ])("takes %s for a page", (url) => {
    expect(targetOf(url)).toEqual({ ref: `page:${url}` });
  });

  it.each(["../docs/x.md", "#section", "mailto:a@b.c", "", "javascript:alert(1)", "ftp://x/y", "https://"])(
    "takes %j for no reference",
    (url) => {
      expect(targetOf(url)).toBeUndefined();
    },
  );
});

describe("isBareLabel", () => {
  it.each(["#12", "12", "PR #12", "Issue #12", "r#12", "`#12`", "o/r#12"])("%s says no more than its reference", (label) => {
    expect(isBareLabel(label, "o/r#12")).toBe(true);
  });

  it.each(["#12 thread", "the fix", "13", "bench"])("%s says more", (label) => {
    expect(isBareLabel(label, "o/r#12")).toBe(false);
  });
});
