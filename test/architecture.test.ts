import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importsOf, sourceFiles } from "./imports.ts";
import type { SourceFile } from "./imports.ts";
import { ROOT } from "./real.ts";

type Room = "model" | "observe" | "derive" | "report" | "publish" | "scan" | "import" | "scripts" | "site" | "test";

interface RoomRule {
  /** Other rooms it may import. */
  rooms: readonly Room[];
  /** Modules of Node it may import: none, all, or these in files that match. */
  node: "none" | "all" | { only: RegExp };
  why: string;
}

/** The table of the design, section 2: data flows one way. The one place it is written down for the machine. */
const TABLE: Record<Room, RoomRule> = {
  model: {
    rooms: [],
    node: { only: /^src\/model\/load[^/]*\.ts$/ },
    why: "shapes and text rules stand on nothing; only the loader reads files",
  },
  observe: { rooms: ["model"], node: "all", why: "an adapter says what it saw; what follows from it is derived elsewhere" },
  scan: { rooms: ["model"], node: "all", why: "a scan says what a tree holds; what follows from it is derived elsewhere" },
  import: { rooms: ["model"], node: "all", why: "an import turns text into rows; what follows from them is derived elsewhere" },
  derive: {
    rooms: ["model"],
    node: "none",
    why: "the same rows and facts give the same answer anywhere, so it reads no file, clock or environment",
  },
  report: { rooms: ["model", "derive"], node: "none", why: "a rendering is text made of the derived object and nothing else" },
  publish: { rooms: ["model"], node: "all", why: "it carries out a plan that is handed in, and never works one out" },
  site: { rooms: ["model", "derive", "report"], node: "all", why: "a build shows the derived object and makes no request" },
  scripts: {
    rooms: ["model", "observe", "scan", "import", "derive", "report", "publish", "site"],
    node: "all",
    why: "commands wire the rooms together",
  },
  test: {
    rooms: ["model", "observe", "scan", "import", "derive", "report", "publish", "site", "scripts"],
    node: "all",
    why: "tests may look at everything",
  },
};

/** What each room may take from npm. Others may take what they need; these stay small, pure or both. */
const PACKAGES: Partial<Record<Room, RegExp>> = {
  model: /^(zod|yaml|js-yaml|fastest-levenshtein|semver|@renovatebot\/pep440)(\/|$)/,
  derive: /^(semver|@renovatebot\/pep440|diff)(\/|$)/,
  publish: /^(@octokit\/|node-cron|proper-lockfile)/,
};

/** Without this file, whose examples look like imports. */
const files = sourceFiles("src", "scripts", "site", "test").filter(({ path }) => path !== "test/architecture.test.ts");
const byPath = new Map(files.map((file) => [file.path, file]));

const isTest = (path: string) => path.endsWith(".test.ts") || path.startsWith("test/");
function roomOf(path: string): Room | undefined {
  if (isTest(path)) return "test";
  const [top = "", room = ""] = path.split("/");
  const name = top === "src" ? room : top;
  return name in TABLE ? (name as Room) : undefined;
}

/** Why a file's imports break the table; empty when they do not. */
function broken(file: SourceFile): string[] {
  const room = roomOf(file.path);
  if (room === undefined) return [`${file.path}: is in no room of the design`];
  const { rooms, node, why } = TABLE[room];
  return file.imports.flatMap(({ specifier, target, line }) => {
    const say = (what: string) => [`${file.path}:${line} imports ${specifier}: ${what} (${room}: ${why})`];
    if (specifier.startsWith("node:")) {
      if (node === "all" || (node !== "none" && node.only.test(file.path))) return [];
      return say(node === "none" ? "no module of Node may be imported here" : "only the loader may");
    }
    if (target === undefined) {
      const allowed = PACKAGES[room];
      return !allowed || allowed.test(specifier) ? [] : say("this package is not among those the room may use");
    }
    const other = roomOf(target);
    if (other === undefined) return specifier.endsWith(".json") || target === "package.json" ? [] : say("leads out of the rooms");
    if (other === "scripts" && room !== "scripts" && room !== "test") return say("nobody imports scripts/");
    if (other === "test" && room !== "test")
      return room === "scripts" && /^test\/(bench|demo)\//.test(target) ? [] : say("nobody imports tests");
    if (other === room || rooms.includes(other)) return [];
    return say(`${room} may not import ${other}`);
  });
}

