import type { Page } from "playwright-core";
import { browserPath, launch } from "../browser/browser.ts";
import { serve } from "../browser/serve.ts";
import type { Figure } from "./figure.ts";
import { figure } from "./figure.ts";

/** Lighthouse's mobile throttling: a slow phone on slow 4G. */
const CPU = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 };

/** Lighthouse 10 to 12: weight of a metric, the value that scores 0.9 and the one that scores 0.5; milliseconds, layout shift without unit. */
const CURVES = {
  fcp: { weight: 0.1, p10: 1800, median: 3000 },
  speed: { weight: 0.1, p10: 3387, median: 5800 },
  lcp: { weight: 0.25, p10: 2500, median: 4000 },
  tbt: { weight: 0.3, p10: 200, median: 600 },
  cls: { weight: 0.25, p10: 0.1, median: 0.25 },
} as const;
/** The least disturbed of so many loads counts: whatever else the machine does can only slow one down. */
const LOADS = 3;
type Metrics = Record<keyof typeof CURVES, number>;

/** How the home page and the tracker load on a slow phone, scored as Lighthouse does; and what home weighs. Empty without a browser. */
export async function speedFigures(folder: string, name: string): Promise<Figure[]> {
  if (browserPath === undefined) {
    process.stderr.write("  no Chromium is installed: how the site loads was not measured\n");
    return [];
  }
  const served = await serve(folder, "/");
  const browser = await launch();
  try {
    const figures: Figure[] = [];
    for (const path of ["", "tracker/"]) {
      let best: { score: number; metrics: Metrics; bytes: number } | undefined;
      for (let n = 0; n < LOADS; n++) {
        const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });
        const page = await context.newPage();
        const metrics = await measure(page, served.url(path));
        const bytes = await page.evaluate(() =>
          performance.getEntries().reduce((sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0), 0),
        );
        await context.close();
        if (best === undefined || score(metrics) > best.score) best = { score: score(metrics), metrics, bytes };
      }
      if (!best) continue;
      const told = Object.entries(best.metrics).map(([metric, value]) => `${metric} ${Math.round(value * 1000) / 1000}`);
      process.stderr.write(`  ${path || "home"}: ${told.join(", ")}\n`);
      figures.push(
        figure(`${name}: ${path || "home"}, performance as Lighthouse scores it on a slow phone`, best.score * 100, "points", {
          atLeast: 95,
        }),
        ...(path === "" ? [figure(`${name}: home, transferred`, best.bytes / 1000, "kB", { atMost: 150 })] : []),
      );
    }
    return figures;
  } finally {
    await browser.close();
    await served.close();
  }
}

async function measure(page: Page, url: string): Promise<Metrics> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU });
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await page.addInitScript(() => {
    const seen = { lcp: 0, tbt: 0, cls: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const watch = (type: string, tell: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tell(entry);
      }).observe({ type, buffered: true });
    watch("largest-contentful-paint", (entry) => {
      seen.lcp = entry.startTime;
    });
    watch("longtask", (entry) => {
      seen.tbt += Math.max(0, entry.duration - 50);
    });
    watch("layout-shift", (entry) => {
      seen.cls += entry.hadRecentInput ? 0 : (entry.value ?? 0);
    });
  });
  await page.goto(url, { waitUntil: "networkidle" });
  // On a busy machine the network can be idle before anything was drawn; a load without a paint is none.
  await page.waitForFunction(
    () =>
      performance.getEntriesByName("first-contentful-paint").length > 0 && (window as unknown as { seen: { lcp: number } }).seen.lcp > 0,
  );
  return page.evaluate(() => {
    const { lcp, tbt, cls } = (window as unknown as { seen: { lcp: number; tbt: number; cls: number } }).seen;
    const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    // Nothing is drawn after the largest paint, so the page is visually complete with it.
    return { fcp, speed: Math.max(fcp, lcp), lcp: Math.max(fcp, lcp), tbt, cls };
  });
}

const score = (metrics: Metrics): number =>
  (Object.keys(CURVES) as (keyof typeof CURVES)[]).reduce(
    (sum, metric) => sum + CURVES[metric].weight * logNormal(metrics[metric], CURVES[metric]),
    0,
  );

/** Lighthouse's scoring curve: 0.5 at the median, 0.9 at p10. */
function logNormal(value: number, { p10, median }: { p10: number; median: number }): number {
  if (value <= 0) return 1;
  const spread = Math.abs(Math.log(p10 / median)) / (Math.SQRT2 * 0.9061938024368232);
  return (1 - erf(Math.log(value / median) / (Math.SQRT2 * spread))) / 2;
}

/** Abramowitz and Stegun 7.1.26, good to seven digits. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return x < 0 ? -y : y;
}
