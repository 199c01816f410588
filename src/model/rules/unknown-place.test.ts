import { describe, expect, it } from "vitest";
import { KINDS } from "../vocabulary.ts";
import { FOLDER_RULES } from "./folder-rules.ts";
import { ROW_RULES } from "./row-rules.ts";
import { unknownPlace } from "./unknown-place.ts";

const check = (path: string, folder: boolean) => unknownPlace.check([{ path: `data/${path}`, folder }]);

describe("a name under data/ that nothing reads", () => {
  it("every folder of rows, the tracker, the observed facts and a README are known", () => {
    for (const name of [...Object.values(KINDS).filter((kind) => !kind.endsWith(".yaml")), "observed"])
      expect(check(name, true)).toEqual([]);
    for (const name of ["tracker.yaml", "README.md", ".gitkeep"]) expect(check(name, false)).toEqual([]);
  });
  it.each([
    ["item", true, /^Nothing in this folder is read\. Did you mean "items"\?/],
    ["followups", true, /Did you mean "follow-ups"\?/],
    ["notes-of-mine", true, /^Nothing in this folder is read\. Folders of data\/ are upstreams/],
    ["row.yaml", false, /^This file is not read\. A row belongs in a folder: upstreams/],
    ["tracker.yml", false, /Did you mean "tracker.yaml"\?/],
    ["items", false, /^data\/items is a file and has to be a folder of rows\.$/],
    ["tracker.yaml", true, /^data\/tracker.yaml is a folder and has to be a file\.$/],
  ])("%s is told", (path, folder, message) => {
    const [found, ...more] = check(path, folder);
    expect(found).toMatchObject({ file: `data/${path}`, message: expect.stringMatching(message) });
    expect(more).toEqual([]);
  });
});

it("every rule has a name of its own and says what it is about", () => {
  const rules = [...ROW_RULES, ...FOLDER_RULES];
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const { name, description } of rules) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
});
