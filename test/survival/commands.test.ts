import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { x } from "tinyexec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../git/repository.ts";
import type { Written } from "./upstream.ts";
import { writeUpstream } from "./upstream.ts";

const HOME = fileURLToPath(new URL("../../", import.meta.url));
let folder = "";
let remove: () => Promise<void>;
let up: Written;
const root = () => join(folder, "stack");

const BODY = "def forward(x):\n    d = x.shape[-1] // 2\n    return silu(x[:d])\n";

async function run(...args: string[]) {
  const { stdout, stderr, exitCode } = await x(process.execPath, [join(HOME, "scripts/run.mjs"), ...args, "--root", root()], {
    throwOnError: false,
    stdin: "",
    nodeOptions: {
      cwd: folder,
      env: {
        LANDFALL_GIT_URL: `file://${join(folder, "hosted")}`,
        NO_COLOR: "1",
        GITHUB_TOKEN: "",
        GH_TOKEN: "",
        LANDFALL_GITHUB_TOKEN: "",
        LANDFALL_SET_UP: "1",
      },
    },
  });
  return { stdout, stderr, exitCode };
}
const json = async <T>(...args: string[]): Promise<{ value: T; exitCode: number | undefined }> => {
  const { stdout, stderr, exitCode } = await run(...args, "--json");
  if (!stdout.startsWith("{") && !stdout.startsWith("[")) throw new Error(`no JSON: ${stdout}${stderr}`);
  return { value: JSON.parse(stdout) as T, exitCode };
};
async function write(path: string, text: string) {
  await mkdir(dirname(join(root(), path)), { recursive: true });
  await writeFile(join(root(), path), text);
}

const PIN = `# The build of today.
title: Nightly one
upstream: up
artifact: "oci:docker.io/up/up:v1"
source: { commit: "SHA" }
mutability: immutable
reason: It works. # and nobody knows why
`;
const PATCH = `title: Pool the buffer
upstream: up
delivery: sidecar
files: [patches/pool.py]
targets:
  - path: src/activation.py
    anchors:
      - id: forward
        text: |2
          def forward(x):
              d = x.shape[-1] // 2
required_by: [one]   # the only one
load_bearing: true
covers: ["u/r#9"]
drop: { contained: { ref: "u/r#9", in: today } }
`;

beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
  up = await writeUpstream(
    join(folder, "hosted/u/r.git"),
    [
      { id: "one", subject: "Start (#1)", change: { "src/activation.py": BODY, "README.md": "1\n" } },
      { id: "two", subject: "Add the fix (#9)", change: { "README.md": "2\n" } },
      { id: "three", subject: "Optimize (#12)", change: { "src/activation.py": BODY.replace("d =", "half =").replace("[:d]", "[:half]") } },
      { id: "four", subject: "Docs (#13)", change: { "README.md": "4\n" } },
    ],
    { v1: "one", v2: "two", v3: "four" },
  );
  const commit = (id: string) => up.sha[id] ?? "";
  await write(
    "data/tracker.yaml",
    "title: A stack\nrepo: we/stack\nzone: UTC\nthresholds: { stalled_after_days: 30, claim_stale_after_days: 30 }\n",
  );
  await write(
    "data/upstreams/up.yaml",
    'title: Up\nrepo: u/r\nbranches: [main]\nstreams:\n  - { name: release, artifact: "oci:docker.io/up/up:v*" }\n',
  );
  await write("data/pins/today.yaml", PIN.replace("SHA", commit("one")));
  await write(
    "data/patches/pool.yaml",
    PATCH.replace(
      "text: |2\n          def forward(x):\n              d = x.shape[-1] // 2\n",
      'text: "def forward(x):\\n    d = x.shape[-1] // 2\\n"\n',
    ),
  );
  await write(
    "data/variants/one.yaml",
    "title: One\ncompose: one.yml\npin: today\ncards: 1\nstanding: available\nworkloads: [all]\npatches:\n  - pool   # it needs it\nsummary: The one.\n",
  );
  await write(
    "data/items/fix.yaml",
    'title: The fix\nupstream: up\nrefs: [{ ref: "u/r#9", role: fix }]\nstake: blocks\nwhy: It matters.\nlocal: backported\nworkaround: { what: Pooled here., patches: [pool] }\n',
  );
  const provenance = { source: "a test", asOf: "2026-05-10" };
  await write("data/observed/as-of.json", JSON.stringify({ asOf: "2026-05-12T00:00:00Z" }));
  await write(
    "data/observed/github/u/r.json",
    JSON.stringify({
      repository: { name: "u/r", ...provenance },
      threads: {
        9: {
          kind: "pull-request",
          title: "The fix",
          state: "closed",
          merged: true,
          mergedAt: "2026-05-02",
          base: "main",
          mergeCommit: commit("two"),
          ...provenance,
        },
      },
    }),
  );
  const tag = (id: string, day: number) => ({ commit: commit(id), date: `2026-05-0${day}`, exact: true, ...provenance });
  await write(
    "data/observed/git/u/r.json",
    JSON.stringify({
      repository: "u/r",
      tags: { v1: tag("one", 1), v2: tag("two", 2), v3: tag("four", 4) },
      commits: {},
      picks: [],
      reverts: [],
    }),
  );
  await write("data/observed/containment.json", JSON.stringify({ "u/r": { [commit("two")]: { [commit("one")]: "no" } } }));
  const place = (line: number) => ({ file: "one.yml", line, service: "s" });
  await write(
    "data/observed/inventory.json",
    JSON.stringify({
      tree: { repo: "we/stack", commit: "a".repeat(40), date: "2026-05-12" },
      images: [{ image: "docker.io/up/up:v1", raw: ["up/up:v1"], mutability: "immutable", users: [{ ...place(2), archived: false }] }],
      pins: [],
      mounts: [{ source: "patches/pool.py", target: "/patches/pool.py", ...place(5) }],
      invocations: [{ path: "/patches/pool.py", ...place(8) }],
      starts: [{ command: "serve", ...place(9) }],
      envFlags: [],
      references: [{ ref: "u/r#9", file: "docs/UPSTREAM.md", line: 4 }],
      files: ["patches/pool.py"],
      counts: { composes: 1, services: 0 },
    }),
  );
  await write("patches/pool.py", "print('pool')\n");
});
afterAll(() => remove());

interface Row {
  patch: string;
  commit: string;
  verdict: string;
  targets: {
    path: string;
    verdict: string;
    anchors: { id: string; required: boolean; matches: number | null; lostAt: { commit: string; pr: number } | null }[];
  }[];
  delivery: { variant: string; verdict: string; because: string }[];
}

