import { describe, expect, it } from "vitest";
import { browserPath, noBrowser } from "./browser.ts";
import { SCREENS, close, journey, queryOf } from "./journey.ts";

/** What somebody who runs the stack comes for, and what holds for every page. */
describe.skipIf(browserPath === undefined).each([SCREENS.desk.light, SCREENS.phone.dark])(
  `journeys of a reader at $name${noBrowser}`,
  (screen) => {
    const journeys = journey();
    const { url } = journeys;
    const open: typeof journeys.open = (path, options) => journeys.open(path, { ...screen.options, ...options });

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

      it("says of what fits which cliffs can fire on it, and of each number where it is from", async () => {
        const page = await open("cards/");
        expect(await page.locator("#long-text .fits").textContent()).toMatch(/Fits\s*Cliff 2a, Cliff 2b\s*can fire/);
        expect(await page.locator("#gemma-single .c-for").textContent()).toContain("Not for 24 GB cards");
        await page.getByLabel("Agent client with retained context").check();
        expect(await page.locator("#long-text .cliffs").isVisible()).toBe(false);
        const numbers = page.locator("#configs td.num:is([data-name^='Narrative'], [data-name^='Code'], [data-name^='Memory'])");
        const loose = await numbers.evaluateAll((cells) =>
          cells
            .filter((cell) => !cell.querySelector("a") && !/†|not measured/.test(cell.textContent ?? ""))
            .map((cell) => cell.textContent),
        );
        expect(await numbers.count()).toBeGreaterThan(60);
        expect(loose).toEqual([]);
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
        const widths = await page
          .locator("#search [role='option'] b")
          .evaluateAll((titles) => titles.map((title) => title.getBoundingClientRect().width));
        expect(Math.min(...widths), "no title is squeezed").toBeGreaterThan(150);
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
          await page.goto(url(path));
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
        // What is folded on the screen is written out on paper.
        const todo = page.locator("details:not([open]) .todo li");
        expect(await todo.count()).toBeGreaterThan(5);
        expect(await todo.evaluateAll((items) => items.filter((item) => !item.checkVisibility()).length)).toBe(0);
        expect(
          await page
            .locator(".todo .box")
            .first()
            .evaluate((box) => getComputedStyle(box).borderTopStyle),
        ).toBe("solid");
        await page.goto(url("reports/pin-retirement/"));
        expect(await page.locator(".doc__side").isVisible()).toBe(false);
        expect(await page.locator("h1").isVisible()).toBe(true);
        const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        expect(scroll).toBe(client);
        await close(page);
      });
    });
  },
);
