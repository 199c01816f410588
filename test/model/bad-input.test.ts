import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inspect } from "../../scripts/check-data.ts";
import { load } from "../../src/model/load.ts";
import type { Problem } from "../../src/model/problem.ts";
import { ROOT } from "../real.ts";
import { VALID, folderWith, removeFolders, snapshot } from "../stack-folder.ts";
import type { Files } from "../stack-folder.ts";

afterAll(removeFolders);

const ROW = "data/items/row.yaml";
const PIN = "data/pins/p.yaml";
const row = VALID[ROW];
const pin = VALID[PIN];
/** The valid row with one line replaced, or lines added at its end. */
const edited = (from: string | RegExp, to: string) => {
  const changed = row.replace(from, to);
  if (changed === row) throw new Error(`the row has no ${from}`);
  return { [ROW]: changed };
};
const added = (lines: string) => ({ [ROW]: `${row}${lines}\n` });

/** Where, how bad, by which rule, and the whole message. */
type Told = [place: string, level: Problem["level"], rule: string, message: string | RegExp];
const at = ({ file, line, column }: Problem) => `${file}:${line}:${column}`;

function problemsOf(files: Files): Problem[] {
  const root = folderWith(files);
  const before = snapshot(root);
  const { problems } = inspect(root);
  expect(snapshot(root), "checking writes nothing").toEqual(before);
  return problems;
}

