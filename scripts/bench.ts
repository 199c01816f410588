import { BENCHES } from "../test/bench/benches.ts";
import type { Figure } from "../test/bench/figure.ts";
import { EXIT, UserError, cli, print, printJson, progress } from "./cli.ts";

export const command = () =>
  cli("bench", "Measures what the issues put a number on; every figure is compared within one run.")
    .option("--only <group>", `one group: ${Object.keys(BENCHES).join(", ")}`)
    .option("--json", "print JSON")
    .action(async (options: { only?: string; json?: boolean }) => {
      const names = options.only === undefined ? Object.keys(BENCHES) : [options.only];
      const figures: Figure[] = [];
      for (const name of names) {
        const bench = BENCHES[name];
        if (!bench) throw new UserError(`There is no group "${name}". Use one of ${Object.keys(BENCHES).join(", ")}.`);
        progress(`Measuring ${name}…`);
        figures.push(...(await bench()));
      }
      if (options.json) printJson(figures);
      else print(figures.map(({ name, value, unit, target, ok }) => `${ok ? "✔" : "✖"} ${name}: ${value} ${unit} (${target})`).join("\n"));
      process.exitCode = figures.every(({ ok }) => ok) ? EXIT.fine : EXIT.problems;
    });
