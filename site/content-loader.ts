import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader } from "astro/loaders";
import { globSync } from "tinyglobby";
import { renderPages } from "../src/report/pages/pages.ts";
import { docId } from "./docs.ts";
import { stack } from "./stack.ts";

/**
 * The Markdown pages: the reports, rendered from the derived object of this very build so that they cannot be stale,
 * and the guides of `content/`, those of the stack before those of this project.
 * Nothing is kept from an earlier build: what a page says may have changed although its file has not.
 */
export function contentLoader(): Loader {
  return {
    name: "landfall-content",
    load: async ({ store, parseData, renderMarkdown, generateDigest }) => {
      store.clear();
      const { options, derived } = stack();
      const pages = new Map<string, { file: string; text: string }>();
      for (const root of new Set([options.home, options.root])) {
        for (const name of guides(root)) {
          const file = join(root, "content", name);
          pages.set(docId(name), { file, text: readFileSync(file, "utf8") });
        }
      }
      for (const { path, content } of renderPages(derived)) {
        pages.set(docId(path.replace(/^content\//, "")), { file: join(options.root, path), text: content });
      }
      for (const [id, { file, text }] of pages) {
        const rendered = await renderMarkdown(text, { fileURL: pathToFileURL(file) });
        const data = await parseData({ id, data: rendered.metadata?.frontmatter ?? {} });
        store.set({ id, data, body: text, rendered, digest: generateDigest(text) });
      }
    },
  };
}

/** Hand-written Markdown under `content/`. Generated pages are left out: they are rendered afresh. */
export function guides(root: string): string[] {
  const folder = join(root, "content");
  if (!existsSync(folder)) return [];
  return globSync("**/[^_]*.md", { cwd: folder })
    .filter((name) => !docId(name).startsWith("reports/"))
    .sort();
}
