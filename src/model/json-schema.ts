import { z } from "zod";
import { SHAPES } from "./kinds.ts";
import { KINDS } from "./vocabulary.ts";
import type { Kind } from "./vocabulary.ts";

/** The name a kind has in file names: `follow-up`, not `followUp`. */
export const kebab = (kind: string): string => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** JSON Schema of every kind, for editors; made from the same shapes that check the rows, so the two cannot drift. */
export function jsonSchemas(): { path: string; content: string }[] {
  return (Object.keys(SHAPES) as Kind[]).map((kind) => {
    const { $schema, ...schema } = z.toJSONSchema(SHAPES[kind], { target: "draft-7", io: "input", reused: "inline" });
    const titled = { $schema, title: `Landfall ${kebab(kind)}`, description: `A row of data/${KINDS[kind]}.`, ...schema };
    return { path: `schemas/${kebab(kind)}.schema.json`, content: `${JSON.stringify(titled, undefined, 2)}\n` };
  });
}

/** Which schema belongs to which files, as VS Code's YAML extension wants it. */
export const editorSettings = (): { path: string; content: string } => ({
  path: ".vscode/settings.json",
  content: `${JSON.stringify(
    {
      "yaml.schemas": Object.fromEntries(
        (Object.keys(KINDS) as Kind[]).map((kind) => [
          `./schemas/${kebab(kind)}.schema.json`,
          kind === "tracker" ? `data/${KINDS.tracker}` : `data/${KINDS[kind]}/*.yaml`,
        ]),
      ),
      "yaml.yamlVersion": "1.2",
    },
    undefined,
    2,
  )}\n`,
});
