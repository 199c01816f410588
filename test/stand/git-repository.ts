import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ObjectStore, openObjects } from "./git-objects.ts";
import { openRefs, type RefStore } from "./git-refs.ts";
import { changeTree, entryAt, filesOf } from "./git-trees.ts";
import { ancestry, newCommits, oneMergeBase, plainMerge } from "./git-walk.ts";

export type Person = { name: string; email: string; date: string };
export type GitCommit = { sha: string; tree: string; parents: string[]; author: Person; committer: Person; message: string };
export type NewCommit = {
  message: string;
  /** Branch to advance; "main" unless told. Null leaves the commit on no branch (the shape of a fork's commit). */
  branch?: string | null;
  /** Path -> content; null removes the file. */
  files?: Record<string, string | Uint8Array | null>;
  /** The branch's tip unless told. */
  parents?: string[];
  /** ISO 8601; decides author and committer date unless `author` says otherwise. */
  date?: string;
  author?: Partial<Person>;
};
export type Merge = { tree: string; conflicts: string[] };

/** A real bare repository: git itself reads and serves it, tests write it without a process per object. */
export type Git = {
  dir: string;
  objects: ObjectStore;
  refs: RefStore;
  commit(input: NewCommit): string;
  branch(name: string, sha: string): void;
  /** A lightweight tag, or an annotated one when a message is given. */
  tag(name: string, sha: string, message?: string): void;
  readCommit(sha: string): GitCommit | undefined;
  /** Full sha of a branch, tag, full ref name, sha or unambiguous short sha, peeled to a commit. */
  resolve(revision: string): string | undefined;
  mergeBase(a: string, b: string): string | undefined;
  isAncestor(old: string, young: string): boolean;
  /** Commits in `to` and not in `from`, oldest first. */
  between(from: string | undefined, to: string): string[];
  /** Three-way merge of two commits without touching a ref. */
  mergeTree(base: string, head: string): Merge;
  file(revision: string, path: string): string | undefined;
  files(revision: string): string[];
  run(...args: string[]): string;
};

const EPOCH = "2026-01-01T00:00:00Z";
const stamp = (person: Person): string => `${person.name} <${person.email}> ${Math.floor(Date.parse(person.date) / 1000)} +0000`;

function parsePerson(line: string): Person {
  const [, name = "", email = "", seconds = "0"] = /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(line) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z") };
}

function parseCommit(sha: string, text: string): GitCommit {
  const split = text.indexOf("\n\n");
  const found: GitCommit = {
    sha,
    tree: "",
    parents: [],
    author: parsePerson(""),
    committer: parsePerson(""),
    message: text.slice(split + 2),
  };
  for (const line of text.slice(0, split).split("\n")) {
    const [key, rest] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
    if (key === "tree") found.tree = rest;
    else if (key === "parent") found.parents.push(rest);
    else if (key === "author") found.author = parsePerson(rest);
    else if (key === "committer") found.committer = parsePerson(rest);
  }
  found.message = found.message.replace(/\n$/, "");
  return found;
}

/** Creates an empty bare repository in a folder that need not exist, and opens it. */
export function createGit(dir: string): Git {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks"])
    mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(
    join(dir, "config"),
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n[http]\n\treceivepack = true\n",
  );
  // GitHub's wording of a rule that refuses a push; the server names the protected refs in the environment.
  writeFileSync(
    join(dir, "hooks", "pre-receive"),
    '#!/bin/sh\nwhile read -r old new ref; do\n  case " $STAND_PROTECTED " in *" $ref "*)\n    echo "error: GH013: Repository rule violations found for $ref." >&2\n    echo "- Changes must be made through a pull request." >&2\n    exit 1;;\n  esac\ndone\n',
    { mode: 0o755 },
  );
  return openGit(dir);
}

const opened = new Map<string, Git>();

