import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { editorSettings, jsonSchemas } from "../src/model/json-schema.ts";
import { cli, progress } from "./cli.ts";
import { generate } from "./generate.ts";

export const command = () =>
  cli("schemas", "Writes the JSON Schemas that give editors completion and field help.")
    .option("--check", "write nothing; fail when a schema is stale")
    .action((options: { root: string; check?: boolean }) => {
      const path = join(options.root, ".vscode/settings.json");
      const settings = editorSettings(existsSync(path) ? readFileSync(path, "utf8") : undefined);
      if (settings === undefined)
        progress(
          `${path} has comments or is no JSON, and is left as it is. Add to its "yaml.schemas": "./schemas/item.schema.json": "data/items/*.yaml", and so on.`,
        );
      generate(options.root, [...jsonSchemas(), ...(settings ? [settings] : [])], options.check === true, "npm run schemas");
    });
