import { describe, expect, it } from "vitest";
import type { ShortStack } from "../../test/world.ts";
import { sha, stackOf } from "../../test/world.ts";
import { buildsOf } from "./candidate.ts";
import { consolidate } from "./consolidate.ts";
import { derive } from "./derive.ts";
import { worldOf } from "./facts.ts";
import { costOf, ends, planBuilds, upstreamsOf, wantOf } from "./plan.ts";
import type { PatchJudgement } from "./survival/judgement.ts";

const STREAMS = [{ name: "release", artifact: "oci:docker.io/up/up:v*" }];
const pull = (commit: string, more: object = {}) => ({
  kind: "pull-request",
  state: "closed",
  merged: true,
  base: "main",
  mergeCommit: commit,
  ...more,
});
const image = (tag: string) => `oci:docker.io/up/up:${tag}`;

/** Builds v1 to v4 (commits a to d), one a day; u/r#1 is in v2 and later, u/r#2 in v3 and v4, u/r#3 only in v2. */
const stack = (more: ShortStack = {}): ShortStack => ({
  upstreams: { up: { repo: "u/r", aliases: ["up"], branches: ["main"], streams: STREAMS } },
  ...more,
  facts: {
    tags: { v1: "a", v2: "b", v3: "c", v4: "d" },
    commits: Object.fromEntries(["a", "b", "c", "d"].map((commit, day) => [commit, { committedAt: `2026-05-0${day + 1}` }])),
    threads: { "u/r#1": pull("1"), "u/r#2": pull("2"), "u/r#3": pull("3"), "u/r#9": { kind: "pull-request", state: "open" } },
    contains: {
      "1": { a: "no", b: "yes", c: "yes", d: "yes" },
      "2": { a: "no", b: "no", c: "yes", d: "yes" },
      "3": { a: "no", b: "yes", c: "no", d: "no" },
    },
    ...more.facts,
  },
});

/** The builds are told apart by the day of their tag. */
function dated(short: ShortStack): ReturnType<typeof stackOf> {
  const all = stackOf(short);
  for (const [tag, day] of Object.entries({ v1: 1, v2: 2, v3: 3, v4: 4 })) {
    const fact = all.observed.git["u/r"]?.tags[tag];
    if (fact) fact.date = `2026-05-0${day}`;
  }
  return all;
}

function plan(asked: string[], more: ShortStack = {}) {
  const { model, observed } = dated(stack(more));
  const wants = asked.map((one) => wantOf(worldOf(model, observed), one, undefined)).filter((want) => want !== undefined);
  expect(wants).toHaveLength(asked.length);
  const builds = planBuilds(worldOf(model, observed), "up", wants);
  const { earliest, newest } = ends(builds);
  return { builds, earliest: earliest?.build.name, newest: newest?.build.name };
}

describe("builds that satisfy what is wanted", () => {
  it("the earliest and the newest, of one want and of several", () => {
    expect(plan(["u/r#1"])).toMatchObject({ earliest: "v2", newest: "v4" });
    expect(plan(["u/r#1", "up#2"])).toMatchObject({ earliest: "v3", newest: "v4" });
    expect(plan(["up#3"])).toMatchObject({ earliest: "v2", newest: "v2" });
  });

  it("without a change", () => {
    expect(plan(["u/r#1", "!u/r#2"])).toMatchObject({ earliest: "v2", newest: "v2" });
  });

  it("C2 a build that is gone is none, however well it fits", () => {
    const gone = { facts: { registry: { [image("v2")]: { available: "gone" } } } };
    expect(plan(["u/r#1"], gone)).toMatchObject({ earliest: "v3" });
  });

  it("what has not landed is in no build; what is not known is not told", () => {
    expect(plan(["u/r#9"]).builds.map(({ satisfies }) => satisfies)).toEqual(["no", "no", "no", "no"]);
    const unknown = plan(["u/r#1"], { facts: { contains: { "1": { a: "no", d: "yes" } } } });
    expect(unknown.builds.map(({ satisfies }) => satisfies)).toEqual(["no", "unknown", "unknown", "yes"]);
    expect(unknown).toMatchObject({ earliest: "v4", newest: "v4" });
  });

  it("a condition that names a pin speaks of the build in its place", () => {
    const { model, observed } = stackOf(stack({ pins: { p: { artifact: image("v1"), commit: "a" } } }));
    const want = wantOf(worldOf(model, observed), "", { contained: { ref: "u/r#2", in: "p" } });
    expect(
      planBuilds(worldOf(model, observed), "up", want ? [want] : [])
        .map(({ satisfies }) => satisfies)
        .sort(),
    ).toEqual(["no", "no", "yes", "yes"]);
  });

  it("reads references, and nothing else", () => {
    const { model, observed } = stackOf(stack());
    const world = worldOf(model, observed);
    expect(wantOf(world, "up#12", undefined)?.condition).toEqual({ contained: { ref: "u/r#12", in: "this-build" } });
    expect(wantOf(world, "nonsense", undefined)).toBeUndefined();
    expect(wantOf(world, "who#12", undefined)).toBeUndefined();
    const wants = [wantOf(world, "u/r#12", undefined)].filter((want) => want !== undefined);
    expect(upstreamsOf(world, wants)).toEqual(["up"]);
  });
});

