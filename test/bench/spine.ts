import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { derive } from "../../src/derive/derive.ts";
import { load } from "../../src/model/load.ts";
import { renderPages } from "../../src/report/pages/pages.ts";
import type { Figure } from "./figure.ts";
import { figure, median } from "./figure.ts";
import { generated } from "./generate.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** check-pins on this stack, as a whole process, over an empty Node process: cold, and with the parse cache. */
export function checkPinsFigures(): Figure[] {
  const root = mkdtempSync(join(tmpdir(), "landfall-bench-"));
  try {
    cpSync(join(home, "data"), join(root, "data"), { recursive: true });
    const run = (args: string[]) => {
      const start = performance.now();
      spawnSync(process.execPath, args, { stdio: "ignore" });
      return performance.now() - start;
    };
    const script = [join(home, "scripts/run.mjs"), "check-pins", "--root", root];
    const cold: number[] = [];
    const cached: number[] = [];
    run(script);
    for (let n = 0; n < 9; n++) {
      const empty = run(["-e", "0"]);
      rmSync(join(root, ".landfall"), { recursive: true, force: true });
      cold.push(run(script) - empty);
      cached.push(run(script) - empty);
    }
    return [
      figure("check-pins over an empty process, cold", median(cold), "ms", { atMost: 250 }),
      figure("check-pins over an empty process, parse cache", median(cached), "ms", { atMost: 120 }),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Derivation and pages of generated stacks: growth must stay linear. */
export function growthFigures(): Figure[] {
  const seconds = (count: number) => {
    const { model, observed } = generated(count);
    const start = performance.now();
    renderPages(derive(model, observed));
    return (performance.now() - start) / 1000;
  };
  seconds(100);
  const [hundred, thousand, tenThousand] = [seconds(100), seconds(1000), seconds(10_000)];
  return [
    figure("derive and render 100 rows", hundred ?? 0, "s", { atMost: 0.5 }),
    figure("derive and render 1,000 rows", thousand ?? 0, "s", { atMost: 1 }),
    figure("derive and render 10,000 rows", tenThousand ?? 0, "s", { atMost: 5 }),
    figure("10,000 rows against 1,000: times the work for 10 times the rows", (tenThousand ?? 0) / (thousand ?? 1), "×", { atMost: 15 }),
    loadFigure(),
    figure("memory after 10,000 rows", process.memoryUsage().rss / 1e9, "GB", { atMost: 1 }),
  ];
}

/** The same 10,000 rows, read from YAML files first. */
function loadFigure(): Figure {
  const root = mkdtempSync(join(tmpdir(), "landfall-bench-"));
  try {
    const { model, observed } = generated(10_000);
    for (const folder of ["items", "pins", "upstreams", "observed/github/bench"])
      mkdirSync(join(root, "data", folder), { recursive: true });
    writeFileSync(join(root, "data/tracker.yaml"), stringify(model.tracker));
    for (const [id, row] of Object.entries(model.item)) writeFileSync(join(root, `data/items/${id}.yaml`), stringify(row));
    for (const [id, row] of Object.entries(model.pin)) writeFileSync(join(root, `data/pins/${id}.yaml`), stringify(row));
    for (const [id, row] of Object.entries(model.upstream)) writeFileSync(join(root, `data/upstreams/${id}.yaml`), stringify(row));
    writeFileSync(join(root, "data/observed/as-of.json"), JSON.stringify({ asOf: observed.asOf }));
    writeFileSync(join(root, "data/observed/containment.json"), JSON.stringify(observed.containment));
    writeFileSync(join(root, "data/observed/github/bench/engine.json"), JSON.stringify(observed.github["bench/engine"]));
    const start = performance.now();
    const loaded = load(root);
    if (loaded.problems.length > 0) throw new Error(`the generated stack does not load: ${loaded.problems[0]?.message}`);
    renderPages(derive(loaded.model, loaded.observed));
    return figure("load, derive and render 10,000 rows", (performance.now() - start) / 1000, "s", { atMost: 10 });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
