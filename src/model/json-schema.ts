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

/**
 * Which schema belongs to which files, as VS Code's YAML extension wants it, added to the settings there are.
 * @param before the text of the settings file, when there is one; undefined is given back when nothing can be added to it
 */
export function editorSettings(before?: string): { path: string; content: string } | undefined {
  const own = settingsIn(before);
  if (own === undefined) return undefined;
  const schemas = Object.fromEntries(
    (Object.keys(KINDS) as Kind[]).map((kind) => [
      `./schemas/${kebab(kind)}.schema.json`,
      kind === "tracker" ? `data/${KINDS.tracker}` : `data/${KINDS[kind]}/*.yaml`,
    ]),
  );
  const after = {
    ...own,
    "yaml.schemas": { ...(own["yaml.schemas"] as object | undefined), ...schemas },
    "yaml.yamlVersion": own["yaml.yamlVersion"] ?? "1.2",
  };
  const same = before !== undefined && JSON.stringify(after) === JSON.stringify(own);
  return { path: ".vscode/settings.json", content: same ? before : `${JSON.stringify(after, undefined, 2)}\n` };
}

/** The settings of an editor; none without a file, undefined for a file with comments, which would be lost. */
function settingsIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
