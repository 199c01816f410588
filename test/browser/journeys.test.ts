import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, launch, noBrowser } from "./browser.ts";
import type { Served } from "./serve.ts";
import { serve } from "./serve.ts";
import { builtSite } from "./site.ts";

/** What people come for, by mouse, by keyboard, on a phone and without JavaScript; under a base, as on GitHub Pages. */
describe.skipIf(browserPath === undefined)(`journeys${noBrowser}`, () => {
  let served: Served;
  let browser: Browser;

  beforeAll(async () => {
    const site = await builtSite({ base: "/club-3090/" });
    served = await serve(site.folder, site.base);
    browser = await launch();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    await page.goto(served.url(path), { waitUntil: "networkidle" });
    return page;
  }
  /** Asked of the page itself: the browser's own report of an address lags behind a replaced one. */
  const queryOf = (page: Page) => page.evaluate(() => location.search);
  const shownRows = (page: Page) => page.locator("#rows tbody tr:visible");
  const close = (page: Page) => page.context().close();

  describe("home", () => {
    it("says first what needs a person, as of when, and leads to it", async () => {
      const page = await open("");
      await expect(page.locator("h1").textContent()).resolves.toMatch(/^\d+ things need a person$/);
      expect(await page.locator(".lead time").getAttribute("datetime")).toBe("2026-08-22T00:00:00Z");
      await page.getByRole("link", { name: "Test P103 once its gate admits a single sequence" }).first().click();
      await page.waitForURL("**/triggers/#retest-p103-single-seq-gate");
      await close(page);
    });

    it("leads from a number of the picture to its rows", async () => {
      const page = await open("");
      const cell = page.locator("table.whole a.s-awaiting-propagation").first();
      const count = Number((await cell.textContent())?.match(/\d+/)?.[0]);
      await cell.click();
      await page.waitForURL("**/tracker/?upstream=*");
      expect(await shownRows(page).count()).toBe(count);
      await close(page);
    });

    it("says what could not be observed", async () => {
      const page = await open("");
      const text = await page.locator("section[aria-labelledby='gaps']").textContent();
      expect(text).toContain("vllm#39598");
      expect(text).toContain("transformers#45283");
      await close(page);
    });

    it("is light: under 150 KB transferred, and nothing moves while it loads", async () => {
      const page = await open("");
      const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
          (sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize,
          0,
        ),
      );
      expect(bytes).toBeLessThan(150_000);
      expect(bytes).toBeGreaterThan(5_000);
      await close(page);
    });
  });

  describe("tracker", () => {
    it("filters by mouse, keeps the filter in the address, and is the same when it is opened again", async () => {
      const page = await open("tracker/");
      const all = await shownRows(page).count();
      await page.locator("label.chip", { hasText: "Unknown" }).click();
      await page.getByLabel("Upstream").selectOption("vllm");
      const some = await shownRows(page).count();
      expect(some).toBeGreaterThan(0);
      expect(some).toBeLessThan(all);
      expect(await page.locator("#count").textContent()).toBe(`${some} rows of ${all}`);
      expect(await queryOf(page)).toBe("?status=unknown&upstream=vllm");
      await page.reload();
      expect(await shownRows(page).count()).toBe(some);
      expect(await page.getByLabel("Upstream").inputValue()).toBe("vllm");
      await page.getByRole("button", { name: "Clear the filters" }).first().click();
      expect(await shownRows(page).count()).toBe(all);
      expect(await queryOf(page)).toBe("");
      await close(page);
    });

    it("works by keyboard alone: / to the text, Space on a status, Enter on a column", async () => {
      const page = await open("tracker/");
      await page.keyboard.press("/");
      await page.keyboard.type("marlin");
      const found = await shownRows(page).allTextContents();
      expect(found.length).toBeGreaterThan(1);
      expect(found.every((text) => text.toLowerCase().includes("marlin"))).toBe(true);
      for (
        let n = 0;
        n < 40 && (await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value !== "awaiting-propagation"));
        n++
      )
        await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      expect(await shownRows(page).count()).toBeLessThan(found.length);
      for (let n = 0; n < 40 && (await page.evaluate(() => document.activeElement?.textContent !== "Row")); n++)
        await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await page.locator("th[data-sort='title']").getAttribute("aria-sort")).toBe("ascending");
      await page.keyboard.press("Enter");
      expect(await page.locator("th[data-sort='title']").getAttribute("aria-sort")).toBe("descending");
      expect(await queryOf(page)).toBe("?q=marlin&status=awaiting-propagation&sort=title&dir=desc");
      const titles = await shownRows(page).locator(".c-it > a").allTextContents();
      expect(titles).toEqual([...titles].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)));
      await close(page);
    });

    it("says so when nothing fits", async () => {
      const page = await open("tracker/?q=no-such-thing-anywhere");
      expect(await shownRows(page).count()).toBe(0);
      expect(await page.locator("#none").isVisible()).toBe(true);
      await page.locator("#none button").click();
      expect(await shownRows(page).count()).toBeGreaterThan(50);
      await close(page);
    });

    it("is a plain complete table without JavaScript", async () => {
      const page = await open("tracker/", { javaScriptEnabled: false });
      expect(await page.locator("#filters").isVisible()).toBe(false);
      expect(await shownRows(page).count()).toBeGreaterThan(50);
      await page.locator("#rows tbody a").first().click();
      expect(page.url()).toContain("/club-3090/items/");
      await close(page);
    });

    it("is read without sideways scrolling on a phone", async () => {
      const page = await open("tracker/", { viewport: { width: 390, height: 844 } });
      const region = page.getByRole("region", { name: "All rows" });
      const [scroll, client] = await region.evaluate((element) => [element.scrollWidth, element.clientWidth]);
      expect(scroll).toBe(client);
      await close(page);
    });
  });

  describe("row", () => {
    it("says why it has its status, in which pins, and what would change it", async () => {
      const page = await open("items/vllm-ubatch-max-seq-len/");
      expect(await page.locator(".reason").textContent()).toContain("Merged, awaiting propagation");
      expect(await page.locator("#pin-vllm-nightly-mtp").textContent()).toContain("Lacks it");
      expect(await page.locator("#pin-vllm-nightly-clean").textContent()).toContain("Has it");
      expect(await page.locator("section[aria-labelledby='changes']").textContent()).toContain("Landed");
      expect(await page.locator("section[aria-labelledby='claim']").textContent()).toContain("wrong on its own day");
      expect(await page.getByRole("link", { name: /^Edit/ }).getAttribute("href")).toBe(
        "https://github.com/noonghunna/club-3090/edit/HEAD/data/items/vllm-ubatch-max-seq-len.yaml",
      );
      await close(page);
    });
  });

  describe("matrix", () => {
    it("shows the evidence on hover and on focus, and puts it away on Escape", async () => {
      const page = await open("matrix/");
      const cell = page.locator("td.cell").first();
      const tip = cell.locator(".tip");
      expect(await tip.isVisible()).toBe(false);
      await cell.hover();
      expect(await tip.isVisible()).toBe(true);
      expect(await tip.textContent()).toMatch(/ancestor/);
      await page.mouse.move(0, 0);
      await cell.locator("a").first().focus();
      expect(await tip.isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      expect(await tip.isVisible()).toBe(false);
      expect(await cell.locator("a").first().getAttribute("aria-describedby")).toBe(await tip.getAttribute("id"));
      await close(page);
    });
  });

  describe("picker", () => {
    it("answers with the safe configuration first, says why others are not, and can be linked to", async () => {
      const page = await open("cards/");
      expect(await page.locator("#answer").textContent()).toContain("llama.cpp, full context, no cliffs");
      await page.getByLabel("Agent client with retained context").check();
      expect(await page.locator("#long-text .fits").textContent()).toContain("Cliff 2b fires on “Agent client with retained context”");
      await page.getByLabel("2", { exact: true }).check();
      expect(await page.locator("#answer").textContent()).toContain("Dual-card default");
      expect(await page.locator("#configs tbody tr").first().getAttribute("id")).toBe("dual");
      const address = await page.evaluate(() => location.href);
      await page.goto("about:blank");
      await page.goto(address);
      expect(await page.locator("#answer").textContent()).toContain("Dual-card default");
      await close(page);
    });

    it("works by keyboard", async () => {
      const page = await open("cards/");
      await page.getByLabel("1", { exact: true }).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      expect(await queryOf(page)).toContain("cards=2&vision=yes");
      await close(page);
    });

    it("is a table with the safe ones first without JavaScript, and every number leads to its run", async () => {
      const page = await open("cards/", { javaScriptEnabled: false });
      expect(await page.locator("#wish").isVisible()).toBe(false);
      const first = page.locator("#configs tbody tr").first();
      expect(await first.textContent()).toContain("Safe");
      await first.getByRole("link", { name: "21", exact: true }).first().click();
      expect(page.url()).toContain("/measurements/tps-single-llamacpp-default/");
      await close(page);
    });
  });

  describe("search", () => {
    it("opens with Ctrl K, finds a row by its words, and goes there by keyboard", async () => {
      const page = await open("guides/");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("sub-tile marlin kernel");
      await page.locator("#found-0").waitFor();
      expect(await page.locator("#search [role='option']").allTextContents()).toContainEqual(
        expect.stringContaining("Pad sub-tile output sizes in the Marlin kernel"),
      );
      await page.keyboard.press("ArrowDown");
      expect(await page.locator("#found-0").getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/club-3090\/(items|patches|pins)\//);
      await close(page);
    });

    it("opens by mouse, says when nothing is found, and closes on Escape with the focus where it was", async () => {
      const page = await open("");
      await page.getByRole("button", { name: "Search" }).click();
      await page.keyboard.type("zzzzqqqq");
      await page.getByText("Nothing found for “zzzzqqqq”.").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator("#search").isVisible()).toBe(false);
      expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-search"))).toBe(true);
      await close(page);
    });
  });

  describe("every page", () => {
    it("keeps the chosen colour scheme, on data pages and on guides alike", async () => {
      const page = await open("", { colorScheme: "light" });
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      const button = page.getByRole("button", { name: /Colour scheme/ });
      await button.click();
      await button.click();
      expect(await button.getAttribute("aria-label")).toContain("dark");
      const dark = await ground();
      expect(dark).not.toBe(light);
      for (const path of ["guides/getting-started/", "tracker/"]) {
        await page.goto(served.url(path));
        expect(await ground()).toBe(dark);
      }
      await close(page);
    });

    it("follows the system's scheme without JavaScript", async () => {
      const grounds = [];
      for (const colorScheme of ["light", "dark"] as const) {
        for (const path of ["", "guides/"]) {
          const page = await open(path, { colorScheme, javaScriptEnabled: false });
          grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
          await close(page);
        }
      }
      expect(grounds[0]).toBe(grounds[1]);
      expect(grounds[2]).toBe(grounds[3]);
      expect(grounds[0]).not.toBe(grounds[2]);
    });

    it("lets the keyboard skip the header", async () => {
      for (const path of ["", "guides/read-a-verdict/"]) {
        const page = await open(path);
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Skip to content");
        await close(page);
      }
    });

    it("moves nothing, so that reduced motion has nothing to reduce", async () => {
      const page = await open("tracker/");
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll("*")].filter((element) => {
            const style = getComputedStyle(element);
            return style.animationName !== "none" || (style.transitionDuration !== "0s" && style.transitionProperty !== "none");
          }).length,
      );
      expect(moving).toBe(0);
      await close(page);
    });

    it("shifts no layout while it loads", async () => {
      for (const path of ["", "tracker/", "cards/", "cliffs/cliff-1/"]) {
        const page = await open(path);
        const shift = await page.evaluate(
          () =>
            new Promise<number>((done) => {
              let sum = 0;
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries())
                  sum += (entry as unknown as { value: number; hadRecentInput: boolean }).hadRecentInput
                    ? 0
                    : (entry as unknown as { value: number }).value;
              }).observe({ type: "layout-shift", buffered: true });
              setTimeout(() => done(sum), 200);
            }),
        );
        expect(shift, path).toBeLessThan(0.02);
        await close(page);
      }
    });
  });

  describe("print", () => {
    it("leaves out what paper cannot use, and keeps the checklist", async () => {
      const page = await open("pins/vllm-nightly-clean/");
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".hd__nav").isVisible()).toBe(false);
      expect(await page.locator("[data-search]").isVisible()).toBe(false);
      expect(await page.locator("#retire").isVisible()).toBe(true);
      await page.goto(served.url("reports/pin-retirement/"));
      expect(await page.locator(".doc__side").isVisible()).toBe(false);
      expect(await page.locator("h1").isVisible()).toBe(true);
      await close(page);
    });
  });
});
