import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Html } from "./html.ts";
import { readHtml } from "./html.ts";
import type { BuiltSite } from "./site.ts";
import { HOSTILE, builtSite, pagesOf } from "./site.ts";

const cases = [
  { name: "the stack under a base", options: { base: "/club-3090/" } },
  { name: "the hostile stack", options: { root: HOSTILE } },
];

describe.each(cases)("links of $name", ({ options }) => {
  let site: BuiltSite;
  let pages: Map<string, Html>;
  const open = async () => {
    site ??= await builtSite(options);
    pages ??= new Map(pagesOf(site).map((path) => [path, readHtml(readFileSync(fileOf(site, path), "utf8"))]));
  };

  it("F01 every internal address stands under the base and leads to a file", async () => {
    await open();
    const broken: string[] = [];
    for (const [path, page] of pages) {
      for (const link of [...page.links, ...page.loads]) {
        const target = inside(site, path, link);
        if (target === "elsewhere") continue;
        if (target === undefined || !existsSync(fileOf(site, target.path))) broken.push(`${path} -> ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("F03 and F05 ids are never empty or doubled, and every anchor that is linked to exists", async () => {
    await open();
    const broken: string[] = [];
    for (const [path, { ids, links }] of pages) {
      if (new Set(ids).size < ids.length || ids.some((id) => id === "" || id.startsWith("-")))
        broken.push(`${path}: ${ids.filter((id, at) => id === "" || id.startsWith("-") || ids.indexOf(id) !== at).join(", ")}`);
      for (const link of links) {
        const target = inside(site, path, link);
        if (target === "elsewhere" || !target?.anchor) continue;
        const there = pages.get(target.path);
        if (there && !there.ids.includes(target.anchor)) broken.push(`${path} -> ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("reaches every page from the home page", async () => {
    await open();
    const seen = new Set([""]);
    for (const path of seen) {
      for (const link of pages.get(path)?.links ?? []) {
        const target = inside(site, path, link);
        if (target !== "elsewhere" && target && pages.has(target.path)) seen.add(target.path);
      }
    }
    expect([...pages.keys()].filter((path) => !seen.has(path) && path !== "404.html")).toEqual([]);
  });

  it("gives every page one heading, a title and a description", async () => {
    await open();
    const poor = [...pages].filter(
      ([, { headings, title, description }]) => headings !== 1 || title.trim() === "" || description.trim() === "",
    );
    expect(poor.map(([path]) => path)).toEqual([]);
  });

  it("links to nothing but the web, and to scripts nowhere", async () => {
    await open();
    const odd = [...pages].flatMap(([path, { links }]) =>
      links.filter((link) => /^[a-z]+:/i.test(link) && !/^https?:/.test(link)).map((link) => `${path} -> ${link}`),
    );
    expect(odd).toEqual([]);
  });
});

const fileOf = ({ folder }: BuiltSite, path: string): string => {
  const file = join(folder, path);
  return existsSync(file) && statSync(file).isDirectory() ? join(file, "index.html") : file;
};

/** Where a link of a page leads inside the site; undefined: to the origin, but not under the base. */
function inside({ base }: BuiltSite, page: string, link: string): { path: string; anchor: string } | "elsewhere" | undefined {
  const url = new URL(link, `http://site${base}${page}`);
  if (url.host !== "site") return "elsewhere";
  if (!url.pathname.startsWith(base)) return undefined;
  return { path: decodeURIComponent(url.pathname.slice(base.length)), anchor: decodeURIComponent(url.hash.slice(1)) };
}
