import { openGit } from "./git-repository.ts";
import type { Repo } from "./world.ts";

/** Git facts of a repository, from its bare repository where it has one, else from the world's own commits and refs. */

export type CommitFacts = {
  sha: string;
  tree: string;
  parents: string[];
  message: string;
  author: { name: string; email: string; date: string; login: string | null };
  committer: { name: string; email: string; date: string };
};
export type Comparison = {
  status: "ahead" | "behind" | "diverged" | "identical";
  ahead: number;
  behind: number;
  mergeBase: string;
  /** In head and not in base, oldest first. */
  commits: string[];
};

export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export function commitOf(repo: Repo, sha: string): CommitFacts | undefined {
  if (repo.git !== undefined) {
    const found = openGit(repo.git).readCommit(sha);
    return found && { ...found, author: { ...found.author, login: null } };
  }
  const found = repo.commits[sha];
  if (!found) return undefined;
  const person = { name: found.author ?? "unknown", email: `${found.author ?? "unknown"}@example.com`, date: found.date };
  return {
    sha,
    tree: EMPTY_TREE,
    parents: found.parents,
    message: found.message,
    author: { ...person, login: found.author },
    committer: person,
  };
}

/** The object a full ref name points at; an annotated tag's own sha is `tag`. */
export function refOf(repo: Repo, name: string): { commit: string; tag?: string } | undefined {
  if (repo.git === undefined) {
    const sha = repo.refs[name];
    return sha === undefined ? undefined : { commit: sha };
  }
  const git = openGit(repo.git);
  const sha = git.refs.get(name);
  const commit = sha && git.resolve(name);
  return sha === undefined || !commit ? undefined : commit === sha ? { commit } : { commit, tag: sha };
}

export function refsOf(repo: Repo, prefix: string): string[] {
  if (repo.git !== undefined)
    return openGit(repo.git)
      .refs.list(prefix)
      .map(([name]) => name);
  return Object.keys(repo.refs)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

/** Branch, tag, full ref, sha or unambiguous short sha -> commit. */
export function resolveIn(repo: Repo, revision: string): string | undefined {
  if (revision === "HEAD") return refOf(repo, `refs/heads/${repo.defaultBranch}`)?.commit;
  if (repo.git !== undefined) return openGit(repo.git).resolve(revision);
  const named =
    repo.refs[revision] ?? repo.refs[`refs/heads/${revision}`] ?? repo.refs[`refs/tags/${revision}`] ?? repo.refs[`refs/${revision}`];
  if (named) return named;
  if (repo.commits[revision]) return revision;
  const matching = /^[0-9a-f]{4,39}$/.test(revision) ? Object.keys(repo.commits).filter((sha) => sha.startsWith(revision)) : [];
  return matching.length === 1 ? matching[0] : undefined;
}

function ancestors(repo: Repo, start: string): Set<string> {
  const seen = new Set<string>([start]);
  for (const sha of seen) for (const parent of repo.commits[sha]?.parents ?? []) seen.add(parent);
  return seen;
}

/** Undefined: the two have no common ancestor. */
export function compare(repo: Repo, base: string, head: string): Comparison | undefined {
  if (repo.git === undefined) {
    const [inBase, inHead] = [ancestors(repo, base), ancestors(repo, head)];
    const mergeBase = [...inHead].find((sha) => inBase.has(sha));
    if (mergeBase === undefined) return undefined;
    const commits = [...inHead].filter((sha) => !inBase.has(sha)).reverse();
    return judge(mergeBase, commits, [...inBase].filter((sha) => !inHead.has(sha)).length);
  }
  const git = openGit(repo.git);
  const mergeBase = git.mergeBase(base, head);
  if (mergeBase === undefined) return undefined;
  return judge(mergeBase, git.between(base, head), base === mergeBase ? 0 : git.between(head, base).length);
}

function judge(mergeBase: string, commits: string[], behind: number): Comparison {
  const ahead = commits.length;
  const status = ahead === 0 ? (behind === 0 ? "identical" : "behind") : behind === 0 ? "ahead" : "diverged";
  return { status, ahead, behind, mergeBase, commits };
}

/** First-parent-agnostic history, youngest first, bounded. */
export function history(repo: Repo, tip: string, limit: number): string[] {
  if (repo.git !== undefined) return openGit(repo.git).run("rev-list", `--max-count=${limit}`, tip).split("\n").filter(Boolean);
  return [...ancestors(repo, tip)].slice(0, limit);
}
