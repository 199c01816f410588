import { describe, expect, it } from "vitest";
import { derive } from "../../src/derive/derive.ts";
import type { Observed, Thread } from "../../src/model/shapes/observed.ts";
import type { Facet, Status } from "../../src/model/vocabulary.ts";
import { copyOf, real, setThread, threadIn } from "../real.ts";

type Mutate = (observed: Observed) => void;
/** A row, one observed fact that changes, and the status and facets that come and go with it. */
type Mutation = [name: string, row: string, mutate: Mutate, to: Status, facets?: { gained?: Facet[]; lost?: Facet[] }];

const VLLM = "vllm-project/vllm";
const thread =
  (ref: string, change: Partial<Thread>): Mutate =>
  (observed) =>
    setThread(observed, ref, change);
const contains =
  (commit: string, inside: string, answer: "yes" | "no", repo = VLLM): Mutate =>
  (observed) => {
    const of = observed.containment[repo]?.[full(observed, repo, commit)];
    if (!of) throw new Error(`nothing is recorded about ${commit}`);
    of[pinCommit(inside)] = answer;
  };
const full = (observed: Observed, repo: string, short: string) =>
  Object.keys(observed.containment[repo] ?? {}).find((sha) => sha.startsWith(short)) ?? short;
const pinCommit = (pin: string) => real.model.pin[pin]?.source?.commit ?? pin;
const git = (repo: string, observed: Observed) => {
  const file = observed.git[repo];
  if (!file) throw new Error(`${repo} has no git facts`);
  return file;
};
const both =
  (...all: Mutate[]): Mutate =>
  (observed) =>
    all.forEach((one) => void one(observed));

