import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Browser } from "playwright-core";
import { globSync } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { load } from "../../src/model/load.ts";
import { browserPath, launch, noBrowser } from "./browser.ts";
import { readHtml } from "./html.ts";
import type { Served } from "./serve.ts";
import { serve } from "./serve.ts";
import type { BuiltSite } from "./site.ts";
import { HOSTILE, builtSite, pagesOf } from "./site.ts";

/** Text by other people: titles that try to be markup, run from right to left, or have no end. */
describe.skipIf(browserPath === undefined)(`the hostile stack in a browser${noBrowser}`, () => {
  let site: BuiltSite;
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    site = await builtSite({ root: HOSTILE });
    served = await serve(site.folder, site.base);
    browser = await launch();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  it("D15 F11 runs nothing that a title holds, on no page, and no page is widened", { timeout: 300_000 }, async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => faults.push(`${page.url()}: a dialog`)));
    for (const path of pagesOf(site)) {
      await page.goto(served.url(path));
      const found = await page.evaluate(() => ({
        ran: "pwned" in window,
        images: document.querySelectorAll('img[src="x"]').length,
        handlers: [...document.querySelectorAll("*")].filter((element) => element.getAttributeNames().some((name) => name.startsWith("on")))
          .length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      if (found.ran || found.images > 0 || found.handlers > 0 || found.wide !== 0) faults.push(`${path}: ${JSON.stringify(found)}`);
    }
    await page.close();
    expect(faults).toEqual([]);
  });

  it("F11 shows every title as it was written, in the heading and in the tab", async () => {
    const { model } = load(HOSTILE);
    const page = await browser.newPage();
    const wrong: string[] = [];
    const clean = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();
    for (const [id, { title }] of Object.entries(model.item)) {
      await page.goto(served.url(`items/${id}/`));
      if (clean(await page.locator("h1").textContent()) !== clean(title)) wrong.push(`${id}: heading`);
      if (!clean(await page.title()).startsWith(clean(title))) wrong.push(`${id}: tab`);
    }
    await page.close();
    expect(wrong).toEqual([]);
  });

  it("sets a title that runs from right to left apart from the text around it", async () => {
    const page = await browser.newPage();
    await page.goto(served.url("items/rtl/"));
    expect(await page.locator("h1 bdi").evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe("isolate");
    await page.goto(served.url("tracker/"));
    expect(await page.locator("#rtl .c-it bdi").count()).toBe(1);
    await page.close();
  });

  it("finds hostile rows in the search, as text", async () => {
    const page = await browser.newPage();
    await page.goto(served.url(""));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("onerror");
    await page.locator("#found-0").waitFor();
    expect(await page.evaluate(() => "pwned" in window || document.querySelectorAll("#search img").length > 0)).toBe(false);
    await page.close();
  });

  it("writes feeds that a strict reader takes", async () => {
    const page = await browser.newPage();
    await page.goto(served.url(""));
    const feeds = globSync("changes/**/feed.atom", { cwd: site.folder });
    expect(feeds.length).toBeGreaterThan(3);
    for (const feed of feeds) {
      const text = readFileSync(join(site.folder, feed), "utf8");
      const error = await page.evaluate(
        (xml) => new DOMParser().parseFromString(xml, "application/xml").querySelector("parsererror")?.textContent,
        text,
      );
      expect(error, feed).toBeUndefined();
    }
    await page.close();
  });
});

describe.each([
  { name: "the stack", options: { base: "/club-3090/", root: undefined } },
  { name: "the hostile stack", options: { base: "/", root: HOSTILE } },
])("machine faces of $name", ({ options }) => {
  it("every JSON document keeps to its schema, and the list names them all", async () => {
    const site = await builtSite(options);
    const read = (path: string) => JSON.parse(readFileSync(join(site.folder, "api/v1", path), "utf8")) as Record<string, unknown>;
    const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }));
    const index = read("index.json") as { documents: { name: string; url: string; schema: string }[] };
    expect(index.documents.map(({ name }) => `${name}.json`).sort()).toEqual(
      globSync("*.json", { cwd: join(site.folder, "api/v1") })
        .filter((name) => name !== "index.json")
        .sort(),
    );
    for (const { name, url, schema } of index.documents) {
      const check = ajv.compile(read(`schemas/${name}.schema.json`));
      check(read(`${name}.json`));
      expect(check.errors ?? [], name).toEqual([]);
      expect([url, schema]).toEqual([
        expect.stringMatching(new RegExp(`${site.base}api/v1/${name}\\.json$`)),
        expect.stringContaining("https://"),
      ]);
    }
  });

  it("names pages in its JSON that exist", async () => {
    const site = await builtSite(options);
    const pages = new Set(pagesOf(site));
    const { items } = JSON.parse(readFileSync(join(site.folder, "api/v1/status.json"), "utf8")) as { items: { page: string }[] };
    for (const { page } of items) expect(pages).toContain(new URL(page).pathname.slice(site.base.length));
  });

  it("has a badge for every row and pin, and its text is text", async () => {
    const site = await builtSite(options);
    const { model } = load(options.root ?? process.cwd());
    for (const [kind, ids] of [
      ["item", Object.keys(model.item)],
      ["pin", Object.keys(model.pin)],
    ] as const) {
      for (const id of ids) {
        const svg = readFileSync(join(site.folder, `badges/${kind}/${id}.svg`), "utf8");
        expect(svg).toMatch(/^<svg /);
        expect(svg).not.toMatch(/<script|<img|onerror=|onload=/);
      }
    }
  });

  it("lists its pages for search engines and language models, with whole addresses", async () => {
    const site = await builtSite(options);
    const map = readFileSync(join(site.folder, "sitemap-0.xml"), "utf8");
    const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname.slice(site.base.length));
    expect(listed.sort()).toEqual(pagesOf(site).filter((path) => path !== "404.html"));
    const text = readFileSync(join(site.folder, "llms.txt"), "utf8");
    expect(text.split("\n")[0]).toMatch(/^# /);
    for (const [, url = ""] of text.matchAll(/\]\((https:[^)]+)\)/g)) expect(url).toContain(site.base);
  });

  it("F01 carries cards for links: title, description, address", async () => {
    const site = await builtSite(options);
    const page = readFileSync(join(site.folder, "tracker/index.html"), "utf8");
    for (const name of ["og:title", "og:description", "og:url", "og:site_name"]) expect(page).toContain(`property="${name}"`);
    expect(readHtml(page).loads.every((address) => address.startsWith(site.base))).toBe(true);
  });
});
