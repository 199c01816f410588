import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Loader } from "astro/loaders";
import { docId } from "./docs.ts";
import { guides } from "./guides.ts";
import { siteOptions } from "./options.ts";
import { pageHtml } from "./page-html.ts";

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
      const options = siteOptions(process.env, process.cwd());
      const pages = new Map<string, { file: string; text: string }>();
      for (const root of new Set([options.home, options.root])) {
        for (const name of guides(root)) {
          const file = join(root, "content", name);
          pages.set(docId(name), { file, text: readFileSync(file, "utf8") });
        }
      }
      for (const { path, content } of await reports()) {
        pages.set(docId(path.replace(/^content\//, "")), { file: join(options.root, path), text: content });
      }
      for (const [id, { file, text }] of pages) {
        const rendered = await renderMarkdown(text, { fileURL: pathToFileURL(file) });
        const data = await parseData({ id, data: rendered.metadata?.frontmatter ?? {} });
        const page = pageHtml(rendered.html, rendered.metadata?.headings ?? [], pathOf(file));
        const metadata = { ...rendered.metadata, headings: page.headings };
        store.set({ id, data, body: text, rendered: { html: page.html, metadata }, digest: generateDigest(text) });
      }
    },
  };
}

/** `…/content/guides/x.md` -> `content/guides/x.md` */
function pathOf(file: string): string {
  const path = file.replaceAll("\\", "/");
  return path.slice(path.lastIndexOf("/content/") + 1);
}

/**
 * The build command renders the reports beforehand and names the file they are in: here every module would first have to go through
 * Vite. `astro dev` has no such file and renders them itself.
 */
async function reports(): Promise<{ path: string; content: string }[]> {
  const file = process.env.LANDFALL_REPORTS;
  if (file) return JSON.parse(readFileSync(file, "utf8")) as { path: string; content: string }[];
  const [{ stack }, { renderPages }] = await Promise.all([import("./stack.ts"), import("../src/report/pages/pages.ts")]);
  return renderPages(stack().derived);
}
