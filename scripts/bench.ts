import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BENCHES, LONG, PEERS } from "../test/bench/benches.ts";
import type { Figure } from "../test/bench/figure.ts";
import { EXIT, UserError, cli, print, printJson, progress } from "./cli.ts";
import { HOME } from "./home.ts";

/** A group in a process of its own, so that none is measured with what another left in memory. */
function apart(name: string, { peers, long }: { peers?: boolean; long?: boolean }): Figure[] {
  const flags = [...(peers ? ["--peers"] : []), ...(long ? ["--long"] : []), "--json"];
  const { stdout, status } = spawnSync(process.execPath, [join(HOME, "scripts/run.mjs"), "bench", "--only", name, ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  });
  if (status !== EXIT.fine && status !== EXIT.problems) throw new UserError(`${name} could not be measured; what it said stands above.`);
  return JSON.parse(stdout) as Figure[];
}

export const command = () =>
  cli("bench", "Measures what the issues put a number on; every figure is compared within one run.")
    .option("--only <group>", `one group: ${Object.keys(BENCHES).join(", ")}`)
    .option("--peers", "compare with other tools, which are installed apart for it; needs a package registry")
    .option("--long", "measure what takes minutes instead")
    .option("--json", "print JSON")
    .action(async (options: { only?: string; json?: boolean; peers?: boolean; long?: boolean }) => {
      const groups = options.peers ? PEERS : options.long ? LONG : BENCHES;
      const names = options.only === undefined ? Object.keys(groups) : [options.only];
      const figures: Figure[] = [];
      for (const name of names) {
        const bench = groups[name];
        if (!bench) throw new UserError(`There is no group "${name}". Use one of ${Object.keys(groups).join(", ")}.`);
        if (names.length > 1) figures.push(...apart(name, options));
        else {
          progress(`Measuring ${name}…`);
          figures.push(...(await bench()));
        }
      }
      if (options.json) printJson(figures);
      else print(figures.map(({ name, value, unit, target, ok }) => `${ok ? "✔" : "✖"} ${name}: ${value} ${unit} (${target})`).join("\n"));
      process.exitCode = figures.every(({ ok }) => ok) ? EXIT.fine : EXIT.problems;
    });
