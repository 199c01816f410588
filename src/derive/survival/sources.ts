import { keyOf } from "../../model/source.ts";
import type { Answer, BlobAnswer, ChangeAnswer, FileAnswer, FolderAnswer, HistoryAnswer, OwnAnswer, Question } from "../../model/source.ts";

/**
 * Answers by question. Undefined: not asked yet; the asking is noted, so that a script can have it answered by
 * `observe/source` and judge again. Derive itself reads nothing.
 */
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

/** What was answered so far. */
export interface Known {
  answers: Map<string, Answer>;
  presence: WeakMap<object, Map<string, boolean>>;
  sha256: (text: string) => string;
}

export const nothingKnown = (sha256: (text: string) => string): Known => ({ answers: new Map(), presence: new WeakMap(), sha256 });

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