const judgement = (patch: string, verdict: PatchJudgement["verdict"], more: Partial<PatchJudgement> = {}): PatchJudgement => ({
  patch,
  pins: [],
  repo: "u/r",
  commit: sha("d"),
  verdict,
  because: "",
  targets: [],
  remarks: [],
  flags: [],
  clashes: [],
  ...more,
});

it("the cost of a build: patches lost, anchors to redo, what to look at, what was not checked", () => {
  const anchor = (required: boolean) => ({
    id: "a",
    required,
    verdict: "anchor-lost" as const,
    because: "",
    matches: 0,
    wanted: 1,
    lines: [],
    lostAt: null,
  });
  const lost = judgement("one", "anchor-lost", {
    targets: [{ path: "x", verdict: "anchor-lost", because: "", anchors: [anchor(true), anchor(true), anchor(false)] }],
  });
  expect(costOf([lost, judgement("two", "target-changed"), judgement("three", "unknown"), judgement("four", "applies")])).toEqual({
    lost: ["one"],
    reanchor: 2,
    look: ["two"],
    unchecked: ["three"],
  });
});

describe("the fewest builds that serve all pins", () => {
  const variant = (compose: string, pin: string) => ({
    title: "V",
    compose,
    pin,
    cards: 1,
    standing: "available",
    workloads: ["all"],
    summary: "One.",
  });
  const uses = (tag: string, file: string) => ({
    image: `docker.io/up/up:${tag}`,
    raw: [tag],
    mutability: "immutable",
    users: [{ file, line: 1, service: "s", archived: false }],
  });
  /** Pin one on v1, pin two on v2; u/r#1 matters. */
  const two = (more: ShortStack = {}): ShortStack =>
    stack({
      pins: { one: { artifact: image("v1"), commit: "a", ...(more.pins?.one ?? {}) }, two: { artifact: image("v2"), commit: "b" } },
      variants: { a: variant("a.yml", "one"), b: variant("b.yml", "two") },
      items: { row: { refs: [{ ref: "u/r#1", role: "fix" }] }, ...more.items },
      patches: more.patches ?? {},
      facts: { inventory: { images: [uses("v1", "a.yml"), uses("v2", "b.yml")] }, ...more.facts },
    });
  function run(short: ShortStack, judged: Record<string, PatchJudgement[]> = {}) {
    const { model, observed } = dated(short);
    const derived = derive(model, observed);
    return consolidate(derived, "up", buildsOf(derived.world, "up"), (commit) => judged[commit] ?? []);
  }

  it("one build serves both when nothing stands against it: the newest of those", () => {
    const found = run(two());
    expect(found.builds).toHaveLength(1);
    expect(found.builds[0]).toMatchObject({ artifact: image("v4"), pins: ["one", "two"] });
    expect(found.smaller).toBeNull();
  });

  it("a change that a pin has and would lose keeps it where it is", () => {
    const found = run(two({ items: { only: { refs: [{ ref: "u/r#3", role: "fix" }] } } }));
    expect(found.builds.map(({ artifact, pins }) => [artifact, pins])).toEqual([[image("v2"), ["one", "two"]]]);
  });

  it("a patch that a variant needs and that would break, and what blocks a smaller set", () => {
    const patches = { needed: { required_by: ["a"], load_bearing: true, targets: [{ path: "x.py" }] } };
    const broken = Object.fromEntries(["b", "c", "d"].map((commit) => [sha(commit), [judgement("needed", "anchor-lost")]]));
    const found = run(two({ patches }), broken);
    expect(found.builds.flatMap(({ pins }) => pins).sort()).toEqual(["one", "two"]);
    expect(found.builds).toHaveLength(2);
    const against = found.smaller?.builds[0]?.pins;
    expect(against?.find(({ pin }) => pin === "one")).toMatchObject({ can: "no", because: ["needed: anchor lost"] });
    expect(against?.find(({ pin }) => pin === "two")?.can).toBe("yes");
  });

  it("what was not checked proves nothing", () => {
    const patches = { needed: { required_by: ["a"], targets: [{ path: "x.py" }] } };
    const found = run(two({ patches }));
    expect(found.builds).toHaveLength(2);
    expect(found.smaller?.builds[0]?.pins.find(({ pin }) => pin === "one")).toMatchObject({
      can: "unknown",
      because: ["whether needed works there was not checked"],
    });
  });

  it("a pin's own condition for its retirement holds it back, read for the build that would take over", () => {
    const pins = (ref: string) => ({ one: { retire: { when: { built: { ref, stream: "release" } } } } });
    expect(run(two({ pins: pins("u/r#9") })).builds).toHaveLength(2);
    expect(run(two({ pins: pins("u/r#2") })).builds).toMatchObject([{ pins: ["one", "two"] }]);
  });

  it("C3 a pin whose build is gone, and that nothing else is proved to serve", () => {
    const patches = { needed: { required_by: ["a"], targets: [{ path: "x.py" }] } };
    const found = run(
      two({
        patches,
        facts: { inventory: { images: [uses("v1", "a.yml"), uses("v2", "b.yml")] }, registry: { [image("v1")]: { available: "gone" } } },
      }),
    );
    expect(found.unserved).toEqual(["one"]);
    expect(found.builds.flatMap(({ pins }) => pins)).toEqual(["two"]);
  });
});
