import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Derived } from "../../src/derive/derive.ts";
import { load } from "../../src/model/load.ts";
import { paint } from "../../src/report/paint.ts";
import { statusText } from "../../src/report/terminal/status.ts";
import { freshAttention } from "../../src/report/pull-request/body.ts";
import type { Checkout, Ran } from "./checkout.ts";
import { makeCheckout } from "./checkout.ts";
import type { PlayedDay } from "./play.ts";
import { STACK, playMonth } from "./play.ts";
import { dayText } from "./told.ts";

/** Every status that changes in the month, and every call for a person: what each day's sync has to notice, and nothing else. */
const NOTICED: Record<string, { moves: string[]; needs?: string[] }> = {
  "2026-06-01": {
    moves: [
      "ferry-idle-sockets: unknown > open-no-pr",
      "ferry-retry-storm: unknown > awaiting-propagation",
      "lantern-accents: unknown > in-review",
      "lantern-cursors: unknown > in-review",
      "lantern-lazy-index: unknown > in-review",
      "lantern-memory-cap: unknown > stalled",
      "lantern-plugins: unknown > open-no-pr",
    ],
    needs: ["blocks-missing ferry-stable"],
  },
  "2026-06-03": { moves: ["lantern-lazy-index: in-review > awaiting-propagation"] },
  "2026-06-05": {
    moves: ["lantern-lazy-index: awaiting-propagation > landed"],
    needs: ["trigger-fired retest-cold-start", "patch-droppable lantern-lazy-index"],
  },
  "2026-06-08": { moves: ["lantern-memory-cap: stalled > in-review"] },
  "2026-06-09": { moves: ["lantern-lazy-index: landed > resolved"] },
  "2026-06-10": { moves: ["ferry-retry-storm: awaiting-propagation > landed"] },
  "2026-06-12": { moves: ["lantern-cursors: in-review > awaiting-propagation"] },
  "2026-06-15": { moves: ["lantern-memory-cap: in-review > awaiting-propagation", "lantern-plugins: open-no-pr > closed-unfixed"] },
  "2026-06-16": { moves: ["lantern-cursors: awaiting-propagation > landed", "lantern-memory-cap: awaiting-propagation > landed"] },
  "2026-06-18": { moves: [] },
  "2026-06-19": { moves: ["ferry-retry-storm: landed > awaiting-propagation"], needs: ["reverted-in-pin ferry-stable"] },
  "2026-06-22": { moves: [], needs: ["image-gone lantern-fallback"] },
  "2026-06-24": { moves: ["ferry-idle-sockets: open-no-pr > in-review"] },
  "2026-06-26": { moves: ["lantern-accents: in-review > awaiting-propagation"] },
  "2026-06-29": { moves: [], needs: ["follow-up-due ferry-2"] },
};

const days = new Map<string, PlayedDay>();
let end: Derived;
let root: string;
let checkout: Checkout;
let before: string[];
let command: Ran;
let meanwhile: Ran;

const demo = (args: string[], options?: Parameters<Checkout["run"]>[2]) =>
  checkout.run(process.execPath, [join(checkout.home, "scripts/run.mjs"), "start:demo", ...args], options);

/** The month is played twice side by side: here, to look into it, and by the command, over an earlier demo. */
beforeAll(async () => {
  checkout = await makeCheckout();
  cpSync(STACK, join(checkout.home, ".landfall/demo"), { recursive: true });
  writeFileSync(join(checkout.home, ".landfall/demo/left-behind.txt"), "by an earlier demo\n");
  before = checkout.tree();
  root = join(checkout.home, ".landfall/here");
  let second: Promise<Ran> | undefined;
  // By its first words it has the folder.
  const heard = () => {
    second ??= demo([]);
  };
  [command, end] = await Promise.all([demo([], { heard }), playMonth(root, (day) => void days.set(day.at.slice(0, 10), day))]);
  meanwhile = await (second ?? demo([]));
});
afterAll(() => checkout.remove());

const dayOf = (date: string): PlayedDay => {
  const day = days.get(date);
  if (!day) throw new Error(`${date} was not played`);
  return day;
};

it("plays every recorded day, in order", () => {
  expect([...days.keys()]).toEqual(Object.keys(NOTICED));
});

it.each(Object.entries(NOTICED))("%s: what is noticed is what was recorded, and nothing else", (date, { moves, needs = [] }) => {
  const { news, report } = dayOf(date);
  expect(news.transitions.map(({ item, from, to }) => `${item}: ${from} > ${to}`)).toEqual(moves);
  expect(freshAttention(news).map(({ kind, about }) => `${kind} ${about.id}`)).toEqual(needs);
  expect({ failed: report.failed, notes: report.notes, notChecked: report.notChecked, exitCode: report.exitCode }).toEqual({
    failed: [],
    notes: [],
    notChecked: [],
    exitCode: 0,
  });
});

