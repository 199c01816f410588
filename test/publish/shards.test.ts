import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Scene } from "./two-githubs.ts";
import { BRANCH, twoGithubs } from "./two-githubs.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await twoGithubs();
});
afterEach(() => scene.close());

it("shards, joined and published from a third checkout, give one pull request, and nothing the second time", async () => {
  const shares = await Promise.all(
    ["1/2", "2/2"].map(async (shard) => {
      const root = scene.checkout();
      const ran = await scene.start(["sync", "--root", root, "--resume", "--shard", shard]).done;
      expect(ran.code).toBe(0);
      const part = join(scene.scratch, shard.replace("/", "-"));
      mkdirSync(part);
      cpSync(join(root, "data"), join(part, "data"), { recursive: true });
      return part;
    }),
  );
  const publish = async () => {
    const root = scene.checkout();
    await scene.start(["merge-observed", "--root", root, ...shares]).done;
    return scene.start(["sync", "--root", root, "--offline", "--pr"]).done;
  };
  expect((await publish()).stdout).toContain("Pull request created");
  const sharded = scene.filesAt(BRANCH);
  expect(sharded.get("data/observed/github/u/r.json")).toContain('"state": "open"');
  scene.own.github.requests.clear();
  expect((await publish()).stdout).toContain("Pull request unchanged");
  expect(scene.own.github.requests.writes()).toEqual([]);
});
