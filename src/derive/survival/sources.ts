/**
 * What survival needs to know of source trees. Derive reads nothing: a lookup that has no answer yet returns undefined and
 * leaves a question behind; a script has the questions answered by `observe/source`, and judges again.
 */
export type Question =
  | { ask: "file"; repo: string; commit: string; path: string }
  /** Texts of blobs of one repository, whichever commit they come from. */
  | { ask: "blob"; repo: string; blob: string }
  /** Every change of a path on the first-parent line that ends in a commit. */
  | { ask: "history"; repo: string; commit: string; path: string }
  /** The files a commit changed against its first parent. */
  | { ask: "change"; repo: string; commit: string }
  /** The files below a folder at a commit. */
  | { ask: "folder"; repo: string; commit: string; path: string }
  /** A file of the stack itself. */
  | { ask: "own"; path: string };

/** A file at a commit. `failed`: nothing was learnt, and why. */
export type FileAnswer =
  | { state: "text"; blob: string; text: string }
  | { state: "absent" }
  | { state: "binary" | "huge"; blob: string; bytes: number }
  | { state: "link"; to: string }
  | { state: "folder" }
  | { state: "failed"; why: string };

/** One change of a file, as the first-parent line has it. */
export interface Version {
  commit: string;
  /** ISO instant of the commit. */
  at: string;
  subject: string;
  /** The file's blob after the change; null: the change took the file away. */
  blob: string | null;
}

/** Newest first. `whole`: false when there are older changes that were not read. */
export type HistoryAnswer = { state: "seen"; versions: Version[]; whole: boolean } | { state: "failed"; why: string };

export interface ChangedFile {
  path: string;
  /** Blob before and after; null: the file was not there. */
  before: string | null;
  after: string | null;
}
export type ChangeAnswer = { state: "seen"; files: ChangedFile[] } | { state: "failed"; why: string };
export type FolderAnswer = { state: "seen"; files: { path: string; blob: string }[] } | { state: "failed"; why: string };
export type BlobAnswer = { state: "text"; text: string } | { state: "binary" | "huge" } | { state: "failed"; why: string };
export type OwnAnswer = { state: "text"; text: string } | { state: "absent" } | { state: "failed"; why: string };

/** Answers by question. Undefined: not asked yet; the asking is noted. */
export interface Sources {
  file: (repo: string, commit: string, path: string) => FileAnswer | undefined;
  /** Does not note a question: a history is walked in batches, which {@link Sources.want} asks for. */
  blob: (repo: string, blob: string) => BlobAnswer | undefined;
  history: (repo: string, commit: string, path: string) => HistoryAnswer | undefined;
  change: (repo: string, commit: string) => ChangeAnswer | undefined;
  folder: (repo: string, commit: string, path: string) => FolderAnswer | undefined;
  own: (path: string) => OwnAnswer | undefined;
  /** Notes questions ahead of need, so that many are answered in one go. */
  want: (questions: readonly Question[]) => void;
  /** SHA-256 of a text, in hexadecimal. */
  sha256: (text: string) => string;
  /** What was found out about a blob, by what was looked for; kept from round to round. */
  presence: (subject: object) => Map<string, boolean>;
}

export type Answer = FileAnswer | BlobAnswer | HistoryAnswer | ChangeAnswer | FolderAnswer | OwnAnswer;

/** What was answered so far. */
export interface Known {
  answers: Map<string, Answer>;
  presence: WeakMap<object, Map<string, boolean>>;
  sha256: (text: string) => string;
}

export const nothingKnown = (sha256: (text: string) => string): Known => ({ answers: new Map(), presence: new WeakMap(), sha256 });

/** A question as a key of {@link Answers}. */
export function keyOf(question: Question): string {
  switch (question.ask) {
    case "file":
    case "history":
    case "folder":
      return `${question.ask}\0${question.repo}\0${question.commit}\0${question.path}`;
    case "change":
      return `change\0${question.repo}\0${question.commit}`;
    case "blob":
      return `blob\0${question.repo}\0${question.blob}`;
    case "own":
      return `own\0${question.path}`;
  }
}

/** A view of the answers so far, and the questions that had none. */
export function sourcesOf({ answers, presence, sha256 }: Known): { sources: Sources; asked: Map<string, Question> } {
  const asked = new Map<string, Question>();
  const look = <T extends Answer>(question: Question): T | undefined => {
    const key = keyOf(question);
    const answer = answers.get(key) as T | undefined;
    if (answer === undefined) asked.set(key, question);
    return answer;
  };
  return {
    asked,
    sources: {
      file: (repo, commit, path) => look({ ask: "file", repo, commit, path }),
      blob: (repo, blob) => answers.get(keyOf({ ask: "blob", repo, blob })) as BlobAnswer | undefined,
      history: (repo, commit, path) => look({ ask: "history", repo, commit, path }),
      change: (repo, commit) => look({ ask: "change", repo, commit }),
      folder: (repo, commit, path) => look({ ask: "folder", repo, commit, path }),
      own: (path) => look({ ask: "own", path }),
      want: (questions) => {
        for (const question of questions) look(question);
      },
      sha256,
      presence: (subject) => {
        const found = presence.get(subject) ?? new Map<string, boolean>();
        presence.set(subject, found);
        return found;
      },
    },
  };
}
