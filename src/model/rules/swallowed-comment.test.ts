import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { swallowedComment } from "./swallowed-comment.ts";

function found(text: string) {
  const doc = parseDocument(text);
  return swallowedComment
    .check({ file: "data/items/row.yaml", text, doc })
    .map(({ offset, path, message }) => ({ at: text.slice(offset), path, message }));
}

describe("a value that a comment swallows", () => {
  it("is told where the comment starts, with the whole value quoted", () => {
    expect(found("why: Waits for vllm #40361 to land  \nlocal: none\n")).toEqual([
      {
        at: "#40361 to land  \nlocal: none\n",
        path: ["why"],
        message:
          '"#40361 to land" is read as a comment, and the value ends before it. If it is meant, quote it: "Waits for vllm #40361 to land".',
      },
    ]);
  });
  it.each([
    ["in a list", "notes:\n  - one\n  - see #12\n", ["notes", 1]],
    ["in a flow map that goes on", "a: { b: see #12\n }\n", ["a", "b"]],
    ["in a nested map", "a:\n  b:\n    - c: x #1\n", ["a", "b", 0, "c"]],
    ["after several lines", "why: one\n  two #12\nb: 1\n", ["why"]],
    ["after a tab", "why: one\t#12\n", ["why"]],
    ["with CRLF", "why: one #12\r\nb: 1\r\n", ["why"]],
    ["at the end without a line break", "why: one #12", ["why"]],
  ])("%s", (_name, text, path) => {
    expect(found(text).map((one) => one.path)).toEqual([path]);
  });
  it("keeps quotes, backslashes and line breaks of the value readable", () => {
    expect(found('why: a "b" \\ c\n  d #12\n')[0]?.message).toContain(String.raw`quote it: "a \"b\" \\ c d #12".`);
  });
  it.each([
    ["a comment with a space", "stake: blocks # 3 rows wait\n"],
    ["a comment with a word", "stake: blocks #todo\n"],
    ["a quoted value", 'why: "see #12" #12\n'],
    ["a single-quoted value", "why: 'see' #12\n"],
    ["a folded block", "why: >\n  see #12\n"],
    ["no space before it", "why: vllm#12\n"],
    ["a line of its own", "why: one\n#12\nb: 1\n"],
    ["behind a key", "why: #12\n  one\n"],
    ["behind a flow list", "a: [b, c] #12\n"],
    ["an empty value", "why:  #12\n"],
  ])("%s is left alone", (_name, text) => {
    expect(found(text)).toEqual([]);
  });
});
