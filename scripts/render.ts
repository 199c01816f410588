import { renderPages } from "../src/report/pages/pages.ts";
import { cli } from "./cli.ts";
import { generate } from "./generate.ts";
import { openStack } from "./stack.ts";

export const command = () =>
  cli("render", "Writes the generated pages into content/.")
    .option("--check", "write nothing; fail when a page is stale")
    .action(async (options: { root: string; check?: boolean }) => {
      const { derived } = await openStack(options.root);
      generate(options.root, renderPages(derived), options.check === true, "npm run render");
    });
