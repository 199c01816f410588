import type { Figure } from "./figure.ts";

/** Every group of figures, in running order. The one place a benchmark is registered. */
export const BENCHES: Record<string, () => Promise<Figure[]>> = {
  "check-pins": async () => (await import("./spine.ts")).checkPinsFigures(),
  growth: async () => (await import("./spine.ts")).growthFigures(),
  sync: async () => (await import("./sync.ts")).syncFigures(),
  containment: async () => (await import("./containment.ts")).benchContainment(),
  scan: async () => (await import("./scan.ts")).scanFigures(),
  survival: async () => (await import("./survival.ts")).survivalFigures(),
  site: async () => (await import("./site.ts")).siteFigures([100]),
};

/** Figures that take minutes. Run with `--long` only. */
export const LONG: Record<string, () => Promise<Figure[]>> = {
  site: async () => (await import("./site.ts")).siteFigures([1000, 5000]),
};

/** Comparisons with other tools, which are installed apart for it. Run with `--peers` only. */
export const PEERS: Record<string, () => Promise<Figure[]>> = {
  "scan-peers": async () => (await import("./scan.ts")).scanPeerFigures(),
};
