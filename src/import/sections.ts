import type { Heading } from "mdast";
import { repoOf } from "./links.ts";
import type { Block } from "./markdown.ts";
import { proseOf } from "./prose.ts";

/** A heading with what stands under it, as the importer sees it. */
export interface Section {
  /** Heading text, without the repository. */
  title: string;
  line: number;
  depth: number;
  /** The repository the heading names. */
  repo: string | undefined;
  parent: Section | undefined;
}

const REPO = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\/[A-Za-z0-9._-]+$/;

/** The section of every block, in the order of the blocks. The document's top is a section without a title. */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  let current: Section = { title: "", line: 1, depth: 0, repo: undefined, parent: undefined };
  return blocks.map((block) => {
    if (block.type === "heading") {
      let parent: Section | undefined = current;
      while (parent && parent.depth >= block.depth) parent = parent.parent;
      current = { ...readHeading(block.node), line: block.line, depth: block.depth, parent };
    }
    return current;
  });
}

/** ``vLLM (`vllm-project/vllm`)`` -> title and repository. A repository counts in code, in brackets, as a link or alone. */
function readHeading(node: Heading): { title: string; repo: string | undefined } {
  const { text, found } = proseOf(node.children);
  const named = found
    .map(({ ref, url }) => repoOf(ref) ?? /^https?:\/\/github\.com\/([^/]+\/[^/#?]+)\/?$/i.exec(url ?? "")?.[1])
    .find((repo) => repo !== undefined);
  const written = [...text.matchAll(/`([^`]+)`|\(([^()]+)\)/g)].map((match) => (match[1] ?? match[2] ?? "").replaceAll("`", "").trim());
  const repo = named ?? [...written, text].find((part) => REPO.test(part));
  if (repo === undefined) return { title: text, repo };
  const title = text
    .replaceAll(/\s*\((?:[^()]*)\)|`[^`]+`/g, (part) => (part.includes(repo) ? "" : part))
    .replace(/^[\s—–:-]+|[\s—–:-]+$/g, "")
    .trim();
  return { title: title || repo, repo };
}

/** The nearest section, outwards, that names a repository. */
export function withRepo(section: Section | undefined): Section | undefined {
  for (let at = section; at; at = at.parent) if (at.repo !== undefined) return at;
  return undefined;
}

/** Short names by which a section's upstream is called: `vLLM (…)` -> `vLLM`, and the repository's own name. */
export function aliasesOf(title: string, repo: string | undefined): string[] {
  const lead = (/^[^(—–:]+/.exec(title)?.[0] ?? title).replaceAll(/\p{Extended_Pictographic}|\ufe0f/gu, "").trim();
  const names = [repo?.split("/")[1], lead.length <= 30 ? lead : undefined].filter(
    (name): name is string => name !== undefined && name !== "",
  );
  return [...new Set(names)];
}

/** The repository that most of a table's leading references belong to, when it is more than half. */
export function commonRepo(refs: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const ref of refs) {
    const repo = repoOf(ref);
    if (repo !== undefined) counts.set(repo, (counts.get(repo) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] * 2 > refs.length ? best[0] : undefined;
}
