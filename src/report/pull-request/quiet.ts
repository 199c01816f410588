import type { PhrasingContent, RootContent } from "mdast";
import { urlOf } from "../../model/ref.ts";
import { code, link, plain } from "../markdown/build.ts";

/**
 * Text in a pull request, a comment or a commit that notifies nobody: every link to a thread goes through
 * redirect.github.com, which leaves no cross reference there (field case D08), and whatever GitHub would turn into a link or
 * a mention by itself stands in a code span (D11).
 */
const LOUD = /(?:[\w.-]+\/)?[\w.-]*#\d+|\bGH-\d+|(?:[\w.-]+\/)?[\w.-]*@[\w][\w./-]*|\bhttps?:\/\/\S+|\bwww\.\S+/g;
/** Longest run kept from text of upstream origin. */
const LONGEST = 300;

/** Prose with everything loud in code spans, cut to so many characters. */
export function quiet(value: string, longest = LONGEST): PhrasingContent[] {
  const clean = plain(value, longest);
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const match of clean.matchAll(LOUD)) {
    if (match.index > from) parts.push({ type: "text", value: clean.slice(from, match.index) });
    parts.push(code(match[0]));
    from = match.index + match[0].length;
  }
  if (from < clean.length) parts.push({ type: "text", value: clean.slice(from) });
  return parts;
}

/** A web address that leaves no cross reference on GitHub. */
export const quietUrl = (url: string): string => url.replace(/^https:\/\/(www\.)?github\.com\//, "https://redirect.github.com/");

/** A reference as a quiet link, its text in a code span so that it is not linked a second time. */
export function quietRef(ref: string, kind?: string): PhrasingContent {
  const url = urlOf(ref, kind);
  return url === undefined ? code(ref) : link(quietUrl(url), code(ref));
}

/** Blocks made for a page, with every text in them made quiet. */
export const quietBlocks = (blocks: readonly RootContent[]): RootContent[] => blocks.map((block) => hushed(block)[0] ?? block);

function hushed(node: RootContent): RootContent[] {
  if (node.type === "text") return quiet(node.value);
  if (!("children" in node)) return [node];
  const children = node.children.flatMap((child) => hushed(child));
  return [{ ...node, ...(node.type === "link" ? { url: quietUrl(node.url) } : {}), children } as RootContent];
}
