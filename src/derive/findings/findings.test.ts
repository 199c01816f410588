import { describe, expect, it } from "vitest";
import { stackOf } from "../../../test/world.ts";
import type { ShortStack } from "../../../test/world.ts";
import type { Path } from "../../model/problem.ts";
import { derive } from "../derive.ts";
import { findingsOf } from "./rules.ts";
import { looksLikeTag } from "./unknown-ids.ts";

function found(stack: ShortStack, unread: string[] = []) {
  const { model, observed } = stackOf(stack);
  return findingsOf(derive(model, observed), new Set(unread));
}
/** Findings in one line each: where, how bad, by which rule, what. */
const told = (stack: ShortStack, unread?: string[]) =>
  found(stack, unread).map(({ file, path, level, rule, message }) => `${file} ${path.join(".")} ${level} ${rule}: ${message}`);
const rules = (stack: ShortStack) => found(stack).map(({ rule }) => rule);

const CLOSED = { kind: "pull-request", state: "closed" };
const inUse = (...images: string[]) => ({
  images: images.map((image) => ({
    image,
    raw: [],
    mutability: "immutable",
    users: [{ file: "a.yml", line: 1, service: "s", archived: false }],
  })),
});
const config = { title: "M", on: "2026-05-01", rig: "a card", config: {}, test: "a test", result: "pass", source: { what: "a run" } };
const variant = { title: "V", compose: "v.yml", cards: 1, standing: "safe", workloads: ["chat"], summary: "A variant." };

describe("ids that name no row", () => {
  it("are found wherever a row names another", () => {
    const nobody = "nobody";
    const condition = { all: [{ any: [{ available: nobody }] }, { not: { contained: { ref: "u/r#1", in: "no-such-pin" } } }] };
    const stack: ShortStack = {
      upstreams: { up: {} },
      items: {
        row: {
          upstream: nobody,
          reaches: [nobody],
          reaches_because: "x",
          cliffs: [nobody],
          lands_when: condition,
          workaround: { what: "x", patches: [nobody], drop: condition },
          override: { status: "stalled", because: "x", until: condition },
        },
      },
      pins: {
        p: { upstream: nobody, retire: { when: condition, to: nobody } },
        q: { retired: { on: "2026-05-01", because: "x", replaced_by: nobody } },
      },
      patches: {
        x: {
          upstream: nobody,
          part_of: nobody,
          required_by: [nobody],
          drop: condition,
          validated: [{ pin: nobody, on: "May", result: "fine" }],
        },
      },
      variants: { v: { ...variant, pin: nobody, patches: [nobody], cliffs: [nobody], measured: [nobody] } },
      measurements: { m: { ...config, pins: [nobody], variant: nobody, superseded_by: nobody } },
      triggers: { t: { when: condition, cliffs: [nobody], variants: [nobody], items: [nobody] } },
      followUps: { f: { when: condition, items: [nobody], pins: [nobody] } },
    };
    const paths = found(stack)
      .filter(({ rule }) => rule === "unknown-id")
      .map(({ file, path }) => `${file.replace(/^data\//, "")} ${path.join(".")}`);
    const inner = (path: string) => [`${path}.all.0.any.0.available`, `${path}.all.1.not.contained.in`];
    expect(paths).toEqual([
      ...[
        "upstream",
        "reaches.0",
        "workaround.patches.0",
        "cliffs.0",
        ...inner("workaround.drop"),
        ...inner("lands_when"),
        ...inner("override.until"),
      ].map((path) => `items/row.yaml ${path}`),
      ...["upstream", ...inner("retire.when"), "retire.to"].map((path) => `pins/p.yaml ${path}`),
      "pins/q.yaml retired.replaced_by",
      ...["upstream", "part_of", "required_by.0", "validated.0.pin", ...inner("drop")].map((path) => `patches/x.yaml ${path}`),
      ...["pin", "patches.0", "cliffs.0", "measured.0"].map((path) => `variants/v.yaml ${path}`),
      ...["pins.0", "variant", "superseded_by"].map((path) => `measurements/m.yaml ${path}`),
      ...[...inner("when"), "cliffs.0", "variants.0", "items.0"].map((path) => `triggers/t.yaml ${path}`),
      ...[...inner("when"), "items.0", "pins.0"].map((path) => `follow-ups/f.yaml ${path}`),
    ]);
  });
  it("say what is known, what was meant, and where to add one", () => {
    expect(told({ items: { row: { reaches: ["pn"], reaches_because: "x" } }, pins: { pin: {}, other: {} } })).toEqual([
      'data/items/row.yaml reaches.0 error unknown-id: No pin is named "pn". Did you mean "pin"? Add one in data/pins/, or correct the name.',
    ]);
    expect(told({ items: { row: { reaches: ["xyz-q"], reaches_because: "x" } }, pins: { pin: {}, other: {} } })[0]).toContain(
      "Known: pin or other.",
    );
    expect(told({ upstreams: {}, items: { row: {} } })).toEqual([
      'data/items/row.yaml upstream error unknown-id: No upstream is named "up". Add one in data/upstreams/, or correct the name.',
    ]);
    expect(told({ followUps: { f: {} }, triggers: { t: { when: { after: "2030-01-01" }, items: ["gone"] } } })[0]).toContain(
      'No item is named "gone".',
    );
  });
  it("a row that could not be read is no unknown one", () => {
    expect(told({ upstreams: {}, items: { row: {} } }, ["data/upstreams/up.yaml"])).toEqual([]);
  });
  it.each([
    ["v0.20.0", true],
    ["b9180", true],
    ["4.51.0", true],
    ["v1.0.0rc1", true],
    ["nightly-123", true],
    ["vllm-nightly-clean", false],
    ["genesis", false],
    ["llama-cpp-server-cuda", false],
  ])("%s looks like a tag: %s", (name, tag) => {
    expect(looksLikeTag(name)).toBe(tag);
  });
});