describe("patches", () => {
  it("offline, before anything was fetched: says what it could not check, and exits with 2", async () => {
    const { value, exitCode } = await json<Row[]>("patches", "--offline");
    expect(exitCode).toBe(2);
    expect(value).toMatchObject([{ patch: "pool", verdict: "unknown", delivery: [{ variant: "one", verdict: "delivered" }] }]);
    expect((await run("patches", "--offline")).stdout).toContain("Not checked: the source of u/r was never fetched to this machine");
  });

  it("fetches, judges, and keeps the contract of its JSON", async () => {
    const { value, exitCode } = await json<Row[]>("patches");
    expect(exitCode).toBe(0);
    expect(value).toEqual([
      expect.objectContaining({
        patch: "pool",
        commit: up.sha.one,
        verdict: "applies",
        targets: [
          expect.objectContaining({
            path: "src/activation.py",
            verdict: "applies",
            anchors: [expect.objectContaining({ id: "forward", required: true, matches: 1, lostAt: null })],
          }),
        ],
        delivery: [{ variant: "one", verdict: "delivered", because: expect.stringContaining("before the server starts at line 9") }],
      }),
    ]);
  });

  it("at another build: broken, and since which commit and pull request", async () => {
    const { value, exitCode } = await json<Row[]>("patches", "--at", "v3");
    expect(exitCode).toBe(1);
    expect(value[0]?.targets[0]?.anchors[0]?.lostAt).toMatchObject({ commit: up.sha.three, pr: 12 });
  });

  it("offline with a warm mirror gives the same, with the host away", async () => {
    const online = await json<Row[]>("patches", "--at", "v3");
    await rename(join(folder, "hosted"), join(folder, "away"));
    try {
      expect(await json<Row[]>("patches", "--at", "v3", "--offline")).toEqual(online);
    } finally {
      await rename(join(folder, "away"), join(folder, "hosted"));
    }
  });

  it("records what it found, and a machine without the sources has it from there until the patch is written otherwise", async () => {
    expect((await run("patches", "--at", "v3", "--record")).exitCode).toBe(1);
    const elsewhere = join(root(), ".landfall/source");
    await rename(elsewhere, `${elsewhere}-away`);
    try {
      const { value } = await json<(Row & { recorded?: object })[]>("patches", "--at", "v3", "--offline");
      expect(value[0]).toMatchObject({ verdict: "anchor-lost", recorded: { source: expect.any(String) } });
      const file = join(root(), "data/patches/pool.yaml");
      const before = await readFile(file, "utf8");
      await writeFile(file, before.replace("def forward(x)", "def forward(y)"));
      expect((await json<Row[]>("patches", "--at", "v3", "--offline")).value[0]?.verdict).toBe("unknown");
      await writeFile(file, before);
    } finally {
      await rename(`${elsewhere}-away`, elsewhere);
    }
  });

  it("a name that is none, and a build that is none: one message, exit 3", async () => {
    expect(await run("patches", "pol")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Did you mean "pool"?') });
    expect(await run("patches", "--at", "v7")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is "v7"') });
  });
});

describe("check-pins --to", () => {
  interface Report {
    candidate: { commit: string; available: string };
    newlyContained: { item: string }[];
    newlyReverted: unknown[];
    droppable: { patch?: string; today: boolean }[];
    droppableToday: unknown[];
    reanchor: { patch: string; target: string; anchor: string; lostAt: { commit: string; pr: number } }[];
    conflicts: unknown[];
    runbook: { title: string }[];
    pins: unknown[];
  }

  it("asks the history what no fact tells: the candidate contains the fix, so the patch can go", async () => {
    const { value, exitCode } = await json<Report>("check-pins", "--to", "v2", "--pin", "today");
    expect(value).toMatchObject({
      candidate: { commit: up.sha.two, available: "unknown" },
      newlyContained: [{ item: "fix" }],
      newlyReverted: [],
      droppable: [{ patch: "pool", today: false }],
      droppableToday: [],
      reanchor: [],
      conflicts: [],
    });
    expect(value.runbook.map(({ title }) => title)).toContain("Move one");
    expect(exitCode).toBe(0);
  });

  it("a candidate that breaks a load-bearing patch: which anchor, and what took it", async () => {
    const { value, exitCode } = await json<Report>("check-pins", "--to", "v3");
    expect(value.reanchor).toMatchObject([
      { patch: "pool", target: "src/activation.py", anchor: "forward", lostAt: { commit: up.sha.three, pr: 12 } },
    ]);
    expect(exitCode).toBe(1);
    const { stdout } = await run("check-pins", "--to", "v3");
    expect(stdout).toContain("✖ Stands against it (1)");
    expect(stdout).toContain("pool: find forward anew in src/activation.py; #12");
  });

  it("is clear about what it cannot resolve", async () => {
    expect(await run("check-pins", "--to", "v1")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("is on v1 already") });
    expect(await run("check-pins", "--to", "deadbeef")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("all 40 digits") });
    expect(await run("check-pins", "--to", "v2", "--pin", "todya")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('Did you mean "today"?'),
    });
  });
});

