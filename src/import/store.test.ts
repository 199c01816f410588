import { expect, it } from "vitest";
import { parseRow } from "../model/parse.ts";
import { MappingError, readMapping } from "./mapping.ts";
import { importStore } from "./store.ts";

const MAP = `
store:
  rows: patches
  as: patches
  columns:
    files: files
    upstream.ref: covers
    upstream.drop_when: drop.manual.what
    mechanism: { to: delivery, words: { install_script: install-script } }
    needed_by: { to: load_bearing, words: { "*": true } }
  row: { delivery: overlay }
`;
const STORE = `
# comments stay behind
patches:
  - id: pad
    files: [a/b.py, "c d.py"]
    upstream: { ref: acme/alpha#12, drop_when: "it merges" }
    mechanism: install_script
    needed_by: [x/y]
    count: 3
    off: null
  - id: other
    upstream: { ref: local-only }
`;
const run = (text: string, map = MAP) =>
  importStore({
    name: "p.yml",
    text,
    mapping: readMapping("m", map),
    asOf: "2026-07-01",
    own: undefined,
    existing: new Map(),
    schemas: undefined,
  });

it("maps keys to fields and keeps the rest as notes", () => {
  const result = run(
    `${STORE}    needs: acme\n`.replace("{ delivery: overlay }", ""),
    MAP.replace("{ delivery: overlay }", "{ delivery: overlay, upstream: alpha }"),
  );
  const value = (id: string) => {
    const file = result.files.find(({ path }) => path === `data/patches/${id}.yaml`);
    return file && parseRow("patch", file.path, file.content).value;
  };
  expect(value("pad")).toMatchObject({
    title: "pad",
    upstream: "alpha",
    delivery: "install-script",
    files: ["a/b.py", "c d.py"],
    covers: ["acme/alpha#12"],
    drop: { manual: { what: "it merges" } },
    load_bearing: true,
    notes: [{ text: "count: 3" }, { text: "needed_by: x/y" }],
  });
  expect(value("other")).toMatchObject({ upstream: "alpha", delivery: "overlay", load_bearing: false });
  expect(result.cells).toMatchObject({ total: 11, placed: 11, reported: 0 });
  expect(result.remarks[0]?.text).toContain("comments are not imported");
});

it("says which fields a mapping leaves open, by line", () => {
  expect(() => run(STORE)).toThrow(/p\.yml:\d+ {2}patch: upstream is missing/);
});

it.each([
  ["no such list", STORE, MAP.replace("rows: patches", "rows: nothing"), /no list or map of rows at "nothing"/],
  ["no such field", STORE, MAP.replace("files: files", "files: fils"), /"fils" is not a field of a patch.*Did you mean "files"/],
  ["broken YAML", "patches: [", MAP, /is not valid YAML/],
  [
    "E12 an alias bomb",
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\npatches: [{ id: x, y: *d }]`,
    MAP,
    /cannot be read/,
  ],
  ["a loop", "patches:\n  - &x { id: a, self: *x }", MAP, /refers to itself|cannot be read|not valid/],
])("refuses %s", (_, text, map, message) => {
  expect(() => run(text, map)).toThrow(MappingError);
  expect(() => run(text, map)).toThrow(message);
});
