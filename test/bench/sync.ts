import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { githubClient } from "../../src/observe/github/client.ts";
import { newBudget } from "../../src/observe/github/budget.ts";
import { threadReader } from "../../src/observe/github/reader.ts";
import type { Memory } from "../../src/observe/memory.ts";
import { noMemory } from "../../src/observe/memory.ts";
import type { SyncResult } from "../../src/observe/sync.ts";
import { sync } from "../../src/observe/sync.ts";
import type { Observed } from "../../src/model/shapes/observed.ts";
import { TOKEN, nothingObserved } from "../observe/looking.ts";
import { plainWorld } from "../observe/plain-world.ts";
import type { Figure } from "./figure.ts";
import { figure } from "./figure.ts";

/** References, repositories, GraphQL requests allowed at first and when nothing is new. */
const SIZES = [
  [100, 10, 5, 1],
  [1000, 50, 55, 11],
  [10_000, 200, 500, 110],
] as const;

/** How much a sync asks, and how long it takes, against a mini-GitHub in a process of its own. */
export async function syncFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [count, repos, atFirst, then] of SIZES) {
    const stand = spawn(process.execPath, [fileURLToPath(new URL("./stand-process.ts", import.meta.url)), String(count), String(repos)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const api = await new Promise<string>((resolve) => stand.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())));
      const { refs } = plainWorld(count, repos);
      const first = await timed(api, refs, nothingObserved(), noMemory());
      const second = await timed(api, refs, first.result.observed, first.result.memory);
      if (first.result.failed.length > 0 || second.result.changed.length > 0)
        throw new Error(`the sync of ${count} went wrong: ${first.result.failed[0]?.why ?? "the second one changed facts"}`);
      const name = `${count.toLocaleString("en")} references in ${repos} repositories`;
      figures.push(
        figure(`${name}: GraphQL requests of a first sync`, first.graphql, "", { atMost: atFirst }),
        figure(`${name}: GraphQL requests when nothing is new`, second.graphql, "", { atMost: then }),
        figure(`${name}: REST requests`, first.rest + second.rest, "", { atMost: 0 }),
      );
      if (count === 10_000) {
        figures.push(
          figure(`${name}: first sync`, first.seconds, "s", { atMost: 60 }),
          figure(`${name}: sync with nothing new`, second.seconds, "s", { atMost: 60 }),
          figure(`${name}: most memory of the process`, process.resourceUsage().maxRSS / 1000, "MB", { atMost: 512 }),
        );
      }
    } finally {
      stand.kill();
    }
  }
  return figures;
}

async function timed(
  api: string,
  refs: string[],
  observed: Observed,
  memory: Memory,
): Promise<{ result: SyncResult; graphql: number; rest: number; seconds: number }> {
  const budget = newBudget();
  const start = performance.now();
  const client = githubClient({ fetch, now: () => new Date("2026-05-10T00:00:00Z"), token: TOKEN, api, budget });
  const result = await sync({
    observed,
    memory,
    now: "2026-05-10T00:00:00Z",
    named: refs.map((ref) => ({ ref, kind: undefined, replies: [] })),
    questions: () => ({ histories: [], artifacts: [] }),
    urgency: () => 0,
    sources: { threads: threadReader(client, { own: new Set(), ownRepo: "we/stack", localName: (name) => name }) },
    scope: {},
    say: () => {},
  });
  return { result, graphql: budget.requests.graphql, rest: budget.requests.rest, seconds: (performance.now() - start) / 1000 };
}
