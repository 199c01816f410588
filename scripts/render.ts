import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../src/publish/files.ts";
import { renderPages } from "../src/report/pages/pages.ts";
import { EXIT, cli, print } from "./cli.ts";
import { openStack } from "./stack.ts";

export const command = () =>
  cli("render", "Writes the generated pages into content/.")
    .option("--check", "write nothing; fail when a page is stale")
    .action(async (options: { root: string; check?: boolean }) => {
      const { derived } = await openStack(options.root);
      const stale = renderPages(derived).filter(({ path, content }) => {
        const file = join(options.root, path);
        return !existsSync(file) || readFileSync(file, "utf8") !== content;
      });
      if (options.check) {
        print(
          stale.length === 0
            ? "The generated pages are up to date."
            : `Stale: ${stale.map(({ path }) => path).join(", ")}. Run npm run render and commit the result.`,
        );
        process.exitCode = stale.length === 0 ? EXIT.fine : EXIT.problems;
        return;
      }
      writeFiles(options.root, stale);
      print(stale.length === 0 ? "Nothing changed." : `Wrote ${stale.map(({ path }) => path).join(", ")}.`);
    });
