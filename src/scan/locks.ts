import { finding } from "../model/tree.ts";
import type { Found, PinUse, Reader, SourceFile } from "./found.ts";
import { pypiName } from "./packages.ts";
import { baseOf } from "./paths.ts";
import { reader, readYaml } from "./yaml-nodes.ts";

/**
 * Lock files: the exact versions of what the project itself asks for. Where a lock does not tell that apart from what its
 * dependencies ask for, everything is listed.
 */
export const lockFile: Reader = (file): Found => {
  const read = READERS[baseOf(file.path) as keyof typeof READERS];
  try {
    return { pins: read ? read(file) : [] };
  } catch (error) {
    const message = `The lock file cannot be parsed: ${error instanceof Error ? error.message : String(error)}.`;
    return { findings: [finding("syntax", { file: file.path, line: 1 }, message)] };
  }
};

const READERS = {
  "package-lock.json": packageLock,
  "npm-shrinkwrap.json": packageLock,
  "pnpm-lock.yaml": pnpmLock,
  "Pipfile.lock": pipfileLock,
  "poetry.lock": tomlLock,
  "uv.lock": tomlLock,
  "pdm.lock": tomlLock,
} satisfies Record<string, (file: SourceFile) => PinUse[]>;

type Json = Record<string, unknown>;
const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

/** Line of a JSON key, by its text; good enough for files that a program wrote. */
function lineOfKey(text: string, key: string, from = 0): number {
  const at = text.indexOf(`${JSON.stringify(key)}:`, from);
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
}

function packageLock({ path, text }: SourceFile): PinUse[] {
  const lock = object(JSON.parse(text));
  const packages = object(lock.packages);
  const root = object(packages[""]);
  const direct = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap((key) =>
    Object.keys(object(root[key])),
  );
  const [prefix, table] = lock.packages === undefined ? ["", object(lock.dependencies)] : ["node_modules/", packages];
  const names = lock.packages === undefined ? Object.keys(table) : direct;
  return [...new Set(names)].flatMap((name) => {
    const value = object(table[`${prefix}${name}`]).version;
    return typeof value === "string" ? [{ kind: "npm" as const, name, value, file: path, line: lineOfKey(text, `${prefix}${name}`) }] : [];
  });
}

function pnpmLock({ path, text }: SourceFile): PinUse[] {
  const yaml = readYaml(text);
  if (yaml.error) throw new Error(yaml.error.message);
  const [doc] = yaml.docs;
  const nodes = reader(yaml);
  const top = nodes.fields(doc);
  const importers = [...nodes.fields(top.get("importers")?.value).values()].map(({ value }) => value);
  return [...importers, doc].flatMap((importer) =>
    ["dependencies", "devDependencies", "optionalDependencies"].flatMap((key) =>
      [...nodes.fields(nodes.fields(importer).get(key)?.value)].flatMap(([name, field]): PinUse[] => {
        const written = nodes.text(field.value) ?? nodes.text(nodes.fields(field.value).get("version")?.value);
        const value = /^\d[^()\s]*/.exec(written ?? "")?.[0];
        return value === undefined ? [] : [{ kind: "npm", name, value, file: path, line: yaml.lineOf(field.key) }];
      }),
    ),
  );
}

function pipfileLock({ path, text }: SourceFile): PinUse[] {
  const lock = object(JSON.parse(text));
  return ["default", "develop"].flatMap((group) => {
    const from = Math.max(0, text.indexOf(`"${group}"`));
    return Object.entries(object(lock[group])).flatMap(([name, entry]): PinUse[] => {
      const { version } = object(entry);
      return typeof version === "string" && version.startsWith("==")
        ? [{ kind: "pypi", name: pypiName(name), value: version.replace(/^=+/, ""), file: path, line: lineOfKey(text, name, from) }]
        : [];
    });
  });
}

/** `[[package]]` tables of poetry, uv and pdm. uv names the project's own dependencies; the others do not tell them apart. */
function tomlLock({ path, text }: SourceFile): PinUse[] {
  const tables = [...text.matchAll(/^\[\[package\]\]\r?\n([\s\S]*?)(?=^\[\[package\]\]|^\[(?!package)|(?![\s\S]))/gm)].map((match) => ({
    body: match[1] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
  const fieldOf = (body: string, key: string) => new RegExp(`^${key} = "([^"]*)"`, "m").exec(body)?.[1];
  const root = tables.find(({ body }) => /^source = \{ (?:virtual|editable) = /m.test(body));
  const direct = root && new Set([...root.body.matchAll(/\{ name = "([^"]+)"/g)].map((match) => match[1] ?? ""));
  return tables.flatMap(({ body, line }): PinUse[] => {
    const name = fieldOf(body, "name");
    const value = fieldOf(body, "version");
    if (name === undefined || value === undefined || (direct && !direct.has(name))) return [];
    return [{ kind: "pypi", name: pypiName(name), value, file: path, line }];
  });
}