describe("the rooms of the house", () => {
  it("are all there, and every file is in one", () => {
    const seen = new Set(files.map(({ path }) => roomOf(path)));
    expect([...seen].filter((room) => room === undefined)).toEqual([]);
    for (const room of ["model", "derive", "report", "publish", "scripts", "test"] as const) expect(seen).toContain(room);
  });

  it("import only what the table allows", () => {
    expect(files.flatMap(broken).join("\n")).toBe("");
  });

  it("one adapter of observe never imports another", () => {
    const adapter = (path: string) => /^src\/observe\/([^/]+)\//.exec(path)?.[1];
    const found = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ target, line }) => {
        const [own, other] = [adapter(path), target === undefined ? undefined : adapter(target)];
        return isTest(path) || own === undefined || other === undefined || own === other
          ? []
          : [`${path}:${line} imports ${target}: ${own} must work when ${other} does not`];
      }),
    );
    expect(found.join("\n")).toBe("");
  });

  it.each([
    ["derive", /^(node:|zod|yaml$|js-yaml|@octokit)/, "no parser, no shapes and no module of Node"],
    ["report", /^(node:|@octokit)/, "no module of Node and no client"],
  ] as const)("%s does not load, even through others, what matches %s: %s", (room, heavy, _words) => {
    const seen = new Set<string>();
    const reach = (path: string, trail: string[]): string[] => {
      const file = byPath.get(path);
      if (!file || seen.has(path)) return [];
      seen.add(path);
      return file.imports
        .filter(({ typeOnly }) => !typeOnly)
        .flatMap(({ specifier, target }) => {
          if (target !== undefined) return reach(target, [...trail, path]);
          return heavy.test(specifier) ? [`${[...trail, path].join(" → ")} → ${specifier}`] : [];
        });
    };
    const roots = files.filter(({ path }) => roomOf(path) === room);
    expect(roots.length).toBeGreaterThan(10);
    expect(roots.flatMap(({ path }) => reach(path, [])).join("\n")).toBe("");
  });

  it("derive asks no clock, no chance, no environment and no network", () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bprocess\.|\bfetch\(|\bconsole\.|\bsetTimeout\b|\bperformance\.|\bglobalThis\b|\btoLocale\w*\(|\bIntl\.(?!DateTimeFormat\("en-CA")/;
    expect(codeLines("derive", impure).join("\n")).toBe("");
  });

  it("report prints nothing, asks no network and depends on no locale", () => {
    const impure = /\bconsole\.|\bprocess\.|\bfetch\(|\bDate\.now\b|\bnew Date\(\s*\)|\btoLocale\w*\(/;
    expect(codeLines("report", impure).join("\n")).toBe("");
  });
});

/** Lines of a room that match, but for comments. */
function codeLines(room: Room, pattern: RegExp): string[] {
  return files
    .filter(({ path }) => roomOf(path) === room)
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
}

describe("files", () => {
  const own = files.filter(({ path }) => /^(src|scripts)\//.test(path));

  it("lead to files that exist, with their ending", () => {
    const lost = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ target, line }) =>
        target === undefined || existsSync(ROOT + target) ? [] : [`${path}:${line} imports ${target}, which does not exist`],
      ),
    );
    expect(lost.join("\n")).toBe("");
  });

  it("of src are short enough to be read in one go: 12 KB at most", () => {
    const large = files.filter(({ path, text }) => path.startsWith("src/") && !isTest(path) && Buffer.byteLength(text) > 12 * 1024);
    expect(large.map(({ path, text }) => `${path} has ${Buffer.byteLength(text)} bytes; split it by what it does`).join("\n")).toBe("");
  });

  it("are no barrels: nothing only passes on what others export", () => {
    const barrels = own.filter(({ path, text }) => /\/index\.ts$/.test(path) || /^export\s+\*/m.test(text) || isBarrel(text));
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  it("have no default export and no utils", () => {
    expect(
      own.filter(({ text }) => /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m.test(text)).map(({ path }) => path),
    ).toEqual([]);
    expect(own.filter(({ path }) => /\/(utils?|helpers?|common-utils|misc)\.ts$/.test(path)).map(({ path }) => path)).toEqual([]);
  });

  it("use no any, no enum, no namespace", () => {
    const code = own.filter(({ path }) => path.endsWith(".ts"));
    const found = code.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          /(:|<|\bas)\s*any\b|^\s*(export\s+)?(const\s+)?enum\s|^\s*(export\s+)?namespace\s/.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line)
            ? [`${path}:${index + 1} ${line.trim()}`]
            : [],
        ),
    );
    expect(found.join("\n")).toBe("");
  });
});

