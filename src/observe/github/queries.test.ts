import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { BROAD, NARROW, detailQuery, glanceQuery, rebaseQuery } from "./queries.ts";
import type { Asked } from "./queries.ts";

const schema = buildSchema(readFileSync(new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8"), {
  assumeValidSDL: true,
});
const errorsOf = (text: string) => validate(schema, parse(text)).map(({ message }) => message);

const issue = (ref: string): Asked => ({ ref, discussion: false });
const discussion = (ref: string): Asked => ({ ref, discussion: true });

describe("the queries on GitHub's own schema", () => {
  const asked = [issue("o/a#1"), discussion("o/a#2"), issue("o/b.c#3")];

  it.each([
    ["glance", glanceQuery(asked)],
    ["detail", detailQuery(asked, NARROW)],
    ["wide detail", detailQuery(asked, BROAD)],
    ["glance without discussions", glanceQuery([issue("o/a#1")])],
    ["detail of discussions only", detailQuery([discussion("o/a#2")], NARROW)],
    ["rebase", rebaseQuery([issue("o/a#1")], 50)],
  ])("%s is valid", (_, { text }) => {
    expect(errorsOf(text)).toEqual([]);
  });

  it("an invented field is not", () => {
    expect(errorsOf(glanceQuery(asked).text.replace("isDraft", "isDrafty"))).toHaveLength(1);
  });

  it("says where each answer stands", () => {
    const { places } = glanceQuery(asked);
    expect([...places].map(([place, { ref }]) => [place, ref])).toEqual([
      ["r0.i1", "o/a#1"],
      ["r0.d2", "o/a#2"],
      ["r1.i3", "o/b.c#3"],
    ]);
  });

  it("a glance has no connection, so that a hundred of them cost one point", () => {
    expect(glanceQuery(asked).text).not.toMatch(/\b(first|last):/);
  });
});
