import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/derive/condition.ts";
import type { Decision } from "../../src/derive/status.ts";
import type { Verdict } from "../../src/model/vocabulary.ts";
import { landingOf } from "../../src/derive/landing.ts";
import { pinTarget, propagation, tagTarget } from "../../src/derive/propagation.ts";
import { refState } from "../../src/report/json.ts";
import { real } from "../real.ts";

const { derived, model } = real;
const { world } = derived;
const row = (id: string) => derived.items[id] as Decision;

/** The verdict for a reference in a pin's build or a tag, whether a row waits for it or not. */
function verdict(ref: string, place: string): Verdict {
  const landing = landingOf(world, ref);
  if (!landing) return "unknown";
  const pin = model.pin[place];
  return propagation(world, landing, pin ? pinTarget(world, place, pin) : tagTarget(world, landing.repo, place)).verdict;
}

const MAY_VLLM_PINS = ["vllm-nightly-clean", "vllm-nightly-dflash", "vllm-nightly-mtp"];

describe("what the recorded facts of the real stack say", () => {
  it("knows the three May pins of vLLM by their commits", () => {
    const pins = Object.entries(model.pin).filter(([, pin]) => pin.upstream === "vllm");
    expect(Object.fromEntries(pins.map(([id, pin]) => [id, pin.source?.commit?.slice(0, 8)]))).toEqual({
      "vllm-nightly-clean": "1acd67a7",
      "vllm-nightly-dflash": "e47c98ef",
      "vllm-nightly-mtp": "01d4d1ad",
    });
  });

  it("vllm#40941 merged hours before v0.20.0, is not in it, and is in every May pin", () => {
    const thread = world.facts.thread("vllm-project/vllm#40941");
    const tag = world.facts.tag("vllm-project/vllm", "v0.20.0");
    const hours = (Date.parse(tag?.date ?? "") - Date.parse(thread?.mergedAt ?? "")) / 3_600_000;
    expect(hours).toBeGreaterThan(0);
    expect(hours).toBeLessThan(24);
    expect(verdict("vllm-project/vllm#40941", "v0.20.0")).toBe("not-contained");
    expect(evaluate(world, { contained: { ref: "vllm-project/vllm#40941", in: "v0.20.0" } }).truth).toBe("no");
    for (const pin of MAY_VLLM_PINS) expect(verdict("vllm-project/vllm#40941", pin), pin).toBe("contained");
    expect(row("vllm-tq-share-buffers")).toMatchObject({ status: "landed", rule: "5e" });
  });

  it("vllm#40361 is superseded by #45295, which is merged and in no May pin", () => {
    const decision = row("vllm-marlin-pad-sub-tile");
    expect(decision.deciding[0]).toMatchObject({ end: "vllm-project/vllm#45295", steps: [{ because: "superseded" }] });
    expect(refState(derived, "vllm-project/vllm#40361")).toBe("closed");
    expect(refState(derived, "vllm-project/vllm#45295")).toBe("merged");
    for (const pin of MAY_VLLM_PINS) expect(verdict("vllm-project/vllm#45295", pin), pin).toBe("not-contained");
    expect(decision.status).toBe("awaiting-propagation");
    expect(decision.facets).toContain("superseded");
    const drop = evaluate(world, { contained: { ref: "vllm-project/vllm#40361", in: "vllm-nightly-clean" } });
    expect(drop).toMatchObject({ truth: "no", never: { instead: "vllm-project/vllm#45295" } });
  });

  it("vllm#40961 is merged though claimed open, in 1acd67a7 and e47c98ef, not in 01d4d1ad", () => {
    expect(model.item["vllm-ubatch-max-seq-len"]?.claim?.says).toBe("open");
    const pins = Object.fromEntries(row("vllm-ubatch-max-seq-len").pins.map((found) => [found.pin, found.verdict]));
    expect(pins).toEqual({ "vllm-nightly-clean": "contained", "vllm-nightly-dflash": "contained", "vllm-nightly-mtp": "not-contained" });
    expect(row("vllm-ubatch-max-seq-len").status).toBe("awaiting-propagation");
  });

  it("vllm#39931 is a merged TurboQuant pull request, so the DeltaNet row is unknown and never landed", () => {
    expect(world.facts.thread("vllm-project/vllm#39931")).toMatchObject({ kind: "pull-request", merged: true });
    expect(world.facts.thread("vllm-project/vllm#39931")?.title).toContain("TurboQuant");
    const decision = row("vllm-deltanet-rollback");
    expect(decision).toMatchObject({ status: "unknown", rule: "1", landings: [], pins: [] });
    expect(decision.facets).toContain("kind-mismatch");
    const told = Object.values(derived.pins).flatMap((pin) => pin.verdicts.filter(({ item }) => item === "vllm-deltanet-rollback"));
    expect(told.map((entry) => entry.verdict)).toEqual(["unknown", "unknown", "unknown"]);
  });

  it("vllm#41745 is in 1acd67a7 and not in e47c98ef", () => {
    expect(verdict("vllm-project/vllm#41745", "vllm-nightly-clean")).toBe("contained");
    expect(verdict("vllm-project/vllm#41745", "vllm-nightly-dflash")).toBe("not-contained");
  });

  it("llama.cpp#22673 merged on 2026-05-16 and cannot be proved in the floating server-cuda", () => {
    expect(world.facts.thread("ggml-org/llama.cpp#22673")?.mergedAt).toMatch(/^2026-05-16/);
    const decision = row("llamacpp-mtp");
    expect(decision.status).toBe("awaiting-propagation");
    expect(decision.pins.map(({ pin, verdict: found }) => [pin, found])).toEqual([["llama-cpp-server-cuda", "unknown"]]);
    expect(decision.facets).toContain("floating");
    expect(decision.pins[0]?.proof.evidence[0]?.fact).toContain("floating");
  });

  it("genesis#18 is closed", () => {
    expect(refState(derived, "Sandermage/genesis-vllm-patches#18")).toBe("closed");
    expect(row("genesis-p103-single-seq").status).not.toBe("open-no-pr");
  });

  it.each([
    ["vllm-qwen3coder-streaming", "vllm-project/vllm#39598"],
    ["transformers-qwen35-gguf", "huggingface/transformers#45283"],
  ])("%s stays unknown, because %s was never observed", (id, ref) => {
    expect(world.facts.thread(ref)).toBeUndefined();
    expect(refState(derived, ref)).toBe("unknown");
    expect(row(id)).toMatchObject({ status: "unknown", rule: "4" });
    expect(derived.contradictions.map(({ item }) => item)).not.toContain(id);
  });

  it("vllm#40950 is in v0.20.0 only as a cherry-pick", () => {
    const commit = "706a04d34ba64ea23d430d5e50038791aacfae96";
    const landing = landingOf(world, `vllm-project/vllm@${commit}`);
    expect(world.facts.contains("vllm-project/vllm", commit, world.facts.tag("vllm-project/vllm", "v0.20.0")?.commit ?? "")).toBe("no");
    const proof = landing && propagation(world, landing, tagTarget(world, "vllm-project/vllm", "v0.20.0"));
    expect(proof).toMatchObject({ verdict: "contained", method: "cherry-pick" });
  });

  it("nightly 1acd67a7 has vllm#39917 but not its later revert #42434", () => {
    const revert = real.observed.git["vllm-project/vllm"]?.reverts.find(({ evidence }) => evidence.includes("#42434"));
    const commit = model.pin["vllm-nightly-clean"]?.source?.commit ?? "";
    expect(landingOf(world, `vllm-project/vllm@${revert?.of}`)).toMatchObject({ reverted: true, shas: [revert?.of] });
    expect(world.facts.contains("vllm-project/vllm", revert?.of ?? "", commit)).toBe("yes");
    expect(world.facts.contains("vllm-project/vllm", revert?.commit ?? "", commit)).toBe("no");
  });
});

