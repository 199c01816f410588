import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserPath, noBrowser } from "./browser.ts";
import { SCREENS, close, journey, queryOf, tabTo } from "./journey.ts";

/** What a maintainer comes for, by mouse, by keyboard, on a phone and without JavaScript. */
describe.skipIf(browserPath === undefined).each([SCREENS.desk.light, SCREENS.phone.dark])(
  `journeys of a maintainer at $name${noBrowser}`,
  (screen) => {
    const journeys = journey();
    const open: typeof journeys.open = (path, options) => journeys.open(path, { ...screen.options, ...options });
    const onPhone = screen.name === SCREENS.phone.dark.name;
    const shownRows = (page: Page) => page.locator("#rows tbody tr:visible");

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
        await page.getByRole("combobox", { name: "Upstream" }).selectOption("vllm");
        const some = await shownRows(page).count();
        expect(some).toBeGreaterThan(0);
        expect(some).toBeLessThan(all);
        expect(await page.locator("#count").textContent()).toBe(`${some} rows of ${all}`);
        expect(await queryOf(page)).toBe("?status=unknown&upstream=vllm");
        await page.reload();
        expect(await shownRows(page).count()).toBe(some);
        expect(await page.getByRole("combobox", { name: "Upstream" }).inputValue()).toBe("vllm");
        await page.getByRole("button", { name: "Clear the filters" }).first().click();
        expect(await shownRows(page).count()).toBe(all);
        expect(await queryOf(page)).toBe("");
        await close(page);
      });

      it("works by keyboard alone: / to the text, Space on a status, then an order", async () => {
        const page = await open("tracker/");
        await page.keyboard.press("/");
        await page.keyboard.type("marlin");
        const found = await shownRows(page).allTextContents();
        expect(found.length).toBeGreaterThan(1);
        expect(found.every((text) => text.toLowerCase().includes("marlin"))).toBe(true);
        await tabTo(page, 'input[value="awaiting-propagation"]');
        await page.keyboard.press("Space");
        expect(await shownRows(page).count()).toBeLessThan(found.length);
        if (onPhone) {
          // The head is not shown there: the order is chosen in the form, which stands before the statuses.
          await tabTo(page, "#sortby", "Shift+Tab");
          await page.keyboard.type("title");
        } else {
          await tabTo(page, "th[data-sort='title'] button");
          await page.keyboard.press("Enter");
          expect(await page.locator("th[data-sort='title']").getAttribute("aria-sort")).toBe("ascending");
        }
        const titles = () => shownRows(page).locator(".c-it > a").allTextContents();
        const sorted = (await titles()).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
        expect(sorted.length).toBeGreaterThan(1);
        expect(await titles()).toEqual(sorted);
        expect(await queryOf(page)).toBe("?q=marlin&status=awaiting-propagation&sort=title");
        if (!onPhone) {
          await page.keyboard.press("Enter");
          expect(await page.locator("th[data-sort='title']").getAttribute("aria-sort")).toBe("descending");
          expect(await titles()).toEqual(sorted.toReversed());
        }
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

    describe("picture", () => {
      it("has every line in its text as well, and tells rows and lines apart by more than colour", async () => {
        const page = await open("picture/");
        const lines = page.locator("path.e");
        await page.getByText("The same as text").click();
        const ends = await page.locator(".astext li").evaluateAll((items) => items.map((item) => item.querySelectorAll("a").length - 1));
        expect(ends.reduce((sum, count) => sum + count, 0)).toBe(await lines.count());
        const dash = (verdict: string) =>
          page
            .locator(`path.e-${verdict}`)
            .first()
            .evaluate((line) => getComputedStyle(line).strokeDasharray);
        const dashes = [await dash("contained"), await dash("not-contained"), await dash("unknown")];
        expect(new Set(dashes).size).toBe(3);
        expect(await page.locator("a.n-item .sign").count()).toBe(await page.locator("a.n-item").count());
        for (const path of ["picture/", "pins/vllm-nightly-clean/"]) {
          await page.goto(journeys.url(path));
          const signs = await page.locator("a.n-item").evaluateAll((nodes) =>
            nodes.map((node) => {
              const [sign, box, words] = [".sign", "foreignObject", "text"].map((part) => node.querySelector(part) as Element);
              const inside = (sign as Element).getBoundingClientRect().bottom <= (box as Element).getBoundingClientRect().bottom + 0.5;
              return inside && getComputedStyle(sign as Element).backgroundColor === getComputedStyle(words as Element).fill;
            }),
          );
          expect(signs.length, path).toBeGreaterThan(10);
          expect(signs, path).not.toContain(false);
        }
        await page.goto(journeys.url("picture/"));
        await page.getByText("The same as text").click();
        await page.locator(".astext a").first().click();
        await page.waitForURL(/\/(items|patches|triggers)\//);
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
  },
);
