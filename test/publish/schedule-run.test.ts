import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VALID } from "../stack-folder.ts";
import type { Scene } from "./two-githubs.ts";
import { twoGithubs } from "./two-githubs.ts";

let scene: Scene;
let root = "";
beforeEach(async () => {
  scene = await twoGithubs();
  root = scene.checkout();
});
afterEach(() => scene.close());

const heartbeat = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, ".landfall/heartbeat.json"), "utf8")) as Record<string, unknown>;
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};
const start = (env: Record<string, string | undefined> = {}) =>
  scene.start(["schedule", "--root", root, "--pr"], { LANDFALL_NOW: undefined, ...env });

describe("npm run schedule", () => {
  it("catches up at the start, waits, and ends with 130 after SIGINT; the heartbeat says how it goes", async () => {
    const { child, said, done } = start();
    await until(() => said.stderr.includes("Next run at"));
    expect(said.stdout).toContain("Pull request created");
    expect(heartbeat()).toMatchObject({ pid: child.pid, state: "waiting" });
    expect(Date.parse(String(heartbeat().lastSuccess))).toBeGreaterThan(Date.parse("2026-01-01"));
    child.kill("SIGINT");
    expect((await done).code).toBe(130);
    expect(heartbeat().state).toBe("stopped");
  });

  it("G05 a SIGTERM in the middle of a run ends it before anything is published, with 143", async () => {
    scene.upstream.github.setFaults(({ kind }) => (kind === "graphql" ? { kind: "stall" } : undefined));
    const { child, done } = start();
    await until(() => scene.upstream.github.requests.all.some(({ kind }) => kind === "graphql"));
    child.kill("SIGTERM");
    const { code, stderr } = await done;
    expect(code).toBe(143);
    expect(stderr).toContain("SIGTERM: stopping the run");
    expect(scene.own.github.requests.writes()).toEqual([]);
    expect(heartbeat()).toMatchObject({ state: "stopped", lastFailure: { why: expect.stringContaining("stopped") as string } });
    expect(existsSync(join(root, ".landfall/sync.lock")), "the lock is released").toBe(false);
  });

  it("G04 leaves a sync that is going on alone, and a sync leaves it alone: exit code 0 with a sentence", async () => {
    mkdirSync(join(root, ".landfall/sync.lock"), { recursive: true });
    const sync = await scene.start(["sync", "--root", root]).done;
    expect([sync.code, sync.stderr]).toEqual([0, expect.stringContaining("Another sync of this stack is running")]);
    const { child, said, done } = start();
    await until(() => said.stderr.includes("Next run at"));
    expect(said.stderr).toContain("Another sync of this stack is running");
    child.kill("SIGTERM");
    expect((await done).code).toBe(143);
    expect(scene.own.github.requests.writes()).toEqual([]);
  });

  it("refuses what is no cron expression and says where it stands", async () => {
    writeFileSync(join(root, "data/tracker.yaml"), `${VALID["data/tracker.yaml"]}schedule: { cron: "61 * * * *" }\n`);
    const { code, stderr } = await start().done;
    expect(code).toBe(3);
    expect(stderr).toMatch(/schedule\.cron in data\/tracker\.yaml: "61 \* \* \* \*" is not a cron expression/);
  });
});