describe("what the maintainers believed, against the facts", () => {
  const byKind = (kind: string) => derived.contradictions.filter((found) => found.kind === kind);

  it("lists 17 contradictions", () => {
    expect(derived.contradictions).toHaveLength(17);
  });

  it("three were wrong on their own day", () => {
    expect(byKind("wrong-then").map(({ ref, claim, fact }) => [ref, claim.says, fact.state])).toEqual([
      ["vllm-project/vllm#39931", "open", "merged"],
      ["vllm-project/vllm#40875", "closed", "open"],
      ["vllm-project/vllm#40961", "open", "merged"],
    ]);
  });

  it("those with a dated fact say since when", () => {
    expect(byKind("outdated").map(({ ref, fact }) => [ref, fact.since?.slice(0, 10)])).toEqual([
      ["Sandermage/genesis-vllm-patches#18", "2026-05-05"],
      ["ggml-org/llama.cpp#22673", "2026-05-16"],
      ["vllm-project/vllm#40361", "2026-06-12"],
    ]);
  });

  it("the rest is undated, and says so by having no day", () => {
    expect(byKind("undated")).toHaveLength(11);
    for (const found of byKind("undated")) expect(found.fact.since).toBeUndefined();
  });

  it("the P98 row, which only mentions genesis#9 as context, is not among them", () => {
    expect(model.item["genesis-p98-marker"]?.refs).toEqual([expect.objectContaining({ role: "context" })]);
    expect(derived.contradictions.map(({ item }) => item)).not.toContain("genesis-p98-marker");
  });

  it("every one carries its source, and its row carries the facet", () => {
    for (const { item, fact } of derived.contradictions) {
      expect(fact.source).not.toBe("");
      expect(row(item).facets).toContain("contradicts-claim");
    }
    const withFacet = Object.values(derived.items).filter(({ facets }) => facets.includes("contradicts-claim"));
    expect(withFacet).toHaveLength(17);
  });
});