const MUTATIONS: Mutation[] = [
  // Containment
  ["a pin loses it", "vllm-tq-share-buffers", contains("2cc008e7", "vllm-nightly-mtp", "no"), "awaiting-propagation"],
  ["one pin of two gains it", "vllm-marlin-pad-sub-tile", contains("9eaacb23", "vllm-nightly-clean", "yes"), "awaiting-propagation"],
  [
    "both pins gain it",
    "vllm-marlin-pad-sub-tile",
    both(contains("9eaacb23", "vllm-nightly-clean", "yes"), contains("9eaacb23", "vllm-nightly-mtp", "yes")),
    "landed",
  ],
  ["the last lacking pin gains it", "vllm-ubatch-max-seq-len", contains("eaec7be4", "vllm-nightly-mtp", "yes"), "landed"],
  [
    "a containment answer is forgotten",
    "vllm-gemma4-mtp",
    (observed) => void delete observed.containment[VLLM]?.[full(observed, VLLM, "27e0057a")]?.[pinCommit("vllm-nightly-clean")],
    "awaiting-propagation",
  ],
  [
    "a cherry-pick for the lacking pin turns up",
    "vllm-ubatch-max-seq-len",
    (observed) => {
      const of = full(observed, VLLM, "eaec7be4");
      git(VLLM, observed).picks.push({ of, commit: pinCommit("vllm-nightly-mtp"), on: "releases/x", evidence: "same subject and number" });
    },
    "landed",
  ],
  // The merge
  [
    "the merge becomes a close",
    "vllm-tq-share-buffers",
    thread(`${VLLM}#40941`, { merged: false, mergeCommit: undefined }),
    "local-workaround",
    { gained: ["contradicts-claim"] },
  ],
  [
    "the merge was into another branch",
    "vllm-tq-share-buffers",
    thread(`${VLLM}#40941`, { base: "feature" }),
    "in-review",
    { gained: ["merged-elsewhere"] },
  ],
  ["the merge commit is not known", "vllm-tq-share-buffers", thread(`${VLLM}#40941`, { mergeCommit: undefined }), "awaiting-propagation"],
  [
    "the merge commit is another one",
    "vllm-tq-share-buffers",
    thread(`${VLLM}#40941`, { mergeCommit: "f".repeat(40) }),
    "awaiting-propagation",
  ],
  [
    "it is not merged yet",
    "vllm-gemma4-mtp",
    thread(`${VLLM}#41745`, { merged: false, state: "open" }),
    "in-review",
    { gained: ["activity-unknown", "contradicts-claim"] },
  ],
  [
    "it is reverted",
    "vllm-tq-share-buffers",
    (observed) =>
      void git(VLLM, observed).reverts.push({
        of: full(observed, VLLM, "2cc008e7"),
        commit: "e".repeat(40),
        at: "2026-05-20",
        evidence: "subject",
      }),
    "local-workaround",
    { gained: ["reverted"] },
  ],
  [
    "it is reverted and relanded where no pin has it",
    "vllm-tq-share-buffers",
    (observed) =>
      void git(VLLM, observed).reverts.push({
        of: full(observed, VLLM, "2cc008e7"),
        commit: "e".repeat(40),
        at: "2026-05-20",
        evidence: "subject",
        relandedBy: "d".repeat(40),
      }),
    "awaiting-propagation",
  ],
  // Supersession, duplicates and moves
  [
    "the supersession is not known",
    "vllm-marlin-pad-sub-tile",
    thread(`${VLLM}#40361`, { supersededBy: undefined }),
    "local-workaround",
    { lost: ["superseded"] },
  ],
  [
    "the successor is still open",
    "vllm-marlin-pad-sub-tile",
    thread(`${VLLM}#45295`, { merged: false, state: "open", mergeCommit: undefined }),
    "in-review",
    { gained: ["activity-unknown"] },
  ],
  [
    "the superseded one is open again",
    "vllm-marlin-pad-sub-tile",
    thread(`${VLLM}#40361`, { state: "open" }),
    "in-review",
    { lost: ["superseded", "contradicts-claim"], gained: ["activity-unknown"] },
  ],
  [
    "it turns out to be a duplicate",
    "vllm-ngram-mtp",
    thread(`${VLLM}#40875`, { state: "closed", duplicateOf: `${VLLM}#40124` }),
    "open-no-pr",
    { gained: ["superseded"], lost: ["contradicts-claim"] },
  ],
  [
    "it moved to another number",
    "vllm-ngram-mtp",
    thread(`${VLLM}#40875`, { movedTo: `${VLLM}#40914` }),
    "in-review",
    { gained: ["moved", "activity-unknown"] },
  ],
  // Identity
  [
    "the kind is another one",
    "vllm-hybrid-kv-sizing",
    thread(`${VLLM}#37429`, { kind: "issue" }),
    "unknown",
    { gained: ["kind-mismatch"], lost: ["activity-unknown"] },
  ],
  [
    "the title is about another thing",
    "vllm-marlin-pad-sub-tile",
    thread(`${VLLM}#40361`, { title: "Update the screenshots" }),
    "unknown",
    { gained: ["kind-mismatch"] },
  ],
  [
    "another node answers under the name",
    "vllm-ngram-mtp",
    thread(`${VLLM}#40875`, { nodeMismatch: true }),
    "unknown",
    { gained: ["kind-mismatch"] },
  ],
  [
    "the title drifted",
    "vllm-ngram-mtp",
    thread(`${VLLM}#40875`, { previousTitle: "N-gram drafting" }),
    "open-no-pr",
    { gained: ["title-drift"] },
  ],
  // Activity of an open fix
  ["it is a draft", "vllm-hybrid-kv-sizing", thread(`${VLLM}#37429`, { draft: true }), "stalled", { lost: ["activity-unknown"] }],
  ["it conflicts", "vllm-hybrid-kv-sizing", thread(`${VLLM}#37429`, { conflicting: true }), "stalled", { lost: ["activity-unknown"] }],
  [
    "changes are requested",
    "vllm-hybrid-kv-sizing",
    thread(`${VLLM}#37429`, { review: "changes-requested" }),
    "stalled",
    { lost: ["activity-unknown"] },
  ],
  [
    "it was active lately",
    "vllm-hybrid-kv-sizing",
    thread(`${VLLM}#37429`, { lastActivity: "2026-08-20" }),
    "in-review",
    { lost: ["activity-unknown"] },
  ],
  [
    "it is quiet",
    "vllm-hybrid-kv-sizing",
    thread(`${VLLM}#37429`, { lastActivity: "2026-06-01" }),
    "stalled",
    { lost: ["activity-unknown"] },
  ],
  [
    "the repository is archived",
    "vllm-hybrid-kv-sizing",
    (observed) => {
      const file = observed.github[VLLM];
      if (file) file.repository.archived = true;
    },
    "stalled",
    { lost: ["activity-unknown"] },
  ],
  [
    "it was verified again",
    "vllm-hybrid-kv-sizing",
    thread(`${VLLM}#37429`, { stale: undefined }),
    "in-review",
    { lost: ["stale-observation"] },
  ],
  [
    "time passes over a known activity",
    "vllm-hybrid-kv-sizing",
    both(thread(`${VLLM}#37429`, { lastActivity: "2026-08-20" }), (observed) => {
      observed.asOf = "2026-09-21T00:00:00Z";
    }),
    "stalled",
    { lost: ["activity-unknown"] },
  ],
  // Issues
  [
    "the issue is closed with no fix",
    "fa-varlen-softmax-lse",
    thread("Dao-AILab/flash-attention#1011", { state: "closed", stateReason: "not-planned" }),
    "local-workaround",
    { gained: ["contradicts-claim"] },
  ],
  [
    "the issue gets a pull request",
    "fa-varlen-softmax-lse",
    both(
      thread("Dao-AILab/flash-attention#1011", { closedBy: ["Dao-AILab/flash-attention#2000"] }),
      thread("Dao-AILab/flash-attention#2000", { kind: "pull-request" }),
    ),
    "in-review",
    { gained: ["activity-unknown"] },
  ],
  [
    "the issue is open again",
    "genesis-p103-single-seq",
    thread("Sandermage/genesis-vllm-patches#18", { state: "open", reopenedAt: "2026-05-20" }),
    "open-no-pr",
    { lost: ["contradicts-claim"] },
  ],
  [
    "the issue was closed as not planned",
    "genesis-p65-piecewise-cost",
    thread("Sandermage/genesis-vllm-patches#7", { stateReason: "not-planned" }),
    "closed-unfixed",
    { lost: ["no-fix-evidence"] },
  ],
  [
    "the linked fix is closed",
    "vllm-mtp-tq-cudagraph",
    thread(`${VLLM}#40914`, { state: "closed" }),
    "local-workaround",
    { lost: ["activity-unknown"] },
  ],
  [
    "the pull request is reopened",
    "llamacpp-turboquant-kv",
    thread("ggml-org/llama.cpp#21089", { state: "open" }),
    "in-review",
    { gained: ["activity-unknown"], lost: ["contradicts-claim", "no-fix-evidence"] },
  ],
  // What was never observed, and what stops being so
  [
    "it is observed at last",
    "transformers-qwen35-gguf",
    thread("huggingface/transformers#45283", { title: "Qwen3.5 GGUF" }),
    "open-no-pr",
    { gained: ["contradicts-claim"] },
  ],
  [
    "the fact is lost",
    "vllm-hybrid-kv-sizing",
    (observed) => void delete observed.github[VLLM]?.threads["37429"],
    "unknown",
    { lost: ["activity-unknown", "stale-observation"] },
  ],
  [
    "a commit turns out to be on no counted branch",
    "genesis-p38-noop",
    (observed) => {
      const commit = git("Sandermage/genesis-vllm-patches", observed).commits[
        full(observed, "Sandermage/genesis-vllm-patches", "f289e07c")
      ];
      if (commit) {
        commit.on = ["other"];
        commit.notOn = ["dev"];
      }
    },
    "unknown",
  ],
  // Registries
  [
    "the floating image says its commit, and contains it",
    "llamacpp-mtp",
    (observed) => {
      observed.registry["oci:ghcr.io/ggml-org/llama.cpp:server-cuda"] = {
        revision: full(observed, "ggml-org/llama.cpp", "25558268"),
        source: "label",
        asOf: null,
      };
    },
    "landed",
  ],
  [
    "the image says another commit than the pin",
    "vllm-gemma4-mtp",
    (observed) => {
      observed.registry[real.model.pin["vllm-nightly-clean"]?.artifact ?? ""] = { revision: "f".repeat(40), source: "label", asOf: null };
    },
    "awaiting-propagation",
  ],
  [
    "the image is gone",
    "vllm-gemma4-mtp",
    (observed) => {
      observed.registry[real.model.pin["vllm-nightly-clean"]?.artifact ?? ""] = { available: "gone", source: "registry", asOf: null };
    },
    "landed",
    { gained: ["image-gone"] },
  ],
  [
    "the release is not known",
    "transformers-gemma4-assistant",
    (observed) => void delete observed.registry["pypi:transformers"],
    "local-workaround",
  ],
  [
    "the release was withdrawn",
    "transformers-gemma4-assistant",
    (observed) => {
      for (const version of Object.values(observed.registry["pypi:transformers"]?.versions ?? {})) version.yanked = true;
    },
    "local-workaround",
  ],
  // The tree
  [
    "the lacking pin loses its last user",
    "vllm-ubatch-max-seq-len",
    (observed) => {
      for (const image of observed.inventory?.images ?? []) if (image.image.includes("01d4d1ad")) image.users = [];
    },
    "landed",
  ],
];

