import { fileURLToPath } from "node:url";
import { unified } from "@astrojs/markdown-remark";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { rehypeSite } from "./site/rehype-site.ts";
import { siteOptions, stackTitle } from "./site/options.ts";
import { sidebar } from "./site/sidebar.ts";

const home = fileURLToPath(new URL(".", import.meta.url));
const options = siteOptions(process.env, home);
process.env.LANDFALL_BASE = options.base;

const own = (name) => `./site/components/starlight/${name}.astro`;

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
  // Smart punctuation would turn the `--flags` of authored prose into dashes.
  markdown: { processor: unified({ smartypants: false, rehypePlugins: [rehypeSite] }) },
  vite: {
    build: { assetsInlineLimit: 0 },
    // Starlight needs js-yaml 4. Left to Node, the built server would find the newer one that other packages brought.
    environments: { prerender: { resolve: { noExternal: ["js-yaml"] } } },
  },
  integrations: [
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
      expressiveCode: {
        themes: ["github-dark", "github-light"],
        useStarlightDarkModeSwitch: false,
        useDarkModeMediaQuery: true,
        themeCssSelector: (theme) => `[data-scheme='${theme.type}']`,
        frames: false,
        styleOverrides: { borderRadius: "4px" },
      },
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
