import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTree } from "../../scripts/tree.ts";
import { scanSettings } from "../../src/model/shapes/scan.ts";
import { nothingKnown } from "../../src/scan/known.ts";
import { scan } from "../../src/scan/scan.ts";
import { rulesIn, usersIn } from "./tree.ts";

const made: string[] = [];
afterAll(() => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});

function folder(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), "tree-"));
  made.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const read = (root: string, settings: Record<string, unknown> = {}) => readTree(root, "we/stack", scanSettings.parse(settings));
const look = async (root: string, settings: Record<string, unknown> = {}) =>
  scan(await read(root, settings), scanSettings.parse(settings), nothingKnown("we/stack"));
const compose = (image: string) => `services:\n  a:\n    image: ${image}\n`;
const git = (root: string, ...args: string[]) =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    encoding: "utf8",
    env: { ...process.env, GIT_COMMITTER_DATE: "2026-05-12T21:21:37Z" },
  });

describe("where a tree comes from", () => {
  it("a checkout: its head commit, and nothing that git ignores", async () => {
    const root = folder({
      "a.yml": compose("o/n:1.0.0"),
      ".gitignore": "cache/\n.env\n",
      "cache/b.yml": compose("o/cached:1.0.0"),
      ".env": "TAG=local\n",
      "untracked.yml": compose("o/new:1.0.0"),
    });
    git(root, "init", "-q");
    git(root, "add", "a.yml", ".gitignore");
    git(root, "commit", "-q", "-m", "x");
    const tree = await read(root);
    expect(tree.origin).toEqual({ repo: "we/stack", commit: git(root, "rev-parse", "HEAD").trim(), date: "2026-05-12T21:21:37Z" });
    expect([...tree.paths].sort()).toEqual([".gitignore", "a.yml", "untracked.yml"]);
  });
  it("an exported tree: its stamp, and the paths it lists", async () => {
    const root = folder({
      "COMMIT.txt": `${"ab".repeat(20)}\n2026-05-12 21:21:37 +0000\nsubject\n`,
      "ALL_FILES_LISTING.txt": "scripts/setup.sh\n./patches/x.py\n\n",
      "a.yml": compose("o/n:1"),
    });
    const tree = await read(root);
    expect(tree.origin).toEqual({ repo: "we/stack", commit: "ab".repeat(20), date: "2026-05-12T21:21:37Z" });
    expect([...tree.paths]).toEqual(expect.arrayContaining(["scripts/setup.sh", "patches/x.py"]));
    expect(tree.files.has("scripts/setup.sh")).toBe(false);
  });
  it("a plain folder that is no repository is scanned, with no commit known", async () => {
    const found = await look(folder({ "a.yml": compose("o/n:1.0.0") }));
    expect(found.inventory.tree).toEqual({ repo: "we/stack", commit: null, date: null });
    expect(usersIn(found.inventory)).toEqual({ "docker.io/o/n:1.0.0": ["a.yml:3 a"] });
    expect(found.findings).toEqual([]);
  });
  it("an empty folder, and one without anything pinned, are errors that say where was looked", async () => {
    const empty = await look(folder({}));
    expect(empty.findings).toMatchObject([{ rule: "nothing-found", level: "error" }]);
    expect(empty.findings[0]?.message).toContain("no files");
    const plain = await look(folder({ "README.md": "# Hello\n", "a.yml": "a: 1\n" }));
    expect(plain.findings[0]?.message).toContain("among 2 files");
  });
  it.each([
    ["no/such/folder", "There is no no/such/folder."],
    ["package.json", "package.json is a file."],
  ])("%s is refused with what to do", async (path, message) => {
    await expect(read(path)).rejects.toThrow(message);
  });
  it("globs choose and leave out; installed packages and the rows themselves are never looked at", async () => {
    const root = folder({
      "a/x.yml": compose("o/a:1"),
      "b/x.yml": compose("o/b:1"),
      "a/skip/x.yml": compose("o/skip:1"),
      "a/node_modules/p/x.yml": compose("o/p:1"),
      "data/tracker.yaml": "title: x\n",
      "data/x.yml": compose("o/data:1"),
    });
    const settings = { include: ["a/**", "data/**"], ignore: ["**/skip/**"] };
    expect(Object.keys(usersIn((await look(root, settings)).inventory))).toEqual(["docker.io/o/a:1"]);
    rmSync(join(root, "data/tracker.yaml"));
    expect(Object.keys(usersIn((await look(root, settings)).inventory))).toEqual(["docker.io/o/a:1", "docker.io/o/data:1"]);
  });
});

