import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** An installed browser, or undefined when there is none; LANDFALL_BROWSER names another. */
export const browserPath: string | undefined = [process.env.LANDFALL_BROWSER, ...PLACES].find(
  (path) => path !== undefined && existsSync(path),
);

/** Why the browser tests are skipped, for the name of their group. */
export const noBrowser = browserPath === undefined ? " (skipped: no Chromium or Chrome is installed; name one in LANDFALL_BROWSER)" : "";

export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
    ],
  });
}
