import type { Root } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

/** The one writer of Markdown. Tables are not padded, so a long row changes no other line (field case E18). */
const writer = unified()
  .use(remarkStringify, { bullet: "-", emphasis: "_", rule: "-", listItemIndent: "one" })
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkFrontmatter)
  .freeze();

export const write = (tree: Root): string => writer.stringify(tree);
