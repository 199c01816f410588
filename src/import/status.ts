import type { ClaimClass, Local } from "../model/vocabulary.ts";

/** What a status cell says, without interpretation of the upstream: a claim, never a status. */
export interface StatusText {
  /** Leading symbols as they stand, several kept together. */
  symbol: string | undefined;
  /** The rest of the cell, in the writer's words. */
  words: string;
}

const SHORTCODES: Record<string, string> = {
  green_circle: "🟢",
  blue_circle: "🔵",
  large_blue_circle: "🔵",
  yellow_circle: "🟡",
  orange_circle: "🟠",
  red_circle: "🔴",
  black_circle: "⚫",
  white_check_mark: "✅",
  heavy_check_mark: "✅",
  x: "❌",
};

const SYMBOL = /^(?:\p{Extended_Pictographic}(?:\ufe0f|\u20e3|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic})*|:[a-z0-9_+-]+:)\s*/u;

/** Parts a status cell into its leading symbols and its words. `~~` and bold around the symbol are looked through. */
export function readStatus(text: string): StatusText {
  let rest = text.trim();
  let symbol = "";
  for (let match = SYMBOL.exec(rest); match; match = SYMBOL.exec(rest)) {
    symbol += match[0];
    rest = rest.slice(match[0].length);
  }
  return { symbol: symbol.trim() || undefined, words: rest.trim() };
}

/** The first symbol of several, with shortcodes read as what they show. */
export function firstSymbol(symbol: string | undefined): string | undefined {
  if (symbol === undefined) return undefined;
  const first = SYMBOL.exec(symbol)?.[0].trim() ?? symbol;
  return SHORTCODES[first.replaceAll(":", "")] ?? first.replace("\ufe0f", "");
}

/** What the project's own symbols claim (the vocabulary of the tracker that this tool grew from). */
const BY_SYMBOL: Record<string, ClaimClass> = {
  "🟢": "landed",
  "🔵": "merged",
  "🟡": "open",
  "🟠": "open",
  "🔴": "open",
  "⚫": "local",
  "✅": "closed",
  "✔": "closed",
  "❌": "closed",
  "🚫": "closed",
};

