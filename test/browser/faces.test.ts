import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Browser, Page } from "playwright-core";
import { globSync } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../site/api/documents.ts";
import { load } from "../../src/model/load.ts";
import { browserPath, launch, noBrowser } from "./browser.ts";
import { readHtml } from "./html.ts";
import type { BuiltSite } from "./site.ts";
import { HOSTILE, builtSite, pagesOf } from "./site.ts";

const STACKS = [
  { name: "the stack", options: { base: "/club-3090/", root: undefined } },
  { name: "the hostile stack", options: { base: "/", root: HOSTILE } },
];
const read = (site: BuiltSite, path: string): string => readFileSync(join(site.folder, path), "utf8");
const json = (site: BuiltSite, path: string) => JSON.parse(read(site, path)) as Record<string, unknown>;
const found = (site: BuiltSite, pattern: string): string[] => globSync(pattern, { cwd: site.folder }).sort();

/** What other programs read of the site. */
describe.each(STACKS)("machine faces of $name", ({ options }) => {
  let site: BuiltSite;
  beforeAll(async () => {
    site = await builtSite(options);
  }, 240_000);

  it("every JSON document keeps to its schema, and the list names them all", () => {
    const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }));
    const index = json(site, "api/v1/index.json") as { documents: { name: string; url: string; schema: string }[] };
    expect(index.documents.map(({ name }) => `${name}.json`).sort()).toEqual(
      found({ ...site, folder: join(site.folder, "api/v1") }, "*.json").filter((name) => name !== "index.json"),
    );
    for (const { name, url, schema } of index.documents) {
      const check = ajv.compile(json(site, `api/v1/schemas/${name}.schema.json`));
      check(json(site, `api/v1/${name}.json`));
      expect(check.errors ?? [], name).toEqual([]);
      expect([url, schema]).toEqual([
        expect.stringMatching(new RegExp(`${site.base}api/v1/${name}\\.json$`)),
        expect.stringContaining("https://"),
      ]);
    }
  });

  it.each(DOCUMENTS.map(({ name }) => name))("%s.json holds no field that its schema does not name", (name) => {
    const unnamed = new Set(unnamedIn(json(site, `api/v1/${name}.json`), json(site, `api/v1/schemas/${name}.schema.json`)));
    expect([...unnamed]).toEqual([]);
  });

  it("names pages in its JSON that exist", () => {
    const pages = new Set(pagesOf(site));
    const named = DOCUMENTS.flatMap(({ name }) => [...read(site, `api/v1/${name}.json`).matchAll(/"page":\s*"([^"]+)"/g)]);
    expect(named.length).toBeGreaterThan(20);
    for (const [, url = ""] of named) expect(pages).toContain(new URL(url).pathname.slice(site.base.length));
  });

  it("lists its pages for search engines and language models, with whole addresses", () => {
    const listed = [...read(site, "sitemap-0.xml").matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) =>
      new URL(url).pathname.slice(site.base.length),
    );
    expect(listed.sort()).toEqual(pagesOf(site).filter((path) => path !== "404.html"));
    const text = read(site, "llms.txt");
    expect(text.split("\n")[0]).toMatch(/^# /);
    const links = [...text.matchAll(/\]\((https:[^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [, url = ""] of links) expect(url).toContain(site.base);
  });

  it("F01 every page carries a card for links: title, description, address", () => {
    for (const path of found(site, "**/*.html")) {
      const page = read(site, path);
      for (const name of ["og:title", "og:description", "og:url", "og:site_name"])
        expect(page, `${path} ${name}`).toMatch(new RegExp(`property="${name}" content="[^"]+"`));
      expect(
        readHtml(page).loads.every((address) => address.startsWith(site.base)),
        path,
      ).toBe(true);
    }
  });

  it("JSON feeds are JSON Feed, with entries that have names, addresses and days", () => {
    const feeds = found(site, "changes/**/feed.json");
    expect(feeds).toContain("changes/feed.json");
    for (const path of feeds) {
      const feed = json(site, path) as { version: string; title: string; feed_url: string; items: Record<string, string>[] };
      expect(feed.version, path).toBe("https://jsonfeed.org/version/1");
      expect(new URL(feed.feed_url).pathname, path).toBe(`${site.base}${path}`);
      expect(feed.title.trim(), path).not.toBe("");
      expect(new Set(feed.items.map(({ id }) => id)).size, path).toBe(feed.items.length);
      for (const item of feed.items) {
        expect([item.id, item.url, item.date_published, item.content_html ?? item.content_text], path).not.toContain(undefined);
        expect(Number.isNaN(Date.parse(item.date_published ?? "")), path).toBe(false);
      }
    }
  });

  it("the calendar has whole events with names of their own, and short lines", () => {
    const text = read(site, "follow-ups.ics");
    expect(text.endsWith("END:VCALENDAR\r\n") || text.endsWith("END:VCALENDAR")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75);
    const events = text
      .replaceAll("\r\n ", "")
      .split("BEGIN:VEVENT\r\n")
      .slice(1)
      .map((event) => event.split("\r\nEND:VEVENT")[0] ?? "");
    expect(events.length).toBeGreaterThan(0);
    for (const event of events)
      for (const name of ["UID:", "DTSTAMP:", "DTSTART", "SUMMARY:"])
        expect(
          event.split("\r\n").filter((line) => line.startsWith(name)),
          name,
        ).toHaveLength(1);
    expect(new Set(events.map((event) => /^UID:(.*)$/m.exec(event)?.[1])).size).toBe(events.length);
  });
});

/** Paths of fields that a schema does not name, such as `items[].colour`. */
function unnamedIn(value: unknown, schema: unknown, path = ""): string[] {
  const { properties, items, additionalProperties, anyOf } = (schema ?? {}) as Record<string, unknown>;
  if (Array.isArray(value)) return value.flatMap((inner) => unnamedIn(inner, items, `${path}[]`));
  if (value === null || typeof value !== "object") return [];
  const named = (properties ??
    (anyOf as { properties?: unknown }[] | undefined)?.find((one) => one.properties)?.properties ??
    {}) as object;
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${path}.${key}`;
    if (key in named) return unnamedIn(inner, named[key as keyof typeof named], at);
    const rest = (additionalProperties ?? {}) as Record<string, unknown>;
    return Object.keys(rest).length > 0 ? unnamedIn(inner, rest, at) : [at];
  });
}

describe.skipIf(browserPath === undefined).each(STACKS)(`XML of $name, as a strict reader takes it${noBrowser}`, ({ options }) => {
  let site: BuiltSite;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    site = await builtSite(options);
    browser = await launch();
    page = await browser.newPage();
  }, 240_000);
  afterAll(async () => browser?.close());

  it("Atom feeds are well formed and have what RFC 4287 asks for", async () => {
    const feeds = found(site, "changes/**/feed.atom");
    expect(feeds.length).toBeGreaterThan(3);
    for (const path of feeds) {
      const faults = await page.evaluate(
        (xml) => {
          const parsed = new DOMParser().parseFromString(xml, "application/xml");
          const error = parsed.querySelector("parsererror")?.textContent;
          if (error) return [error];
          const feed = parsed.documentElement;
          const own = (element: Element, name: string) => [...element.children].filter(({ localName }) => localName === name);
          const entries = own(feed, "entry");
          const ids = entries.map((entry) => own(entry, "id")[0]?.textContent);
          const once = (element: Element, names: string[]) =>
            names.filter((name) => own(element, name).length !== 1).map((name) => `${element.localName} without one ${name}`);
          const days = [...parsed.getElementsByTagName("updated")].map(({ textContent }) => textContent ?? "");
          return [
            ...(feed.namespaceURI === "http://www.w3.org/2005/Atom" ? [] : ["not Atom"]),
            ...once(feed, ["id", "title", "updated"]),
            ...entries.flatMap((entry) => once(entry, ["id", "title", "updated"])),
            ...(own(feed, "author").length > 0 || entries.every((entry) => own(entry, "author").length > 0) ? [] : ["no author"]),
            ...(new Set(ids).size === ids.length ? [] : ["two entries of one id"]),
            ...days.filter((day) => !/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(day)).map((day) => `no instant: ${day}`),
          ];
        },
        read(site, path),
      );
      expect(faults, path).toEqual([]);
    }
  });

  it("badges are SVG with a size and words, one for every row and pin, and hold no script", async () => {
    const { model } = load(options.root ?? process.cwd());
    const wanted = ["stack", ...Object.keys(model.item).map((id) => `item/${id}`), ...Object.keys(model.pin).map((id) => `pin/${id}`)];
    expect(found(site, "badges/**/*.svg")).toEqual(wanted.map((name) => `badges/${name}.svg`).sort());
    for (const name of wanted) {
      const faults = await page.evaluate(
        (xml) => {
          const parsed = new DOMParser().parseFromString(xml, "image/svg+xml");
          const svg = parsed.documentElement;
          const error = parsed.querySelector("parsererror")?.textContent;
          const active = [...parsed.querySelectorAll("*")].filter(
            (element) =>
              /^(script|foreignObject|image|a)$/i.test(element.localName) || element.getAttributeNames().some((at) => at.startsWith("on")),
          );
          return [
            ...(error ? [error] : []),
            ...(svg.localName === "svg" && svg.namespaceURI === "http://www.w3.org/2000/svg" ? [] : ["not SVG"]),
            ...(Number(svg.getAttribute("width")) > 40 && Number(svg.getAttribute("height")) > 10 ? [] : ["no size"]),
            ...((svg.querySelector("title")?.textContent ?? "").trim() === "" ? ["no words"] : []),
            ...active.map((element) => `holds ${element.outerHTML.slice(0, 80)}`),
          ];
        },
        read(site, `badges/${name}.svg`),
      );
      expect(faults, name).toEqual([]);
    }
  });
});
