import { derive } from "../../src/derive/derive.ts";
import type { Derived } from "../../src/derive/derive.ts";
import type { ShortStack } from "../world.ts";
import { stackOf } from "../world.ts";

const derivedOf = (stack: ShortStack): Derived => {
  const { model, observed } = stackOf(stack);
  return derive(model, observed);
};
const MERGED = { kind: "pull-request", state: "closed", merged: true, mergedAt: "2026-05-01", mergeCommit: "a", base: "main" };

/** One landed change that one pin has and the other lacks, one that is open, one that nobody saw. */
export const stack = (change: ShortStack = {}): Derived =>
  derivedOf({
    upstreams: { up: { order: 2 }, other: { title: "Other", repo: "o/r", order: 1 } },
    items: {
      landed: {
        refs: [{ ref: "u/r#1", role: "fix" }],
        stake: "degrades",
        local: "workaround",
        workaround: { what: "A flag.", patches: ["flag"], drop: { contained: { ref: "u/r#1", in: "old" } } },
      },
      open: { refs: [{ ref: "u/r#2", role: "fix" }] },
      unseen: { refs: [{ ref: "u/r#3", role: "bug" }], upstream: "other" },
    },
    pins: { old: { commit: "b" }, young: { commit: "c" } },
    patches: {
      flag: { drop: { contained: { ref: "u/r#1", in: "old" } } },
      cover: { covers: ["u/r#2"] },
      gone: { dropped: { on: "2026-05-01", because: "Not needed." } },
    },
    triggers: { again: { when: { contained: { ref: "u/r#1", in: "old" } } }, closed: { when: { closed: "u/r#1" }, items: ["landed"] } },
    followUps: { later: { when: { after: "2026-12-01" }, items: ["open"] } },
    facts: {
      threads: { "u/r#1": MERGED, "u/r#2": { kind: "pull-request", createdAt: "2026-04-12", stale: { since: null, why: "stored" } } },
      contains: { a: { b: "no", c: "yes" } },
    },
    ...change,
  });
