import type { Answer, BlobAnswer, ChangedFile, FileAnswer, Question, Version } from "../../model/source.ts";
import { keyOf } from "../../model/source.ts";
import type { SourceHost, SourceMirror } from "./source-mirror.ts";
import { lacking, openSourceMirror } from "./source-mirror.ts";
import { readBlobs } from "./source-blobs.ts";
import type { Blob } from "./source-blobs.ts";
import { FORMAT, decode, isBinary, parseLog, parseTree } from "./source-output.ts";
import type { Entry } from "./source-output.ts";

/** Paths in one argument list. */
const PATHS = 400;

type Ask<K extends Question["ask"]> = Extract<Question, { ask: K }>;

const only = <K extends Question["ask"]>(questions: readonly Question[], ask: K) =>
  questions.filter((one): one is Ask<K> => one.ask === ask);

/**
 * Reads source trees from a git mirror. Blobs are the mirror's own objects, so what was read once is there for ever and a warm
 * run makes no request; a handful of git processes answers any number of questions.
 */
export function gitSource(host: SourceHost, { offline = false }: { offline?: boolean } = {}) {
  const mirrors = new Map<string, Promise<SourceMirror | string>>();
  return {
    name: "git",
    answer: async (repo: string, questions: readonly Question[]): Promise<Map<string, Answer>> => {
      const answers = new Map<string, Answer>();
      const opening = mirrors.get(repo) ?? openSourceMirror(host, repo, offline);
      mirrors.set(repo, opening);
      const mirror = await opening.catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      if (typeof mirror === "string") {
        for (const question of questions) answers.set(keyOf(question), { state: "failed", why: mirror });
        return answers;
      }
      await answerAll(mirror, repo, await withCommits(mirror, repo, questions, answers), answers);
      return answers;
    },
  };
}

/** Questions whose commit is here, or came when asked for; the others are answered as failed. */
async function withCommits(
  mirror: SourceMirror,
  repo: string,
  questions: readonly Question[],
  answers: Map<string, Answer>,
): Promise<Question[]> {
  const commits = [...new Set(questions.flatMap(commitsOf))];
  let missing = await lacking(mirror, commits);
  let why: string | undefined;
  if (missing.length > 0) {
    why = await mirror.fetchCommits(missing);
    missing = await lacking(mirror, missing);
  }
  const gone = new Set(missing);
  for (const question of questions) {
    const lost = commitsOf(question).find((commit) => gone.has(commit));
    if (lost !== undefined) {
      answers.set(keyOf(question), { state: "failed", why: `commit ${lost.slice(0, 10)} of ${repo} is not here${why ? `: ${why}` : ""}` });
    }
  }
  return questions.filter((question) => !answers.has(keyOf(question)));
}

const commitsOf = (question: Question): string[] => [
  ...("commit" in question ? [question.commit] : []),
  ...("inside" in question ? [question.inside] : []),
];

async function answerAll(mirror: SourceMirror, repo: string, questions: readonly Question[], answers: Map<string, Answer>): Promise<void> {
  await folders(mirror, only(questions, "folder"), answers);
  await histories(mirror, only(questions, "history"), answers);
  await changes(mirror, only(questions, "change"), answers);
  for (const question of only(questions, "contains")) {
    const { code, stderr } = await mirror.read(["merge-base", "--is-ancestor", question.commit, question.inside]);
    answers.set(keyOf(question), code === 0 || code === 1 ? { state: code === 0 ? "yes" : "no" } : { state: "failed", why: stderr.trim() });
  }
  const entries = await entriesOf(mirror, only(questions, "file"), answers);
  const blobs = [...entries.values()].filter(({ kind }) => kind === "blob").map(({ sha }) => sha);
  const texts = await readBlobs(mirror, [...blobs, ...only(questions, "blob").map(({ blob }) => blob)]);
  for (const question of only(questions, "blob")) answers.set(keyOf(question), blobAnswer(repo, texts.get(question.blob)));
  for (const question of only(questions, "file")) {
    const entry = entries.get(keyOf(question));
    if (entry) answers.set(keyOf(question), fileAnswer(repo, entry, texts.get(entry.sha)));
  }
}