describe("plan", () => {
  interface Plan {
    wants: string[];
    builds: { artifact: string; commit: string; available: string; satisfies: string; cost: { lost: string[]; reanchor: number } | null }[];
    earliest: { name: string } | null;
    newest: { name: string } | null;
    consolidation: { upstream: string }[];
  }

  it("earliest, newest and the cost of each", async () => {
    const { value, exitCode } = await json<Plan>("plan", "--want", "up#9");
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({ wants: ["contains r#9"], earliest: { name: "v2" }, newest: { name: "v3" } });
    expect(value.builds.map(({ satisfies, cost }) => [satisfies, cost?.lost, cost?.reanchor])).toEqual([
      ["no", undefined, undefined],
      ["yes", [], 0],
      ["yes", ["pool"], 1],
    ]);
    expect(value.consolidation).toMatchObject([{ upstream: "up" }]);
  });

  it("a condition as rows write it, and one that no build satisfies", async () => {
    expect((await json<Plan>("plan", "--want", '{ contained: { ref: "u/r#9", in: today } }')).value.earliest).toMatchObject({ name: "v2" });
    expect((await json<Plan>("plan", "--want", "u/r#9", "!u/r#9")).exitCode).toBe(1);
  });

  it("what is no want", async () => {
    expect(await run("plan", "--want", "nonsense")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("neither a reference nor a condition"),
    });
    expect(await run("plan", "--want", "{ contianed: x }")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("is no condition"),
    });
  });
});

describe("retire", () => {
  it("lists, and does nothing while something stands against it", async () => {
    const listed = await run("retire", "pool");
    expect(listed.exitCode).toBe(1);
    expect(listed.stdout).toContain("[ ] Remove the mount in one.yml (line 5, s).");
    expect(listed.stdout).toContain("[ ] Look at docs/UPSTREAM.md (line 4), which speaks of r#9.");
    const before = await readFile(join(root(), "data/patches/pool.yaml"), "utf8");
    expect(await run("retire", "pool", "--apply")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Nothing was written") });
    expect(await readFile(join(root(), "data/patches/pool.yaml"), "utf8")).toBe(before);
  });

  it("with a reason it edits the rows and keeps every other byte", async () => {
    const read = (path: string) => readFile(join(root(), path), "utf8");
    const before = {
      patch: await read("data/patches/pool.yaml"),
      variant: await read("data/variants/one.yaml"),
      item: await read("data/items/fix.yaml"),
    };
    const done = await run("retire", "pool", "--apply", "--because", "v2 has it: see #9", "--on", "2026-06-01");
    expect(done.exitCode).toBe(0);
    expect(await read("data/patches/pool.yaml")).toBe(`${before.patch}dropped:\n  on: 2026-06-01\n  because: "v2 has it: see #9"\n`);
    expect(await read("data/variants/one.yaml")).toBe(before.variant.replace("patches:\n  - pool   # it needs it\n", ""));
    expect(await read("data/items/fix.yaml")).toBe(before.item.replace("local: backported", "local: retired"));
    expect((await run("check-data")).exitCode).toBe(0);
    expect(await run("retire", "pool")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("dropped already") });
  });

  it("a pin", async () => {
    const found = await json<{ ready: string; edits: unknown[]; todo: { text: string }[] }>("retire", "today", "--on", "2026-06-01");
    expect(found.value.ready).toBe("no");
    const before = await readFile(join(root(), "data/pins/today.yaml"), "utf8");
    expect((await run("retire", "today", "--apply", "--because", "Replaced.", "--on", "2026-06-01")).exitCode).toBe(0);
    expect(await readFile(join(root(), "data/pins/today.yaml"), "utf8")).toBe(
      `${before}retired:\n  on: 2026-06-01\n  because: Replaced.\n`,
    );
  });

  it("a name that is none, a day that is none", async () => {
    expect(await run("retire", "poool")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Did you mean "pool"?') });
    expect(await run("retire", "today", "--on", "soon")).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("is no day") });
  });
});
