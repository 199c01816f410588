import type { Answer, BlobAnswer, FileAnswer, Question, Version } from "../../model/source.ts";
import { keyOf } from "../../model/source.ts";
import type { GithubClient } from "./client.ts";
import { GithubFailure } from "./failure.ts";
import { blobsQuery, filesQuery, historyQuery } from "./source-queries.ts";

/** Files in one request; the answer carries their texts. */
export const BATCH = 50;

const PAGES = 20;

/** Texts kept on this machine under a key. Nothing kept here ever changes: a blob by its id, what a commit has under a path. */
export interface SourceCache {
  get: (key: string) => Promise<string | undefined>;
  set: (key: string, text: string) => Promise<void>;
}

type Ask<K extends Question["ask"]> = Extract<Question, { ask: K }>;

const only = <K extends Question["ask"]>(questions: readonly Question[], ask: K) =>
  questions.filter((one): one is Ask<K> => one.ask === ask);

/**
 * Reads source trees through GitHub's API, many files a request: the way for a machine that has no git mirror and will not make
 * one. A path that is not there is told apart from a commit that is not there, because the commit is asked for too. What a commit
 * changed and what a folder holds is left to the mirror.
 * @param client undefined works offline, on what is kept
 */
export function githubSource(client: Client | undefined, cache: SourceCache) {
  return {
    name: "github",
    answer: async (repo: string, questions: readonly Question[]): Promise<Map<string, Answer>> => {
      const answers = await kept(cache, questions);
      const open = questions.filter((question) => !answers.has(keyOf(question)));
      if (!client || open.length === 0) return answers;
      try {
        await inBatches(only(open, "file"), (some) => files(client, cache, repo, some, answers));
        await inBatches(only(open, "blob"), (some) => blobs(client, cache, repo, some, answers));
        for (const question of only(open, "history")) {
          const answer = await history(client, repo, question);
          answers.set(keyOf(question), answer);
          if (answer.state === "seen") await cache.set(cacheKey(question), JSON.stringify(answer));
        }
      } catch (error) {
        const why = `GitHub: ${error instanceof Error ? error.message : String(error)}`;
        for (const question of open) if (!answers.has(keyOf(question))) answers.set(keyOf(question), { state: "failed", why });
      }
      return answers;
    },
  };
}

type Client = Pick<GithubClient, "graphql">;

/** Halves a batch that asks too much at once. */
async function inBatches<T>(all: readonly T[], work: (some: readonly T[]) => Promise<void>, size = BATCH): Promise<void> {
  for (let from = 0; from < all.length; from += size) {
    const some = all.slice(from, from + size);
    try {
      await work(some);
    } catch (error) {
      const tooMuch = error instanceof GithubFailure && (error.kind === "cost" || error.kind === "broken");
      if (!tooMuch || some.length === 1) throw error;
      await inBatches(some, work, Math.ceil(some.length / 2));
    }
  }
}

const cacheKey = (question: Question): string =>
  question.ask === "blob" ? `blob ${question.blob}` : keyOf(question).replaceAll("\0", " ");

async function kept(cache: SourceCache, questions: readonly Question[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const question of questions) {
    const text = await cache.get(cacheKey(question));
    if (text === undefined) continue;
    if (question.ask === "blob") answers.set(keyOf(question), { state: "text", text });
    else {
      const answer = JSON.parse(text) as Answer;
      const blob = question.ask === "file" && answer.state === "text" && "blob" in answer ? answer.blob : undefined;
      const content = blob === undefined ? undefined : await cache.get(`blob ${blob}`);
      if (blob === undefined) answers.set(keyOf(question), answer);
      else if (content !== undefined) answers.set(keyOf(question), { state: "text", blob, text: content });
    }
  }
  return answers;
}

interface BlobNode {
  oid?: string;
  byteSize?: number;
  isBinary?: boolean | null;
  isTruncated?: boolean;
  text?: string | null;
}

interface FileNode {
  mode?: number;
  type?: string;
  object?: BlobNode | null;
}

async function ask(client: Client, query: string): Promise<Record<string, unknown>> {
  const { data, errors } = await client.graphql(query, 2);
  const repository = data.repository;
  if (typeof repository !== "object" || repository === null) throw new Error(errors[0]?.message ?? "the repository was not found");
  return repository as Record<string, unknown>;
}

