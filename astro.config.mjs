import { fileURLToPath } from "node:url";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { siteOptions, stackTitle } from "./site/options.ts";
import { sidebar } from "./site/sidebar.ts";

const home = fileURLToPath(new URL(".", import.meta.url));
const options = siteOptions(process.env, home);
process.env.LANDFALL_BASE = options.base;

const own = (name) => `./site/components/starlight/${name}.astro`;

/**
 * Markdown as GitHub reads it. Smart punctuation would turn the `--flags` of authored prose into dashes; directives, which Starlight
 * turns on, would take the `:tag` of an image for one, and need time that grows with the square of a page.
 */
const plainMarkdown = {
  name: "plain-markdown",
  hooks: {
    "astro:config:done": ({ config }) => {
      Object.assign(config.markdown.processor.options.features, { smartPunctuation: false, directive: false });
    },
  },
};

export default defineConfig({
  srcDir: "./site",
  publicDir: "./site/public",
  outDir: process.env.LANDFALL_OUT ?? "./dist",
  cacheDir: process.env.LANDFALL_CACHE ?? "./node_modules/.astro",
  base: options.base,
  site: options.origin,
  trailingSlash: "always",
  prefetch: false,
  devToolbar: { enabled: false },
  markdown: { syntaxHighlight: false },
  vite: {
    build: { assetsInlineLimit: 0 },
    // Starlight needs js-yaml 4. Left to Node, the built server would find the newer one that other packages brought.
    environments: { prerender: { resolve: { noExternal: ["js-yaml"] } } },
  },
  integrations: [
    plainMarkdown,
    starlight({
      title: stackTitle(options.root),
      description: "What this stack waits for upstream, what it carries until then, and what its builds contain.",
      sidebar: sidebar(options),
      disable404Route: true,
      pagination: false,
      credits: false,
      favicon: "/mark.svg",
      markdown: { processedDirs: ["./content/"] },
      customCss: ["./site/styles/tokens.css", "./site/styles/chrome.css", "./site/styles/starlight.css"],
      // The guides' few commands need no colours, and loading a highlighter costs more than all of their pages.
      expressiveCode: false,
      components: {
        Head: own("Head"),
        ThemeProvider: own("ThemeProvider"),
        PageFrame: own("PageFrame"),
        TwoColumnContent: own("TwoColumnContent"),
        PageSidebar: own("PageSidebar"),
        Header: own("Header"),
        Footer: own("Footer"),
        PageTitle: own("PageTitle"),
      },
    }),
  ],
});