it.each([
  ["2026-06-05", "9e30af6a6f is the commit of lantern-nightly (9e30af6a6f)."],
  ["2026-06-08", 'lantern#88 leads to lantern#107: comment by rivka, 2026-06-08: "Superseded by #107".'],
  ["2026-06-10", "ferry-stable carries it as 19c15228f1 on release/1.4."],
  ["2026-06-12", 'lantern#95 was closed by lantern@b1425c61a8: commit b1425c61a8 "Close cursors that time out (#95)".'],
  ["2026-06-16", "b1425c61a8 is an ancestor of lantern-nightly (94f3d636d4)."],
  ["2026-06-18", "  No status changes."],
  ["2026-06-19", "ferry-stable has its cherry-pick 19c15228f1 and the revert 3cdde80010 of 2026-06-18."],
  ["2026-06-22", "oci:registry.example/lantern/server:nightly-2026-05-28 is gone"],
  ["2026-06-29", "A follow-up is due: ferry-2. Move to Ferry 2: demo-ferry/ferry v2.0.0 is published since 2026-06-29."],
])("%s: the reader is told why: %s", (date, proof) => {
  expect(dayText(dayOf(date), paint(false))).toContain(proof);
});

it("shows a status only with its words, before and after, and the day it is about", () => {
  expect(dayText(dayOf("2026-06-26"), paint(false)).split("\n").slice(0, 2)).toEqual([
    '2026-06-26  Lantern merges "Fold accents in queries" (lantern#104); no build has it yet.',
    "  lantern-accents  🟡 Open, in review → 🔵 Merged, awaiting propagation",
  ]);
});

it("leaves a stack in order, whose log has what upstream did on the day it did it", () => {
  expect(load(root).problems.filter(({ level }) => level !== "notice")).toEqual([]);
  const log = readFileSync(join(root, "data/observed/transitions-2026.jsonl"), "utf8");
  const lines = log.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
    at: "2026-06-03T10:00:00Z",
    because: "lantern#101 merged 2026-06-03 as 9e30af6a6f. lantern-nightly lacks it.",
    from: "in-review",
    item: "lantern-lazy-index",
    to: "awaiting-propagation",
  });
  expect(end.attention.map(({ kind, about }) => `${kind} ${about.id}`)).toEqual([
    "reverted-in-pin ferry-stable",
    "image-gone lantern-fallback",
    "follow-up-due ferry-2",
  ]);
});

describe("npm run start:demo", () => {
  it("shows the same month every time, with no trace of ports, folders of the machine, or a token", () => {
    expect({ code: command.code, stderr: command.stderr }).toEqual({ code: 0, stderr: "" });
    const months = [...days.values()].map((day) => `${dayText(day, paint(false))}\n\n`).join("");
    expect(command.stdout).toContain(`at them.\n\n${months}How the month ends\n\n`);
    expect(command.stdout).toContain(statusText(end, paint(false)));
    expect(command.stdout).not.toMatch(/127\.0\.0\.1|localhost|ghp_|\/tmp\//);
  });

  it("writes nothing but its folder, where an earlier demo gives way", () => {
    expect(checkout.tree()).toEqual(before);
    const demoHas = (path: string) => existsSync(join(checkout.home, ".landfall/demo", path));
    expect(["content/UPSTREAM.md", "left-behind.txt", ".landfall/upstreams"].map(demoHas)).toEqual([true, false, false]);
  });

  it("asks nobody but this machine, and would have been caught: the trap takes Node's requests and git's", async () => {
    expect(checkout.asked).toEqual([]);
    await checkout.run(process.execPath, ["-e", 'fetch("http://example.invalid/node").catch(() => {})']);
    await checkout.run("git", ["ls-remote", "http://example.invalid/git.git"]);
    expect(checkout.asked.join("\n")).toMatch(/example\.invalid(:80|\/node)[\s\S]*example\.invalid\/git\.git/);
  });

  it("keeps a second demo out of the folder while one plays there", () => {
    const stderr = "Another demo is playing in .landfall/demo. Wait for it, or name another folder with --into.\n";
    expect(meanwhile).toEqual({ code: 3, stdout: "", stderr });
  });

  it.each([
    ["a pace that is no number", ["--pace", "fast"], {}, '--pace is "fast", which is no number of seconds. Write one such as 2.'],
    [
      "a folder of somebody else",
      ["--into", ".landfall/mine"],
      {},
      ".landfall/mine holds something else than an earlier demo. Name another folder with --into, or empty it.",
    ],
    [
      "a machine without git",
      ["--into", ".landfall/new"],
      { PATH: "/nowhere" },
      "The demo makes real git repositories, and git is not installed or not on the PATH. Install git, then run it again.",
    ],
  ])("refuses %s, and says what to do", async (_, args, env, message) => {
    const letter = join(checkout.home, ".landfall/mine/letter.txt");
    mkdirSync(join(letter, ".."), { recursive: true });
    writeFileSync(letter, "Dear reader\n");
    expect(await demo(args, { env })).toEqual({ code: 3, stdout: "", stderr: `${message}\n` });
    expect(existsSync(letter)).toBe(true);
  });
});
