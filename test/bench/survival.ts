import { join } from "node:path";
import { sourceHost, surveyed } from "../../scripts/sources.ts";
import { sha256 } from "../../scripts/hash.ts";
import { lastLoss } from "../../src/derive/survival/loss.ts";
import { nothingKnown } from "../../src/derive/survival/sources.ts";
import type { Question } from "../../src/model/source.ts";
import { gitSource } from "../../src/observe/git/source.ts";
import { answerSources } from "../../src/observe/source.ts";
import { temporaryFolder } from "../git/repository.ts";
import { writeUpstream } from "../survival/upstream.ts";
import { worldFrom } from "../world.ts";
import type { Figure } from "./figure.ts";
import { figure, median } from "./figure.ts";

const FILES = 60;
const ANCHORS = 200;
const COMMITS = 5;
const VERSIONS = 1000;
/** Lines of a file: 1,500 lines of Python are about 60 KB. */
const LINES = 1500;

const line = (file: number, n: number, version: number) =>
  n % 300 === version % 300
    ? `    value_${n} = compute_${file}(${version})\n`
    : `    value_${n} = compute_${file}(state, ${n}, scale=${n % 7})\n`;
const source = (file: number, version: number, lines = LINES) => Array.from({ length: lines }, (_, n) => line(file, n, version)).join("");
const path = (file: number) => `src/part_${file % 8}/module_${file}.py`;

/** Patch survival on a synthetic upstream: a warm mirror, and a long search for a lost anchor. */
export async function survivalFigures(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  try {
    return [...(await warmFigures(folder)), ...(await lossFigures(folder))];
  } finally {
    await remove();
  }
}

function reader(folder: string, offline: boolean) {
  const git = gitSource({ ...sourceHost(join(folder, "cache"), `file://${join(folder, "hosted")}`), say: undefined }, { offline });
  const own = async () => ({ state: "absent" as const });
  return (questions: readonly Question[]) => answerSources([git], own, questions);
}

/** 200 anchors in 60 files at 5 commits; the mirror has everything, the process starts knowing nothing. */
async function warmFigures(folder: string): Promise<Figure[]> {
  const up = await writeUpstream(
    join(folder, "hosted/u/many.git"),
    Array.from({ length: COMMITS }, (_, version) => ({
      id: String(version),
      subject: `Change ${version} (#${version})`,
      change: Object.fromEntries(Array.from({ length: FILES }, (_, file) => [path(file), source(file, version)])),
    })),
  );
  const targets = Array.from({ length: FILES }, (_, file) => ({
    path: path(file),
    anchors: Array.from({ length: Math.ceil(ANCHORS / FILES) }, (_, n) => ({
      id: `a${n}`,
      text: [100, 101, 102].map((row) => line(file, row + 40 * n, -1)).join(""),
    })),
  }));
  let left = ANCHORS;
  for (const target of targets) {
    target.anchors = target.anchors.slice(0, Math.min(target.anchors.length, left));
    left -= target.anchors.length;
  }
  const world = worldFrom({
    upstreams: { up: { repo: "u/many" } },
    patches: Object.fromEntries(targets.map((target, n) => [`p${n}`, { delivery: "sidecar", targets: [target] }])),
  });
  const cases = Object.values(up.sha).flatMap((commit) =>
    targets.map((_, n) => ({ patch: `p${n}`, place: { repo: "u/many", commit, pins: [] } })),
  );
  const judge = async (offline: boolean) => {
    const start = performance.now();
    const { judgements } = await surveyed(world, reader(folder, offline), cases, nothingKnown(sha256));
    const anchors = judgements.flatMap(({ targets: judged }) => judged.flatMap((one) => one.anchors));
    if (anchors.length !== ANCHORS * COMMITS || anchors.some(({ verdict }) => verdict !== "applies")) {
      throw new Error(`the benchmark judged ${anchors.length} anchors, and not all of them apply`);
    }
    return performance.now() - start;
  };
  await judge(false);
  const warm = median([await judge(true), await judge(true), await judge(true)]);
  return [
    figure(`patch survival: ${ANCHORS} anchors in ${FILES} files at ${COMMITS} commits, warm mirror`, warm / 1000, "s", { atMost: 2 }),
  ];
}

/** The change that took an anchor away lies at the far end of a file's history. */
async function lossFigures(folder: string): Promise<Figure[]> {
  const ANCHOR = "    limit = max(first, second)\n";
  const text = (version: number) => `${source(0, version, 1000)}${version === 0 ? ANCHOR : ""}`;
  const up = await writeUpstream(
    join(folder, "hosted/u/long.git"),
    Array.from({ length: VERSIONS }, (_, version) => ({
      id: String(version),
      subject: `Change ${version} (#${version})`,
      change: { "src/a.py": text(version), [`notes/${version % 50}.md`]: `${version}\n` },
    })),
  );
  const world = worldFrom({
    upstreams: { up: { repo: "u/long" } },
    patches: { it: { delivery: "sidecar", targets: [{ path: "src/a.py", anchors: [{ id: "limit", text: ANCHOR }] }] } },
  });
  const cases = [{ patch: "it", place: { repo: "u/long", commit: up.sha[String(VERSIONS - 1)] ?? "", pins: [] } }];
  const find = async (offline: boolean) => {
    const start = performance.now();
    const { judgements } = await surveyed(world, reader(folder, offline), cases, nothingKnown(sha256));
    const lost = judgements[0]?.targets[0]?.anchors[0]?.lostAt;
    if (lost?.pr !== 1 || lost.by !== "walk") throw new Error(`the benchmark found ${JSON.stringify(lost)}`);
    return performance.now() - start;
  };
  await find(false);
  const warm = median([await find(true), await find(true), await find(true)]);
  return [figure(`finding when an anchor was lost, over ${VERSIONS} versions of a file`, warm / 1000, "s", { atMost: 3 }), searchFigure()];
}

/** The search by itself: how many blobs a bisection needs where a walk would need them all. */
function searchFigure(): Figure {
  const versions = Array.from({ length: 100_000 }, (_, n) => ({ commit: String(n), at: "", subject: "", blob: String(n) }));
  const known = new Map<string, boolean>();
  const started = performance.now();
  for (;;) {
    const found = lastLoss({ versions, whole: true }, (blob) => known.get(blob), 0);
    if (found.state !== "need") break;
    for (const blob of found.blobs) known.set(blob, Number(blob) > 70_000);
  }
  return figure("blobs read to bisect 100,000 versions", performance.now() - started > 0 ? known.size : 0, "blobs", { atMost: 60 });
}
