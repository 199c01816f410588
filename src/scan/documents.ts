import type { TreeFinding } from "../model/tree.ts";
import { finding } from "../model/tree.ts";
import type { SourceFile } from "./found.ts";
import { parseImage, shortImage } from "./image.ts";
import { linesOf } from "./lines.ts";
import { baseOf, folderOf, join } from "./paths.ts";

/** A number of users that a document's table states for an image. */
interface StatedCount {
  image: string;
  count: number;
  line: number;
}

const COUNT_HEADING = /\b(composes?|users?|used by|using it|services?|containers?|deployments?)\b/i;

/** Rows of Markdown tables that name an image and say how many use it (pain E1: 19, 4, 2 and 2, and really 1, 29, 2 and 2). */
export function statedCounts(file: SourceFile): StatedCount[] {
  if (!file.text.includes("|")) return [];
  const found: StatedCount[] = [];
  let column = -1;
  let inTable = false;
  for (const [index, source] of linesOf(file).entries()) {
    if (!source.trimStart().startsWith("|")) {
      inTable = false;
      continue;
    }
    const cells = cellsOf(source);
    if (!inTable) {
      column = cells.findIndex((cell, at) => at > 0 && COUNT_HEADING.test(cell));
      inTable = true;
      continue;
    }
    const count = column < 0 ? undefined : /^\W*(\d+)\b(?!\s*(?:GB|K|MB|%|days?|TPS))/i.exec(cells[column] ?? "")?.[1];
    if (count === undefined) continue;
    for (const match of (cells[0] ?? "").matchAll(/`([^`\s]+)`/g)) {
      if (/[/:]/.test(match[1] ?? "") && parseImage((match[1] ?? "").replace(/(\.\.\.|…)$/, "")))
        found.push({ image: (match[1] ?? "").replace(/(\.\.\.|…)$/, ""), count: Number(count), line: index + 1 });
    }
  }
  return found;
}

const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Compares what documents state with the live users of each image. `users` counts compose files by normal image name. */
export function wrongCounts(file: SourceFile, users: ReadonlyMap<string, number>): TreeFinding[] {
  return statedCounts(file).flatMap(({ image, count, line }) => {
    const named = parseImage(image);
    const wanted =
      named && `${named.name}${named.tag === undefined ? "" : `:${named.tag}`}${named.digest === undefined ? "" : `@${named.digest}`}`;
    if (wanted === undefined) return [];
    const exact = users.get(wanted);
    // A shortened commit or digest stands for the one image that begins so.
    const longer = [...users.keys()].filter((name) => name.startsWith(wanted) && /[0-9a-f]{7}$/.test(wanted));
    const real = exact ?? (longer.length === 1 ? users.get(longer[0] ?? "") : longer.length === 0 ? 0 : undefined);
    if (real === undefined || real === count) return [];
    return [
      finding(
        "count-differs",
        { file: file.path, line },
        `Says ${count} for ${shortImage(image)}; the tree has ${real}. Do not type counts: scan computes them.`,
      ),
    ];
  });
}

/** A document that states another value for a pin's variable than its row: `GENESIS_PIN=2db18df` (pain E6, E7). */
export function statedPins({ path, text }: SourceFile, pinOfEnv: ReadonlyMap<string, { value: string; row: string }>): TreeFinding[] {
  return [...pinOfEnv].flatMap(([name, { value, row }]) => {
    if (!text.includes(`${name}=`)) return [];
    return text.split("\n").flatMap((source, index) =>
      [...source.matchAll(new RegExp(`\\b${name}=["']?([0-9a-f]{7,40}|v?\\d+\\.\\d[\\w.+-]*)`, "g"))].flatMap((match): TreeFinding[] => {
        const stated = match[1] ?? "";
        return value.startsWith(stated)
          ? []
          : [
              finding(
                "pin-differs",
                { file: path, line: index + 1 },
                `States ${name}=${stated}, and ${row} pins ${value.slice(0, 10)}. Correct one of them.`,
              ),
            ];
      }),
    );
  });
}

