import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { COMMANDS } from "../scripts/main.ts";
import { OWN_COMMANDS } from "../scripts/own.ts";
import { filesUnder, folder, run } from "./import/run.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${home}${path}`, "utf8");
const guides = readdirSync(`${home}content/guides`).map((name) => `content/guides/${name}`);
const documents = ["README.md", "CONTRIBUTING.md", ...guides];
const examples = (path: string) => [...read(path).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

/** Commands of this tool that a document names, each with the rest of its line. */
const named = (path: string) =>
  [...read(path).matchAll(/(?:npm run (?:-s )?|npx (?:--no )?landfall )([a-z][a-z:-]*)([^\n`|#]*)/g)].map(([, name = "", rest = ""]) => ({
    name,
    rest,
  }));

it.each(documents)("%s names commands that exist, with options that they have", async (path) => {
  const all: Record<string, (typeof COMMANDS)["sync"]> = { ...COMMANDS, ...OWN_COMMANDS };
  for (const { name, rest } of named(path)) {
    // Upkeep of this repository is plain npm scripts.
    if (["lint", "typecheck"].includes(name)) continue;
    const made = await all[name]?.();
    expect(made, `${path}: ${name}`).toBeDefined();
    const options = made?.options.flatMap(({ long }) => long ?? []) ?? [];
    for (const [option] of rest.split(/&&|;/)[0]?.matchAll(/--[a-z][a-z-]*/g) ?? [])
      expect([...options, "--help"], `${path}: ${name} ${option}`).toContain(option);
  }
});

it("finds the commands of the guides", () => {
  expect(named("content/guides/from-zero.md").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["init", "add-item", "scan", "sync", "status", "check-pins", "render"]),
  );
});

it("from zero: the rows of the guide are what its scan asks for", async () => {
  const [pin = "", patch = "", settings = ""] = examples("content/guides/from-zero.md");
  const tree = {
    "compose.yml":
      "services:\n  llm:\n    image: vllm/vllm-openai:v0.22.0 # waits for vllm-project/vllm#40361\n    volumes:\n      - ./patches/fix.py:/usr/lib/python3/dist-packages/vllm/fix.py\n  web:\n    image: nginx:1.27\n",
    "patches/fix.py": "x = 1\n",
  };
  const bare = folder(tree);
  expect((await run("init", "--root", bare, "--yes", "--repo", "home/stack")).code).toBe(0);
  const before = await run("scan", "--root", bare);
  expect(before.code).toBe(1);
  expect(before.out).toContain("3 errors");
  const root = folder({ ...filesUnder(bare), "data/pins/vllm.yaml": pin, "data/patches/pad.yaml": patch });
  const tracker = filesUnder(root)["data/tracker.yaml"] ?? "";
  const whole = folder({ ...filesUnder(root), "data/tracker.yaml": tracker + settings });
  expect((await run("add-item", "vllm-project/vllm#40361", "--root", whole)).code).toBe(0);
  const after = await run("scan", "--root", whole);
  expect(after.out).toContain("0 errors");
  expect(after.code).toBe(0);
  expect((await run("check-data", "--root", whole)).out).toContain("0 errors in 0 of 5 rows, 1 warning");
});

it("the upstream of the guide on other hosts, and the exception of the guide on CI, are rows that check-data takes", async () => {
  const [upstream = ""] = examples("content/guides/other-hosts.md");
  const allow = examples("content/guides/run-in-ci.md").find((text) => text.includes("allow:")) ?? "";
  const root = folder({
    "data/tracker.yaml": `title: S\nrepo: home/stack\nzone: UTC\nthresholds: { stalled_after_days: 30, claim_stale_after_days: 30 }\n${allow}`,
    "data/upstreams/engine.yaml": upstream,
    "data/items/fix.yaml":
      'title: A fix\nupstream: engine\nrefs: [{ ref: "group/engine@v1.2.0", role: fix }]\nstake: watch\nwhy: It helps.\nlocal: none\n',
  });
  expect((await run("check-data", "--root", root)).out).toContain("0 errors in 0 of 3 rows");
});
