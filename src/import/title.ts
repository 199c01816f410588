import { isBareLabel } from "./links.ts";
import { mentionsIn } from "./mentions.ts";
import { titleOf } from "./prose.ts";
import type { Found } from "./prose.ts";
import type { Around, Cell } from "./row.ts";
import { readStatus } from "./status.ts";

/** A title as a row keeps it: without the references that lead it, without the marks of a struck row, and not too long. */
export interface ReadTitle {
  title: string;
  /** What follows the title in its cell, when the cell tells a story. */
  rest?: string;
  struck: boolean;
  leads: Found[];
}

const LONGEST = 200;

export function readTitle(cell: Cell | undefined, around: Around): ReadTitle {
  if (!cell) return { title: "", struck: false, leads: [] };
  const whole = titleOf(cell.nodes);
  const struck = isStruck(whole.text);
  const all = [...whole.found, ...mentionsIn(whole, around.repo, around.known, true)];
  const { at, leads } = skipLeads(whole.text, all);
  const symbol = at.symbol ? `${at.symbol} ` : "";
  let title = whole.text.slice(at.offset).replace(/^[\s—–:;,.·|)\]~-]+(?=\S)/, "");
  if (struck) title = title.replaceAll("~~", "");
  else if ((title.match(/~~/g)?.length ?? 0) % 2 === 1) title = title.replace("~~", "");
  title = `${symbol}${title.replace(/^(\([^()]*\))\s*[—–:-]\s*(?=\S)([\s\S]*)$/, "$2 $1")}`.replace(/\s+/g, " ").trim();
  if (/^[\s—–:;,.·|()[\]~-]*$/.test(title)) title = symbol.trim();
  if (title.length <= LONGEST) return { title, struck, leads };
  const cut = sentenceEnd(title);
  if (cut === undefined) return { title, struck, leads };
  return { title: title.slice(0, cut).trim(), rest: title.slice(cut).trim(), struck, leads };
}

const SEPARATORS = /^[\s+,&/→⇒–—:;|()~-]*/;

/** Steps over the references a title begins with, and what joins them. */
function skipLeads(text: string, found: readonly Found[]): { at: { offset: number; symbol?: string }; leads: Found[] } {
  const leads: Found[] = [];
  const { symbol } = readStatus(text.replace(/^[\s~]*/, ""));
  let offset = symbol === undefined ? 0 : text.indexOf(symbol) + symbol.length;
  for (;;) {
    const joined = offset + (SEPARATORS.exec(text.slice(offset))?.[0].length ?? 0);
    const one = found.find(
      ({ at, label, ref }) => at <= joined && joined < at + label.length && text.slice(at, joined).trim() === "" && isBareLabel(label, ref),
    );
    if (!one) break;
    leads.push(one);
    offset = one.at + one.label.length;
  }
  return { at: { offset, ...(symbol === undefined ? {} : { symbol }) }, leads };
}

/** At least half of the words, from the first one on, stand in `~~…~~`; a remark in brackets at the end does not count. */
export function isStruck(text: string): boolean {
  const said = text.replaceAll(/\p{Extended_Pictographic}/gu, "").replace(/\s*\([^()]*\)\s*$/, "");
  if (!/^\W*~~/u.test(said)) return false;
  const count = (part: string) => part.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const inside = [...said.matchAll(/~~(.*?)~~/gs)].reduce((sum, [, part = ""]) => sum + count(part), 0);
  return inside * 2 >= count(said);
}

/** End of the first sentence, outside brackets and code, when it leaves a title of a fair length. */
function sentenceEnd(title: string): number | undefined {
  let depth = 0;
  let code = false;
  for (let at = 0; at < title.length - 1; at++) {
    const char = title[at] as string;
    if (char === "`") code = !code;
    else if (code) continue;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && at >= 20 && /[.;!?]/.test(char) && title[at + 1] === " ") return at + 1;
  }
  return undefined;
}

/** Words of a title for its id: without references and symbols. */
export const wordsOf = (title: string): string => title.replaceAll(/(?:[\w.-]+\/)?[\w.-]*#\d+/g, " ").replaceAll(/\([^()]*\)/g, " ");
