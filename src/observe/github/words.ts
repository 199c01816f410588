/**
 * References in the prose of a thread: "Superseded by #45295", "Supersedes #12 and #13".
 * Only there can they be read: GitHub has no field for it (design, section 6).
 */
const HERE = String.raw`(?:\[[^\]\n]*\]\()?(?:https?://github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)|([\w.-]+/[\w.-]+)#(\d+)|#(\d+)|GH-(\d+))\b[^\s,;)]*\)?`;
const LEAD = String.raw`[\s:*_]*(?:(?:the|a|new|newer|PR|PRs|pull request|issue)\s+){0,3}`;
const BY = String.raw`(?:super[sc]eded\s+(?:by|in\s+favou?r\s+of)|(?:clos(?:e|ed|ing)(?:\s+(?:this|it))?\s+)?in\s+favou?r\s+of|replaced\s+(?:by|with)|obsoleted\s+by|continued\s+(?:in|at|by)|resubmitted\s+(?:as|in))`;
const NOT = /(?:\bnot|n't|\bnever|\bno longer)(?:\s+\w+){0,2}\s*$/i;
const SUPERSEDED = new RegExp(`${BY}${LEAD}${HERE}`, "gi");
const SUPERSEDES = new RegExp(String.raw`\b(?:super[sc]edes|replaces|obsoletes)${LEAD}((?:${HERE}(?:\s*(?:,|and|&|,\s*and)\s*)?)+)`, "gi");
const EACH = new RegExp(HERE, "gi");

/** Text as its author meant it: without quotes of others, code, and the hints of a template. */
export function spoken(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replaceAll(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, " ")
    .replaceAll(/^\s*>.*$/gm, " ")
    .replaceAll(/`[^`\n]*`/g, " ");
}

export interface Said {
  ref: string;
  /** The words, for the reader. */
  words: string;
}

/** What a text says its own thread is superseded by; the last statement counts. @param repo `owner/repo` of the thread */
export function supersededBy(markdown: string, repo: string): Said | undefined {
  const text = spoken(markdown);
  let found: Said | undefined;
  for (const match of text.matchAll(SUPERSEDED)) {
    const ref = refOf(match.slice(1), repo);
    if (ref !== undefined && !NOT.test(text.slice(Math.max(0, match.index - 30), match.index))) found = { ref, words: quote(match[0]) };
  }
  return found;
}

/** What a text says it supersedes. @param repo `owner/repo` in which the text stands */
export function supersedes(markdown: string, repo: string): Said[] {
  const text = spoken(markdown);
  return [...text.matchAll(SUPERSEDES)].flatMap((match) => {
    if (NOT.test(text.slice(Math.max(0, match.index - 30), match.index))) return [];
    return [...(match[1] ?? "").matchAll(EACH)].flatMap((each) => {
      const ref = refOf(each.slice(1), repo);
      return ref === undefined ? [] : [{ ref, words: quote(match[0]) }];
    });
  });
}

const CLOSES = new RegExp(String.raw`\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+${HERE}`, "gi");

/** Issues that a pull request's text says it closes, by GitHub's own keywords. */
export function closes(markdown: string, repo: string): string[] {
  return [...spoken(markdown).matchAll(CLOSES)].map((match) => refOf(match.slice(1), repo)).filter((ref) => ref !== undefined);
}

function refOf(groups: readonly (string | undefined)[], repo: string): string | undefined {
  const [urlRepo, urlNumber, longRepo, longNumber, short, gh] = groups;
  const number = urlNumber ?? longNumber ?? short ?? gh;
  return number === undefined || number.startsWith("0") ? undefined : `${urlRepo ?? longRepo ?? repo}#${number}`;
}

const quote = (text: string) => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 117)}…` : line;
};

/** `https://github.com/o/r/pull/1` -> `o/r#1`, for any GitHub's site. */
export function refOfUrl(url: string | undefined): string | undefined {
  const match = /^https?:\/\/[^/]+\/([\w.-]+\/[\w.-]+)\/(?:pull|issues|discussions)\/([1-9]\d*)\b/.exec(url ?? "");
  return match ? `${match[1]}#${match[2]}` : undefined;
}

const BORS = /^\[Merged by Bors\]\s*-\s*/i;
/** The title people know; bors writes its mark in front when it merges (A05). */
export const plainTitle = (title: string): string => title.replace(BORS, "").replaceAll(/\s+/g, " ").trim();
