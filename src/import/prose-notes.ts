import type { ListItem, RootContent } from "mdast";
import type { ProseBlock } from "./markdown.ts";
import { proseOf } from "./prose.ts";
import type { Found } from "./prose.ts";

/** Text between tables, part by part: a paragraph, an item of a list, a block of code. */
export interface ProsePart {
  line: number;
  text: string;
  found: Found[];
  /** An item of a list. */
  listed: boolean;
  /** An item of a numbered list. */
  numbered: boolean;
}

/** Parts of a block of prose, each fit for one note. Comments are kept too; a thematic break says nothing. */
export function proseParts(block: ProseBlock): ProsePart[] {
  return parts(block.node, block.line, block.source, false);
}

/** A sentence that announces a list, and the list, are one note; a numbered list stays apart, because it may be rules. */
export function joinLists(all: readonly ProsePart[][]): ProsePart[] {
  const joined: ProsePart[] = [];
  for (const block of all) {
    const [first] = block;
    const before = joined.at(-1);
    if (first && before && block.every(({ listed, numbered }) => listed && !numbered) && /:\W*$/.test(before.text) && !before.listed) {
      before.text = [before.text, ...block.map(({ text }) => `- ${text}`)].join("\n");
      before.found.push(...block.flatMap(({ found }) => found));
    } else joined.push(...block);
  }
  return joined;
}

function parts(node: RootContent | ListItem, line: number, source: string, numbered: boolean): ProsePart[] {
  const at = node.position?.start.line ?? line;
  switch (node.type) {
    case "paragraph": {
      const { text, found } = proseOf(node.children);
      return text === "" ? [] : [{ line: at, text, found, listed: false, numbered }];
    }
    case "heading": {
      const { text, found } = proseOf(node.children);
      return [{ line: at, text, found, listed: false, numbered }];
    }
    case "list":
      return node.children.flatMap((item) => {
        const inside = parts(item, at, source, node.ordered === true);
        const checked = item.checked === true ? "[x] " : item.checked === false ? "[ ] " : "";
        return inside.map((part, index) => ({ ...part, listed: true, ...(index === 0 ? { text: checked + part.text } : {}) }));
      });
    case "listItem":
    case "blockquote":
      return node.children.flatMap((child) => parts(child, at, source, numbered));
    case "footnoteDefinition":
      return node.children
        .flatMap((child) => parts(child, at, source, numbered))
        .map((part, index) => (index === 0 ? { ...part, text: `[^${node.label ?? node.identifier}]: ${part.text}` } : part));
    case "code":
      return [{ line: at, text: `\`\`\`${node.lang ?? ""}\n${node.value}\n\`\`\``, found: [], listed: false, numbered }];
    case "html":
    case "yaml":
      return [{ line: at, text: node.value, found: [], listed: false, numbered }];
    default:
      return source.trim() === "" ? [] : [{ line: at, text: source.trim(), found: [], listed: false, numbered }];
  }
}
