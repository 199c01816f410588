import type { Command } from "commander";
import { cliReference } from "../src/report/reference/cli.ts";
import type { CommandHelp } from "../src/report/reference/cli.ts";
import { fieldReference } from "../src/report/reference/fields.ts";
import { vocabularyReference } from "../src/report/reference/vocabulary.ts";
import { cli } from "./cli.ts";
import { generate } from "./generate.ts";

export const command = () =>
  cli("reference", "Writes the reference of commands, fields and words into content/reference/.")
    .option("--check", "write nothing; fail when a page is stale")
    .action(async (options: { root: string; check?: boolean }) => {
      const { COMMANDS } = await import("./main.ts");
      const helps = await Promise.all(Object.values(COMMANDS).map(async (make) => helpOf(await make())));
      generate(options.root, [cliReference(helps), fieldReference(), vocabularyReference()], options.check === true, "npm run reference");
    });

/** What a command's own help says, for the page. */
function helpOf(found: Command): CommandHelp {
  return {
    name: found.name(),
    description: found.description(),
    args: found.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
      return { usage: argument.required ? `<${name}>` : `[${name}]`, description: argument.description };
    }),
    options: found.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description, defaultValue }) => ({ flags, description, fallback: wordOf(defaultValue) })),
  };
}

const wordOf = (value: unknown): string | undefined => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);
