// biome-ignore-all lint/suspicious/noTemplateCurlyInString: compose writes its variables so
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScanReport } from "../../src/report/scan.ts";
import { normaliseImage } from "../../src/scan/image.ts";
import type { Figure } from "./figure.ts";
import { figure, median } from "./figure.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
/** The stack's real tree of 2026-08-22, where it is at hand beside the checkout. */
const REAL = fileURLToPath(new URL("../../../shared/club-3090/2026-08-22", import.meta.url));
const PEER = "renovate@44";
/** The peer finds compose files by name; ours are named freely, so it is told where they are. */
const PEER_CONFIG = {
  onboarding: false,
  requireConfig: "optional",
  "docker-compose": { managerFilePatterns: ["/(^|/)(models|services)/.*\\.ya?ml$/"] },
};

/** The scan as a whole process, on generated trees of the real one's size and of ten times that. */
export function scanFigures(): Figure[] {
  return inFolder((folder) => {
    const stack = stackIn(folder);
    const scan = (tree: string) => scanned(tree, stack);
    const small = generatedTree(join(folder, "small"), 130);
    const large = generatedTree(join(folder, "large"), 1300);
    scan(small);
    const hundred = median(runs(5, () => scan(small)));
    const thousand = median(runs(3, () => scan(large)));
    return [
      figure("scan of 130 compose files (2 MB), whole process", hundred, "s", { atMost: 1 }),
      figure("scan of 1,300 compose files against 130: times the work for 10 times the files", thousand / hundred, "×", { atMost: 12 }),
    ];
  });
}

/**
 * The scan beside a peer that extracts image dependencies from the same tree, in one run. The peer is installed into a temporary
 * folder with npm; the project does not depend on it.
 */