const CITED = /[\w.*/-]*\/[\w.*/-]+\.[A-Za-z]\w{0,7}(?![\w/-])|[\w*-][\w.*-]*\.(?:py|sh|patch|diff)(?![\w/-])/g;

/** Does the tree have this path, as a file or as a folder? */
export interface TreePaths {
  paths: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  basenames: ReadonlySet<string>;
  /** Could a line cite a file of the stack? Looked at before the line is taken apart. */
  mayCite: RegExp;
}

export function pathsOf(paths: ReadonlySet<string>): TreePaths {
  const folders = new Set<string>([""]);
  for (const path of paths)
    for (let folder = folderOf(path); folder !== "" && !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  const tops = [...folders]
    .filter((folder) => folder !== "" && !folder.includes("/"))
    .map((folder) => folder.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"));
  const mayCite = new RegExp(`\\]\\(|\\.(?:py|sh|patch|diff)(?!\\w)|(?:^|[^\\w/]|\\./)(?:${tops.join("|")})/`);
  return { paths, folders, basenames: new Set([...paths].map(baseOf)), mayCite };
}

/**
 * Files of the stack that a document or comment cites and the tree does not have (pain D10, E10): relative links, paths that
 * begin with a folder of the tree, and bare names that always mean a file of the stack. Names of upstream files are left alone.
 * Each missing file is told once a document, with all its lines.
 */
export function missingCitations(file: SourceFile, tree: TreePaths, isOurs: (name: string) => boolean): TreeFinding[] {
  const document = /\.(md|mdx|markdown)$/i.test(file.path);
  const missing = new Map<string, number[]>();
  const say = (path: string, line: number) => {
    const lines = missing.get(path) ?? [];
    if (lines.at(-1) !== line) lines.push(line);
    missing.set(path, lines);
  };
  const has = (path: string) => tree.paths.has(path) || tree.folders.has(path.replace(/\/$/, ""));
  const here = folderOf(file.path);
  let fenced = false;
  for (const [index, source] of linesOf(file).entries()) {
    const line = index + 1;
    if (document && /^\s*(```|~~~)/.test(source)) fenced = !fenced;
    if (!tree.mayCite.test(source)) continue;
    if (document && !fenced) for (const path of links(source, here)) if (!has(path)) say(path, line);
    const text = document ? source.replace(/\]\([^)]*\)/g, "] ") : (/(?:^|\s)(?:#|\/\/)(.*)$/.exec(source)?.[1] ?? "");
    for (const [written] of text.replace(/https?:\/\/\S+/g, " ").matchAll(CITED)) {
      const path = written.replace(/^(?:\.\.?\/)+/, "");
      if (/[*]|\.\./.test(path) || path.startsWith("/")) continue;
      const top = path.slice(0, Math.max(0, path.indexOf("/")));
      if (top === "" ? isOurs(path) && !tree.basenames.has(path) : tree.folders.has(top) && !has(path) && !has(join(here, path)))
        say(path, line);
    }
  }
  return [...missing].map(([path, [line = 1, ...others]]) => {
    const also = others.length > 0 ? ` (also on ${others.length > 1 ? "lines" : "line"} ${others.join(", ")})` : "";
    return finding(
      "cites-missing-file",
      { file: file.path, line },
      `Cites ${path}${also}, and the tree has no such file. Correct it, or say when it was removed.`,
    );
  });
}

/** Targets of relative links, from the top of the tree. */
function links(source: string, here: string): string[] {
  return [...source.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].flatMap((match) => {
    const target = decode((match[1] ?? "").replace(/[#?].*$/, ""));
    const path = join(here, target);
    return target === "" || /^[a-z][a-z0-9+.-]*:|^\//i.test(target) || path === ".." || path.startsWith("../") ? [] : [path];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
