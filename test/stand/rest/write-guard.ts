import { refusalToWrite } from "../access.ts";
import { commitOf, refOf } from "../git-data.ts";
import type { ObjectType } from "../git-objects.ts";
import { openGit } from "../git-repository.ts";
import { entryAt } from "../git-trees.ts";
import type { Repo, Token } from "../world.ts";
import { failure, type Reply, type RepoContext } from "./context.ts";

/** Runs a handler for callers that may write to the repository; the others get GitHub's answer. */
export const writing =
  (handler: (context: RepoContext & { grant: Token }) => Reply) =>
  (context: RepoContext): Reply => {
    const refusal = refusalToWrite(context.repo, context.caller);
    if (refusal) return failure(refusal.status, refusal.message);
    return handler({ ...context, grant: context.caller.grant as Token });
  };

const RULES = {
  "pull-request": "Changes must be made through a pull request.",
  signatures: "Commits must have verified signatures.",
  locked: "This branch is locked, so it is read-only.",
} as const;

/** The text of a refused push or update, as a ruleset words it (D13). */
export const ruleViolation = (name: string, rule: keyof typeof RULES): string =>
  `GH013: Repository rule violations found for ${name}.\n\n- ${RULES[rule]}`;

const workflowsOf = (repo: Repo, sha: string | undefined): string | undefined => {
  const commit = sha === undefined || repo.git === undefined ? undefined : commitOf(repo, sha);
  return commit && entryAt(openGit(repo.git ?? "").objects, commit.tree, ".github/workflows")?.sha;
};

/**
 * Why a ref may not be moved by this token; undefined when it may. A rule of the branch, or workflow files that are new
 * to the repository and a token without the `workflow` scope (D14).
 */
export function mayMoveRef(repo: Repo, grant: Token, name: string, old: string | undefined, sha: string | undefined): Reply | undefined {
  const protection = repo.protections[name.replace("refs/heads/", "")];
  if (protection && (protection.rule !== "signatures" || (sha !== undefined && unsignedIn(repo, old, sha)))) {
    return failure(protection.status, ruleViolation(name, protection.rule));
  }
  const workflows = workflowsOf(repo, sha);
  const known = [old, refOf(repo, `refs/heads/${repo.defaultBranch}`)?.commit].map((tip) => workflowsOf(repo, tip));
  if (workflows === undefined || known.includes(workflows) || grant.scopes.includes("workflow")) return undefined;
  const who = grant.kind === "classic" || grant.kind === "fine-grained" ? "a Personal Access Token" : "a GitHub App";
  const scope = who === "a GitHub App" ? "`workflows` permission" : "`workflow` scope";
  return failure(403, `refusing to allow ${who} to create or update workflow \`.github/workflows\` without ${scope}`);
}

function unsignedIn(repo: Repo, old: string | undefined, sha: string): boolean {
  return openGit(repo.git ?? "")
    .between(old ?? refOf(repo, `refs/heads/${repo.defaultBranch}`)?.commit, sha)
    .some((commit) => !repo.verified.includes(commit));
}

/** As `writing`, for a repository whose git data is written. */
export const writingGit = (handler: (context: RepoContext & { grant: Token }) => Reply) =>
  writing((context) => (context.repo.git === undefined ? failure(409, "Git Repository is empty.") : handler(context)));

export const gitOf = (repo: Repo) => openGit(repo.git ?? "");
export const has = (repo: Repo, sha: string, type: ObjectType): boolean => gitOf(repo).objects.read(sha)?.type === type;
/** A field of a request body that is a string, or "". */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
