import type { Model } from "../../src/model/kinds.ts";
import type { Item } from "../../src/model/shapes/item.ts";
import type { Observed, Thread } from "../../src/model/shapes/observed.ts";

/** A stack of a given size with every kind of outcome in it, the same for the same size. */
export function generated(count: number): { model: Model; observed: Observed } {
  const sha = (n: number) => n.toString(16).padStart(40, "0");
  const threads: Record<string, Thread> = {};
  const contains: Record<string, Record<string, "yes" | "no">> = {};
  const item: Record<string, Item> = {};
  for (let n = 1; n <= count; n++) {
    threads[n] = threadOf(n, sha);
    contains[sha(n)] = { [sha(900_001)]: n % 3 === 0 ? "yes" : "no", [sha(900_002)]: n % 2 === 0 ? "yes" : "no" };
    item[`row-${n}`] = itemOf(n);
  }
  const pin = (commit: string) => ({
    title: "A build",
    upstream: "engine",
    artifact: `oci:example.org/engine:nightly-${commit}`,
    source: { commit },
    mutability: "immutable" as const,
    reason: "The baseline.",
    written: [],
    notes: [],
  });
  const model: Model = {
    tracker: {
      title: "bench",
      repo: "bench/stack",
      zone: "UTC",
      thresholds: { stalled_after_days: 30, claim_stale_after_days: 30 },
      conventions: [],
      notes: [],
      disagreements: [],
    },
    upstream: {
      engine: {
        title: "Engine",
        kind: "repository",
        repo: "bench/engine",
        former: [],
        aliases: [],
        branches: ["main"],
        versions: "none",
        streams: [],
        lands: "squash",
        order: 1,
        notes: [],
        see: [],
      },
    },
    item,
    pin: { "pin-a": pin(sha(900_001)), "pin-b": pin(sha(900_002)) },
    patch: {},
    variant: {},
    cliff: {},
    measurement: {},
    trigger: {},
    followUp: {},
  };
  return {
    model,
    observed: {
      asOf: "2026-08-22T00:00:00Z",
      github: { "bench/engine": { repository: { name: "bench/engine", source: "generated", asOf: null }, threads } },
      git: {},
      containment: { "bench/engine": contains },
      registry: {},
      inventory: undefined,
      transitions: [],
    },
  };
}

function threadOf(n: number, sha: (n: number) => string): Thread {
  const base = { kind: "pull-request" as const, title: `Change number ${n}`, source: "generated", asOf: "2026-08-01" };
  if (n % 5 === 0) return { ...base, state: "open", lastActivity: n % 2 === 0 ? "2026-08-20" : "2026-01-01" };
  if (n % 7 === 0) return { ...base, state: "closed", merged: false, closedAt: "2026-07-01" };
  return { ...base, state: "closed", merged: true, mergedAt: "2026-07-01", base: "main", mergeCommit: sha(n) };
}

function itemOf(n: number): Item {
  return {
    title: `Row ${n} | with a pipe and some \`code\``,
    upstream: "engine",
    refs: [{ ref: `bench/engine#${n}`, role: "fix", kind: "pull-request" }],
    stake: n % 4 === 0 ? "blocks" : "watch",
    why: `It matters because of reason ${n}.`,
    local: n % 6 === 0 ? "vendored" : "none",
    resolves_us: "yes",
    pursued: true,
    fixes: "any",
    filed: true,
    claim: { on: "2026-05-12", says: "open" },
    cliffs: [],
    notes: [],
  };
}
