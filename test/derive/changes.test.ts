import { describe, expect, it } from "vitest";
import type { Change, FactChange } from "../../src/derive/changes.ts";
import { changesOf } from "../../src/derive/changes.ts";
import { derive } from "../../src/derive/derive.ts";
import type { Decision } from "../../src/derive/status.ts";
import type { Model } from "../../src/model/kinds.ts";
import type { Item } from "../../src/model/shapes/item.ts";
import { SHAPES } from "../../src/model/kinds.ts";
import { containmentFile, gitFile, githubFile } from "../../src/model/shapes/observed.ts";
import type { Observed } from "../../src/model/shapes/observed.ts";
import { copyOf, real, setThread } from "../real.ts";
import type { ShortStack } from "../world.ts";
import { stackOf } from "../world.ts";

/** Carries a change out on the stored facts themselves, without the shortcut that explain takes. */
function apply(model: Model, observed: Observed, id: string, change: FactChange): void {
  switch (change.set) {
    case "row":
      Object.assign(model.item[id] as Item, change.row);
      return;
    case "thread":
      setThread(observed, change.ref, change.thread);
      return;
    case "containment":
      for (const commit of change.commits) {
        const known = observed.containment[change.repo] ?? {};
        observed.containment[change.repo] = { ...known, [commit]: { ...known[commit], [change.inside]: change.answer } };
      }
      return;
    case "revert": {
      observed.git[change.repo] ??= { repository: change.repo, tags: {}, commits: {}, picks: [], reverts: [] };
      observed.git[change.repo]?.reverts.push({ commit: "e".repeat(40), of: change.commit, at: "2026-08-22", evidence: "supposed" });
    }
  }
}

/** What sync would have stored must fit the shapes; undefined keys vanish in JSON, as they would in the file. */
function stored(observed: Observed): Observed {
  const copy = JSON.parse(JSON.stringify(observed)) as Observed;
  for (const file of Object.values(copy.github)) githubFile.parse(file);
  for (const file of Object.values(copy.git)) gitFile.parse(file);
  containmentFile.parse(copy.containment);
  return copy;
}

function statusAfter({ model, observed }: { model: Model; observed: Observed }, id: string, { change }: Change): string | undefined {
  for (const one of change) apply(model, observed, id, one);
  SHAPES.item.parse(JSON.parse(JSON.stringify(model.item[id])));
  return derive(model, stored(observed)).items[id]?.status;
}

const rows = Object.entries(real.derived.items).map(([id, decision]) => {
  const changes = changesOf(real.derived.world, real.model.item[id] as Item, decision);
  return { id, decision, changes };
});

