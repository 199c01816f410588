import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git-repository.ts";

/** One commit of a recorded history. Parents that the list does not hold are left out (the history begins there). */
export type RecordedCommit = { sha: string; parents: string[]; date: string; subject: string };

/**
 * Rebuilds a recorded history in a bare repository with one `git fast-import`, every commit with the empty tree.
 * The topology, dates and subjects are the recorded ones, the shas are new.
 *
 * @param refs full ref name -> recorded sha, for branches and tags; names of unknown commits are left out
 * @returns recorded sha -> sha in the repository
 */
export function importHistory(git: Git, commits: RecordedCommit[], refs: Iterable<[name: string, sha: string]>): Map<string, string> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const marks = new Map<string, number>();
  const lines: string[] = [];

  const write = (commit: RecordedCommit): void => {
    const mark = marks.size + 1;
    marks.set(commit.sha, mark);
    const parents = commit.parents.filter((parent) => marks.has(parent));
    const [first, ...others] = parents.map((parent) => `:${marks.get(parent)}\n`);
    const seconds = Math.floor(Date.parse(commit.date) / 1000);
    const subject = `${commit.subject}\n`;
    lines.push(
      "reset refs/import\n",
      `commit refs/import\nmark :${mark}\ncommitter Recorded <recorded@example.com> ${seconds} +0000\n`,
      `data ${Buffer.byteLength(subject)}\n${subject}`,
      first ? `from ${first}` : "",
      ...others.map((other) => `merge ${other}`),
      "\n",
    );
  };

  // Parents first, without recursion: histories are tens of thousands of commits deep.
  const entered = new Set<string>();
  for (const start of commits) {
    const stack = [start];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      if (entered.has(top.sha)) {
        if (!marks.has(top.sha)) write(top);
        stack.pop();
      } else {
        entered.add(top.sha);
        for (const parent of top.parents) {
          const next = bySha.get(parent);
          if (next && !entered.has(parent)) stack.push(next);
        }
      }
    }
  }

  const marksFile = join(git.dir, "import-marks");
  // Always a pack: small imports would otherwise become a file for each object.
  execFileSync(
    "git",
    ["-C", git.dir, "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", "--force", `--export-marks=${marksFile}`],
    { input: lines.join("") },
  );
  const shas = new Map(
    readFileSync(marksFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  rmSync(marksFile);
  git.refs.set("refs/import", undefined);
  const renamed = new Map([...marks].map(([sha, mark]) => [sha, shas.get(`:${mark}`) ?? ""]));
  git.refs.setPacked([...refs].flatMap(([name, sha]): [string, string][] => (renamed.has(sha) ? [[name, renamed.get(sha) ?? ""]] : [])));
  git.run("commit-graph", "write", "--reachable");
  return renamed;
}
