import { compare, resolveIn } from "../git-data.ts";
import { MergeConflict, type MergeMethod, mergePull } from "../merging.ts";
import { noteNoise } from "../noise.ts";
import { mergeableOf } from "../pulls.ts";
import { addEvent, addPull, changeBase, close, rename, reopen } from "../threads.ts";
import type { Issue, Pull } from "../thread-types.ts";
import { findRepo, fullName, type Repo, refTo, type Token, type World } from "../world.ts";
import { failure, invalid, notFound, type Reply, type RepoContext } from "./context.ts";
import * as threadShapes from "./thread-shapes.ts";
import { writing } from "./write-guard.ts";

/** GitHub's limit; the stand counts UTF-16 units, which is never laxer. */
export const BODY_LIMIT = 65_536;
const TITLE_LIMIT = 256;

/** What is wrong with a title or body; the errors carry the resource name "Issue" for pull requests too (D06). */
export function tooLong(title: unknown, body: unknown): Reply | undefined {
  if (typeof title === "string" && title.trim() === "") return invalid({ resource: "Issue", code: "missing_field", field: "title" });
  if (typeof title === "string" && title.length > TITLE_LIMIT) {
    return invalid({
      resource: "Issue",
      code: "custom",
      field: "title",
      message: `title is too long (maximum is ${TITLE_LIMIT} characters)`,
    });
  }
  if (typeof body === "string" && body.length > BODY_LIMIT) {
    return invalid({ resource: "Issue", code: "custom", field: "body", message: `body is too long (maximum is ${BODY_LIMIT} characters)` });
  }
  return undefined;
}

const custom = (message: string): Reply => invalid({ resource: "PullRequest", code: "custom", message });

/** `branch` or `owner:branch`; the head may lie in a fork of the same name. */
function headOf(world: World, repo: Repo, head: string): { repo: Repo; branch: string } | undefined {
  const [owner, branch] = head.includes(":") ? (head.split(":") as [string, string]) : [repo.owner, head];
  const home = findRepo(world, `${owner}/${repo.name}`);
  return home && { repo: home, branch };
}

export const createPull = writing(({ world, api, repo, body, grant }) => {
  if (grant.kind === "actions" && !repo.actionsMayOpenPulls) {
    return failure(403, "GitHub Actions is not permitted to create or approve pull requests.");
  }
  const wrong = tooLong(body.title, body.body);
  if (wrong) return wrong;
  const head = headOf(world, repo, String(body.head));
  const headSha = head && resolveIn(head.repo, `refs/heads/${head.branch}`);
  const baseSha = resolveIn(repo, `refs/heads/${body.base}`);
  if (!head || headSha === undefined) return invalid({ resource: "PullRequest", field: "head", code: "invalid" });
  if (baseSha === undefined) return invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  const label = `${head.repo.owner}:${head.branch}`;
  if (openPullFrom(repo, head.repo, head.branch, String(body.base))) return custom(`A pull request already exists for ${label}.`);
  const ahead = compare(repo, baseSha, headSha);
  if (!ahead) return custom(`The ${head.branch} branch has no history in common with ${body.base}`);
  if (ahead.ahead === 0) return custom(`No commits between ${body.base} and ${head.repo.id === repo.id ? head.branch : label}`);
  const pull = addPull(world, repo, {
    title: String(body.title),
    body: typeof body.body === "string" ? body.body : "",
    author: grant.login,
    association: "CONTRIBUTOR",
    base: String(body.base),
    baseSha,
    head: head.branch,
    headRepo: head.repo.id,
    headSha,
    draft: body.draft === true,
  });
  noteNoise(world, repo, `${pull.title}\n\n${pull.body}`, `pull request #${pull.number}`, refTo(repo, pull));
  return { status: 201, body: threadShapes.pull(world, api, repo, pull, grant) };
});

const openPullFrom = (repo: Repo, headRepo: Repo, head: string, base: string): Pull | undefined =>
  Object.values(repo.threads).find(
    (thread): thread is Pull =>
      thread.kind === "pull" && thread.state === "open" && thread.headRepo === headRepo.id && thread.head === head && thread.base === base,
  );

