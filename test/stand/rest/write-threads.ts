import { noteNoise } from "../noise.ts";
import { addEvent, addIssue, close, comment, type LiveThread, rename, reopen } from "../threads.ts";
import type { Issue, Pull } from "../thread-types.ts";
import { newId, nowOf, refTo, type Token } from "../world.ts";
import { failure, invalid, notFound, page, type Reply, type RepoContext } from "./context.ts";
import { labelOf, threadAt } from "./read-threads.ts";
import * as shapes from "./shapes.ts";
import * as threadShapes from "./thread-shapes.ts";
import { writing } from "./write-guard.ts";
import { label, tooLong, whereOf } from "./write-pulls.ts";

/** Runs a handler for an issue or pull request that the caller may write to. */
const writingThread = (handler: (context: RepoContext & { grant: Token }, thread: Issue | Pull) => Reply) =>
  writing((context) => {
    const found = threadAt(context, context.params.issue_number ?? "");
    return "reply" in found ? found.reply : handler(context, found.thread);
  });

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map((entry: unknown) =>
    typeof entry === "string" ? entry : String((entry as { name?: unknown }).name),
  );

/** `labels` in an object, or the bare list that the endpoint takes as well. */
const labelsOf = (body: unknown): string[] => namesIn(Array.isArray(body) ? body : (body as { labels?: unknown }).labels);

export const createIssue = writing(({ world, api, repo, body, grant }) => {
  const wrong = tooLong(body.title, body.body);
  if (wrong) return wrong;
  const text = typeof body.body === "string" ? body.body : "";
  const issue = addIssue(world, repo, { title: String(body.title), body: text, author: grant.login, association: "CONTRIBUTOR" });
  label(world, repo, issue, labelsOf(body), grant.login);
  noteNoise(world, repo, `${issue.title}\n\n${issue.body}`, whereOf(repo, issue.number), refTo(repo, issue));
  return { status: 201, body: threadShapes.issue(api, repo, issue) };
});

export const updateIssue = writingThread(({ world, api, repo, body, grant }, thread) => {
  const wrong = tooLong(body.title, body.body);
  if (wrong) return wrong;
  const by = { by: grant.login };
  const before = `${thread.title}\n\n${thread.body}`;
  if (typeof body.title === "string" && body.title !== thread.title) rename(world, thread, body.title, by);
  if (typeof body.body === "string") thread.body = body.body;
  if (body.labels !== undefined) replaceLabels({ world, repo }, thread, labelsOf(body), grant.login);
  if (body.state === "closed" && thread.state === "open") {
    close(world, thread, { ...by, reason: (body.state_reason as Issue["stateReason"] | undefined) ?? "completed" });
  }
  if (body.state === "open" && thread.state === "closed") reopen(world, thread, by);
  thread.updatedAt = nowOf(world);
  const after = `${thread.title}\n\n${thread.body}`;
  if (after !== before) noteNoise(world, repo, after, whereOf(repo, thread.number), refTo(repo, thread));
  return { status: 200, body: threadShapes.issue(api, repo, thread) };
});

export const createComment = writingThread(({ world, api, repo, body, grant }, thread) => {
  if (thread.locked) return failure(403, "Unable to create comment because issue is locked.");
  const wrong = tooLong(undefined, body.body);
  if (wrong) return wrong;
  const made = comment(world, thread, { author: grant.login, association: "CONTRIBUTOR", body: String(body.body) });
  noteNoise(world, repo, made.body, whereOf(repo, thread.number), refTo(repo, thread));
  return { status: 201, body: shapes.issueComment(api, repo, thread.number, made) };
});

export const updateComment = writing(({ world, api, repo, body, params }) => {
  const wrong = tooLong(undefined, body.body);
  if (wrong) return wrong;
  for (const thread of Object.values(repo.threads)) {
    const found = "comments" in thread ? thread.comments.find((candidate) => candidate.id === Number(params.comment_id)) : undefined;
    if (!found) continue;
    found.body = String(body.body);
    noteNoise(world, repo, found.body, whereOf(repo, thread.number), refTo(repo, thread));
    return { status: 200, body: shapes.issueComment(api, repo, thread.number, found) };
  }
  return notFound();
});

const shown = ({ api, repo }: RepoContext, thread: Issue | Pull): Reply => ({
  status: 200,
  body: thread.labels.map((name) => shapes.label(api, repo, labelOf(repo, name))),
});

export const addLabels = writingThread((context, thread) => {
  label(context.world, context.repo, thread, labelsOf(context.body), context.grant.login);
  return shown(context, thread);
});

export const setLabels = writingThread((context, thread) => {
  replaceLabels(context, thread, labelsOf(context.body), context.grant.login);
  return shown(context, thread);
});

function replaceLabels({ world, repo }: Pick<RepoContext, "world" | "repo">, thread: Issue | Pull, names: string[], by: string): void {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  for (const name of thread.labels.filter((candidate) => !wanted.has(candidate.toLowerCase()))) unlabel(world, thread, name, by);
  label(world, repo, thread, names, by);
}

function unlabel(world: RepoContext["world"], thread: LiveThread, name: string, by: string): void {
  thread.labels.splice(thread.labels.indexOf(name), 1);
  addEvent(world, thread, { event: "unlabeled", label: name }, { by });
}

export const removeLabel = writingThread((context, thread) => {
  const name = thread.labels.find((candidate) => candidate.toLowerCase() === context.params.name?.toLowerCase());
  if (name === undefined) return failure(404, "Label does not exist");
  unlabel(context.world, thread, name, context.grant.login);
  return shown(context, thread);
});

export const listLabels = (context: RepoContext): Reply =>
  page(context, "/labels", Object.values(context.repo.labels), (of) => shapes.label(context.api, context.repo, of));

export function getLabel({ api, repo, params }: RepoContext): Reply {
  const found = repo.labels[(params.name ?? "").toLowerCase()];
  return found ? { status: 200, body: shapes.label(api, repo, found) } : notFound();
}

export const createLabel = writing(({ world, api, repo, body }) => {
  const name = String(body.name);
  if (repo.labels[name.toLowerCase()]) return invalid({ resource: "Label", code: "already_exists", field: "name" });
  const color = typeof body.color === "string" ? body.color : "ededed";
  if (!/^[0-9a-f]{6}$/i.test(color)) return invalid({ resource: "Label", code: "invalid", field: "color" });
  const made = { id: newId(world), name, color, description: typeof body.description === "string" ? body.description : null };
  repo.labels[name.toLowerCase()] = made;
  return { status: 201, body: shapes.label(api, repo, made) };
});