const isBarrel = (text: string) => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replaceAll(STATEMENT_FROM, "");
  return code.trim() === "" && /^export\b/m.test(text);
};
const STATEMENT_FROM = /^(?:import|export)\b[^;]*?["'][^"']+["'];?/gm;

describe("the reader of imports, so that the rules above cannot pass by reading nothing", () => {
  const read = (text: string) =>
    importsOf("src/derive/x.ts", text).map(({ specifier, target, typeOnly, line }) => [specifier, target, typeOnly, line]);
  it.each([
    ['import { a } from "zod";', [["zod", undefined, false, 1]]],
    ["import a from '../model/ref.ts'", [["../model/ref.ts", "src/model/ref.ts", false, 1]]],
    ['import type { A } from "./y.ts";', [["./y.ts", "src/derive/y.ts", true, 1]]],
    ['import type A from "./y.ts";', [["./y.ts", "src/derive/y.ts", true, 1]]],
    ['import { type A, b } from "./y.ts";', [["./y.ts", "src/derive/y.ts", false, 1]]],
    ['import type, { b } from "./y.ts";', [["./y.ts", "src/derive/y.ts", false, 1]]],
    ['import type from "./y.ts";', [["./y.ts", "src/derive/y.ts", false, 1]]],
    ['import * as all from "node:fs";', [["node:fs", undefined, false, 1]]],
    ['import "./effect.ts";', [["./effect.ts", "src/derive/effect.ts", false, 1]]],
    ['\nimport {\n  a,\n  b,\n} from "zod";\n', [["zod", undefined, false, 2]]],
    ['export { a } from "zod";', [["zod", undefined, false, 1]]],
    ['export type { A } from "zod";', [["zod", undefined, true, 1]]],
    ['export * from "zod";', [["zod", undefined, false, 1]]],
    ['  const { a } = await import("./y.ts");', [["./y.ts", "src/derive/y.ts", false, 1]]],
    ["x: async () => (await import(\n  './y.ts'\n)).command(),", [["./y.ts", "src/derive/y.ts", false, 1]]],
    ['export const from = "zod";', []],
    ['export function a(b = "zod") {}', []],
    ["const text = 'import x from \"zod\"';", []],
    [' * import x from "zod"', []],
    ["export const url = import.meta.url;", []],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("finds a break of every kind and says why", () => {
    const fake = (path: string, text: string) => broken({ path, text, imports: importsOf(path, text) });
    expect(fake("src/derive/x.ts", 'import { readFileSync } from "node:fs";')).toEqual([
      "src/derive/x.ts:1 imports node:fs: no module of Node may be imported here (derive: the same rows and facts give the same answer anywhere, so it reads no file, clock or environment)",
    ]);
    for (const [path, text] of [
      ["src/model/parse.ts", 'import "node:fs";'],
      ["src/model/ref.ts", 'import "../derive/derive.ts";'],
      ["src/model/ref.ts", 'import "lodash";'],
      ["src/observe/github/x.ts", 'import type { A } from "../../derive/derive.ts";'],
      ["src/scan/x.ts", 'import "../report/json.ts";'],
      ["src/import/x.ts", 'import "../publish/files.ts";'],
      ["src/report/x.ts", 'import "../observe/net.ts";'],
      ["src/publish/x.ts", 'import "../derive/derive.ts";'],
      ["src/report/x.ts", 'await import("../../scripts/cli.ts");'],
      ["site/x.ts", 'import "../src/publish/files.ts";'],
      ["src/derive/x.ts", 'import "../../test/world.ts";'],
      ["src/nowhere/x.ts", ""],
    ] as const)
      expect(fake(path, text), `${path}: ${text}`).toHaveLength(1);
    expect(fake("src/model/load.ts", 'import "node:fs";')).toEqual([]);
    expect(fake("src/derive/x.test.ts", 'import "../../test/world.ts";\nimport "node:fs";')).toEqual([]);
    expect(isBarrel('// a\nexport { a } from "./a.ts";\nexport type { B } from "./b.ts";\n')).toBe(true);
    expect(isBarrel('import { a } from "./a.ts";\nexport const b = a;\n')).toBe(false);
  });
});
