import { parseRef, threadOf } from "../model/ref.ts";
import type { RefKind } from "../model/vocabulary.ts";
import { kindOfLabel, numberOf, repoOf } from "./links.ts";
import type { Found, Prose } from "./prose.ts";

/** What the whole document knows about references, for reading the short ones. */
export interface Known {
  /** Number -> references that are linked with it somewhere, with the kind the link takes them for. */
  byNumber: Map<number, Map<string, RefKind | undefined>>;
  /** Repository -> smallest and largest number linked. */
  range: Map<string, [number, number]>;
  /** Short name in lower case -> repository: `vllm`, `genesis`, `llama.cpp`. */
  aliases: Map<string, string>;
  /** The stack's own repository, when known. */
  own: string | undefined;
}

export function knownRefs(found: Iterable<Found>, aliases: Map<string, string>, own: string | undefined): Known {
  const byNumber: Known["byNumber"] = new Map();
  const range: Known["range"] = new Map();
  for (const { ref, kind } of found) {
    const number = numberOf(ref);
    const repo = repoOf(ref);
    if (number === undefined || repo === undefined) continue;
    const thread = threadOf(ref);
    const same = byNumber.get(number) ?? new Map<string, RefKind | undefined>();
    same.set(thread, same.get(thread) ?? kind);
    byNumber.set(number, same);
    const [low, high] = range.get(repo) ?? [number, number];
    range.set(repo, [Math.min(low, number), Math.max(high, number)]);
  }
  return { byNumber, range, aliases, own };
}

const FULL = String.raw`[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+`;
const MENTION = new RegExp(
  String.raw`(?<![\w/#&.-])(?:(${FULL})|([A-Za-z][\w.-]*[A-Za-z0-9]))?(\s+(?:PR|issue|bug|discussion)s?\s*|\s)?#([1-9]\d{0,6})(#[a-z_]+-?\d+)?(?![\w])`,
  "g",
);
/** Words before a number that make it something else than a reference of an upstream. */
const OTHER_NUMBERS =
  /(?:comments?|tasks?|steps?|cases?|rows?|points?|options?|items?|findings?|probes?|phases?|legs?|rounds?|proposals?|case|rank|top|card|gpu|id)$/i;

/**
 * References written out in a text: `owner/repo#12`, `vllm#12`, `Genesis #12`, `PR #12`, `#12`.
 * A bare number is the one linked elsewhere in the document with that number; else, where `loose` allows it, it belongs
 * to the section's repository when it lies in the range of the numbers linked there, or to the stack's own. A number that
 * fits neither stays text: a wrong reference is worse than none.
 * @param repo the repository of the section
 */
export function mentionsIn({ text, found }: Prose, repo: string | undefined, known: Known, loose: boolean): Found[] {
  const clean = text.replaceAll(/`[^`]*`|https?:\/\/\S+/g, (code) => " ".repeat(code.length));
  const linked = new Set(found.map(({ ref }) => threadOf(ref)));
  const mentions: Found[] = [];
  for (const match of clean.matchAll(MENTION)) {
    const [whole, full, word, gap, digits = "", anchor = ""] = match;
    const number = Number(digits);
    const at = match.index;
    const struck = (clean.slice(0, at).match(/~~/g)?.length ?? 0) % 2 === 1;
    const before = text.slice(Math.max(0, at - 60), at + whole.length - digits.length - anchor.length - 1);
    const alias = word === undefined ? undefined : known.aliases.get(word.toLowerCase());
    const glued = gap === undefined || gap === "";
    let ref: string | undefined;
    if (full !== undefined) ref = glued || /\S/.test(gap ?? "") ? `${full}#${digits}${anchor}` : undefined;
    else if (alias !== undefined) ref = `${alias}#${digits}${anchor}`;
    else if (word !== undefined && glued) ref = undefined;
    else if (word === undefined || !OTHER_NUMBERS.test(word)) ref = bare(number, repo, known, loose);
    if (ref === undefined || !parseRef(ref) || linked.has(threadOf(ref))) continue;
    const kind = kindOfLabel(gap?.trim() ?? "") ?? kindOfLabel(word ?? "") ?? known.byNumber.get(number)?.get(threadOf(ref));
    linked.add(threadOf(ref));
    mentions.push({ ref, ...(kind ? { kind } : {}), label: whole.trim(), struck, before, at });
  }
  return mentions;
}

function bare(number: number, repo: string | undefined, known: Known, loose: boolean): string | undefined {
  const same = [...(known.byNumber.get(number)?.keys() ?? [])];
  const here = same.find((ref) => repoOf(ref) === repo);
  if (here !== undefined) return here;
  if (same.length === 1) return same[0];
  if (same.length > 1) return undefined;
  if (!loose) return undefined;
  if (repo !== undefined && plausible(number, known.range.get(repo))) return `${repo}#${number}`;
  return known.own !== undefined && plausible(number, known.range.get(known.own)) ? `${known.own}#${number}` : undefined;
}

/** A number far outside what is linked of a repository is not its own (a stack's #609 in a table of vLLM's five digits). */
const plausible = (number: number, range: readonly [number, number] | undefined): boolean =>
  range === undefined || (number >= range[0] / 10 && number <= range[1] * 2 + 50);
