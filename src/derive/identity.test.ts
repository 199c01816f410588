import { describe, expect, it } from "vitest";
import type { ItemRef } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import { drifted, mismatch } from "./identity.ts";

const ref = (more: Partial<ItemRef> = {}): ItemRef => ({ ref: "u/r#1", role: "bug", ...more });
const thread = (more: Partial<Thread> = {}): Thread => ({
  kind: "issue",
  title: "Something",
  state: "open",
  source: "a test",
  asOf: null,
  ...more,
});

describe("is the observed thread the one the row means", () => {
  it("A34 another kind is another thing, and the message names both", () => {
    expect(mismatch(ref({ kind: "issue" }), thread({ kind: "pull-request", title: "TurboQuant" }))).toBe(
      'the row takes u/r#1 for an issue; upstream it is a pull request, "TurboQuant"',
    );
    expect(mismatch(ref({ kind: "discussion", title: "A talk" }), thread())).toBe(
      'the row takes u/r#1 for a discussion about "A talk"; upstream it is an issue, "Something"',
    );
  });
  it("the same kind, or none remembered, is no mismatch", () => {
    expect(mismatch(ref({ kind: "issue" }), thread())).toBeUndefined();
    expect(mismatch(ref(), thread({ kind: "pull-request" }))).toBeUndefined();
  });
  it.each([
    ["Marlin pad-sub-tile-n", "[Kernel][Bugfix] Marlin W4A16: pad sub-tile output dims on load", true],
    ["Preserve max_seq_len", "[BugFix] Preserve max_seq_len in ubatch metadata", true],
    ["Quantised caches", "Quantization of the KV cache", true],
    ["DeltaNet rollback support", "[Feature] TurboQuant: support hybrid models and uniform quantization", false],
    ["streaming tool-call IndexError", "[Bugfix][Qwen3-Next] Force a/b contiguity in fix_query_key_value_ordering", false],
    ["Fix the bug in core", "Something else entirely", true],
    ["A05 stays itself", "[Merged by Bors] - A05 stays itself", true],
  ])('"%s" and "%s" are about the same: %s', (remembered, upstream, same) => {
    expect(mismatch(ref({ title: remembered }), thread({ title: upstream })) === undefined).toBe(same);
  });
  it("the title before a rename counts too", () => {
    expect(
      mismatch(ref({ title: "DeltaNet rollback" }), thread({ title: "Hybrid caches", previousTitle: "DeltaNet rollback" })),
    ).toBeUndefined();
    expect(drifted(thread({ previousTitle: "DeltaNet rollback" }))).toBe(true);
    expect(drifted(thread())).toBe(false);
  });
  it("a person's confirmation settles it", () => {
    expect(mismatch(ref({ kind: "issue", title: "X-ray", confirmed: "2026-05-11" }), thread({ kind: "pull-request" }))).toBeUndefined();
  });
});
