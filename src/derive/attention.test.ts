import { describe, expect, it } from "vitest";
import { real } from "../../test/real.ts";
import { stackOf } from "../../test/world.ts";
import type { ShortStack } from "../../test/world.ts";
import { ATTENTION } from "./attention.ts";
import type { AttentionKind } from "./attention.ts";
import { derive } from "./derive.ts";

const MERGED = { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" };
const CLOSED = { kind: "pull-request", state: "closed" };

const attention = (stack: ShortStack) => {
  const { model, observed } = stackOf(stack);
  return derive(model, observed).attention;
};

/** A stack in which everything that can need a person does. */
const everything: ShortStack = {
  upstreams: {
    up: {},
    kept: { repo: "k/k", streams: [{ name: "nightly", artifact: "oci:example.org/kept:n*", keeps: { builds: 4 } }] },
  },
  items: {
    lacking: { refs: [{ ref: "u/r#1", role: "fix" }], reaches: ["z-pin", "a-pin"] },
    "taken-back": { refs: [{ ref: "u/r#2", role: "fix" }], reaches: ["a-pin"] },
    untold: { refs: [{ ref: "u/r#3", role: "fix" }], reaches: ["a-pin"] },
    odd: { refs: [{ ref: "u/r#1", role: "bug", kind: "issue" }], reaches: [], stake: "watch" },
    wrong: { refs: [{ ref: "u/r#4", role: "bug" }], claim: { on: "2026-05-10", says: "closed" } },
    overtaken: { refs: [{ ref: "u/r#5", role: "fix" }], claim: { on: "2026-05-01", says: "open" } },
  },
  pins: {
    "z-pin": { commit: "b" },
    "a-pin": { commit: "b", retire: { when: { merged: "u/r#5" } } },
    "gone-pin": { artifact: "oci:example.org/up:gone" },
    "kept-pin": { upstream: "kept", artifact: "oci:example.org/kept:n1" },
    "done-pin": { retire: { when: { after: "2026-05-01" } } },
    "old-pin": { commit: "b", retired: { on: "2026-05-01", because: "Old." } },
  },
  patches: {
    bearing: { load_bearing: true, files: ["x.py"] },
    droppable: { drop: { after: "2026-05-01" } },
    hopeless: { drop: { merged: "u/r#6" } },
    dropped: { drop: { merged: "u/r#6" }, dropped: { on: "2026-05-01", because: "Gone." } },
  },
  triggers: { fired: { when: { after: "2026-05-01" } }, waiting: { when: { after: "2030-01-01" } } },
  followUps: { due: { when: { after: "2026-05-01" } } },
  facts: {
    threads: {
      "u/r#1": MERGED,
      "u/r#2": { ...MERGED, mergeCommit: "d" },
      "u/r#3": { ...MERGED, mergeCommit: "f" },
      "u/r#4": {},
      "u/r#5": { ...CLOSED, closedAt: "2026-05-09" },
      "u/r#6": { ...CLOSED, supersededBy: { ref: "u/r#1", evidence: "a comment" } },
    },
    contains: { a: { b: "no" }, d: { b: "yes" } },
    reverts: [{ of: "d", commit: "e" }],
    registry: {
      "oci:example.org/up:gone": { available: "gone" },
      "oci:example.org/kept:n*": {
        versions: { n1: { publishedAt: "2026-05-01T00:00:00Z" }, n2: { publishedAt: "2026-05-02T00:00:00Z" } },
      },
    },
    inventory: {
      images: ["up:build", "up:gone", "kept:n1"].map((name) => ({
        image: `example.org/${name}`,
        raw: [],
        mutability: "immutable",
        users: [{ file: "a.yml", line: 1, service: "s", archived: false }],
      })),
    },
  },
};

describe("what needs a person first", () => {
  const found = attention(everything);
  it("comes by urgency, then by name", () => {
    const order = Object.keys(ATTENTION) as AttentionKind[];
    const ranks = found.map(({ kind }) => order.indexOf(kind));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(found.map(({ kind, about }) => `${kind} ${about.id}`)).toEqual([
      "reverted-in-pin a-pin",
      "image-gone gone-pin",
      "blocks-missing a-pin",
      "blocks-missing z-pin",
      "image-expires kept-pin",
      "undelivered bearing",
      "never-true a-pin",
      "never-true hopeless",
      "trigger-fired fired",
      "follow-up-due due",
      "pin-retirable done-pin",
      "patch-droppable droppable",
      "wrong-then wrong",
      "kind-mismatch odd",
      "reverted taken-back",
      "blocks-unknown a-pin",
      "outdated overtaken",
    ]);
  });
  it("knows every kind there is", () => {
    expect([...new Set(found.map(({ kind }) => kind))]).toEqual(Object.keys(ATTENTION));
  });
  it("says what, in a sentence, and what to name instead", () => {
    for (const { text } of found) expect(text).toMatch(/^\S.*[.]$/);
    const text = (kind: AttentionKind) => found.find((entry) => entry.kind === kind)?.text;
    expect(text("blocks-missing")).toBe("Lacks r#1 (lacking), which blocks.");
    expect(found.find(({ about }) => about.id === "hopeless")?.text).toBe("r#6 was closed unmerged and replaced by r#1. Name r#1 instead.");
    expect(text("outdated")).toBe("r#5 was claimed open on 2026-05-01; it is closed since 2026-05-09.");
  });
  it("is silent about a stack with nothing to do", () => {
    expect(
      attention({ items: { fine: { refs: [{ ref: "u/r#1", role: "bug" }] } }, pins: { p: {} }, facts: { threads: { "u/r#1": {} } } }),
    ).toEqual([]);
  });
  it("does not ask for what a person carries or resolved", () => {
    const carried = structuredClone(everything);
    carried.items = { lacking: { refs: [{ ref: "u/r#1", role: "fix" }], reaches: ["z-pin"], local: "vendored" } };
    expect(attention(carried).filter(({ kind }) => kind.startsWith("blocks"))).toEqual([]);
  });
  it("proposes to retire a pin that nobody uses", () => {
    const unused = attention({ pins: { p: {} }, facts: { inventory: {} } });
    expect(unused).toEqual([{ kind: "pin-retirable", about: { kind: "pin", id: "p" }, text: "Nothing in the tree uses it." }]);
  });
  it("starts, on the real stack, with what fails silently or can never happen", () => {
    expect(real.derived.attention[0]?.kind).toBe("never-true");
    expect(real.derived.attention.filter(({ kind }) => kind === "wrong-then")).toHaveLength(3);
  });
});
