import GithubSlugger, { slug } from "github-slugger";
import { STATUSES } from "../src/model/vocabulary.ts";
import type { Status } from "../src/model/vocabulary.ts";
import { docId, resolveFrom, rowOfFile } from "./docs.ts";
import { href, rowHref } from "./links.ts";

/** A heading as Astro tells of it. */
export interface Heading {
  depth: number;
  slug: string;
  text: string;
}

/**
 * What the site does to the HTML of a Markdown page, which is written to be read on GitHub as well:
 * links between files become links between pages, with the base (field case F01); headings get ids that are never empty,
 * never doubled and do not start with what is left of an emoji (F03, F05); wide tables and code scroll in their own region (F07);
 * a status drawn as an emoji, which looks different everywhere and not at all in some places, gets the site's own sign (F10),
 * and a task's box says in words whether it is done.
 *
 * The HTML comes from a serialiser, so tags are found by pattern; a plugin on the tree would cost a slower Markdown processor.
 * @param path the file's path from the root, such as `content/guides/x.md`
 */
export function pageHtml(html: string, headings: readonly Heading[], path: string): { html: string; headings: Heading[] } {
  const tokens = html.match(TOKEN) ?? [];
  const named = nameHeadings(tokens, headings);
  const out = [...finish(tokens, path)].join("");
  return { html: out, headings: named };
}

const TOKEN = /<!--[\s\S]*?-->|<\/?[a-zA-Z](?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+|</g;
const HEADING = /^<h([1-6])(?: id="([^"]*)")?>$/;
const ANCHOR = /^<a id="([^"]+)">$/;

/** `<a id="cliff-1"></a>` right after a heading is the heading's own id; elsewhere it keeps its name and no heading takes it. */
function nameHeadings(tokens: string[], headings: readonly Heading[]): Heading[] {
  const taken = anchorsOf(tokens);
  const slugger = new GithubSlugger();
  const named: Heading[] = [];
  tokens.forEach((token, at) => {
    const [, depth, before = ""] = HEADING.exec(token) ?? [];
    if (depth === undefined) return;
    const end = tokens.indexOf(`</h${depth}>`, at);
    const text =
      headings[named.length]?.text ??
      tokens
        .slice(at + 1, end)
        .filter((part) => !part.startsWith("<"))
        .join("");
    const id = takeAnchor(tokens, end) ?? freeId(text, slugger, taken);
    tokens[at] = `<h${depth} id="${id}">`;
    // Starlight's own link to the heading stands behind it.
    const link = tokens.findIndex(
      (part, place) => place > end && place < end + 6 && part === `<a class="sl-anchor-link" href="#${before}">`,
    );
    if (link >= 0) tokens[link] = `<a class="sl-anchor-link" href="#${id}">`;
    named.push({ depth: Number(depth), slug: id, text });
  });
  return named;
}

/** Ids of the anchors that rows have. Two kinds of rows may share an id: the first keeps it. */
function anchorsOf(tokens: string[]): Set<string> {
  const taken = new Set<string>();
  tokens.forEach((token, at) => {
    const id = ANCHOR.exec(token)?.[1];
    if (id === undefined) return;
    if (taken.has(id)) tokens[at] = "<a>";
    else taken.add(id);
  });
  return taken;
}

function freeId(words: string, slugger: GithubSlugger, taken: Set<string>): string {
  const bare = words.replaceAll(/\p{Extended_Pictographic}|\uFE0F/gu, "").trim();
  let id = slugger.slug(slug(bare).replace(/^-+/, "") || "section");
  while (taken.has(id)) id = slugger.slug(`${id}-section`);
  taken.add(id);
  return id;
}