/** One `ls-tree` a commit: it reads trees alone. */
async function entriesOf(
  mirror: SourceMirror,
  questions: readonly Ask<"file">[],
  answers: Map<string, Answer>,
): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (const [commit, asked] of byCommit(questions)) {
    for (let from = 0; from < asked.length; from += PATHS) {
      const some = asked.slice(from, from + PATHS);
      const listed = await mirror.read(["ls-tree", "-z", "--full-tree", commit, "--", ...some.map(({ path }) => path)]);
      const found = new Map(parseTree(listed.stdout).map((entry) => [entry.path, entry]));
      for (const question of some) {
        const entry = found.get(question.path);
        if (listed.code !== 0)
          answers.set(keyOf(question), { state: "failed", why: listed.stderr.trim().split("\n")[0] ?? "git could not list the tree" });
        else if (entry) entries.set(keyOf(question), entry);
        else answers.set(keyOf(question), { state: "absent" });
      }
    }
  }
  return entries;
}

async function folders(mirror: SourceMirror, questions: readonly Ask<"folder">[], answers: Map<string, Answer>): Promise<void> {
  for (const question of questions) {
    const listed = await mirror.read(["ls-tree", "-r", "-z", "--full-tree", question.commit, "--", question.path.replace(/\/?$/, "/")]);
    const files = parseTree(listed.stdout).filter(({ kind, mode }) => kind === "blob" && mode !== "120000");
    answers.set(
      keyOf(question),
      listed.code === 0
        ? { state: "seen", files: files.map(({ path, sha }) => ({ path, blob: sha })) }
        : { state: "failed", why: listed.stderr.trim().split("\n")[0] ?? "git could not list the folder" },
    );
  }
}

/**
 * All asked histories of a commit in one `log` along first parents: what the mainline had is what a build had, and a merge shows
 * as one change with the number of its pull request. Renames are not looked for, because that would read blobs.
 */
async function histories(mirror: SourceMirror, questions: readonly Ask<"history">[], answers: Map<string, Answer>): Promise<void> {
  for (const [commit, asked] of byCommit(questions)) {
    for (let from = 0; from < asked.length; from += PATHS) {
      const some = asked.slice(from, from + PATHS);
      const args = ["log", "-z", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", `--format=${FORMAT}`, commit, "--"];
      const logged = await mirror.read([...args, ...some.map(({ path }) => path)]);
      if (logged.code !== 0) {
        for (const one of some) answers.set(keyOf(one), { state: "failed", why: logged.stderr.trim().split("\n")[0] ?? "git log failed" });
        continue;
      }
      const versions = new Map<string, Version[]>(some.map(({ path }) => [path, []]));
      for (const { path, after, ...change } of parseLog(logged.stdout)) versions.get(path)?.push({ ...change, blob: after });
      for (const one of some) answers.set(keyOf(one), { state: "seen", versions: versions.get(one.path) ?? [], whole: true });
    }
  }
}

async function changes(mirror: SourceMirror, questions: readonly Ask<"change">[], answers: Map<string, Answer>): Promise<void> {
  for (const question of questions) {
    const args = ["log", "-1", "-z", "-r", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", `--format=${FORMAT}`];
    const logged = await mirror.read([...args, question.commit, "--"]);
    const files: ChangedFile[] = parseLog(logged.stdout).map(({ path, before, after }) => ({ path, before, after }));
    answers.set(keyOf(question), logged.code === 0 ? { state: "seen", files } : { state: "failed", why: logged.stderr.trim() });
  }
}

function fileAnswer(repo: string, entry: Entry, blob: Blob | undefined): FileAnswer {
  if (entry.kind === "tree") return { state: "folder" };
  if (entry.kind !== "blob") return { state: "failed", why: "it is a submodule" };
  if (blob?.state === "bytes" && entry.mode === "120000") return { state: "link", to: decode(blob.bytes) };
  if (blob?.state === "bytes") {
    return isBinary(blob.bytes)
      ? { state: "binary", blob: entry.sha, bytes: blob.bytes.length }
      : { state: "text", blob: entry.sha, text: decode(blob.bytes) };
  }
  if (blob?.state === "huge") return { state: "huge", blob: entry.sha, bytes: blob.size };
  return { state: "failed", why: `${repo}: ${blob?.why ?? "the file could not be read"}` };
}

function blobAnswer(repo: string, blob: Blob | undefined): BlobAnswer {
  if (blob?.state === "bytes") return isBinary(blob.bytes) ? { state: "binary" } : { state: "text", text: decode(blob.bytes) };
  if (blob?.state === "huge") return { state: "huge" };
  return { state: "failed", why: `${repo}: ${blob?.why ?? "the file could not be read"}` };
}

function byCommit<T extends { commit: string }>(questions: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const question of questions) groups.set(question.commit, [...(groups.get(question.commit) ?? []), question]);
  return groups;
}