const BAD: Record<string, [Files, Told, ...Told[]]> = {
  "broken YAML": [
    edited("stake: blocks", "stake: [blocks"),
    [
      `${ROW}:6:1`,
      "error",
      "yaml",
      "A list or map that was opened with [ or { is not closed here, or its lines are not indented. Close it.",
    ],
  ],
  "an unclosed quote": [
    edited("why: It is needed.", 'why: "It is needed.'),
    [`${ROW}:8:1`, "error", "yaml", /^The file is not valid YAML: Missing closing "quote/],
  ],
  "E12 a tab for indentation": [
    edited("  - {", "\t- {"),
    [`${ROW}:4:1`, "error", "yaml", "A tab is used for indentation. Indent with spaces."],
  ],
  "a wrong indentation": [
    edited("stake: blocks", " stake: blocks"),
    [`${ROW}:5:1`, "error", "yaml", "The indentation does not fit the lines above. Align the key with its neighbours."],
  ],
  "a byte order mark": [
    { [ROW]: `\uFEFF${row}` },
    [`${ROW}:1:1`, "error", "byte-order-mark", "The file starts with a byte order mark. Save it as UTF-8 without one."],
  ],
  "CRLF line ends": [
    { [ROW]: row.replaceAll("\n", "\r\n") },
    [`${ROW}:1:20`, "warning", "line-ends", "Lines end with CRLF. Save the file with LF line ends."],
  ],
  "invalid UTF-8": [
    {
      [ROW]: Buffer.concat([
        Buffer.from("title: Pad "),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(` the tile\n${row.slice(row.indexOf("upstream"))}`),
      ]),
    },
    [`${ROW}:1:12`, "error", "encoding", "The file is not valid UTF-8. Save it as UTF-8."],
  ],
  "E12 a duplicate key": [added("stake: watch"), [`${ROW}:8:1`, "error", "yaml", "The same key stands twice. Keep one of them."]],
  "E12 a duplicate key in a flow map": [
    edited("role: bug }", "role: bug, role: fix }"),
    [`${ROW}:4:32`, "error", "yaml", "The same key stands twice. Keep one of them."],
  ],
  "an unknown key, nearly a known one": [
    added("stakes: watch"),
    [`${ROW}:8:9`, "error", "unknown-key", '"stakes" is not a key here. Did you mean "stake"?'],
  ],
  "an unknown key, deep inside": [
    edited("role: bug", "rol: bug"),
    [`${ROW}:4:5`, "error", "missing", /^refs\[0\]\.role is missing\. Use fix, bug, tracking or context\.$/],
    [`${ROW}:4:26`, "error", "unknown-key", '"rol" is not a key here. Did you mean "role"?'],
  ],
  "an unknown word": [
    edited("stake: blocks", "stake: blokcs"),
    [`${ROW}:5:8`, "error", "value", '"blokcs" is not a stake. Use blocks, degrades or watch. Did you mean "blocks"?'],
  ],
  "a missing key": [edited("why: It is needed.\n", ""), [`${ROW}:1:1`, "error", "missing", "why is missing. Add it."]],
  "an empty value": [
    edited("why: It is needed.", "why:"),
    [`${ROW}:6:1`, "error", "empty", "why is empty. Write a string, or remove the key."],
  ],
  "only spaces": [edited("why: It is needed.", 'why: "  "'), [`${ROW}:6:6`, "error", "value", '""  "" must not be empty.']],
  "a list for a text": [edited("why: It is needed.", "why: [It, is]"), [`${ROW}:6:1`, "error", "type", "why is not a string."]],
  "a text for a list": [edited(/refs:\n.*\n/, "refs: u/r#1\n"), [`${ROW}:3:7`, "error", "type", "refs is not a list."]],
  "E06 a word that YAML 1.1 took for a boolean": [
    edited("refs:\n", 'refs:\n  - { ref: "u/r#2", role: fix, ours: yes }\n'),
    [`${ROW}:4:38`, "error", "type", "refs[0].ours is not a boolean."],
  ],
  "E06 Norway as an enumeration": [
    edited("local: none", "local: no"),
    [`${ROW}:7:8`, "error", "value", /^"no" is not a local\. Use none, vendored, .*\. Did you mean "none"\?$/],
  ],
  "a reference of no known form": [
    edited('"u/r#1"', '"u/r/1"'),
    [`${ROW}:4:12`, "error", "value", /is not a reference; write owner\/repo#12/],
  ],
  "a day that does not exist": [
    added("claim: { on: 2026-02-30, says: open }"),
    [`${ROW}:8:14`, "error", "value", '"2026-02-30" is not a day of the calendar.'],
  ],
  "a condition with two operators": [
    added('lands_when: { merged: "u/r#1", closed: "u/r#1" }'),
    [`${ROW}:8:1`, "error", "value", /names not exactly one operator/],
  ],
  "E01 an unquoted commit like 1e56": [
    { [PIN]: `${pin}source: { commit: 1234e56 }\n` },
    [`${PIN}:6:19`, "error", "unquoted", '1234e56 is read as a number, and source.commit is text. Quote it: "1234e56".'],
  ],
  "E01 an unquoted commit that overflows": [
    { [PIN]: `${pin}source: { commit: 7e12345 }\n` },
    [`${PIN}:6:19`, "error", "unquoted", '7e12345 is read as a number, and source.commit is text. Quote it: "7e12345".'],
  ],
  "E02 an unquoted commit with a leading zero": [
    { [PIN]: `${pin}source: { commit: 0192117 }\n` },
    [`${PIN}:6:19`, "error", "unquoted", '0192117 is read as a number, and source.commit is text. Quote it: "0192117".'],
  ],
  "E02 an unquoted octal": [
    { [PIN]: `${pin}source: { commit: 0o17777777 }\n` },
    [`${PIN}:6:19`, "error", "unquoted", '0o17777777 is read as a number, and source.commit is text. Quote it: "0o17777777".'],
  ],
  "E07 an unquoted version": [
    { [PIN]: `${pin}version: 0.20\n` },
    [`${PIN}:6:10`, "error", "unquoted", '0.20 is read as a number, and version is text. Quote it: "0.20".'],
  ],
  "E07 an unquoted version in a list": [
    { "data/upstreams/up.yaml": `${VALID["data/upstreams/up.yaml"]}aliases:\n  - up\n  - 1.10\n` },
    ["data/upstreams/up.yaml:6:5", "error", "unquoted", '1.10 is read as a number, and aliases[1] is text. Quote it: "1.10".'],
  ],
  "an unquoted true": [
    edited("why: It is needed.", "why: true"),
    [`${ROW}:6:6`, "error", "unquoted", 'true is read as a boolean, and why is text. Quote it: "true".'],
  ],
  "an unknown upstream": [
    edited("upstream: up", "upstream: upp"),
    [
      `${ROW}:2:11`,
      "error",
      "unknown-id",
      'No upstream is named "upp". Did you mean "up"? Add one in data/upstreams/, or correct the name.',
    ],
  ],
  "an unknown pin": [
    added("reaches: [p, vllm]\nreaches_because: Only these."),
    [`${ROW}:8:14`, "error", "unknown-id", 'No pin is named "vllm". Known: p. Add one in data/pins/, or correct the name.'],
  ],
  "an unknown pin in a condition": [
    added('lands_when: { all: [{ available: q }, { not: { contained: { ref: "u/r#1", in: some-pin } } }] }'),
    [`${ROW}:8:34`, "error", "unknown-id", /No pin is named "q"/],
    [`${ROW}:8:79`, "error", "unknown-id", /No pin is named "some-pin"/],
  ],
  "an unknown item": [
    { "data/triggers/t.yaml": "title: T\nwhen: { after: 2030-01-01 }\nrerun: [the test]\nacceptance: It passes.\nitems: [rwo]\n" },
    [
      "data/triggers/t.yaml:5:9",
      "error",
      "unknown-id",
      'No item is named "rwo". Did you mean "row"? Add one in data/items/, or correct the name.',
    ],
  ],
  "a supersession in a circle": [
    edited('"u/r#1"', '"u/r#3"'),
    [`${ROW}:4:12`, "error", "circular", "The reference is superseded in a circle: r#3 → r#4 → r#3. Name the one that decides as the fix."],
  ],
  "pins that replace each other": [
    {
      [PIN]: `${pin}retire: { when: { after: 2030-01-01 }, to: q }\n`,
      "data/pins/q.yaml": `${pin.replace("build", "other")}retired: { on: 2026-01-01, because: Old., replaced_by: p }\n`,
    },
    [`${PIN}:6:44`, "error", "circular", "The pins replace each other in a circle: p → q → p. Correct one of them."],
    ["data/pins/q.yaml:6:56", "error", "circular", "The pins replace each other in a circle: q → p → q. Correct one of them."],
  ],
  "a condition that can never come true": [
    { [PIN]: `${pin}retire: { when: { merged: "u/r#2" } }\n` },
    [`${PIN}:6:11`, "warning", "never-true", "This can never come true: r#2 was closed unmerged. Name what replaced it, or a manual step."],
  ],
  "a workaround that can never go": [
    { ...edited("local: none", 'local: vendored\nworkaround:\n  what: Files.\n  drop: { merged: "u/r#2" }') },
    [`${ROW}:10:3`, "warning", "never-true", "This can never come true: r#2 was closed unmerged. Name what replaced it, or a manual step."],
  ],
  "an expired override": [
    added("override: { status: stalled, because: Wait., until: 2026-05-11 }"),
    [
      `${ROW}:8:1`,
      "error",
      "needless-override",
      'The override expired; the derived status is "open-no-pr". Remove the override. (npm run check-data -- --fix)',
    ],
  ],
  "a redundant override": [
    added("override: { status: open-no-pr, because: Wait., until: never }"),
    [
      `${ROW}:8:1`,
      "error",
      "needless-override",
      'Says "open-no-pr", and so does the derived status. Remove the override. (npm run check-data -- --fix)',
    ],
  ],
  "a reach without a reason": [
    added("reaches: [p]"),
    [`${ROW}:8:1`, "warning", "narrowing", "reaches is narrowed without a reason. Say why in reaches_because, or remove reaches."],
  ],
  "two files one id by case": [
    { "data/items/Row.yaml": row },
    [
      "data/items/Row.yaml:1:1",
      "error",
      "file-name",
      "Row.yaml is not a row's file name. Use lower-case letters, digits, dots and dashes, and the ending .yaml.",
    ],
    [`${ROW}:1:1`, "error", "one-id", "row.yaml and Row.yaml differ only by case and are one file on other systems. Rename one of them."],
  ],
  "a file name that is no id": [
    { "data/items/a_b.yml": row },
    ["data/items/a_b.yml:1:1", "error", "file-name", /^a_b\.yml is not a row's file name\./],
  ],
  "an empty data folder": [
    { "data/upstreams/up.yaml": null, [ROW]: null, [PIN]: null },
    ["data/tracker.yaml:1:1", "error", "empty-stack", "data/ holds no rows. Add an upstream and a row: npm run add-item -- owner/repo#12."],
  ],
  "50 MB of YAML": [
    { [ROW]: Buffer.alloc(50 * 1024 * 1024, "a: b\n") },
    [`${ROW}:1:1`, "error", "unreadable", "The file has 50 MB; a row of more than 5 MB is not read. Move it out of data/."],
  ],
  "a broken tracker, with the rest still checked": [
    { "data/tracker.yaml": "title: [", ...edited("stake: blocks", "stake: blokcs") },
    [`${ROW}:5:8`, "error", "value", /blokcs/],
    ["data/tracker.yaml:1:9", "error", "yaml", /is not closed here/],
  ],
  "E12 an alias bomb": [
    {
      [ROW]: `a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefg"
        .split("")
        .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdef"[i]}`).join(", ")}]`)
        .join("\n")}\n`,
    },
    [`${ROW}:1:1`, "error", "yaml", /^The file's aliases cannot be resolved \(.*\)\. Write the values out\.$/],
  ],
  "an alias of nothing": [
    edited("why: It is needed.", "why: *nothing"),
    [`${ROW}:1:1`, "error", "yaml", /^The file's aliases cannot be resolved \(Unresolved alias .*: nothing\)\. Write the values out\.$/],
  ],
  "E12 a merge key": [
    { [ROW]: `${row}claim: &c { on: 2026-05-01, says: open }\nnotes:\n  - text: One.\n    <<: *c\n` },
    [`${ROW}:11:5`, "error", "unknown-key", "Merge keys (<<) are not part of YAML 1.2, and nothing is merged here. Write the keys out."],
  ],
  "E06 a YAML 1.1 directive": [
    { [ROW]: `%YAML 1.1\n---\n${row}` },
    [`${ROW}:1:1`, "error", "yaml-version", "A %YAML directive changes how values are read. Remove it; files here are YAML 1.2."],
  ],
  "an unknown tag": [
    edited("why: It is needed.", "why: !secret It is needed."),
    [`${ROW}:6:6`, "warning", "yaml", "Unresolved tag: !secret. Write the value without it."],
  ],
  "several documents": [
    { [ROW]: `${row}---\n${row}` },
    [`${ROW}:8:1`, "error", "yaml", "The file holds more than one document. Keep one row a file."],
  ],
  "an empty file": [{ [ROW]: "" }, [`${ROW}:1:1`, "error", "yaml", "The file is empty. Write a row, or delete the file."]],
  "only a comment": [
    { [ROW]: "# a row to come\n" },
    [`${ROW}:1:1`, "error", "yaml", "The file is empty. Write a row, or delete the file."],
  ],
  "a list instead of a map": [
    { [ROW]: "- title: One\n" },
    [`${ROW}:1:1`, "error", "yaml", "The file does not hold a map of keys and values."],
  ],
  "a value that a comment swallows": [
    edited("why: It is needed.", "why: Waits for vllm #40361 to land"),
    [
      `${ROW}:6:21`,
      "warning",
      "swallowed-comment",
      '"#40361 to land" is read as a comment, and the value ends before it. If it is meant, quote it: "Waits for vllm #40361 to land".',
    ],
  ],
  "a value of a list that a comment swallows": [
    { "data/upstreams/up.yaml": `${VALID["data/upstreams/up.yaml"]}aliases:\n  - up #12\n` },
    ["data/upstreams/up.yaml:5:8", "warning", "swallowed-comment", /quote it: "up #12"\.$/],
  ],
  "a mistyped folder": [
    { "data/item/other.yaml": row },
    [
      "data/item:1:1",
      "error",
      "unknown-place",
      /^Nothing in this folder is read\. Did you mean "items"\? Folders of data\/ are upstreams, .* or observed\. Move it, or delete it\.$/,
    ],
  ],
  "a row beside the folders": [
    { "data/other.yaml": row },
    ["data/other.yaml:1:1", "error", "unknown-place", /^This file is not read\. A row belongs in a folder: upstreams, /],
  ],
  "a file in the place of a folder": [
    { "data/patches": "x" },
    ["data/patches:1:1", "error", "unknown-place", "data/patches is a file and has to be a folder of rows."],
  ],
  "an observed file that is not JSON": [
    { "data/observed/as-of.json": "{" },
    [
      "data/observed/as-of.json:1:1",
      "error",
      "observed-json",
      /^The file is not JSON \(.*\)\. Restore it from git, or run npm run sync\.$/,
    ],
  ],
  "an observed file of another shape": [
    { "data/observed/github/u/r.json": '{ "repository": { "name": "u/r", "source": "x", "asOf": "yesterday" }, "threads": {} }' },
    [
      "data/observed/github/u/r.json:1:1",
      "error",
      "observed-shape",
      /^repository\.asOf does not fit: .*\. Observed files are written by sync and scan; restore it from git\.$/,
    ],
  ],
  "a transition of another shape": [
    { "data/observed/transitions-2026.jsonl": '\n{ "item": "row", "from": null, "to": "landed", "at": "2026-05-01", "because": "" }\n' },
    ["data/observed/transitions-2026.jsonl:2:1", "error", "observed-shape", /./],
  ],
};

describe("bad input is told with its place, why, and what to do, and nothing is written", () => {
  it.each(Object.entries(BAD))("%s", (_name, [files, ...told]) => {
    const problems = problemsOf(files);
    for (const [place, level, rule, message] of told) {
      const here = problems.find((problem) => at(problem) === place && problem.rule === rule);
      expect(here, problems.map((problem) => `${at(problem)} ${problem.rule} ${problem.message}`).join("\n")).toMatchObject({ level });
      if (typeof message === "string") expect(here?.message).toBe(message);
      else expect(here?.message).toMatch(message);
    }
  });

  it("the valid stack has no problem, so each case has only its own", () => {
    expect(problemsOf({})).toEqual([]);
    for (const [name, [files, ...told]] of Object.entries(BAD)) {
      const errors = problemsOf(files).filter(({ level }) => level !== "notice");
      expect(errors.length, `${name}: ${errors.map(({ message }) => message).join("; ")}`).toBe(told.length);
    }
  });

  it("all problems are told at once, in the order of files and lines", () => {
    const problems = problemsOf({
      ...edited("stake: blocks", "stake: blokcs\nstakes: x"),
      [PIN]: `${pin}version: 0.20\n`,
      "data/item/x.yaml": row,
    });
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(["data/item:1", `${ROW}:5`, `${ROW}:6`, `${PIN}:6`]);
  });

  it("E06 what YAML 1.1 took for booleans and dates is text here, by the quick reader and by the strict one", () => {
    const written = "title: NO\nupstream: up\nstake: blocks\nwhy: off\nlocal: none\nclaim: { on: 2026-05-12, says: open, note: y }\n";
    for (const text of [written, `${written}notes: [{ text: &a yes }, { text: *a }]\n`]) {
      const { model, problems } = load(folderWith({ [ROW]: text }));
      expect(problems).toEqual([]);
      expect(model.item.row).toMatchObject({ title: "NO", why: "off", claim: { on: "2026-05-12", note: "y" } });
    }
  });

  it("a folder named like a row, and a link to nowhere, are no crash", () => {
    const root = folderWith();
    mkdirSync(join(root, "data/items/folder.yaml"));
    symlinkSync(join(root, "nowhere"), join(root, "data/items/link.yaml"));
    expect(inspect(root).problems.map(({ file, rule }) => [file, rule])).toEqual([
      ["data/items/folder.yaml", "unreadable"],
      ["data/items/link.yaml", "unreadable"],
    ]);
  });
});

describe("on the command line", () => {
  const node = join(ROOT, "node_modules/.bin/node");
  const run = (...args: string[]) =>
    spawnSync(node, [join(ROOT, "scripts/run.mjs"), ...args], {
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", LANDFALL_SET_UP: "1" },
    });

  it("errors in the data exit with 1 and list file, line and column", () => {
    const root = folderWith(BAD["an unknown word"]?.[0]);
    const before = snapshot(root);
    const { status, stdout, stderr } = run("check-data", "--root", root);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain(`${ROW}\n  5:8     error   value`);
    expect(stdout).toContain("1 error in 1 of 4 rows");
    expect(stdout).toContain("Not checked: ");
    expect(snapshot(root)).toEqual(before);
  });

  it("other commands refuse the stack rather than answer without a row, and write nothing", () => {
    const root = folderWith(BAD["a supersession in a circle"]?.[0]);
    expect(run("status", "--root", root).status).toBe(0);
    const broken = folderWith(BAD["E12 a duplicate key"]?.[0]);
    const before = snapshot(broken);
    for (const command of ["status", "check-pins", "render"]) {
      const { status, stdout, stderr } = run(command, "--root", broken);
      expect([command, status, stdout]).toEqual([command, 3, ""]);
      expect(stderr).toContain(`${ROW}:8:1  The same key stands twice.`);
      expect(stderr).toContain("npm run check-data");
    }
    expect(snapshot(broken)).toEqual(before);
  });

  it("a root that is no stack exits with 3, names the folder and the option", () => {
    const root = folderWith({ "data/tracker.yaml": null });
    for (const [place, words] of [
      [root, "it has no data/tracker.yaml"],
      [join(root, "nowhere"), "is not a folder"],
      [join(root, ROW), "is not a folder"],
    ] as const) {
      for (const command of ["check-data", "check-pins", "status"]) {
        const { status, stdout, stderr } = run(command, "--root", place);
        expect([command, status, stdout]).toEqual([command, 3, ""]);
        expect(stderr).toContain(words);
        expect(stderr).toContain("--root");
        expect(stderr).not.toMatch(/^\s+at /m);
      }
    }
  });

  it("what the file system refuses is one clear sentence with the path, and exit code 3", () => {
    const root = folderWith();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    const loop = join(root, "a");
    const before = snapshot(join(root, "data"));
    for (const args of [
      ["scan", loop],
      ["import", loop, "--root", root],
      ["import", join(root, ROW), "--map", loop, "--root", root],
      ["status", "--root", loop],
      ["check-data", "--root", `${root}/${"x".repeat(300)}`],
    ]) {
      const { status, stdout, stderr } = run(...args);
      expect([args[0], status, stdout]).toEqual([args[0], 3, ""]);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr.trim().split("\n").at(-1)).toContain(args.includes(loop) ? loop : root);
    }
    expect(snapshot(join(root, "data"))).toEqual(before);
  });

  it("--fix mends what it can and changes no other byte", () => {
    const commented = row.replace("title:", "# the row\ntitle:").replace("why: It is needed.", "why: 0192117 # a commit");
    const root = folderWith({
      [ROW]: `${commented}override: { status: open-no-pr, because: Wait., until: never }\n`,
      [PIN]: pin.replaceAll("\n", "\r\n"),
    });
    const first = run("check-data", "--root", root, "--fix");
    expect(first.stderr).toBe("Mended 2 files.\n");
    const again = run("check-data", "--root", root, "--fix");
    expect([again.status, again.stderr]).toEqual([0, "Mended 1 file.\n"]);
    const after = snapshot(root);
    expect(Buffer.from(after[ROW] ?? "", "base64").toString()).toBe(commented.replace("0192117", '"0192117"'));
    expect(Buffer.from(after[PIN] ?? "", "base64").toString()).toBe(pin);
  });
});
