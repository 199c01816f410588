import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch } from "./browser.ts";
import type { Served } from "./serve.ts";
import { serve } from "./serve.ts";
import { builtSite } from "./site.ts";

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Milliseconds to wait for something that is there or is not: nothing on these pages comes late, but the machine may be busy. */
const PATIENCE = 15_000;

export interface Screen {
  name: string;
  options: BrowserContextOptions;
}

/** Each width in each scheme. */
export const SCREENS = {
  desk: {
    light: { name: "1440 px, light", options: { ...DESK, colorScheme: "light" } },
    dark: { name: "1440 px, dark", options: { ...DESK, colorScheme: "dark" } },
  },
  phone: {
    light: { name: "390 px, light", options: { ...PHONE, colorScheme: "light" } },
    dark: { name: "390 px, dark", options: { ...PHONE, colorScheme: "dark" } },
  },
} satisfies Record<string, Record<string, Screen>>;

export interface Journey {
  /** Opens a page of the stack's site, which stands under a base as on GitHub Pages. `path` without the base. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Full address of a page. */
  url: (path: string) => string;
}

/** A browser and the built site for the tests of a group. To be called inside `describe`. */
export function journey(): Journey {
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
  return {
    open: async (path, options) => {
      const page = await (await browser.newContext({ ...DESK, ...options })).newPage();
      page.setDefaultTimeout(PATIENCE);
      await page.goto(served.url(path));
      return page;
    },
    url: (path) => served.url(path),
  };
}

/** Asked of the page itself: the browser's own report of an address lags behind a replaced one. */
export const queryOf = (page: Page): Promise<string> => page.evaluate(() => location.search);
export const close = (page: Page): Promise<void> => page.context().close();

/** Moves the focus by keyboard until it stands on an element, which is a failure when it never does. */
export async function tabTo(page: Page, selector: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let n = 0; n < 400; n++) {
    await page.keyboard.press(key);
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`${key} does not reach ${selector}`);
}