/** Takes the anchor out of the paragraph that follows a heading, if the paragraph starts with one. */
function takeAnchor(tokens: string[], end: number): string | undefined {
  const next = tokens.findIndex(
    (token, at) => at > end && (token === "<p>" || HEADING.test(token) || token === "<table>" || token === "<ul>"),
  );
  const id = tokens[next] === "<p>" ? ANCHOR.exec(tokens[next + 1] ?? "")?.[1] : undefined;
  if (id === undefined || tokens[next + 2] !== "</a>") return undefined;
  tokens[next + 1] = "";
  tokens[next + 2] = "";
  return id;
}

/** Everything that needs no looking ahead. */
function* finish(tokens: string[], path: string): Generator<string> {
  const names = new Map<string, number>();
  let heading = "Table";
  let inCode = 0;
  let emptyHeads = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (HEADING.test(token)) heading = textUntil(tokens, at + 1, "</h");
    if (token === "<code>" || token.startsWith("<code ")) inCode += 1;
    if (token === "</code>") inCode -= 1;
    if (token === "<table>") {
      const count = (names.get(heading) ?? 0) + 1;
      names.set(heading, count);
      yield `<div class="scroll" role="region" tabindex="0" aria-label="${quote(heading)}, table${count > 1 ? ` ${count}` : ""}"><table>`;
    } else if (token === "</table>") yield "</table></div>";
    else if (token === "<th>" && textUntil(tokens, at + 1, "</th>").trim() === "") {
      // The corner of a table heads nothing.
      emptyHeads += 1;
      yield "<td>";
    } else if (token === "</th>" && emptyHeads > 0) {
      emptyHeads -= 1;
      yield "</td>";
    } else if (TASK.test(token)) yield taskSign(token.includes(" checked"));
    else if (token === "<pre>" || token.startsWith("<pre ")) yield token.replace("<pre", '<pre tabindex="0"');
    else if (token.startsWith("<a ")) yield token.replace(/ href="([^"]*)"/, (_, target: string) => linked(target, path));
    else yield token.startsWith("<") || inCode > 0 ? token : withSigns(token);
  }
}

/** The box of a task in a list, which nobody can tick here: its state in words, and a box to tick on paper. */
const TASK = /^<input type="checkbox"/;
const taskSign = (done: boolean): string =>
  `<span class="box${done ? " box--done" : ""}" aria-hidden="true"></span><span class="vh">${done ? "Done: " : "To do: "}</span>`;

function textUntil(tokens: readonly string[], from: number, end: string): string {
  let text = "";
  for (let at = from; at < tokens.length && !tokens[at]?.startsWith(end); at++) if (!tokens[at]?.startsWith("<")) text += tokens[at];
  return text;
}

const quote = (text: string): string => text.replaceAll('"', "&quot;");

function linked(target: string, file: string): string {
  if (/^[a-z]+:/i.test(target)) return ` href="${target}" rel="noopener"`;
  if (target.startsWith("#")) return ` href="${target}"`;
  const [path = "", anchor] = target.split("#", 2);
  return ` href="${addressOf(path, file) ?? path}${anchor === undefined ? "" : `#${anchor}`}"`;
}

function addressOf(path: string, file: string): string | undefined {
  if (path.startsWith("/")) return href(path);
  const resolved = resolveFrom(file, path);
  if (resolved === undefined) return undefined;
  if (resolved.startsWith("content/") && resolved.endsWith(".md")) {
    const id = docId(resolved.slice("content/".length));
    return href(id === "" ? "" : `${id}/`);
  }
  const row = rowOfFile(resolved);
  return row && rowHref(row.kind, row.id);
}

const BY_SYMBOL = new Map((Object.keys(STATUSES) as Status[]).map((status) => [STATUSES[status].symbol as string, status]));
const SYMBOLS = new RegExp(`(${[...BY_SYMBOL.keys()].join("|")})\\uFE0F? ?`, "gu");

/** `🟢 Landed` -> the sign and its words. Other text keeps every character. */
const withSigns = (text: string): string =>
  text.replaceAll(
    SYMBOLS,
    (_, symbol: string) => `<span class="st s-${BY_SYMBOL.get(symbol)} st--sign"><i class="g" aria-hidden="true"></i></span>`,
  );
