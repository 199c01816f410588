/**
 * Questions to source trees, and their answers. Derive leaves questions behind, `observe/source` answers them, derive judges
 * again. Nothing here changes with time: a commit's files and history are the same for ever.
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
  /** Whether a commit is the same as another, or an ancestor of it. */
  | { ask: "contains"; repo: string; commit: string; inside: string }
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

export type ContainsAnswer = { state: "yes" | "no" } | { state: "failed"; why: string };

export type Answer = ContainsAnswer | FileAnswer | BlobAnswer | HistoryAnswer | ChangeAnswer | FolderAnswer | OwnAnswer;

/** A question as a key of the answers. */
export function keyOf(question: Question): string {
  switch (question.ask) {
    case "file":
    case "history":
    case "folder":
      return `${question.ask}\0${question.repo}\0${question.commit}\0${question.path}`;
    case "contains":
      return `contains\0${question.repo}\0${question.commit}\0${question.inside}`;
    case "change":
      return `change\0${question.repo}\0${question.commit}`;
    case "blob":
      return `blob\0${question.repo}\0${question.blob}`;
    case "own":
      return `own\0${question.path}`;
  }
}
