/**
 * What commit messages say: whose pull request it is, what it takes back, what it brings back, what it was picked from.
 * Wording of real projects (field cases A16 and A18); everything is anchored at the start of a line or of the subject, so that
 * a sentence that merely mentions a revert counts for nothing.
 */

export interface Message {
  sha: string;
  subject: string;
  body: string;
}

/** A subject without the pull request numbers at its end: `Fix it (#12) (#34)` is "Fix it", 12 and 34, and its own is 34. */
export interface Subject {
  text: string;
  numbers: number[];
  own: number | undefined;
}

const NUMBERS = /((?:\s*\(#\d+\))+)\s*$/;

export function readSubject(subject: string): Subject {
  const found = NUMBERS.exec(subject)?.[1] ?? "";
  const numbers = [...found.matchAll(/#(\d+)/g)].map((match) => Number(match[1]));
  const text = (found === "" ? subject : subject.slice(0, -found.length)).replace(/^\[Merged by Bors\]\s*-\s*/i, "").trim();
  return { text, numbers, own: numbers.at(-1) };
}

/** What a commit says about another one: its hash, its pull request, or its subject. At least one is there. */
export interface Mention {
  shas: string[];
  pulls: number[];
  /** The other's subject, numbers stripped. */
  text?: string;
  /** The subject was cut off, as hosts do at 72 characters: the other's only starts like this. */
  cut?: boolean;
}

const HASH = "[0-9a-f]{7,40}";
const QUOTED = /^["“](.+?)["”]?$/;
const REVERT_SUBJECT = /^(?:\[revert\]|reverts?\b(?:\([^)]*\))?!?:?)\s*(.+)$/i;
const RELAND_SUBJECT =
  /^(?:\[(?:re-?land|re-?apply|re-?commit|re-?do)\]|(?:re-?land|re-?apply|re-?commit|re-?do)(?:ed|ing|s)?\b:?)\s*(.+)$/i;
/** "this reverts commit abc was wrong" tells of a revert; it is none. */
const TELLS = String.raw`(?!\S*\s+(?:was|were|is|are|did|does|has|had|should|would|could|may|might)\b)`;

/** What the commit takes back, or undefined. `names` are the repository's names: "Reverts other/repo#5" is somebody else's. */
export function revertOf({ subject, body }: Pick<Message, "subject" | "body">, names: readonly string[]): Mention | undefined {
  const mention = fromSubject(REVERT_SUBJECT, subject, names);
  const shas = hashesAfter("this reverts commits?", body);
  const pulls = pullsAfter("(?:this )?reverts?(?: pull request| pr)?", body, names);
  return combined(mention, shas, pulls);
}

/** What the commit brings back after a revert, or undefined. A revert of a revert is told by `revertOf`. */
export function relandOf({ subject, body }: Pick<Message, "subject" | "body">, names: readonly string[]): Mention | undefined {
  const mention = fromSubject(RELAND_SUBJECT, subject, names);
  const verb = "(?:this )?(?:re-?lands?|re-?appl(?:y|ies)|re-?commits?)";
  return combined(mention, hashesAfter(`${verb}(?: commits?)?`, body), pullsAfter(`${verb}(?: pull request| pr)?`, body, names));
}

/** Commits named in `(cherry picked from commit …)` trailers, as `git cherry-pick -x` writes them. */
export function pickedFrom(body: string): string[] {
  return [...body.matchAll(new RegExp(String.raw`^\(cherry[- ]picked from commit (${HASH})\)`, "gim"))].map((match) => match[1] ?? "");
}

function fromSubject(form: RegExp, subject: string, names: readonly string[]): Mention | undefined {
  const rest = form.exec(subject)?.[1];
  if (rest === undefined) return undefined;
  const outer = readSubject(rest);
  // The last number is the commit's own pull request; those before it, and those within the quotes, are of the other one.
  const before = outer.numbers.slice(0, -1);
  const quoted = QUOTED.exec(outer.text);
  // Hosts write the number of a quoted subject in parentheses, people sometimes without.
  const inner = readSubject(quoted?.[1]?.trim().replace(/ #(\d+)$/, " (#$1)") ?? outer.text);
  const cut = /…$|\.\.\.$/.test(inner.text);
  const named = pullsIn(outer.text.startsWith("#") || /^\S+#\d/.test(outer.text) ? outer.text : "", names);
  const pulls = [...new Set([...named, ...before, ...inner.numbers])];
  return { shas: [], pulls, text: inner.text.replace(/\s*(?:…|\.\.\.)$/, ""), ...(cut ? { cut } : {}) };
}

function combined(mention: Mention | undefined, shas: string[], pulls: number[]): Mention | undefined {
  if (mention === undefined && shas.length === 0 && pulls.length === 0) return undefined;
  return { ...mention, shas, pulls: [...new Set([...(mention?.pulls ?? []), ...pulls])] };
}

function hashesAfter(words: string, body: string): string[] {
  const lines = body.matchAll(new RegExp(String.raw`^${words}:?\s+${TELLS}(${HASH}\b.*)$`, "gim"));
  return [...lines].flatMap((match) => listAt(match[1] ?? "", new RegExp(`^(${HASH})\\b`)).map((found) => found[1] ?? ""));
}

function pullsAfter(words: string, body: string, names: readonly string[]): number[] {
  const lines = body.matchAll(new RegExp(String.raw`^${words}:?\s+${TELLS}((?:[\w./-]*#|https?:\/\/\S+\/)\d+\b.*)$`, "gim"));
  return [...lines].flatMap((match) => pullsIn(match[1] ?? "", names));
}

const PULL = /^(?:([\w.-]+\/[\w.-]+)?#(\d+)|https?:\/\/[^\s/]+\/([\w.-]+\/[\w.-]+)\/pull\/(\d+))\b/;

/** Numbers of this repository's pull requests at the start of a text: `#1`, `owner/repo#1`, a URL; several with commas or "and". */
function pullsIn(text: string, names: readonly string[]): number[] {
  return listAt(text, PULL).flatMap((found) => {
    const repo = found[1] ?? found[3];
    const ours = repo === undefined || names.some((name) => name.toLowerCase() === repo.toLowerCase());
    return ours ? [Number(found[2] ?? found[4])] : [];
  });
}

/** The items at the start of a text, joined by commas or "and"; what follows them is prose. */
function listAt(text: string, item: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  let rest = text;
  for (let match = item.exec(rest); match !== null; match = item.exec(rest)) {
    found.push(match);
    rest = rest.slice(match[0].length).replace(/^\s*(?:,|and\b|&)\s*(?:and\s+)?/, "");
  }
  return found;
}
