/** Words that name nothing and only make an id longer. */
const EMPTY = new Set("a an and are as at be by for from in into is it of on or our pr issue that the this to via we when with".split(" "));

/**
 * An id from words: lower case, dashes, at most six telling words and 56 characters. The same words give the same id.
 * Text without any Latin letter or digit gives the fallback.
 */
export function slug(text: string, fallback = "row"): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/['’]/g, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !EMPTY.has(word));
  let id = "";
  for (const word of (telling.length > 0 ? telling : words).slice(0, 6)) {
    const longer = id === "" ? word : `${id}-${word}`;
    if (longer.length > 56) break;
    id = longer;
  }
  return id || words[0]?.slice(0, 56) || fallback;
}

/** Hands out ids that are unique within a kind: a taken one gets the row's number, then 2, 3, and so on. */
export function idGiver(taken: Iterable<string> = []): (wanted: string, number?: number) => string {
  const used = new Set(taken);
  return (wanted, number) => {
    const withNumber = number === undefined ? [] : [`${wanted}-${number}`];
    for (const candidate of [wanted, ...withNumber]) {
      if (used.has(candidate)) continue;
      used.add(candidate);
      return candidate;
    }
    let count = 2;
    while (used.has(`${wanted}-${count}`)) count += 1;
    used.add(`${wanted}-${count}`);
    return `${wanted}-${count}`;
  };
}
