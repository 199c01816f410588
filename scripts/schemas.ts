import { editorSettings, jsonSchemas } from "../src/model/json-schema.ts";
import { cli } from "./cli.ts";
import { generate } from "./generate.ts";

export const command = () =>
  cli("schemas", "Writes the JSON Schemas that give editors completion and field help.")
    .option("--check", "write nothing; fail when a schema is stale")
    .action((options: { root: string; check?: boolean }) => {
      generate(options.root, [...jsonSchemas(), editorSettings()], options.check === true, "npm run schemas");
    });
