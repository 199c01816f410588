import type { Answer, BlobAnswer, ChangedFile, FileAnswer, Question, Version } from "../../model/source.ts";
import { keyOf } from "../../model/source.ts";
import type { SourceHost, SourceMirror } from "./source-mirror.ts";
import { lacking, openSourceMirror } from "./source-mirror.ts";

/** Files above this are not read: no source file that a person patches is as large. */
export const HUGE = 4 * 1024 * 1024;
/** Bytes of blobs that one `cat-file` process hands over. */
const CHUNK = 32 * 1024 * 1024;
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

interface Entry {
  mode: string;
  kind: string;
  sha: string;
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

function parseTree(bytes: Uint8Array): (Entry & { path: string })[] {
  return decode(bytes)
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [meta = "", path = ""] = line.split("\t", 2);
      const [mode = "", kind = "", sha = ""] = meta.split(" ");
      return { mode, kind, sha, path };
    });
}

const FORMAT = "%x01%H%x02%cI%x02%s";

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

interface LogEntry extends Omit<Version, "blob"> {
  path: string;
  before: string | null;
  after: string | null;
}

/** Records of `log -z --raw`: a header that starts with \x01, then pairs of `:modes blobs status` and path. */
function parseLog(bytes: Uint8Array): LogEntry[] {
  const entries: LogEntry[] = [];
  let header = { commit: "", at: "", subject: "" };
  let meta: string[] | undefined;
  for (const part of decode(bytes).split("\0")) {
    const token = part.replace(/^\n+/, "");
    if (meta) {
      entries.push({ ...header, path: token, before: blobOf(meta[0] ?? "", meta[2] ?? ""), after: blobOf(meta[1] ?? "", meta[3] ?? "") });
      meta = undefined;
    } else if (token.startsWith("\x01")) {
      const [commit = "", at = "", subject = ""] = token.slice(1).split("\x02");
      header = { commit, at, subject: subject.trim() };
    } else if (token.startsWith(":")) meta = token.slice(1).split(" ");
  }
  return entries;
}

/** Links and submodules are no files that a patch could change. */
const blobOf = (mode: string, sha: string): string | null => (mode.startsWith("100") && !/^0+$/.test(sha) ? sha : null);

type Blob = { state: "bytes"; bytes: Uint8Array } | { state: "huge"; size: number } | { state: "failed"; why: string };

/** Sizes first, then the content of those that are here; the missing ones are fetched in one request. */
async function readBlobs(mirror: SourceMirror, wanted: readonly string[]): Promise<Map<string, Blob>> {
  const blobs = [...new Set(wanted)];
  const found = new Map<string, Blob>();
  const sizes = await sizesOf(mirror, blobs);
  const missing = blobs.filter((sha) => !sizes.has(sha));
  let why: string | undefined;
  if (missing.length > 0) {
    why = await mirror.fetchBlobs(missing);
    for (const [sha, size] of await sizesOf(mirror, missing)) sizes.set(sha, size);
  }
  let chunk: string[] = [];
  let total = 0;
  const flush = async () => {
    if (chunk.length === 0) return;
    for (const [sha, bytes] of parseBatch((await mirror.read(["cat-file", "--batch"], `${chunk.join("\n")}\n`)).stdout)) {
      found.set(sha, { state: "bytes", bytes });
    }
    chunk = [];
    total = 0;
  };
  for (const sha of blobs) {
    const size = sizes.get(sha);
    if (size === undefined) found.set(sha, { state: "failed", why: `it was not fetched yet${why ? ` (${why})` : ""}` });
    else if (size > HUGE) found.set(sha, { state: "huge", size });
    else {
      chunk.push(sha);
      total += size;
      if (total > CHUNK) await flush();
    }
  }
  await flush();
  return found;
}

async function sizesOf(mirror: SourceMirror, blobs: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (blobs.length === 0) return sizes;
  const { stdout } = await mirror.read(["cat-file", "--batch-check"], `${blobs.join("\n")}\n`);
  for (const line of decode(stdout).split("\n")) {
    const [sha = "", kind, size] = line.split(" ");
    if (kind === "blob") sizes.set(sha, Number(size));
  }
  return sizes;
}

/** `<sha> blob <size>\n<bytes>\n`, one after the other. */
function parseBatch(bytes: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end === -1) break;
    const [sha = "", kind, size] = decode(bytes.subarray(at, end)).split(" ");
    at = end + 1;
    if (kind !== "blob") continue;
    found.set(sha, bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
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

/** As git decides it: a zero byte near the start. */
const isBinary = (bytes: Uint8Array) => bytes.subarray(0, 8000).includes(0);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const decode = (bytes: Uint8Array) => decoder.decode(bytes);

function byCommit<T extends { commit: string }>(questions: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const question of questions) groups.set(question.commit, [...(groups.get(question.commit) ?? []), question]);
  return groups;
}