/** Runs a handler for a pull request that the caller may write to. */
const writingPull = (handler: (context: RepoContext & { grant: Token }, pull: Pull) => Reply) =>
  writing((context) => {
    const thread = context.repo.threads[Number(context.params.pull_number)];
    return thread?.kind === "pull" ? handler(context, thread) : notFound();
  });

export const updatePull = writingPull(({ world, api, repo, body, grant }, pull) => {
  const wrong = tooLong(body.title, body.body) ?? cannotReopen(repo, pull, body.state) ?? badBase(repo, pull, body.base);
  if (wrong) return wrong;
  const by = { by: grant.login };
  const before = `${pull.title}\n\n${pull.body}`;
  if (typeof body.title === "string" && body.title !== pull.title) rename(world, pull, body.title, by);
  if (typeof body.body === "string") pull.body = body.body;
  if (typeof body.base === "string" && body.base !== pull.base) changeBase(world, pull, body.base, by);
  if (body.state === "closed" && pull.state === "open") close(world, pull, by);
  if (body.state === "open" && pull.state === "closed") reopen(world, pull, by);
  pull.updatedAt = new Date(world.clock).toISOString().replace(/\.\d+Z$/, "Z");
  const after = `${pull.title}\n\n${pull.body}`;
  if (after !== before) noteNoise(world, repo, after, `pull request #${pull.number}`, refTo(repo, pull));
  return { status: 200, body: threadShapes.pull(world, api, repo, pull, grant) };
});

function cannotReopen(repo: Repo, pull: Pull, state: unknown): Reply | undefined {
  if (state !== "open" || pull.state === "open") return undefined;
  if (pull.mergedAt !== null) return custom("state cannot be changed. The pull request is merged.");
  if (resolveIn(repo, `refs/heads/${pull.head}`) !== undefined) return undefined;
  return custom(`state cannot be changed. The ${pull.head} branch has been deleted.`);
}

const badBase = (repo: Repo, pull: Pull, base: unknown): Reply | undefined =>
  typeof base === "string" && base !== pull.base && resolveIn(repo, `refs/heads/${base}`) === undefined
    ? invalid({ resource: "PullRequest", field: "base", code: "invalid" })
    : undefined;

export const mergePullRequest = writingPull(({ world, repo, body, grant }, pull) => {
  if (pull.state === "closed" || pull.draft || mergeableOf(repo, pull) !== "MERGEABLE")
    return failure(405, "Pull Request is not mergeable");
  if (typeof body.sha === "string" && body.sha !== pull.headSha) {
    return failure(409, "Head branch was modified. Review and try the merge again.");
  }
  const needed = repo.protections[pull.base]?.approvals ?? 0;
  const approvals = new Set(pull.reviews.filter((review) => review.state === "APPROVED").map((review) => review.author)).size;
  if (approvals < needed) {
    const review = needed === 1 ? "approving review is" : "approving reviews are";
    return failure(405, `At least ${needed} ${review} required by reviewers with write access.`);
  }
  try {
    const method = (body.merge_method as MergeMethod | undefined) ?? "merge";
    const sha = mergePull(world, repo, pull, { method, by: grant.login });
    return { status: 200, body: { sha, merged: true, message: "Pull Request successfully merged" } };
  } catch (error) {
    if (error instanceof MergeConflict) return failure(405, "Pull Request is not mergeable");
    throw error;
  }
});

/** Labels an issue or pull request with an event for each change. Unknown labels are created, as GitHub does for writers. */
export function label(world: World, repo: Repo, thread: Pull | Issue, names: string[], by: string): void {
  for (const name of names) {
    const known = repo.labels[name.toLowerCase()] ?? { id: world.nextId++, name, color: "ededed", description: null };
    repo.labels[name.toLowerCase()] = known;
    if (thread.labels.includes(known.name)) continue;
    thread.labels.push(known.name);
    addEvent(world, thread, { event: "labeled", label: known.name }, { by });
  }
}

export const whereOf = (repo: Repo, number: number): string => `${fullName(repo)}#${number}`;
