import { closest, distance } from "fastest-levenshtein";

/** The known word nearest to a mistyped one, when near enough to be meant. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, known);
  return distance(word, best) <= Math.max(2, Math.floor(word.length / 3)) ? best : undefined;
}

/** `. Did you mean "blocks"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const best = suggest(word, known);
  return best === undefined || best === word ? "" : ` Did you mean "${best}"?`;
}

/** `a, b or c`, shortened to the first few. */
export function listWords(words: readonly string[], most = 12): string {
  const shown = words.slice(0, most);
  const rest = words.length - shown.length;
  const joined = shown.length > 1 && rest === 0 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown.join(", ");
  return rest > 0 ? `${joined} and ${rest} more` : joined;
}
