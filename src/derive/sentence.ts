/** Capitalises a sentence, but leaves a reference or an id at its start as it is written. */
export const upper = (text: string): string =>
  /^\S*[#@/:\d]/.test(text) || /^\S*-\S*/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** `a, b and c` */
export function list(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");
}