describe("what would change a status", () => {
  const told = rows.flatMap(({ id, changes }) => changes.map((change) => ({ id, change, when: change.when, to: change.to })));

  it.each(told)("$id becomes $to when $when", ({ id, change, to }) => {
    expect(statusAfter(copyOf(), id, change)).toBe(to);
  });

  it("names another status than today's, each event once", () => {
    for (const { decision, changes } of rows) {
      expect(changes.map(({ to }) => to)).not.toContain(decision.status);
      expect(new Set(changes.map(({ when }) => when)).size).toBe(changes.length);
    }
  });

  it("is silent only where no single event would change the status", () => {
    const silent = rows.filter(({ changes }) => changes.length === 0).map(({ id }) => id);
    // Landed or closed without help, retired or carried whatever happens upstream; or an image whose packages are not observed.
    expect(silent).toEqual([
      "genesis-p68-p69-threshold",
      "genesis-pn25-worker-spawn",
      "genesis-pn30-conv-state",
      "genesis-pn31",
      "transformers-gemma4-assistant",
      "vllm-tq-spec-decode",
    ]);
  });

  const invented: (Omit<ShortStack, "items"> & { name: string; item: Record<string, unknown>; when: string; to: string })[] = [
    {
      name: "an override",
      item: { refs: [{ ref: "u/r#1", role: "bug" }], override: { status: "resolved", because: "Enough.", until: "never" } },
      facts: { threads: { "u/r#1": {} } },
      when: "the override is removed",
      to: "open-no-pr",
    },
    {
      name: "an unobserved pull request",
      item: { refs: [{ ref: "u/r#1", role: "fix", kind: "pull-request" }] },
      when: "r#1 is observed and open",
      to: "in-review",
    },
    {
      name: "a duplicate of an open issue",
      item: { refs: [{ ref: "u/r#1", role: "bug" }] },
      facts: { threads: { "u/r#1": { state: "closed", duplicateOf: "u/r#2" }, "u/r#2": {} } },
      pins: { p: { commit: "b" } },
      when: "r#2 is closed by a commit on main",
      to: "awaiting-propagation",
    },
    {
      name: "an upstream that counts another branch",
      item: { refs: [{ ref: "u/r#1", role: "fix" }] },
      upstreams: { up: { branches: ["dev"] } },
      facts: { threads: { "u/r#1": { kind: "pull-request" } } },
      when: "r#1 is merged",
      to: "resolved",
    },
    {
      name: "an asset that has not arrived",
      item: { refs: [{ ref: "hf:o/m", role: "fix" }], lands_when: { after: "2026-06-01" } },
      when: "2026-06-01 has passed",
      to: "resolved",
    },
    {
      name: "a change that every pin contains",
      item: { refs: [{ ref: "u/r#1", role: "fix" }] },
      pins: { p: { commit: "b" }, q: { commit: "c" } },
      facts: {
        threads: { "u/r#1": { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" } },
        contains: { a: { b: "yes", c: "yes" } },
      },
      when: "p is moved to a build without it",
      to: "awaiting-propagation",
    },
    {
      name: "a change that no pin contains",
      item: { refs: [{ ref: "u/r#1", role: "fix" }] },
      pins: { p: { commit: "b" }, q: { commit: "c" } },
      facts: {
        threads: { "u/r#1": { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "a" } },
        contains: { a: { b: "no" } },
      },
      when: "p and q are moved to a build that contains it",
      to: "landed",
    },
    {
      name: "a rebase merge of which a pin has a part",
      item: { refs: [{ ref: "u/r#1", role: "fix" }] },
      pins: { p: { commit: "b" } },
      facts: {
        threads: {
          "u/r#1": { kind: "pull-request", state: "closed", merged: true, base: "main", mergeCommit: "d", rebasedCommits: ["a", "d"] },
        },
        contains: { a: { b: "yes" }, d: { b: "no" } },
      },
      when: "p is moved to a build that contains it",
      to: "landed",
    },
  ];
  it.each(invented)("is told for $name", ({ name: _name, item, when, to, ...stack }) => {
    const made = stackOf({ ...stack, items: { row: item } });
    const derived = derive(made.model, made.observed);
    const decision = derived.items.row;
    const changes = decision ? changesOf(derived.world, made.model.item.row as Item, decision) : [];
    const change = changes.find((found) => found.when === when);
    expect(change, changes.map((found) => found.when).join("; ")).toMatchObject({ to });
    for (const one of changes) expect(statusAfter(structuredClone(made), "row", one), one.when).toBe(one.to);
  });

  it.each([
    ["a tag that was never observed", { refs: [{ ref: "u/r@v9", role: "fix" }] }, {}],
    ["nothing filed at an upstream without a repository", { upstream: "assets" }, {}],
    ["an asset for which no condition is written down", { refs: [{ ref: "hf:o/m", role: "fix" }] }, {}],
    [
      "a landing from an asset, in pins that name no commit",
      { refs: [{ ref: "hf:o/m", role: "fix" }], lands_when: { after: "2026-05-01" } },
      {},
    ],
  ])("is silent about %s", (_name, item, facts) => {
    const { model, observed } = stackOf({
      upstreams: { up: {}, assets: { repo: undefined } },
      items: { row: item },
      pins: { p: {} },
      facts,
    });
    const { world, items } = derive(model, observed);
    expect(changesOf(world, model.item.row as Item, items.row as Decision)).toEqual([]);
  });

  it("passes over a commit that is linked to an issue", () => {
    const threads = { "u/r#1": { state: "open", closedBy: ["u/r@v1"] } };
    const { model, observed } = stackOf({ items: { row: { refs: [{ ref: "u/r#1", role: "bug" }] } }, facts: { threads } });
    const { world, items } = derive(model, observed);
    const when = changesOf(world, model.item.row as Item, items.row as Decision).map((change) => change.when);
    expect(when).toEqual(["r#1 is closed by a commit on main", "r#1 is closed with no fix"]);
  });
});