describe("circles", () => {
  const circular = (stack: ShortStack) => told(stack).filter((line) => line.includes(" circular: "));
  it("of references that supersede each other, at the reference", () => {
    const threads = {
      "u/r#1": { ...CLOSED, supersededBy: { ref: "u/r#2", evidence: "a comment" } },
      "u/r#2": { ...CLOSED, supersededBy: { ref: "u/r#1", evidence: "a comment" } },
    };
    expect(
      circular({
        items: {
          row: {
            refs: [
              { ref: "u/r#9", role: "context" },
              { ref: "u/r#1", role: "fix" },
            ],
          },
        },
        facts: { threads },
      }),
    ).toEqual([
      "data/items/row.yaml refs.1.ref error circular: The reference is superseded in a circle: r#1 → r#2 → r#1. Name the one that decides as the fix.",
    ]);
  });
  it("of pins and of measurements that replace each other, told at each", () => {
    const when = { after: "2030-01-01" };
    const pins = {
      a: { retire: { when, to: "b" } },
      b: { retired: { on: "2026-05-01", because: "x", replaced_by: "a" } },
      c: { retire: { when, to: "a" } },
      d: { retire: { when } },
    };
    expect(circular({ pins })).toEqual([
      "data/pins/a.yaml retire.to error circular: The pins replace each other in a circle: a → b → a. Correct one of them.",
      "data/pins/b.yaml retired.replaced_by error circular: The pins replace each other in a circle: b → a → b. Correct one of them.",
    ]);
    expect(circular({ pins: { a: { retire: { when, to: "a" } } } })).toHaveLength(1);
    const measurements = { a: { ...config, superseded_by: "b" }, b: { ...config, superseded_by: "a" }, c: config };
    expect(circular({ measurements })).toEqual([
      "data/measurements/a.yaml superseded_by error circular: The measurements supersede each other in a circle: a → b → a. Correct one of them.",
      "data/measurements/b.yaml superseded_by error circular: The measurements supersede each other in a circle: b → a → b. Correct one of them.",
    ]);
  });
});

describe("conditions that can never come true", () => {
  const facts = { threads: { "u/r#1": CLOSED } };
  const never = { merged: "u/r#1" };
  it("are told on pins, patches, triggers, follow-ups and rows", () => {
    const stack: ShortStack = {
      items: { row: { local: "vendored", workaround: { what: "x", drop: never }, lands_when: never } },
      pins: { p: { retire: { when: never } } },
      patches: { x: { drop: never } },
      triggers: { t: { when: never } },
      followUps: { f: { when: never } },
      facts,
    };
    expect(found(stack).map(({ file, path, rule }) => [file, path, rule])).toEqual([
      ["data/items/row.yaml", ["workaround", "drop"], "never-true"],
      ["data/items/row.yaml", ["lands_when"], "never-true"],
      ["data/pins/p.yaml", ["retire", "when"], "never-true"],
      ["data/patches/x.yaml", ["drop"], "never-true"],
      ["data/triggers/t.yaml", ["when"], "never-true"],
      ["data/follow-ups/f.yaml", ["when"], "never-true"],
    ] satisfies [string, Path, string][]);
  });
  it("are over where the thing itself is over", () => {
    const stack: ShortStack = {
      items: { row: { local: "retired", workaround: { what: "x", drop: never } } },
      pins: { p: { retire: { when: never }, retired: { on: "2026-05-01", because: "x" } } },
      patches: { x: { drop: never, dropped: { on: "2026-05-01", because: "x" } } },
      triggers: { t: { when: never, done: { on: "2026-05-01", outcome: "x" } } },
      facts,
    };
    expect(rules(stack)).toEqual([]);
  });
});

