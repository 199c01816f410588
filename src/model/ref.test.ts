import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { real } from "../../test/real.ts";
import { parseRef, shortRef, threadOf, urlOf } from "./ref.ts";

const SHA = "7b9fd3194ee6efa1644973383cd44ee5604a5d85";
const DIGEST = `sha256:${"0".repeat(64)}`;

describe("the written form of a reference", () => {
  it.each([
    ["u/r#12", { type: "thread", repo: "u/r", number: 12 }, "r#12", "https://github.com/u/r/issues/12"],
    [
      "u/r#12#issuecomment-345",
      { type: "thread", repo: "u/r", number: 12, anchor: "issuecomment-345" },
      "r#12",
      "https://github.com/u/r/issues/12#issuecomment-345",
    ],
    [`u/r@${SHA}`, { type: "commit", repo: "u/r", sha: SHA }, "r@7b9fd3194e", `https://github.com/u/r/commit/${SHA}`],
    ["u/r@7b9fd31", { type: "commit", repo: "u/r", sha: "7b9fd31" }, "r@7b9fd31", "https://github.com/u/r/commit/7b9fd31"],
    ["u/r@0192117", { type: "commit", repo: "u/r", sha: "0192117" }, "r@0192117", "https://github.com/u/r/commit/0192117"],
    ["u/r@v0.20.0", { type: "tag", repo: "u/r", tag: "v0.20.0" }, "r v0.20.0", "https://github.com/u/r/releases/tag/v0.20.0"],
    ["u/r@b9180", { type: "tag", repo: "u/r", tag: "b9180" }, "r b9180", "https://github.com/u/r/releases/tag/b9180"],
    ["u/r@b9180000", { type: "tag", repo: "u/r", tag: "b9180000" }, "r b9180000", "https://github.com/u/r/releases/tag/b9180000"],
    ["u/r@release/v1", { type: "tag", repo: "u/r", tag: "release/v1" }, "r release/v1", "https://github.com/u/r/releases/tag/release%2Fv1"],
    [
      "pypi:transformers@>=5.8.0",
      { type: "package", registry: "pypi", name: "transformers", range: ">=5.8.0" },
      "transformers >=5.8.0",
      "https://pypi.org/project/transformers/",
    ],
    ["pypi:a >=1", { type: "package", registry: "pypi", name: "a", range: ">=1" }, "a >=1", "https://pypi.org/project/a/"],
    ["npm:@s/p@^1.2", { type: "package", registry: "npm", name: "@s/p", range: "^1.2" }, "@s/p ^1.2", "https://www.npmjs.com/package/@s/p"],
    ["hf:o/m", { type: "asset", registry: "hf", name: "o/m" }, "o/m", "https://huggingface.co/o/m"],
    ["hf:o/m@main", { type: "asset", registry: "hf", name: "o/m", revision: "main" }, "o/m", "https://huggingface.co/o/m"],
    ["oci:ghcr.io/o/n:tag", { type: "image", name: "ghcr.io/o/n", tag: "tag" }, "ghcr.io/o/n:tag", undefined],
    [
      `oci:ghcr.io/o/n:t@${DIGEST}`,
      { type: "image", name: "ghcr.io/o/n", tag: "t", digest: DIGEST },
      "ghcr.io/o/n:t@sha256:00000000",
      undefined,
    ],
    ["oci:127.0.0.1:5000/n", { type: "image", name: "127.0.0.1:5000/n" }, "127.0.0.1:5000/n", undefined],
    [
      "page:https://www.example.org/a?b",
      { type: "page", url: "https://www.example.org/a?b" },
      "example.org/a?b",
      "https://www.example.org/a?b",
    ],
  ])("%s", (ref, parsed, short, url) => {
    expect(parseRef(ref)).toEqual(parsed);
    expect(shortRef(ref)).toBe(short);
    expect(urlOf(ref)).toBe(url);
  });

  it.each([
    "",
    "u/r",
    "u/r#0",
    "u/r#01",
    "u/r#-1",
    "u/r#1.5",
    "u/r#1 ",
    " u/r#1",
    "r#1",
    "-u/r#1",
    "u-/r#1",
    "u/r/s#1",
    "u/r@",
    "u/r@a b",
    "page:not a url",
    "page:javascript:alert(1)",
    "page:file:///etc/hosts",
    "page:https://",
    "pypi:name",
    "hf:name",
    "oci:UPPER/case",
    "oci:n@sha256:short",
    "https://github.com/u/r/issues/1",
    "u/r#12#evil anchor",
  ])("%o is no reference", (text) => {
    expect(parseRef(text)).toBeUndefined();
  });

  it("the kind picks the path of a thread", () => {
    expect(urlOf("u/r#1", "pull-request")).toBe("https://github.com/u/r/pull/1");
    expect(urlOf("u/r#1", "discussion")).toBe("https://github.com/u/r/discussions/1");
    expect(urlOf("u/r#1", "issue")).toBe("https://github.com/u/r/issues/1");
  });

  it("a comment's anchor is not part of the thread", () => {
    expect(threadOf("u/r#1#issuecomment-2")).toBe("u/r#1");
    expect(threadOf("u/r#1#discussion_r2")).toBe("u/r#1");
    for (const ref of ["u/r#1", "u/r@v1", "page:https://example.org/#a#b", "hf:o/m"]) expect(threadOf(ref)).toBe(ref);
  });

  it("every reference of the real stack is read", () => {
    const refs = Object.values(real.model.item).flatMap((item) => item.refs.map(({ ref }) => ref));
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) expect(parseRef(ref), ref).toBeDefined();
  });

  it("any text gives a reference or nothing, and a thread keeps its number", () => {
    fc.assert(fc.property(fc.string(), (text) => void [parseRef(text), shortRef(text), urlOf(text), threadOf(text)]));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.constantFrom("u/r", "ggml-org/llama.cpp", "A1/x_y.z"), (number, repo) => {
        expect(parseRef(`${repo}#${number}`)).toEqual({ type: "thread", repo, number });
      }),
    );
  });
});