const STATE_WORDS: readonly (readonly [RegExp, ClaimClass])[] = [
  [/\b(?:not filed|no (?:upstream )?(?:issue|pr|bug)(?: is)? filed|to file|unfiled|nothing filed)\b/, "local"],
  [
    /\b(?:negative result|local workaround|locally|local(?:-only)? (?:cleanup|fix|patch)|suspected|behaviou?ral difference|documented limitation)\b/,
    "local",
  ],
  [/\b(?:open|opened|reopened|draft|in review|under review|pending|awaiting|filed|unmerged|stalled|in progress|wip)\b/, "open"],
  [/\b(?:landed|propagated)\b/, "landed"],
  [/\b(?:merged|shipped|released|fixed upstream|cherry-picked)\b/, "merged"],
  [/\b(?:closed|close[sd]? as|won'?t ?fix|rejected|declined|superseded|resolved|done|retired|dropped|obsolete|fixed)\b/, "closed"],
];

/** Nothing is filed: said first, this is about the stack and not about an upstream. */
const FILING =
  /^(?:not (?:yet )?filed|no (?:upstream )?(?:issue|pr|bug)(?: is)? filed|to file|unfiled|nothing filed|local workaround|behaviou?ral difference|documented limitation)\b/;

/** Words after which a merged change is claimed to be in the pins as well. */
const IN_PIN = /\bin (?:our|the|all)(?: \w+)? (?:pins?|image)\b|\(in image\b|\bpropagated to\b|\bpinned images?\b/;
const NOT_IN_PIN = /\bnot (?:yet )?(?:propagated|in (?:our|the|v?\d))/;

/** What symbols and words mean in one document. */
export interface Meanings {
  /** Said in the mapping file; beats everything. */
  told?: Readonly<Record<string, ClaimClass>>;
  /** Said in the document's own legend; for symbols that are not the project's. */
  legend?: Readonly<Record<string, ClaimClass>>;
}

/**
 * The state class a status cell claims. A state word beats the symbol, because people change words more often than
 * symbols: as the first word for the project's open, merged and local symbols, among the first words for the others.
 * @returns undefined when neither a symbol nor a word tells
 */
export function claimOf({ symbol, words }: StatusText, { told = {}, legend = {} }: Meanings = {}): ClaimClass | undefined {
  const first = firstSymbol(symbol);
  const low = words.toLowerCase().replaceAll(/[`~*_]/g, "");
  for (const [said, meant] of Object.entries(told)) {
    if (said === first || said === symbol || (/\w/.test(said) && low.startsWith(said.toLowerCase()))) return inPins(meant, first, low);
  }
  const bySymbol = first === undefined ? undefined : (BY_SYMBOL[first] ?? legend[first]);
  const strong = bySymbol !== undefined && first !== undefined && "🔵🟡🟠🔴⚫".includes(first);
  const byWord = strong ? (FILING.test(low) ? "local" : stateIn(low, 1)) : stateIn(low, 14);
  if (byWord !== undefined) return inPins(byWord, first, low);
  return bySymbol;
}

function inPins(claim: ClaimClass, symbol: string | undefined, low: string): ClaimClass {
  if (claim !== "merged" || NOT_IN_PIN.test(low)) return claim;
  return symbol === "🟢" || IN_PIN.test(low) ? "landed" : claim;
}

/** The state word that comes first among the first words. */
function stateIn(low: string, words: number): ClaimClass | undefined {
  const head = low.split(/\s+/).slice(0, words).join(" ");
  let best: { at: number; claim: ClaimClass } | undefined;
  for (const [pattern, claim] of STATE_WORDS) {
    const at = pattern.exec(head)?.index;
    if (at !== undefined && (best === undefined || at < best.at)) best = { at, claim };
  }
  return best?.claim;
}

const SEEN =
  /\b(?:as of|verified|validated|confirmed|checked|snapshot|reproducible|reproduced|measured|side-noted|filed)\b[^.;,|]{0,24}?(\d{4}-\d{2}-\d{2})/gi;

/** The day on which the cell says that its state was seen; undefined when it names none. */
export function seenOn(words: string, latest: string): string | undefined {
  return [...words.matchAll(SEEN)]
    .map(([, day = ""]) => day)
    .filter((day) => isDay(day) && day <= latest)
    .sort()
    .at(-1);
}

export const isDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) &&
  !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) &&
  new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** What is done about the row here, read from the words of its status and workaround. A guess, and counted as one. */
export function localOf(status: string, workaround: string, struck: boolean): Local {
  const said = status.toLowerCase();
  const does = workaround.toLowerCase();
  if (struck) return "retired";
  if (/negative result|❌ negative|\bnegative on our/.test(said)) return "negative-result";
  if (/do not vendor|not vendored/.test(said)) return "do-not-vendor";
  if (
    /retired locally|\bdropped (?:during|from)|overlay dropped|pin already moved|\bpin since\b/.test(said) ||
    /^n\/a\b.*\b(?:pin already moved|pin matches)/.test(does)
  ) {
    return "retired";
  }
  if (/^(?:n\/a|none\b|[—–-]*$|watch\b|track\b|now safe|accept the cost|don'?t\b|not currently)/.test(does)) return "none";
  if (/vendored|overlay active|local overlay|local fix (?:active|vendored)|\bbackported to our\b/.test(said)) return "vendored";
  if (/backport(?:ed)?\b/.test(said) || /\bbackport\b|\bgenesis_enable_|\bpatch_\w+\.py/.test(does)) return "backported";
  if (/\bvendored\b|\boverlay\b|\/patches\//.test(does)) return "vendored";
  return "workaround";
}
