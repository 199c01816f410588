import type { TreeFinding } from "../model/tree.ts";
import { finding } from "../model/tree.ts";
import type { Citation, SourceFile } from "./found.ts";
import { linesOf } from "./lines.ts";
import type { Names } from "./names.ts";

/** A bare `#n`, with what its surroundings say about it. */
interface Bare {
  number: number;
  file: string;
  line: number;
  /** Repository of the section or the file it stands in. */
  near: string | undefined;
}

export interface Cited {
  /** What is named in full, or by a known alias. */
  certain: Citation[];
  bare: Bare[];
}

const URL = /https?:\/\/(?:www\.|redirect\.)?github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull|discussions)\/(\d+)/g;
/** `owner/repo#12`, `alias#12`, `alias-issue#12`, `alias PR #12`, `alias v1.2 #12`, and the numbers that go on after it: `/ #13`, `+ PR #14`. */
const NAMED =
  /(?<![\w/.@-])([A-Za-z0-9][\w-]*\/[\w.-]+|[A-Za-z][\w.]*(?:-[\w.]+)*?)(?:-(?:issue|pr))?(?:['’]s)?(?:\s+v[\d.]+)?(?:\s+(?:PR|pull|pull request|issue|disc|discussion|bug)s?)?\s*#(\d{1,6})\b((?:\s*(?:\([^()#]*\)\s*)?(?:[/+,&]|and|or)\s*(?:PR\s*|issue\s*)?#\d{1,6}\b)*)/gi;
const BARE = /(?<![\w&/#.-])#(\d{1,6})\b(?![\w-])/g;
/** "comment #5", "step #2": a count, and no reference. */
const COUNTED =
  /\b(?:comment|step|item|point|option|part|phase|row|card|gpu|rank|layer|test|probe|check|case|figure|section|attempt|run|mechanism|cause|tier|rule|trigger|no\.?|number)s?\s*$/i;

/**
 * Names that the tree itself teaches: an owner or a telling repository name that links spell out, so that `Anbeeld #39` can be
 * read although no row knows that repository. Names that rows give are never changed.
 */
export function learnNames(names: Names, texts: Iterable<string>): Names {
  const repos = new Map(names.repos);
  const found = new Map<string, Set<string>>();
  for (const text of texts) {
    if (!text.includes("github.com/")) continue;
    for (const match of text.matchAll(URL)) {
      const repo = names.repos.get((match[1] ?? "").toLowerCase()) ?? match[1] ?? "";
      const [owner = "", name = ""] = repo.toLowerCase().split("/");
      for (const word of [owner, ...(/[\d.-]/.test(name) ? [name] : [])]) found.set(word, (found.get(word) ?? new Set()).add(repo));
    }
  }
  for (const [word, named] of found) if (named.size === 1 && !repos.has(word)) repos.set(word, [...named][0] ?? "");
  return { ...names, repos };
}

/** Could the text cite anything at all? Looked at before anything is split into lines. */
export const mayCite = (text: string): boolean => /#\d|github\.com\//.test(text);

/**
 * Finds the references of one file. In documents the whole text counts; in code comments do, and links everywhere.
 * `near` says which repository the file is about, for its bare numbers.
 */
export function cite(file: SourceFile, names: Names, near?: string): Cited {
  const cited: Cited = { certain: [], bare: [] };
  const document = /\.(md|mdx|markdown|rst|txt|adoc)$/i.test(file.path);
  let section = near;
  let fenced = false;
  for (const [index, source] of linesOf(file).entries()) {
    if (document) {
      if (/^\s*(```|~~~)/.test(source)) fenced = !fenced;
      else if (!fenced && /^#{1,6}\s/.test(source)) section = repoOfHeading(source, names) ?? (/^#{1,2}\s/.test(source) ? near : section);
    }
    if (!/#\d/.test(source) && !source.includes("github.com/")) continue;
    const line = index + 1;
    const seen = new Set<string>();
    const add = (repo: string, number: string) => {
      const known = names.repos.get(repo.toLowerCase()) ?? repo;
      const ref = `${known}#${Number(number)}`;
      if (Number(number) > 0 && !seen.has(ref)) cited.certain.push({ ref, file: file.path, line });
      seen.add(ref);
    };
    let rest = source.replace(URL, (all, repo: string, number: string) => {
      add(repo, number);
      return " ".repeat(all.length);
    });
    rest = document ? rest : (commentOf(rest) ?? "");
    if (!rest.includes("#")) continue;
    rest = rest.replace(NAMED, (all, name: string, first: string, more: string) => {
      // A repository that no row knows counts only when it is written owner/repo#12, without a word between.
      const repo = names.repos.get(name.toLowerCase()) ?? (all.startsWith(`${name}#`) && isRepo(name) ? name : undefined);
      if (repo === undefined) return all;
      for (const number of [first, ...[...more.matchAll(/#(\d+)/g)].map((match) => match[1] ?? "")]) add(repo, number);
      return " ".repeat(all.length);
    });
    if (fenced) continue;
    for (const match of rest.matchAll(BARE)) {
      const number = Number(match[1]);
      if (COUNTED.test(rest.slice(Math.max(0, match.index - 20), match.index))) continue;
      if (number > 0 && ![...seen].some((ref) => ref.endsWith(`#${number}`)))
        cited.bare.push({ number, file: file.path, line, near: section });
    }
  }
  return cited;
}

const isRepo = (name: string) =>
  /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\/[A-Za-z0-9._-]*[A-Za-z0-9_-]$/.test(name) && !/\.(md|ya?ml|json|txt|sh|toml)$/i.test(name);

/** The comment of a code line: after `#` or `//` that starts a word, or a line of a block comment. */
function commentOf(source: string): string | undefined {
  if (/^\s*(\*|\/\*|--|<!--|;)/.test(source)) return source;
  const match = /(?:^|\s)(?:#(?!\d)|\/\/|#(?=\d+\b.*\s))\s?(.*)$/.exec(source);
  return match?.[1];
}

/** The one repository that a heading names: `## vLLM (vllm-project/vllm)`. */
function repoOfHeading(heading: string, names: Names): string | undefined {
  const found = new Set<string>();
  for (const [word] of heading.matchAll(/[A-Za-z0-9][\w.-]*(?:\/[\w.-]+)?/g)) {
    const repo = names.repos.get(word.toLowerCase());
    if (repo !== undefined) found.add(repo);
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * Decides what the bare numbers mean: a number that is named in full in the same file; else, beyond the stack's own numbers, one
 * that a row or another file names for exactly one repository; else the section's repository; else the stack's own, as GitHub
 * itself reads it. A number that still fits nothing is said to be unclear, never guessed.
 */
export function resolveBare(cited: readonly Cited[], names: Names): { references: Citation[]; findings: TreeFinding[] } {
  const certain = cited.flatMap((found) => found.certain);
  const everywhere = new Map<number, Set<string>>([...names.numbers].map(([number, repos]) => [number, new Set(repos)]));
  for (const { ref } of certain) remember(everywhere, ref);
  const highestOwn = Math.max(0, ...[...everywhere].filter(([, repos]) => repos.has(names.own)).map(([number]) => number));
  const lowest = new Map<string, number>();
  for (const [number, repos] of everywhere) for (const repo of repos) lowest.set(repo, Math.min(number, lowest.get(repo) ?? number));
  const references = [...certain];
  const findings: TreeFinding[] = [];
  for (const file of cited) {
    const here = new Map<number, Set<string>>();
    for (const { ref } of file.certain) remember(here, ref);
    for (const { number, file: path, line, near } of file.bare) {
      const canBeOwn = number <= highestOwn + 25;
      const repo =
        only(here.get(number)) ??
        (canBeOwn ? undefined : only(everywhere.get(number))) ??
        sectionRepo(number, near, lowest) ??
        (canBeOwn ? names.own : undefined);
      if (repo === undefined)
        findings.push(finding("unclear-reference", { file: path, line }, `#${number} names no repository. Write owner/repo#${number}.`));
      else references.push({ ref: `${repo}#${number}`, file: path, line });
    }
  }
  const told = new Set<string>();
  return {
    findings,
    references: references.filter(({ ref, file, line }) => {
      const key = `${file}:${line} ${ref}`;
      if (ref.toLowerCase().startsWith(`${names.own.toLowerCase()}#`) || told.has(key)) return false;
      told.add(key);
      return true;
    }),
  };
}

/** A section's repository, unless all its known numbers are of another size: `#57` under vLLM, whose numbers have five digits. */
function sectionRepo(number: number, near: string | undefined, lowest: ReadonlyMap<string, number>): string | undefined {
  if (near === undefined) return undefined;
  const least = lowest.get(near);
  return least !== undefined && number * 10 < least ? undefined : near;
}

function remember(numbers: Map<number, Set<string>>, ref: string) {
  const at = ref.lastIndexOf("#");
  const number = Number(ref.slice(at + 1));
  numbers.set(number, (numbers.get(number) ?? new Set()).add(ref.slice(0, at)));
}

const only = (repos: ReadonlySet<string> | undefined): string | undefined => (repos?.size === 1 ? [...repos][0] : undefined);
