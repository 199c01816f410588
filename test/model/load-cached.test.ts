import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadCached } from "../../src/model/load-cached.ts";
import { load } from "../../src/model/load.ts";
import { ROOT } from "../real.ts";
import { VALID, folderWith, removeFolders } from "../stack-folder.ts";

afterAll(removeFolders);

const ROW = "data/items/row.yaml";
const cacheOf = (root: string) => join(root, ".landfall/cache/model.json");

/** Loads, and says whether the cache answered: a marked title can only come from there. */
async function answer(root: string): Promise<{ title: string | undefined; hit: boolean }> {
  const file = cacheOf(root);
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace('"A stack"', '"From the cache"'));
  const { model } = await loadCached(root);
  return { title: model.item.row?.title, hit: model.tracker.title === "From the cache" };
}

describe("the parse cache", () => {
  it("gives on a hit what it gave on a miss, and what the loader gives", async () => {
    const root = folderWith({ "data/items/broken.yaml": "title: [\n" });
    const miss = await loadCached(root);
    const hit = await loadCached(root);
    expect(hit).toEqual(miss);
    expect(hit).toEqual(load(root));
    expect(hit.problems).toHaveLength(1);
    expect((await answer(root)).hit).toBe(true);
  });

  it("is the same for the real stack", async () => {
    const root = folderWith();
    rmSync(join(root, "data"), { recursive: true });
    cpSync(join(ROOT, "data"), join(root, "data"), { recursive: true });
    const miss = await loadCached(root);
    const hit = await loadCached(root);
    expect(existsSync(cacheOf(root))).toBe(true);
    expect(JSON.stringify(hit)).toBe(JSON.stringify(miss));
    expect(hit).toEqual(load(root));
  });

  const changes: [string, (root: string) => void][] = [
    ["a changed row", (root) => writeFileSync(join(root, ROW), VALID[ROW].replace("Pad the tile", "Another tile"))],
    ["a row of the same size", (root) => writeFileSync(join(root, ROW), VALID[ROW].replace("Pad", "Pat"))],
    ["a new row", (root) => writeFileSync(join(root, "data/items/other.yaml"), VALID[ROW])],
    ["a removed row", (root) => rmSync(join(root, "data/pins/p.yaml"))],
    ["a renamed row", (root) => renameSync(join(root, "data/pins/p.yaml"), join(root, "data/pins/q.yaml"))],
    ["a changed fact", (root) => writeFileSync(join(root, "data/observed/as-of.json"), '{ "asOf": "2026-06-12T00:00:00Z" }\n')],
    [
      "a new folder of facts",
      (root) => {
        mkdirSync(join(root, "data/observed/registry"));
        writeFileSync(join(root, "data/observed/registry/x.json"), "{}");
      },
    ],
    ["an empty folder that nothing reads", (root) => mkdirSync(join(root, "data/item"))],
    ["a link to nowhere", (root) => symlinkSync(join(root, "nowhere"), join(root, "data/items/link.yaml"))],
    [
      "a row that was put back with its old time",
      (root) => {
        writeFileSync(join(root, ROW), VALID[ROW].replace("Pad", "Pat"));
        utimesSync(join(root, ROW), new Date("2026-01-01"), new Date("2026-01-01"));
      },
    ],
  ];
  it.each(changes)("%s invalidates it", async (_name, change) => {
    const root = folderWith();
    utimesSync(join(root, ROW), new Date("2026-01-01"), new Date("2026-01-01"));
    await loadCached(root);
    expect((await answer(root)).hit).toBe(true);
    change(root);
    expect((await answer(root)).hit).toBe(false);
    expect(await loadCached(root)).toEqual(load(root));
  });

  it("a change behind a link invalidates it", async () => {
    const root = folderWith({ "elsewhere.yaml": VALID[ROW] });
    symlinkSync(join(root, "elsewhere.yaml"), join(root, "data/items/link.yaml"));
    expect((await loadCached(root)).model.item.link?.title).toBe("Pad the tile");
    writeFileSync(join(root, "elsewhere.yaml"), VALID[ROW].replace("Pad", "Pat"));
    expect((await loadCached(root)).model.item.link?.title).toBe("Pat the tile");
  });

  it("a damaged cache is read anew, not believed", async () => {
    const root = folderWith();
    const fresh = await loadCached(root);
    for (const damage of ["", "\n", "{", "other signature\n{}"]) {
      writeFileSync(cacheOf(root), damage);
      expect(await loadCached(root)).toEqual(fresh);
    }
    appendFileSync(cacheOf(root), "}}");
    expect(await loadCached(root)).toEqual(fresh);
  });

  it("a folder that cannot be written is no error, and leaves nothing half-written", async () => {
    const root = folderWith();
    mkdirSync(join(root, ".landfall"));
    writeFileSync(join(root, ".landfall/cache"), "a file in its place");
    expect(await loadCached(root)).toEqual(load(root));
    expect(readdirSync(join(root, ".landfall"))).toEqual(["cache"]);
    const locked = folderWith();
    chmodSync(locked, 0o555);
    expect((await loadCached(locked)).model).toEqual(load(locked).model);
    chmodSync(locked, 0o755);
  });

  it("a reading of some kinds only does not stand in for a full one", async () => {
    const root = folderWith();
    const part = await loadCached(root, ["pin"]);
    expect(part.model.item).toEqual({});
    expect(Object.keys(part.model.pin)).toEqual(["p"]);
    expect((await loadCached(root)).model.item).toHaveProperty("row");
    expect(await loadCached(root, ["pin"])).toEqual(part);
  });

  it("a root that is no stack is refused, cached or not", async () => {
    const root = folderWith({ "data/tracker.yaml": null });
    await expect(loadCached(root)).rejects.toThrow("it has no data/tracker.yaml");
    await expect(loadCached(join(root, "nowhere"))).rejects.toThrow("is not a folder");
  });
});
