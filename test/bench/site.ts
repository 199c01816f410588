import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { globSync } from "tinyglobby";
import { stringify } from "yaml";
import { derive } from "../../src/derive/derive.ts";
import type { Figure } from "./figure.ts";
import { figure, median } from "./figure.ts";
import { generated } from "./generate.ts";
import { speedFigures } from "./site-speed.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

/**
 * What the site costs: its build over a plain Starlight build of as many Markdown pages with as much text, in one run; memory;
 * and how it loads. @param counts rows of the generated stacks
 */
export async function siteFigures(counts: readonly number[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of counts) figures.push(...(await figuresOf(count)));
  return figures;
}

async function figuresOf(count: number): Promise<Figure[]> {
  const work = mkdtempSync(join(tmpdir(), "landfall-site-bench-"));
  try {
    const stack = join(work, "stack");
    const out = join(work, "out");
    const name = `site of ${count} rows`;
    const texts = writeStack(stack, count);
    // Turn about, so that a busy machine does not favour one of the two.
    const turns = count <= 100 ? 3 : 1;
    const ours: Run[] = [];
    const plain: Run[] = [];
    let pages = 0;
    for (let turn = 0; turn < turns; turn++) {
      rmSync(out, { recursive: true, force: true });
      ours.push(run(work, home, [join(home, "scripts/run.mjs"), "build", "--root", stack, "--out", out]));
      pages = globSync("**/*.html", { cwd: out }).length;
      plain.push(plainBuild(work, texts, pages));
    }
    const seconds = (runs: Run[]) => median(runs.map((one) => one.seconds));
    process.stderr.write(`  ${pages} pages: ours ${seconds(ours).toFixed(1)} s, plain ${seconds(plain).toFixed(1)} s\n`);
    return [
      figure(`${name}: build against plain Starlight with as many pages`, seconds(ours) / seconds(plain), "×", { atMost: 1.3 }),
      figure(`${name}: memory of the build`, Math.max(...ours.map((one) => one.gigabytes)), "GB", { atMost: 2.5 }),
      ...(count === 5000 ? [] : [largestPage(out, name), ...(await speedFigures(out, name))]),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Run {
  seconds: number;
  /** Of the largest Node process. */
  gigabytes: number;
}

/** Runs Node to its end. Each of its processes writes down its own peak of memory when it ends. */
function run(work: string, cwd: string, args: string[]): Run {
  const meter = join(work, "meter.mjs");
  const peaks = join(work, "peaks");
  writeFileSync(
    meter,
    `import { appendFileSync } from "node:fs";\nprocess.on("exit", () => appendFileSync(${JSON.stringify(peaks)}, process.resourceUsage().maxRSS + "\\n"));\n`,
  );
  writeFileSync(peaks, "");
  const started = performance.now();
  const done = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, LANDFALL_SET_UP: "1", NODE_OPTIONS: `--import=${meter}`, NODE_ENV: "production", ASTRO_TELEMETRY_DISABLED: "1" },
  });
  const seconds = (performance.now() - started) / 1000;
  if (done.status !== 0) throw new Error(`${args.join(" ")} failed:\n${done.stdout}\n${done.stderr}`);
  const kilobytes = readFileSync(peaks, "utf8").split("\n").filter(Boolean).map(Number);
  return { seconds, gigabytes: Math.max(...kilobytes) / 1e6 };
}

/** Writes a generated stack as files. Returns the text of each row, for the plain site. */
function writeStack(root: string, count: number): string[] {
  const { model, observed } = generated(count);
  const put = (path: string, text: string) => writeFileSync(join(root, "data", path), text);
  for (const folder of ["items", "pins", "upstreams", "observed/github/bench"]) mkdirSync(join(root, "data", folder), { recursive: true });
  put("tracker.yaml", stringify(model.tracker));
  for (const [id, row] of Object.entries(model.item)) put(`items/${id}.yaml`, stringify(row));
  for (const [id, row] of Object.entries(model.pin)) put(`pins/${id}.yaml`, stringify(row));
  for (const [id, row] of Object.entries(model.upstream)) put(`upstreams/${id}.yaml`, stringify(row));
  put("observed/as-of.json", JSON.stringify({ asOf: observed.asOf }));
  put("observed/containment.json", JSON.stringify(observed.containment));
  put("observed/github/bench/engine.json", JSON.stringify(observed.github["bench/engine"]));
  const derived = derive(model, observed);
  return Object.entries(derived.items).map(([id, decision]) =>
    markdownOf(model.item[id]?.title ?? id, model.item[id]?.why ?? "", decision.because, Object.keys(model.pin)),
  );
}

/** What a row's page says, as a Markdown page would say it. */
const markdownOf = (title: string, why: string, because: string, pins: string[]): string => `---
title: ${JSON.stringify(title)}
---

**${because}**

## Why it matters

${why}

## Proof

| Reference | Is here | State | What it is upstream |
| - | - | - | - |
| [engine#1](https://github.com/bench/engine/pull/1) | fix | merged | Change number 1 |

## In the pins

| Pin | Verdict | How it is known |
| - | - | - |
${pins.map((pin) => `| ${pin} | Lacks it | 0000000001 is no ancestor of ${pin} |`).join("\n")}

## What would change this

| If | it would be |
| - | - |
| ${pins.join(" and ")} are moved to a build that contains it | Landed |
| it is reverted upstream | Closed without fix |

## Timeline

1. 2026-05-12: Believed open.
2. 2026-07-01: engine#1 was merged: Change number 1
`;

/** Builds a Starlight site with its defaults and a written sidebar, of so many pages. */
function plainBuild(work: string, texts: readonly string[], pages: number): Run {
  // Below this project, so that it finds the same packages.
  const root = join(home, ".landfall/plain-starlight");
  rmSync(root, { recursive: true, force: true });
  const docs = join(root, "src/content/docs");
  mkdirSync(join(docs, "rows"), { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", dependencies: { astro: "*", "@astrojs/starlight": "*" } }));
  writeFileSync(
    join(root, "astro.config.mjs"),
    `import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
export default defineConfig({
  site: "https://example.org",
  outDir: "./dist",
  vite: { environments: { prerender: { resolve: { noExternal: ["js-yaml"] } } } },
  integrations: [starlight({ title: "Plain", sidebar: [{ label: "Home", link: "/" }] })],
});
`,
  );
  writeFileSync(
    join(root, "src/content.config.ts"),
    `import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
  );
  writeFileSync(join(docs, "index.md"), "---\ntitle: Home\n---\n\nA plain site.\n");
  // One page is the 404 page, one the home page.
  for (let n = 0; n < pages - 2; n++) writeFileSync(join(docs, `rows/row-${n}.md`), texts[n % texts.length] ?? "");
  try {
    const done = run(work, root, [join(home, "node_modules/astro/bin/astro.mjs"), "build"]);
    const built = globSync("**/*.html", { cwd: join(root, "dist") }).length;
    if (built !== pages) throw new Error(`the plain site has ${built} pages instead of ${pages}`);
    return done;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function largestPage(out: string, name: string): Figure {
  const sizes = globSync("**/*.html", { cwd: out }).map((page) => ({ page, bytes: gzipSync(readFileSync(join(out, page))).length }));
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
  process.stderr.write(`  largest page: ${largest?.page}\n`);
  return figure(`${name}: largest page, compressed`, (largest?.bytes ?? 0) / 1000, "kB", { atMost: 200 });
}
