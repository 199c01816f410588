import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { load } from "../../src/model/load.ts";
import { violations } from "./axe.ts";
import { browserPath, launch, noBrowser } from "./browser.ts";
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

  it.each([390, 1440])("D15 F11 runs nothing that a title holds, on no page, and no page is widened, at %s px", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
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

  it.each(["", "tracker/", "matrix/", "picture/", "items/rtl/", "items/very-long/", "items/emoji-only/", "pins/build-b/"])(
    "F10 F12 leaves axe nothing to say about %s",
    async (path) => {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(served.url(path));
      expect(await violations(page, "light")).toEqual([]);
      await page.close();
    },
  );

  it("ends a long label in the picture where its box ends, and gives every box its whole title", async () => {
    const page = await browser.newPage();
    await page.goto(served.url("picture/"));
    const boxes = await page.locator("a.n").evaluateAll((nodes) =>
      nodes.map((node) => {
        const end = (part: string) => {
          const element = node.querySelector(part);
          return Number(element?.getAttribute("x")) + Number(element?.getAttribute("width"));
        };
        return { inside: end("svg") < end("rect"), clipped: getComputedStyle(node.querySelector("svg") as Element).overflow === "hidden" };
      }),
    );
    expect(boxes.length).toBeGreaterThan(10);
    expect(boxes.filter(({ inside, clipped }) => !inside || !clipped)).toEqual([]);
    const { model } = load(HOSTILE);
    const titles = await page.locator("a.n-item > title").allTextContents();
    expect(titles).toContainEqual(`${model.item["very-long"]?.title} (Closed without fix)`);
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
});