describe("one observed fact changes, and the status with it", () => {
  it.each(MUTATIONS)("%s: %s", (_name, id, mutate, to, facets = {}) => {
    const before = real.derived.items[id];
    const { model, observed } = copyOf();
    mutate(observed);
    const after = derive(model, observed).items[id];
    expect(after?.status, after?.because).toBe(to);
    const { gained = [], lost = [] } = facets;
    expect(before?.facets).toEqual(expect.arrayContaining(lost));
    const kept = (before?.facets ?? []).filter((facet) => !lost.includes(facet));
    expect(after?.facets).toEqual([...kept, ...gained].sort());
    expect({ status: after?.status, facets: after?.facets, pins: after?.pins }).not.toEqual({
      status: before?.status,
      facets: before?.facets,
      pins: before?.pins,
    });
  });

  it("changes at least one row from every status the real stack has", () => {
    const from = new Set(MUTATIONS.map(([, id]) => real.derived.items[id]?.status));
    const all = new Set(Object.values(real.derived.items).map(({ status }) => status));
    expect([...all].filter((status) => !from.has(status))).toEqual(["resolved"]);
  });

  it("a resolved row changes too: somebody reopens it, or a pin of that upstream appears", () => {
    const { model, observed } = copyOf();
    setThread(observed, "Sandermage/genesis-vllm-patches#5", { state: "open" });
    expect(derive(model, observed).items["genesis-p8-import-error"]?.status).toBe("open-no-pr");
  });

  it("leaves every row as it is when facts change that decide nothing", () => {
    const { model, observed } = copyOf();
    for (const file of Object.values(observed.github)) {
      for (const found of Object.values(file.threads))
        Object.assign(found, { author: "somebody", url: "https://example.org", labels: ["x"], createdAt: "2020-01-01", nodeId: "n" });
    }
    const shown = (items: typeof real.derived.items) =>
      Object.fromEntries(Object.entries(items).map(([id, { status, rule, facets }]) => [id, { status, rule, facets }]));
    expect(shown(derive(model, observed).items)).toEqual(shown(real.derived.items));
  });

  it("changes no input and gives the same answer twice", () => {
    const { model, observed } = copyOf();
    const frozen = JSON.stringify({ model, observed });
    const [once, twice] = [derive(model, observed), derive(model, observed)];
    expect(JSON.stringify(once.items)).toBe(JSON.stringify(twice.items));
    expect(JSON.stringify({ model, observed })).toBe(frozen);
    expect(threadIn(observed, `${VLLM}#40941`).merged).toBe(true);
  });
});
