import { CORE_SCHEMA, load } from "js-yaml";

/** Tabs, CRLF, byte order marks and bad characters, wherever they stand. */
const UNREADABLE = /[\t\r\uFEFF\uFFFD]/;
/**
 * Anything else that could make two YAML readers disagree, or that a rule wants to report with its place: directives, several
 * documents, anchors, aliases, tags, merge keys, a comment right behind a value.
 */
const NOT_QUITE_PLAIN = /^%|^(---|\.\.\.)|(^|[\s[{,])[&*!]\S|<<\s*:|(?:^[ ]*-|:)[ ]+[^\s"'|>[{#][^\n]*\s#/m;
/** A plain scalar that starts like a number. */
const NUMBER_LIKE = /(?:[[{,]|:[ \t]|":|^|\s-)[ \t]*([-+.]?\d[\w.+-]*)(?=[ \t]*(?:[,\]}#]|$))/gm;
/** What either reader could take for a number, and what both do. */
const MAYBE_NUMBER = /^[-+.]?[\d_.]*(e[-+]?\d+)?$|^[-+]?0[xob]/i;
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A key or a dash whose value is the block of text below it; what is captured is less deep than that text. */
const BLOCK = /^( *(?:- +)*)[\w.-]+: +[>|][-+]?$|^( *(?:- +)*?)- +[>|][-+]?$/;
/** A line of a key or a dash, and a value in double quotes or in brackets that hold nothing but values, quoted or bare. */
const QUOTING = /^ *(?:- +)*(?:[\w.-]+: +)?(?:(?<=[-:] +)"(?:[^"\\]|\\.)*"|[[{](?:[^"'#]|(?<=[:,[{] *)"(?:[^"\\]|\\.)*")*)$/;

/** The text with its quoted strings and blocks of text emptied: what stands in them means nothing to YAML. */
function withoutTexts(text: string): string {
  let block = Number.POSITIVE_INFINITY;
  const lines = text.split("\n").map((line) => {
    const indent = line.search(/[^ ]/);
    if (indent === -1 || indent > block) return "";
    const [, key, dash] = BLOCK.exec(line) ?? [];
    block = (key ?? dash)?.length ?? Number.POSITIVE_INFINITY;
    return QUOTING.test(line) ? line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""') : line;
  });
  return lines.join("\n");
}

/**
 * The value of a row's text, read quickly, or undefined when the text is not of the plain kind that almost every row is.
 * The strict reader (`parse.ts`) knows places and is several times slower; it reads whatever this one leaves to it,
 * and every row that does not fit its shape. A test holds the two together on all rows and on generated ones.
 */
export function quickValue(text: string): unknown {
  const bare = withoutTexts(text);
  if (UNREADABLE.test(text) || NOT_QUITE_PLAIN.test(bare)) return undefined;
  for (const [, scalar = ""] of bare.matchAll(NUMBER_LIKE)) {
    if (MAYBE_NUMBER.test(scalar) && !PLAIN_NUMBER.test(scalar)) return undefined;
  }
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch {
    return undefined;
  }
}