export function scanPeerFigures(): Figure[] {
  return inFolder((folder) => {
    const stack = stackIn(folder);
    const scan = (tree: string) => scanned(tree, stack);
    const tree = existsSync(REAL) ? REAL : generatedTree(join(folder, "tree"), 130);
    const peer = installPeer(folder);
    scan(tree);
    peer(tree);
    const pairs = runs(3, () => [runs(1, () => scan(tree))[0] ?? 0, runs(1, () => peer(tree))[0] ?? 0] as const, true);
    const ours = median(pairs.map(([seconds]) => seconds));
    const theirs = median(pairs.map(([, seconds]) => seconds));
    const found = scan(tree);
    const report = peer(tree);
    const missed = report.filter(
      ({ file, image }) => !found.images.some((row) => row.image === image && row.users.some((user) => user.file === file)),
    );
    return [
      figure(`scan against ${PEER} on the same tree: times faster`, theirs / ours, "×", { atLeast: 5 }),
      figure(`images that ${PEER} finds and scan does not`, missed.length, `of its ${report.length}`, { atMost: 0 }),
    ];
  });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "landfall-bench-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of each run, or with `raw` what each run gives back. */
function runs(count: number, work: () => unknown): number[];
function runs<T>(count: number, work: () => T, raw: true): T[];
function runs<T>(count: number, work: () => T, raw = false): (number | T)[] {
  return Array.from({ length: count }, () => {
    const start = performance.now();
    const value = work();
    return raw ? value : (performance.now() - start) / 1000;
  });
}

/** This stack's rows, to compare with, apart from what others write meanwhile. */
function stackIn(folder: string): string {
  cpSync(join(home, "data"), join(folder, "stack/data"), { recursive: true });
  return join(folder, "stack");
}

function scanned(tree: string, stack: string): ScanReport {
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(home, "scripts/run.mjs"), "scan", tree, "--root", stack, "--json"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, LANDFALL_SET_UP: "1" },
  });
  if (status === null || status > 1) throw new Error(`scan ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as ScanReport;
}

interface PeerImage {
  file: string;
  image: string;
}

function installPeer(folder: string): (tree: string) => PeerImage[] {
  const place = join(folder, "peer");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), '{ "private": true }');
  writeFileSync(join(place, "config.json"), JSON.stringify(PEER_CONFIG));
  const npm = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", PEER], { cwd: place, encoding: "utf8" });
  if (npm.status !== 0) throw new Error(`${PEER} could not be installed: ${npm.stderr.slice(-500)}`);
  const report = join(place, "report.json");
  const args = [
    join(place, "node_modules/renovate/dist/renovate.js"),
    "--platform=local",
    "--dry-run=extract",
    "--report-type=file",
    `--report-path=${report}`,
  ];
  return (tree) => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: tree,
      encoding: "utf8",
      env: {
        ...process.env,
        RENOVATE_CONFIG_FILE: join(place, "config.json"),
        LOG_LEVEL: "error",
        RENOVATE_BASE_DIR: join(place, "base"),
        RENOVATE_CACHE_DIR: join(place, "cache"),
      },
    });
    if (status !== 0) throw new Error(`${PEER} ended with ${status}: ${stderr.slice(-500)}`);
    return imagesOf(JSON.parse(readFileSync(report, "utf8")));
  };
}

interface PeerDependency {
  depName?: string;
  packageName?: string;
  currentValue?: string;
  currentDigest?: string;
  datasource?: string;
  skipReason?: string;
}
interface PeerReport {
  repositories: Record<string, { packageFiles: Record<string, { packageFile: string; deps: PeerDependency[] }[]> }>;
}

/** The image dependencies that the peer could read; those it skips, because of nested variables, are none. */
function imagesOf({ repositories }: PeerReport): PeerImage[] {
  return Object.values(repositories).flatMap(({ packageFiles }) =>
    Object.values(packageFiles).flatMap((files) =>
      files.flatMap(({ packageFile, deps }) =>
        deps.flatMap(({ depName, packageName, currentValue, currentDigest, datasource, skipReason }) => {
          if (datasource !== "docker" || skipReason !== undefined) return [];
          const name = `${depName ?? packageName}${currentValue === undefined ? "" : `:${currentValue}`}${currentDigest === undefined ? "" : `@${currentDigest}`}`;
          return [{ file: packageFile, image: normaliseImage(name) ?? name }];
        }),
      ),
    ),
  );
}

/** A tree like the real one: long comments, nested defaults, a patch mount or two, and a script as entrypoint in each file. */
function generatedTree(root: string, count: number): string {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("scripts/lib/profiles/engines/nightly.yml", `id: nightly\ninstall:\n  spec: vllm/vllm-openai:nightly-${"1acd67a7".repeat(5)}\n`);
  for (let n = 0; n < count; n++) {
    const comments = Array.from(
      { length: 180 },
      (_, line) => `# ${line}: what was measured on ${n} cards, and why (vllm#${40_000 + ((n * 7 + line) % 900)}, see docs/page.md).`,
    );
    const image =
      n % 4 === 0 ? "${VLLM_IMAGE:-vllm/vllm-openai:nightly-${VLLM_NIGHTLY_SHA}}" : `\${VLLM_IMAGE:-vllm/vllm-openai:v0.${n % 30}.1}`;
    write(
      `models/m${n % 20}/compose/${n % 5 === 0 ? "_archive/" : ""}c${n}.yml`,
      `${comments.join("\n")}
# Engine-profile: nightly
services:
  server-${n}:
    image: ${image}   # a remark
    volumes:
      - \${MODEL_DIR:-../../../models-cache}:/root/.cache
      - ../patches/p${n % 9}/x.py:/usr/local/lib/python3.12/dist-packages/vllm/x${n % 9}.py:ro
    environment:
${Array.from({ length: 20 }, (_, flag) => `      - VLLM_ENABLE_${flag}=\${VLLM_ENABLE_${flag}:-${flag % 2}}`).join("\n")}
    entrypoint:
      - bash
      - -c
      - |
        set -e
${Array.from({ length: 30 }, (_, line) => `        if [ "$\${X${line}:-0}" = "1" ]; then echo "step ${line}"; fi`).join("\n")}
        python3 -m vllm._genesis.patches.apply_all
        pip install --quiet transformers==5.8.${n % 3}
        exec vllm serve "$@"
      - --
    command: [--model, /root/m, --chat-template, /etc/t.jinja]
`,
    );
  }
  return root;
}