describe("trees that are hard to read", () => {
  it("links are not followed: a loop ends, and a linked file counts once", async () => {
    const root = folder({ "a/a.yml": compose("o/n:1.0.0") });
    symlinkSync("..", join(root, "a/loop"));
    symlinkSync("a.yml", join(root, "a/b.yml"));
    symlinkSync("gone.yml", join(root, "a/dangling.yml"));
    const found = await look(root);
    expect(usersIn(found.inventory)).toEqual({ "docker.io/o/n:1.0.0": ["a/a.yml:3 a"] });
    expect(found.findings).toEqual([]);
  });
  it("a pipe is no file, and is not waited for", async () => {
    const root = folder({ "a.yml": compose("o/n:1.0.0") });
    execFileSync("mkfifo", [join(root, "docker-compose.yml")]);
    expect(Object.keys(usersIn((await look(root)).inventory))).toEqual(["docker.io/o/n:1.0.0"]);
  });
  it.skipIf(process.getuid?.() === 0)("a file and a folder without read access are errors, and the rest is scanned", async () => {
    const root = folder({ "a.yml": compose("o/n:1.0.0"), "b.yml": compose("o/m:1.0.0"), "closed/c.yml": compose("o/c:1.0.0") });
    chmodSync(join(root, "b.yml"), 0o000);
    chmodSync(join(root, "closed"), 0o000);
    const found = await look(root);
    chmodSync(join(root, "closed"), 0o755);
    expect(rulesIn(found)).toEqual(["unreadable b.yml:1", "unreadable closed:1"]);
    expect(usersIn(found.inventory)).toEqual({ "docker.io/o/n:1.0.0": ["a.yml:3 a"] });
    expect(found.findings.map(({ message }) => message).join()).toContain("EACCES");
  });
  it("50 MB of YAML are not read, and are named", async () => {
    const root = folder({
      "a.yml": compose("o/n:1.0.0"),
      "big.yaml": Buffer.alloc(50 * 1024 * 1024, "a: b\n"),
      "big.jsonl": Buffer.alloc(6 * 1024 * 1024, "x"),
    });
    const found = await look(root);
    expect(rulesIn(found)).toEqual(["too-large big.yaml:1"]);
    expect(found.findings[0]).toMatchObject({ level: "error", message: expect.stringMatching(/50 MB.*max_megabytes/) as string });
  });
  it("a large file that could pin something is named whatever its kind; large data is not", async () => {
    const large = Buffer.alloc(6 * 1024 * 1024, "x");
    const names = ["Dockerfile", "install.sh", "package-lock.json", "requirements.txt", "uv.lock", "prod.env"];
    const root = folder({
      "a.yml": compose("o/n:1.0.0"),
      "data.json": large,
      "log.txt": large,
      ...Object.fromEntries(names.map((name) => [name, large])),
    });
    expect(rulesIn(await look(root))).toEqual(names.map((name) => `too-large ${name}:1`).sort());
  });
  it("invalid UTF-8 is told with its line, and what can be read is scanned; UTF-16 cannot", async () => {
    const root = folder({
      "a.yml": Buffer.concat([Buffer.from("# caf\n# "), Buffer.from([0xe9, 0x0a]), Buffer.from(compose("o/n:1.0.0"))]),
      "b.yml": Buffer.from(`\uFEFF${compose("o/wide:1.0.0")}`, "utf16le"),
      "c.yml": `\uFEFF${compose("o/mark:1.0.0")}`,
      "d.yml": `# a real \uFFFD\n${compose("o/real:1.0.0")}`,
      "e.sh": Buffer.from("pip install a==1\0binary"),
    });
    const found = await look(root);
    expect(rulesIn(found)).toEqual(["unreadable b.yml:1", "encoding a.yml:2"]);
    expect(Object.keys(usersIn(found.inventory))).toEqual(["docker.io/o/mark:1.0.0", "docker.io/o/n:1.0.0", "docker.io/o/real:1.0.0"]);
    expect(found.inventory.pins).toEqual([]);
  });
  it("Windows line ends change nothing", async () => {
    const found = await look(
      folder({ "a.yml": compose('"o/n:1.0.0"  # x').replaceAll("\n", "\r\n"), ".env": "A=1\r\n", "requirements.txt": "a==1.0\r\n" }),
    );
    expect(usersIn(found.inventory)).toEqual({ "docker.io/o/n:1.0.0": ["a.yml:3 a"] });
    expect(found.inventory.pins).toMatchObject([{ name: "a", value: "1.0" }]);
  });
});
