import { startVitest } from "vitest/node";
import { EXIT, cli, print } from "./cli.ts";

export const command = () =>
  cli("test", "Runs the tests, or those whose file name contains one of the words given.")
    .argument("[words...]", "parts of file names")
    .option("--coverage", "measure coverage")
    .option("--long", "run the long tests instead: more seeds, minutes instead of seconds")
    .action(async (words: string[], options: { coverage?: boolean; long?: boolean }) => {
      const vitest = await startVitest(words, {
        run: true,
        watch: false,
        ...(options.long ? { include: ["test/long/**/*.test.ts"], exclude: ["**/node_modules/**"] } : {}),
        coverage: { enabled: options.coverage === true },
      });
      const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
      const count = (state: string) => tests.filter((test) => test.result().state === state).length;
      const broken =
        vitest.state.getUnhandledErrors().length + vitest.state.getTestModules().filter((module) => module.errors().length > 0).length;
      await vitest.close();
      const failed = count("failed") + broken;
      print(`\n${count("passed")} passed, ${failed} failed, ${count("skipped")} skipped`);
      process.exitCode = failed > 0 || tests.length === 0 ? EXIT.problems : EXIT.fine;
    });
