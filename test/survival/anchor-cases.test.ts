import { describe, expect, it } from "vitest";
import { nothingKnown, sourcesOf } from "../../src/derive/survival/sources.ts";
import { judgeTarget } from "../../src/derive/survival/target.ts";
import { keyOf } from "../../src/model/source.ts";
import { ancestorsOf, anchorOf, answerFrom, commitOf, fakeSha, hasCases, readCases, readGraph } from "./cases.ts";
import type { AnchorCase } from "./cases.ts";

const REPO = "vllm-project/vllm";

describe.skipIf(!hasCases)("28 real anchors over nine builds of vLLM", () => {
  const cases = hasCases ? readCases() : [];
  const graph = hasCases ? readGraph() : new Map<string, string[]>();
  const memo = new Map<string, Set<string>>();
  const ancestors = (commit: string) => {
    const found = memo.get(commit) ?? ancestorsOf(graph, commit);
    memo.set(commit, found);
    return found;
  };

  function judge(one: AnchorCase, commit: string) {
    const known = nothingKnown(fakeSha([one]));
    const answer = answerFrom([one], ancestors);
    for (let round = 0; round < 20; round++) {
      const { sources, asked } = sourcesOf(known);
      const judged = judgeTarget(sources, { repo: REPO, commit }, { path: one.target, anchors: [anchorOf(one)] });
      if (judged) return judged;
      for (const question of asked.values()) known.answers.set(keyOf(question), answer(question));
    }
    throw new Error("the questions never end");
  }

  it("has them all", () => {
    expect(cases).toHaveLength(28);
  });

  const table = cases.flatMap((one) =>
    Object.entries(one.atPins).map(([label, state]) => ({ name: `${one.sub} (${one.genesis.slice(0, 7)})`, label, state, one })),
  );

  it.each(table)("$name at $label: $state", ({ one, label, state }) => {
    const commit = commitOf(graph, label);
    const judged = judge(one, commit);
    const anchor = judged.anchors[0];
    expect(judged.verdict).toBe(
      { ok: "applies", missing: one.required ? "anchor-lost" : "anchor-lost", file_missing: "target-gone" }[state],
    );
    expect(anchor?.verdict).toBe(state === "ok" ? "applies" : "anchor-lost");

    // The recorded change is the last one from present to absent that the build has; derived here a second way, from the record alone.
    const seen = one.mainHistory.filter(({ from }) => ancestors(commit).has(from));
    const lost = seen.findLast((change, index) => change.state !== "ok" && seen[index - 1]?.state === "ok");
    if (state === "ok" || !lost) expect(anchor?.lostAt).toBeNull();
    else {
      expect(anchor?.lostAt).toMatchObject({ commit: lost.from, pr: lost.pr, by: "walk" });
      expect(anchor?.because).toContain(`#${lost.pr}`);
    }
    if (state === "file_missing") expect(judged.since?.pr).toBe(seen.at(-1)?.pr);
  });
});