async function files(
  client: Client,
  cache: SourceCache,
  repo: string,
  some: readonly Ask<"file">[],
  answers: Map<string, Answer>,
): Promise<void> {
  const repository = await ask(client, filesQuery(repo, some));
  const commits = [...new Set(some.map(({ commit }) => commit))];
  for (const [at, question] of some.entries()) {
    const commit = repository[`k${commits.indexOf(question.commit)}`] as Record<string, unknown> | null | undefined;
    const answer = fileAnswer(repo, question.commit, commit, commit?.[`f${at}`] as FileNode | null | undefined);
    answers.set(keyOf(question), answer);
    if (answer.state === "failed") continue;
    if (answer.state === "text") await cache.set(`blob ${answer.blob}`, answer.text);
    await cache.set(cacheKey(question), JSON.stringify(answer.state === "text" ? { ...answer, text: "" } : answer));
  }
}

function fileAnswer(
  repo: string,
  sha: string,
  commit: Record<string, unknown> | null | undefined,
  node: FileNode | null | undefined,
): FileAnswer {
  if (commit?.__typename !== "Commit") return { state: "failed", why: `GitHub has no commit ${sha.slice(0, 10)} in ${repo}` };
  if (node === null) return { state: "absent" };
  if (node?.type === "tree") return { state: "folder" };
  const blob = node?.object;
  if (node?.type !== "blob" || !blob?.oid) return { state: "failed", why: "GitHub gave no file there" };
  // 40960 is 0o120000, a symbolic link.
  if (node.mode === 40960 && typeof blob.text === "string") return { state: "link", to: blob.text };
  if (blob.isBinary === true) return { state: "binary", blob: blob.oid, bytes: blob.byteSize ?? 0 };
  if (blob.isTruncated === true || typeof blob.text !== "string") return { state: "huge", blob: blob.oid, bytes: blob.byteSize ?? 0 };
  return { state: "text", blob: blob.oid, text: blob.text };
}

async function blobs(
  client: Client,
  cache: SourceCache,
  repo: string,
  some: readonly Ask<"blob">[],
  answers: Map<string, Answer>,
): Promise<void> {
  const repository = await ask(
    client,
    blobsQuery(
      repo,
      some.map(({ blob }) => blob),
    ),
  );
  for (const [at, question] of some.entries()) {
    const answer = blobAnswer(question.blob, repository[`b${at}`] as BlobNode | null | undefined);
    answers.set(keyOf(question), answer);
    if (answer.state === "text") await cache.set(`blob ${question.blob}`, answer.text);
  }
}

function blobAnswer(sha: string, node: BlobNode | null | undefined): BlobAnswer {
  if (!node?.oid) return { state: "failed", why: `GitHub has no blob ${sha.slice(0, 10)}` };
  if (node.isBinary === true) return { state: "binary" };
  return node.isTruncated === true || typeof node.text !== "string" ? { state: "huge" } : { state: "text", text: node.text };
}

interface HistoryNode {
  oid: string;
  committedDate: string;
  messageHeadline: string;
  file: { mode: number; object: { oid?: string } | null } | null;
}

interface HistoryPage {
  nodes: (HistoryNode | null)[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** GitHub's history goes by date over all parents; for projects that squash that is the mainline. */
async function history(client: Client, repo: string, question: Ask<"history">): Promise<Answer> {
  const versions: Version[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const repository = await ask(client, historyQuery(repo, question, after));
    const found = (repository.k as { history?: HistoryPage } | null | undefined)?.history;
    if (!found) return { state: "failed", why: `GitHub has no commit ${question.commit.slice(0, 10)} in ${repo}` };
    for (const node of found.nodes) {
      if (!node) return { state: "failed", why: "GitHub left out a part of the file's history" };
      versions.push({ commit: node.oid, at: node.committedDate, subject: node.messageHeadline, blob: node.file?.object?.oid ?? null });
    }
    if (!found.pageInfo.hasNextPage || found.pageInfo.endCursor === null) return { state: "seen", versions, whole: true };
    after = found.pageInfo.endCursor;
  }
  return { state: "seen", versions, whole: false };
}
