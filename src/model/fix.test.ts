import { describe, expect, it } from "vitest";
import { fixText } from "./fix.ts";
import { parseRow } from "./parse.ts";
import type { Fix, Path, Problem } from "./problem.ts";

const problem = (edit: Fix["edit"], line: number, path: Path = []): Problem => ({
  file: "data/items/row.yaml",
  line,
  column: 1,
  level: "error",
  rule: "a-rule",
  path,
  message: "",
  fix: { does: "", edit },
});

describe("the mends of one file", () => {
  it("are carried out last place first, so that earlier places stay", () => {
    const text = "a: 0192117 # one\nb:\n  - 1.10\n  - 0.20\nc: x\n";
    expect(
      fixText(text, [
        problem("quote", 1, ["a"]),
        problem("remove", 5, ["c"]),
        problem("quote", 3, ["b", 0]),
        problem("quote", 4, ["b", 1]),
      ]),
    ).toBe('a: "0192117" # one\nb:\n  - "1.10"\n  - "0.20"\n');
  });
  it("of the whole file", () => {
    expect(fixText("\uFEFFa: 1\r\nb: 2\r\n", [problem("strip-bom", 1), problem("unix-line-ends", 1)])).toBe("a: 1\nb: 2\n");
  });
  it("leave what has none", () => {
    const { fix: _fix, ...without } = problem("quote", 1, ["a"]);
    expect(fixText("a: 1\n", [without])).toBe("a: 1\n");
    expect(fixText("a: 1\n", [])).toBe("a: 1\n");
  });
  it("E01 E02 E07 mend what the shapes ask to be quoted, to the digit", () => {
    const text =
      'title: A pin\nupstream: up\nartifact: "oci:n:1"\nsource: { commit: 7e12345 }\nversion: 0.20\nmutability: immutable\nreason: 12\n';
    const { problems } = parseRow("pin", "data/pins/p.yaml", text);
    const mended = fixText(text, problems);
    expect(mended).toBe(text.replace("7e12345", '"7e12345"').replace("0.20", '"0.20"').replace("reason: 12", 'reason: "12"'));
    expect(parseRow("pin", "data/pins/p.yaml", mended).problems).toEqual([]);
  });
});
