import type { PhrasingContent } from "mdast";
import { isBareLabel, kindOfLabel, saysNoMore, targetOf } from "./links.ts";
import type { Target } from "./links.ts";

/** A reference found in a text: where it points, and how it was written. */
export interface Found extends Target {
  label: string;
  /** Inside `~~…~~`. */
  struck: boolean;
  /** What stands right before it, up to 60 characters, for telling its role. */
  before: string;
  /** The address, when it was a link. */
  url?: string;
  /** Where it stands in the text. */
  at: number;
}

export interface Prose {
  text: string;
  found: Found[];
}

/**
 * Text as rows keep it: words, code in backticks, references in their written form, `~~` where something was struck
 * through. Bold and italics go, words never do. A link becomes its reference, or its words with the address behind.
 */
export function proseOf(nodes: readonly PhrasingContent[]): Prose {
  const found: Found[] = [];
  const text = write(nodes, { found, labels: false }, false, "");
  return { text: text.replaceAll(/[ \t]*\n[ \t]*/g, "\n").trim(), found };
}

/** The same for a title: one line, and references as they were written, because the row keeps them in a field of their own. */
export function titleOf(nodes: readonly PhrasingContent[]): Prose {
  const found: Found[] = [];
  return { text: write(nodes, { found, labels: true }, false, "").replaceAll("\n", " "), found };
}

interface Writing {
  found: Found[];
  labels: boolean;
}

function write(nodes: readonly PhrasingContent[], into: Writing, struck: boolean, before: string): string {
  let text = "";
  for (const node of nodes) text += writeOne(node, into, struck, before + text);
  return text;
}

function writeOne(node: PhrasingContent, into: Writing, struck: boolean, before: string): string {
  switch (node.type) {
    case "text":
      return node.value;
    case "inlineCode":
      return fenced(node.value);
    case "break":
      return "\n";
    case "html":
      return /^<br\s*\/?>$/i.test(node.value) ? "\n" : node.value;
    case "delete":
      return `~~${write(node.children, into, true, `${before}~~`)}~~`;
    case "emphasis":
    case "strong":
      return write(node.children, into, struck, before);
    case "image":
      return [node.alt, `(${node.url})`].filter(Boolean).join(" ");
    case "link": {
      const label = write(node.children, into, struck, before);
      return linked(node.url, label, into, struck, before);
    }
    case "footnoteReference":
      return `[^${node.label ?? node.identifier}]`;
    case "linkReference":
      return `[${write(node.children, into, struck, before)}][${node.label ?? node.identifier}]`;
    case "imageReference":
      return `![${node.alt ?? ""}][${node.label ?? node.identifier}]`;
    default:
      return "";
  }
}

function linked(url: string, label: string, { found, labels }: Writing, struck: boolean, before: string): string {
  const target = targetOf(url);
  if (!target) return label === "" ? url : sameAddress(url, label) ? label : `${label} (${url})`;
  const kind = target.kind ?? kindOfLabel(label);
  found.push({ ...target, ...(kind ? { kind } : {}), label, struck, before: before.slice(-60), url, at: before.length });
  const shown = target.ref.replace(/^page:/, "");
  if (labels && label !== "") return label;
  if (label === "" || label === url || label === shown) return shown;
  if (isBareLabel(label, target.ref) && saysNoMore(label, target))
    return `${/^(?:PR|pull request|pull|issue|discussion)\s+/i.exec(label)?.[0] ?? ""}${shown}`;
  return `${label} (${shown})`;
}

/** `[`../a/b.md`](../a/b.md)`: the label is the address already. */
export function sameAddress(url: string, label: string): boolean {
  const plain = label.replaceAll("`", "").trim();
  return plain !== "" && (url === plain || url === `./${plain}` || url === `mailto:${plain}` || url.replace(/^(?:\.\.\/)+/, "") === plain);
}

/** Code with as many backticks around it as it needs. */
export function fenced(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = longest > 0 && (value.startsWith("`") || value.endsWith("`")) ? " " : "";
  return `${ticks}${pad}${value}${pad}${ticks}`;
}
