import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { globSync } from "tinyglobby";
import { ROOT } from "./real.ts";

/** One import, export-from or dynamic import of a file. */
export interface Import {
  /** As written. */
  specifier: string;
  /** From the repository's root, for a relative one. */
  target: string | undefined;
  /** Erased at run time. */
  typeOnly: boolean;
  line: number;
}

export interface SourceFile {
  path: string;
  text: string;
  imports: Import[];
}

/** Statements start a line in this code base; the list in braces may run over several. */
const STATIC = /^[ \t]*(import|export)(?:\b(?<clause>[^;'"`()]*?)\bfrom)?\s*["'](?<specifier>[^"'\n]+)["']/gm;
const DYNAMIC = /\bimport\s*\(\s*["'`](?<specifier>[^"'`\n]+)["'`]/g;

/** Reads the imports of a TypeScript, JavaScript or Astro file. Simple on purpose: it knows how this code base writes them. */
export function importsOf(path: string, text: string): Import[] {
  const found = [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)];
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index, groups }) => {
      const { specifier = "", clause = "" } = groups ?? {};
      return {
        specifier,
        target: specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined,
        typeOnly: /^\s+type\s+[^\s,]/.test(clause),
        line: text.slice(0, index).split("\n").length,
      };
    });
}

/** Every source file of the repository under these folders, with its imports. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,mjs,js,astro}`);
  return globSync(patterns, { cwd: ROOT, ignore: ["**/node_modules/**", "**/dist/**", "**/.astro/**"] })
    .sort()
    .map((path) => {
      const text = readFileSync(ROOT + path, "utf8");
      return { path, text, imports: importsOf(path, text) };
    });
}