describe("overrides that are not needed", () => {
  const item = (override: object) => ({
    items: { row: { refs: [{ ref: "u/r#1", role: "bug" }], override: { because: "x", ...override } } },
    facts: { threads: { "u/r#1": {} } },
  });
  it.each([
    ["expired by its day", { status: "stalled", until: "2026-05-11" }, 'The override expired; the derived status is "open-no-pr".'],
    ["ended by its condition", { status: "stalled", until: { after: "2026-05-01" } }, "The override expired"],
    ["says what is derived", { status: "open-no-pr", until: "never" }, 'Says "open-no-pr", and so does the derived status.'],
  ])("%s", (_name, override, message) => {
    const [only, ...more] = found(item(override));
    expect(only).toMatchObject({
      rule: "needless-override",
      level: "error",
      path: ["override"],
      fix: { edit: "remove" },
      message: expect.stringContaining(message),
    });
    expect(more).toEqual([]);
  });
  it("one that says something else and holds is left alone", () => {
    expect(rules(item({ status: "stalled", until: "never" }))).toEqual([]);
  });
});

describe("counts and users", () => {
  it("a typed number of users that the tree does not bear out is a notice", () => {
    const pins = { p: { claim: { on: "2026-05-01", users: 19 } } };
    expect(told({ pins, facts: { inventory: inUse("example.org/up:build") } })).toEqual([
      "data/pins/p.yaml claim.users notice count-differs: A document says 19 users; the tree has 1.",
    ]);
    expect(told({ pins: { p: { claim: { on: "2026-05-01", users: 1 } } }, facts: { inventory: inUse("example.org/up:build") } })).toEqual(
      [],
    );
    expect(told({ pins })).toEqual([]);
  });
  it("a pin that nothing uses is a warning, unless it is retired", () => {
    expect(told({ pins: { p: {} }, facts: { inventory: {} } })).toEqual([
      "data/pins/p.yaml artifact warning unused-pin: Nothing in the tree uses this pin. Retire it, or correct the artifact.",
    ]);
    expect(told({ pins: { p: { retired: { on: "2026-05-01", because: "x" } } }, facts: { inventory: {} } })).toEqual([]);
  });
  it("so is a typed number of a patch's users, by files", () => {
    const mount = (file: string, line: number) => ({ source: "x.py", target: "/t", service: "s", file, line });
    const patches = (users: number) => ({ x: { files: ["x.py"], claim: { on: "2026-05-01", users } } });
    const facts = { inventory: { mounts: [mount("a.yml", 1), mount("a.yml", 2), mount("b.yml", 1)], files: ["x.py"] } };
    expect(told({ patches: patches(6), facts })).toEqual([
      "data/patches/x.yaml claim.users notice count-differs: A document says 6 users; the tree has 2.",
    ]);
    expect(told({ patches: patches(2), facts })).toEqual([]);
    expect(told({ patches: patches(6) })).toEqual([]);
  });
});

describe("patches that would silently do nothing", () => {
  it("a load-bearing one that nothing delivers", () => {
    const patches = { x: { files: ["x.py"], load_bearing: true } };
    expect(found({ patches, facts: { inventory: { files: ["x.py"] } } })).toEqual([
      expect.objectContaining({ file: "data/patches/x.yaml", path: ["load_bearing"], rule: "undelivered" }),
    ]);
    expect(told({ patches })).toEqual([]);
    expect(told({ patches: { x: { ...patches.x, dropped: { on: "2026-05-01", because: "x" } } }, facts: { inventory: {} } })).toEqual([]);
  });
  it("one whose file is not in the tree", () => {
    const patches = { x: { files: ["x.py", "folder/", "gone.py"] } };
    expect(told({ patches, facts: { inventory: { files: ["x.py", "folder/y.py"] } } })).toEqual([
      "data/patches/x.yaml files.2 warning missing-file: The tree has no gone.py. Correct the path, or mark the patch dropped.",
    ]);
  });
});

it("narrowing what a row reaches wants a reason", () => {
  expect(told({ items: { row: { reaches: [] } } })).toEqual([
    "data/items/row.yaml reaches warning narrowing: reaches is narrowed without a reason. Say why in reaches_because, or remove reaches.",
  ]);
  expect(told({ items: { row: { reaches: [], reaches_because: "Other hardware." } } })).toEqual([]);
});

describe("claims that the facts contradict are notices", () => {
  const claim = (says: string, thread: object) =>
    told({
      items: { row: { refs: [{ ref: "u/r#1", role: "bug" }], claim: { on: "2026-05-10", says } } },
      facts: { threads: { "u/r#1": { ...thread } } },
    });
  it.each([
    [
      "open",
      { state: "closed", closedAt: "2026-05-11T10:00:00Z" },
      "r#1 was believed open on 2026-05-10; it is closed since 2026-05-11. The claim is outdated.",
    ],
    ["open", { state: "closed" }, "r#1 was believed open on 2026-05-10; it is closed. The claim does not hold; since when is not known."],
    ["closed", {}, "r#1 was believed closed on 2026-05-10; it is open. The claim was wrong on that day."],
  ])("%s", (says, thread, message) => {
    expect(claim(says, thread)).toEqual([`data/items/row.yaml claim.says notice contradiction: ${message}`]);
  });
});
