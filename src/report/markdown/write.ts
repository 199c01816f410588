import type { Root, Text } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import type { Options } from "remark-stringify";
import { unified } from "unified";

/** Characters that mean nothing to Markdown inside a table cell, whatever stands around them. */
const HARMLESS = /^[\p{L}\p{N} ,.;()'"%/–—…×≥≤→-]*$/u;

/**
 * Text of a cell made of harmless characters needs no escaping, and looking for what to escape is most of the work on a
 * page of thousands of rows. Everything else goes through the writer's own escaping. Addresses without a scheme
 * (`www.`) would become links, so they do too.
 */
const text: NonNullable<Options["handlers"]>["text"] = (node: Text, _parent, state, info) => {
  const inCell = state.stack.includes("tableCell");
  if (inCell && HARMLESS.test(node.value) && !node.value.includes("www.")) return node.value;
  return state.safe(node.value, info);
};

const OPTIONS: Options = { bullet: "-", emphasis: "_", rule: "-", listItemIndent: "one" };
const writer = (options: Options) =>
  unified().use(remarkStringify, options).use(remarkGfm, { tablePipeAlign: false }).use(remarkFrontmatter).freeze();
const quick = writer({ ...OPTIONS, handlers: { text } });
const plain = writer(OPTIONS);

/** The one writer of Markdown. Tables are not padded, so a long row changes no other line (field case E18). */
export const write = (tree: Root): string => quick.stringify(tree);

/** The same without the shortcut: what {@link write} must give. For tests. */
export const writePlainly = (tree: Root): string => plain.stringify(tree);