/** Opens a bare repository; one handle a folder and process, so that its object cache is shared. */
export function openGit(dir: string): Git {
  const existing = opened.get(dir);
  if (existing) return existing;
  const objects = openObjects(dir);
  const refs = openRefs(dir);
  const run = (...args: string[]): string =>
    execFileSync("git", ["-C", dir, ...args], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] }).trimEnd();
  const attempt = (...args: string[]): string | undefined => {
    const done = spawnSync("git", ["-C", dir, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
    return done.status === 0 ? done.stdout.trim() : undefined;
  };

  /** What git says of two commits never changes, so it is asked once; of two names it is asked every time. */
  const answers = new Map<string, unknown>();
  const once = <T>(question: string, a: string, b: string, ask: () => T): T => {
    if (!/^[0-9a-f]{40}$/.test(a) || !/^[0-9a-f]{40}$/.test(b)) return ask();
    const key = `${question} ${a} ${b}`;
    if (!answers.has(key)) answers.set(key, ask());
    return answers.get(key) as T;
  };

  const commits = new Map<string, GitCommit>();
  const readCommit = (sha: string): GitCommit | undefined => {
    const known = commits.get(sha);
    if (known) return known;
    const found = objects.read(sha);
    if (found?.type !== "commit") return undefined;
    const commit = parseCommit(sha, found.data.toString("utf8"));
    commits.set(sha, commit);
    return commit;
  };
  const graph = { parentsOf: (sha: string) => readCommit(sha)?.parents ?? [], treeOf: (sha: string) => readCommit(sha)?.tree };
  const peel = (sha: string): string | undefined => {
    const found = objects.read(sha);
    if (found?.type !== "tag") return found?.type === "commit" ? sha : undefined;
    return peel(found.data.toString("latin1", 7, 47));
  };
  const resolve = (revision: string): string | undefined => {
    const name = revision === "HEAD" ? "refs/heads/main" : revision;
    const direct = /^[0-9a-f]{40}$/.test(name)
      ? name
      : (refs.get(name.startsWith("refs/") ? name : `refs/heads/${name}`) ?? refs.get(`refs/tags/${name}`) ?? refs.get(`refs/${name}`));
    if (direct) return peel(direct);
    return /^[0-9a-f]{4,39}$/.test(name) ? attempt("rev-parse", "--verify", "--quiet", `${name}^{commit}`) : undefined;
  };

  const git: Git = {
    dir,
    objects,
    refs,
    run,
    readCommit,
    resolve,
    commit(input) {
      const branch = input.branch === undefined ? "main" : input.branch;
      const tip = branch === null ? undefined : refs.get(`refs/heads/${branch}`);
      const parents = input.parents ?? (tip ? [tip] : []);
      const changes = new Map(
        Object.entries(input.files ?? {}).map(([path, content]) => [
          path,
          content === null ? null : { mode: "100644", sha: objects.write("blob", Buffer.from(content as string)) },
        ]),
      );
      const tree = changeTree(objects, parents[0] ? readCommit(parents[0])?.tree : undefined, changes);
      const date = input.date ?? EPOCH;
      const author: Person = { name: "Test Author", email: "author@example.com", date, ...input.author };
      const text = [
        `tree ${tree}`,
        ...parents.map((parent) => `parent ${parent}`),
        `author ${stamp(author)}`,
        `committer ${stamp({ ...author, date })}`,
        "",
        `${input.message}\n`,
      ].join("\n");
      const sha = objects.write("commit", text);
      if (branch !== null) refs.set(`refs/heads/${branch}`, sha);
      return sha;
    },
    branch: (name, sha) => refs.set(`refs/heads/${name}`, sha),
    tag(name, sha, message) {
      if (message === undefined) return refs.set(`refs/tags/${name}`, sha);
      const tagger = stamp({ name: "Test Tagger", email: "tagger@example.com", date: readCommit(sha)?.committer.date ?? EPOCH });
      refs.set(`refs/tags/${name}`, objects.write("tag", `object ${sha}\ntype commit\ntag ${name}\ntagger ${tagger}\n\n${message}\n`));
    },
    mergeBase: (a, b) =>
      once("base", a, b, () => {
        const found = oneMergeBase(graph, a, b);
        return found === undefined ? attempt("merge-base", a, b) || undefined : (found ?? undefined);
      }),
    isAncestor: (old, young) =>
      old === young ||
      once(
        "ancestor",
        old,
        young,
        () => ancestry(graph, young)?.has(old) ?? attempt("merge-base", "--is-ancestor", old, young) !== undefined,
      ),
    between(from, to) {
      if (from === to) return [];
      const list = () =>
        newCommits(graph, from, to) ??
        run("rev-list", "--reverse", "--topo-order", to, ...(from ? [`^${from}`] : []))
          .split("\n")
          .filter(Boolean);
      return once("between", from ?? "", to, list);
    },
    mergeTree: (base, head) =>
      once("merge", base, head, () => {
        const tree = plainMerge(graph, objects, base, head);
        return tree === undefined ? mergeTree(dir, base, head) : { tree, conflicts: [] };
      }),
    file(revision, path) {
      const commit = readCommit(resolve(revision) ?? "");
      const entry = commit && entryAt(objects, commit.tree, path);
      return entry && objects.read(entry.sha)?.data.toString("utf8");
    },
    files(revision) {
      const commit = readCommit(resolve(revision) ?? "");
      return commit ? [...filesOf(objects, commit.tree).keys()].sort() : [];
    },
  };
  opened.set(dir, git);
  return git;
}

function mergeTree(dir: string, base: string, head: string): Merge {
  const done = spawnSync("git", ["-C", dir, "merge-tree", "--write-tree", "--name-only", "--no-messages", base, head], {
    encoding: "utf8",
  });
  if (done.status !== 0 && done.status !== 1) throw new Error(`git merge-tree: ${done.stderr}`);
  const [tree = "", ...conflicts] = done.stdout.trim().split("\n");
  return { tree, conflicts: done.status === 1 ? conflicts : [] };
}
