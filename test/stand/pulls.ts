import { compare, resolveIn } from "./git-data.ts";
import { openGit } from "./git-repository.ts";
import { filesOf } from "./git-trees.ts";
import type { Pull } from "./thread-types.ts";
import type { Repo } from "./world.ts";

/** What GitHub computes for a pull request from git; the world's own numbers where a repository has no git. */

/** The commits of a pull request, oldest first: shas where git knows them, else only their number. */
export function commitsOf(repo: Repo, pull: Pull): { total: number; shas?: string[] } {
  if (repo.git === undefined) return { total: pull.commitCount };
  const shas = compare(repo, pull.baseSha, pull.headSha)?.commits ?? [];
  return { total: shas.length, shas };
}

export function changedFilesOf(repo: Repo, pull: Pull): number {
  if (repo.git === undefined) return pull.changedFiles;
  const git = openGit(repo.git);
  const base = git.mergeBase(pull.baseSha, pull.headSha);
  if (!base) return 0;
  const [was, is] = [base, pull.headSha].map((sha) => filesOf(git.objects, git.readCommit(sha)?.tree ?? ""));
  const paths = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...paths].filter((path) => was?.get(path)?.sha !== is?.get(path)?.sha || was?.get(path)?.mode !== is?.get(path)?.mode).length;
}

export function mergeableOf(repo: Repo, pull: Pull): "MERGEABLE" | "CONFLICTING" | "UNKNOWN" {
  if (pull.mergeable !== "COMPUTED") return pull.mergeable;
  const base = resolveIn(repo, `refs/heads/${pull.base}`);
  if (repo.git === undefined || !base) return "UNKNOWN";
  const git = openGit(repo.git);
  if (!git.mergeBase(base, pull.headSha)) return "CONFLICTING";
  return git.mergeTree(base, pull.headSha).conflicts.length > 0 ? "CONFLICTING" : "MERGEABLE";
}
