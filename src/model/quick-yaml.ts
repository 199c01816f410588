import { CORE_SCHEMA, load } from "js-yaml";

/**
 * Anything that could make two YAML readers disagree, or that a rule wants to report with its place: tabs, CRLF, byte order
 * marks, bad characters, directives, several documents, anchors, aliases, tags, merge keys, a comment right behind a value.
 */
const NOT_QUITE_PLAIN = /[\t\r\uFEFF\uFFFD]|^%|^(---|\.\.\.)|(^|[\s[{,])[&*!]\S|<<\s*:|(?:^[ ]*-|:)[ ]+[^\s"'|>[{#][^\n]*\s#/m;
/** A plain scalar that starts like a number. */
const NUMBER_LIKE = /(?:[:[{,]|^|\s-)[ \t]*([-+.]?\d[\w.+-]*)(?=[ \t]*(?:[,\]}#]|$))/gm;
/** What either reader could take for a number, and what both do. */
const MAYBE_NUMBER = /^[-+.]?[\d_.]*(e[-+]?\d+)?$|^[-+]?0[xob]/i;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * The value of a row's text, read quickly, or undefined when the text is not of the plain kind that almost every row is.
 * The strict reader (`parse.ts`) knows places and is several times slower; it reads whatever this one leaves to it,
 * and every row that does not fit its shape. A test holds the two together on all rows and on generated ones.
 */
export function quickValue(text: string): unknown {
  if (NOT_QUITE_PLAIN.test(text)) return undefined;
  for (const [, scalar = ""] of text.matchAll(NUMBER_LIKE)) {
    if (MAYBE_NUMBER.test(scalar) && !PLAIN_NUMBER.test(scalar)) return undefined;
  }
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch {
    return undefined;
  }
}
