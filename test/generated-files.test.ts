import { afterAll, describe, expect, it } from "vitest";
import { filesUnder, folder, run } from "./import/run.ts";
import { folderWith, removeFolders } from "./stack-folder.ts";

afterAll(removeFolders);
const PAGE = "content/UPSTREAM.md";
const SETTINGS = ".vscode/settings.json";

describe("what people wrote is not written over", () => {
  it("by render: a page of somebody else stops it, and its own are written anew", async () => {
    const root = folderWith({ [PAGE]: "# Our tracker\n\n| Issue | Status |\n" });
    const before = filesUnder(root);
    const { code, err } = await run("render", "--root", root);
    expect(code).toBe(3);
    expect(err).toContain(`${PAGE}: a page is to be written there`);
    expect(filesUnder(root)).toMatchObject(before);
    expect(Object.keys(filesUnder(root)).filter((path) => path.startsWith("content/"))).toEqual([PAGE]);
    const own = folderWith();
    await run("render", "--root", own);
    const rendered = filesUnder(own)[PAGE] ?? "";
    const stale = folderWith({ [PAGE]: rendered.replace("Words used here", "Words") });
    expect((await run("render", "--root", stale)).code).toBe(0);
    expect(filesUnder(stale)[PAGE]).toBe(rendered);
  });

  it("by schemas: settings of the editor keep what they have, byte for byte once nothing is lacking", async () => {
    const root = folder({ [SETTINGS]: '{\n\t"editor.tabSize": 7,\n\t"yaml.schemas": { "x.json": "y.yaml" }\n}\n' });
    expect((await run("schemas", "--root", root)).code).toBe(0);
    const first = filesUnder(root)[SETTINGS] ?? "";
    expect(JSON.parse(first)).toMatchObject({
      "editor.tabSize": 7,
      "yaml.schemas": { "x.json": "y.yaml", "./schemas/item.schema.json": "data/items/*.yaml" },
    });
    const tabs = folder({ [SETTINGS]: JSON.stringify(JSON.parse(first), undefined, "\t") });
    const before = filesUnder(tabs)[SETTINGS];
    await run("schemas", "--root", tabs);
    expect(filesUnder(tabs)[SETTINGS]).toBe(before);
  });

  it("by schemas: settings with comments are left alone, and that is said", async () => {
    const root = folder({ [SETTINGS]: "{ // ours\n}\n" });
    const { code, err } = await run("schemas", "--root", root);
    expect(code).toBe(0);
    expect(err).toContain("is left as it is");
    expect(filesUnder(root)[SETTINGS]).toBe("{ // ours\n}\n");
    expect(filesUnder(root)).toHaveProperty(["schemas/item.schema.json"]);
  });
});
