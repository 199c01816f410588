import { openGit } from "./git-repository.ts";
import { addEvent, close, markMerged } from "./threads.ts";
import type { Pull } from "./thread-types.ts";
import { findRepo, fullName, nowOf, type Repo, repoById, type World } from "./world.ts";

/** Merges made in git, and what moving a branch does to the pull requests around it. */

export type MergeMethod = "merge" | "squash" | "rebase";
type Merge = { method?: MergeMethod; at?: string; by?: string | null; message?: string };
export class MergeConflict extends Error {}

function gitOf(repo: Repo) {
  if (repo.git === undefined) throw new Error(`${fullName(repo)} has no git repository`);
  return openGit(repo.git);
}

/** A commit of two merged branches: first parent `base`, on no branch yet. Throws MergeConflict. */
export function mergeCommit(repo: Repo, base: string, head: string, message: string, date: string, by = "merger"): string {
  const git = gitOf(repo);
  const { tree, conflicts } = git.mergeTree(base, head);
  if (conflicts.length > 0) throw new MergeConflict(`conflict in ${conflicts.join(", ")}`);
  return writeCommit(repo, tree, [base, head], message, date, by);
}

export function writeCommit(repo: Repo, tree: string, parents: string[], message: string, date: string, by: string): string {
  const person = `${by} <${by.replace(/\W/g, "")}@users.noreply.github.com> ${Math.floor(Date.parse(date) / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
    "",
    `${message}\n`,
  ];
  return gitOf(repo).objects.write("commit", lines.join("\n"));
}

/** The commits of a pull request replayed on a tip, one by one; the last is the new tip. */
function rebase(repo: Repo, tip: string, pull: Pull, date: string, by: string): string {
  const git = gitOf(repo);
  let onto = tip;
  for (const sha of git.between(git.mergeBase(tip, pull.headSha), pull.headSha)) {
    const commit = git.readCommit(sha);
    const parent = commit?.parents[0];
    const ontoTree = git.readCommit(onto)?.tree;
    if (!commit || !parent || !ontoTree || commit.parents.length > 1) throw new MergeConflict(`${sha} cannot be rebased`);
    // A stand-in for `onto` whose merge base with the commit is the commit's own parent: that makes the merge a cherry-pick.
    const standIn = writeCommit(repo, ontoTree, [parent], "stand-in", date, by);
    const { tree, conflicts } = git.mergeTree(standIn, sha);
    if (conflicts.length > 0) throw new MergeConflict(`conflict in ${conflicts.join(", ")}`);
    onto = writeCommit(repo, tree, [onto], commit.message, date, by);
  }
  return onto;
}

/**
 * Merges a pull request as GitHub does with each method: a merge commit, one squashed commit, or the rebased commits, of
 * which only the last becomes `merge_commit_sha` (A10). Throws MergeConflict and changes nothing.
 */
export function mergePull(world: World, repo: Repo, pull: Pull, merge: Merge = {}): string {
  if (repo.git === undefined) return markMerged(world, repo, pull, merge);
  const git = gitOf(repo);
  const [method, date, by] = [merge.method ?? "squash", merge.at ?? nowOf(world), merge.by ?? "maintainer"];
  const tip = git.resolve(`refs/heads/${pull.base}`);
  if (tip === undefined) throw new Error(`${fullName(repo)} has no branch ${pull.base}`);
  const title =
    merge.message ??
    (method === "merge"
      ? `Merge pull request #${pull.number} from ${repo.owner}/${pull.head}\n\n${pull.title}`
      : `${pull.title} (#${pull.number})`);
  let sha: string;
  if (method === "rebase") sha = rebase(repo, tip, pull, date, by);
  else {
    const { tree, conflicts } = git.mergeTree(tip, pull.headSha);
    if (conflicts.length > 0) throw new MergeConflict(`conflict in ${conflicts.join(", ")}`);
    sha = writeCommit(repo, tree, method === "merge" ? [tip, pull.headSha] : [tip], title, date, by);
  }
  markMerged(world, repo, pull, { at: date, by, sha });
  moveRef(world, repo, `refs/heads/${pull.base}`, sha);
  return sha;
}

const openPulls = (repo: Repo): Pull[] =>
  Object.values(repo.threads).filter((thread): thread is Pull => thread.kind === "pull" && thread.state === "open");

/** The open pull requests of all repositories whose head is a branch of this one. */
function pullsFrom(world: World, repo: Repo, branch: string): { home: Repo; pull: Pull }[] {
  return Object.values(world.repos).flatMap((home) =>
    openPulls(home)
      .filter((pull) => pull.headRepo === repo.id && pull.head === branch)
      .map((pull) => ({ home, pull })),
  );
}

/**
 * Moves, creates or deletes (undefined) a ref, with its effects: pull requests follow their head, close when it is
 * deleted, and count as merged when their head has become part of the base (A15).
 */
export function moveRef(world: World, repo: Repo, name: string, sha: string | undefined): void {
  const git = gitOf(repo);
  git.refs.set(name, sha);
  repo.updatedAt = nowOf(world);
  if (!name.startsWith("refs/heads/")) return;
  const branch = name.slice("refs/heads/".length);
  for (const { home, pull } of pullsFrom(world, repo, branch)) {
    if (sha === undefined) {
      addEvent(world, pull, { event: "head_ref_deleted" });
      close(world, pull);
    } else followHead(world, home, pull, sha);
  }
  if (sha === undefined) return;
  for (const pull of openPulls(repo)) {
    if (pull.base === branch && pull.headSha !== pull.baseSha && git.readCommit(pull.headSha) && git.isAncestor(pull.headSha, sha)) {
      markMerged(world, repo, pull, { sha });
    }
  }
}

function followHead(world: World, home: Repo, pull: Pull, sha: string): void {
  if (pull.headSha === sha) return;
  pull.headSha = sha;
  pull.updatedAt = nowOf(world);
  if (home.git !== undefined) openGit(home.git).refs.set(`refs/pull/${pull.number}/head`, sha);
}

/** After a git client has pushed: pull requests follow their branches. A branch deleted by a push closes nothing here. */
export function afterPush(world: World): void {
  for (const home of Object.values(world.repos)) {
    for (const pull of openPulls(home)) {
      const from = pull.headRepo === null ? undefined : repoById(world, pull.headRepo);
      const sha = from?.git === undefined ? undefined : openGit(from.git).resolve(`refs/heads/${pull.head}`);
      if (sha !== undefined) followHead(world, home, pull, sha);
    }
  }
}

/** Full names of the refs that a push may not touch. */
export function protectedRefsOf(world: World, name: string): string[] {
  const repo = findRepo(world, name);
  return Object.keys(repo?.protections ?? {}).map((branch) => `refs/heads/${branch}`);
}
