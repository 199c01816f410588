import { describe, expect, it } from "vitest";
import { sha, stackOf } from "../../test/world.ts";
import { derive } from "./derive.ts";
import { namedThreads, questionsOf, urgency } from "./questions.ts";

describe("threads that a stack names", () => {
  it("are those of rows, conditions, patches and upstreams, once each, under the present name", () => {
    const { model } = stackOf({
      upstreams: { up: { former: ["old/name"], see: ["u/r#9"] } },
      items: {
        one: {
          refs: [
            { ref: "old/name#1#issuecomment-5", role: "bug", kind: "issue" },
            { ref: "U/R#2", role: "fix" },
          ],
          lands_when: { closed: "u/r#3" },
        },
        two: {
          refs: [
            { ref: "u/r#1", role: "bug" },
            { ref: "pypi:p@>=1", role: "fix" },
          ],
          workaround: { what: "It.", drop: { merged: "u/r#4" } },
        },
      },
      pins: { p: { retire: { when: { all: [{ merged: "u/r#5" }, { not: { closed: "u/r#6" } }] } } } },
      patches: { q: { covers: ["u/r#7"], drop: { contained: { ref: "u/r#8", in: "p" } } } },
      triggers: { t: { when: { replied: { ref: "u/r#1", by: "Maintainer", since: "2026-05-01" } } } },
    });
    const named = namedThreads(model);
    expect(named.map(({ ref }) => ref)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `u/r#${number}`));
    expect(named[0]).toEqual({
      ref: "u/r#1",
      kind: "issue",
      replies: [expect.objectContaining({ by: "Maintainer", since: "2026-05-01" })],
    });
  });
});

describe("questions to histories", () => {
  const merged = { kind: "pull-request", state: "closed", merged: true, mergeCommit: "a", base: "main" };
  const stack = (facts: object) =>
    stackOf({
      items: { row: { refs: [{ ref: "u/r#1", role: "fix" }] } },
      pins: { p: { commit: "b" } },
      patches: { q: { drop: { contained: { ref: "u/r#1", in: "v1.0" } } } },
      facts: { threads: { "u/r#1": merged, "u/r#2": { kind: "pull-request", state: "closed", merged: false } }, ...facts },
    });
  const ask = (facts: object) => {
    const { model, observed } = stack(facts);
    return questionsOf(model, observed).histories[0];
  };

  it("ask whether a landing is in every pin and tag it matters to", () => {
    expect(ask({})).toMatchObject({
      repo: "u/r",
      names: ["u/r"],
      branches: ["main", "master"],
      landings: [sha("a")],
      tags: ["v1.0"],
      targets: [sha("b")],
      open: [{ commit: sha("a"), inside: sha("b") }],
      pulls: [2],
    });
  });

  it("do not ask again what was answered, and follow an answer to its reverts", () => {
    const reverted = { contains: { a: { b: "yes" } }, reverts: [{ of: "a", commit: "c" }] };
    expect(ask(reverted)?.open).toEqual([{ commit: sha("c"), inside: sha("b") }]);
    expect(ask({ contains: { a: { b: "no" } } })?.open).toEqual([]);
  });

  it("ask registries for what pins and conditions rest on, but not for what only retired pins name", () => {
    const { model, observed } = stackOf({
      items: {
        row: { refs: [{ ref: "hf:owner/name", role: "fix" }], lands_when: { updated: { ref: "hf:owner/name", since: "2026-05-01" } } },
      },
      pins: {
        live: { artifact: "oci:example.org/up:latest", mutability: "floating" },
        old: { artifact: "oci:example.org/up:old", retired: { on: "2026-05-01", because: "Gone." } },
        code: { artifact: `git:u/r@${sha("a")}` },
      },
      triggers: { t: { when: { released: "pypi:p >=1" } } },
    });
    expect(questionsOf(model, observed).artifacts).toEqual(
      expect.arrayContaining([
        { key: "hf:owner/name", floating: false, sourceRepos: [] },
        expect.objectContaining({ key: "oci:example.org/up:latest", floating: true, sourceRepos: ["u/r"] }),
        { key: "pypi:p", floating: false, sourceRepos: [] },
      ]),
    );
    expect(questionsOf(model, observed).artifacts.map(({ key }) => key)).not.toContain("oci:example.org/up:old");
  });
});

it("what still moves and blocks is asked for first", () => {
  const row = (number: number, stake: string) => ({ refs: [{ ref: `u/r#${number}`, role: "fix" }], stake });
  const { model, observed } = stackOf({
    items: { done: row(1, "blocks"), watched: row(2, "watch"), blocking: row(3, "blocks") },
    facts: { threads: { "u/r#1": { kind: "pull-request", state: "closed", merged: true, mergeCommit: "a" } } },
  });
  const order = urgency(derive(model, observed));
  expect(["u/r#1", "u/r#2", "u/r#3", "u/r#99"].sort((a, b) => order(a) - order(b))).toEqual(["u/r#3", "u/r#2", "u/r#99", "u/r#1"]);
});
