import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violations } from "./axe.ts";
import { browserPath, launch, noBrowser } from "./browser.ts";
import type { Served } from "./serve.ts";
import { serve } from "./serve.ts";
import type { BuiltSite } from "./site.ts";
import { builtSite, kindsOf } from "./site.ts";

const WIDTHS = [1440, 390] as const;

describe.skipIf(browserPath === undefined)(`every kind of page${noBrowser}`, () => {
  let site: BuiltSite;
  let served: Served;
  let browser: Browser;

  beforeAll(async () => {
    site = await builtSite({ base: "/club-3090/" });
    served = await serve(site.folder, site.base);
    browser = await launch();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  // Side by side: each has a process of its own in the browser, and this is the longest test there is.
  for (const [width, part] of WIDTHS.flatMap((wide) => [[wide, 1] as const, [wide, 2] as const])) {
    const pages = `at ${width} px, pages ${part} of 2`;
    it.concurrent(`F07 F10 F12 ${pages}: no axe violation, no console error, no foreign request, no overflow, no motion`, {
      timeout: 900_000,
    }, async () => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
      const faults: string[] = [];
      for (const path of kindsOf(site).filter((_, index) => index % 2 === part - 1)) faults.push(...(await faultsOf(context, path, width)));
      await context.close();
      expect(faults).toEqual([]);
    });
  }

  async function faultsOf(context: BrowserContext, path: string, width: number): Promise<string[]> {
    const page = await context.newPage();
    const faults: string[] = [];
    listen(page, served.origin, faults);
    await page.goto(served.url(path), { waitUntil: "load" });
    faults.push(...(await violations(page, "light", width === WIDTHS[0] ? "all" : "but of colour")));
    if (width === WIDTHS[0]) {
      await page.emulateMedia({ colorScheme: "dark" });
      faults.push(...(await violations(page, "dark", "of colour")));
    }
    const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    if (scroll !== client) faults.push(`scrolls sideways: ${scroll} in ${client}`);
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((element) => {
          const { animationName, transitionDuration, transitionProperty, scrollBehavior } = getComputedStyle(element);
          return animationName !== "none" || (transitionDuration !== "0s" && transitionProperty !== "none") || scrollBehavior === "smooth";
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    const hidden = await page
      .locator(".scroll:has(> .stack)")
      .evaluateAll((regions) =>
        regions.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((region) => region.getAttribute("aria-label")),
      );
    faults.push(...hidden.map((label) => `columns out of sight: ${label}`));
    if (width === WIDTHS[0]) {
      // A4 with the browser's own margins, in the pixels of print.
      await page.setViewportSize({ width: 718, height: 1000 });
      await page.emulateMedia({ media: "print" });
      const cut = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (cut > 0) faults.push(`is cut on paper by ${cut} px`);
    }
    faults.push(...moving.map((element) => `moves: ${element}`));
    await page.close();
    return faults.map((fault) => `${path || "home"}: ${fault}`);
  }
});

function listen(page: Page, origin: string, faults: string[]): void {
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) faults.push(`leaves the origin: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
}
