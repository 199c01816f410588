import type { Figure } from "./figure.ts";

/** Every group of figures, in running order. The one place a benchmark is registered. */
export const BENCHES: Record<string, () => Promise<Figure[]>> = {
  "check-pins": async () => (await import("./spine.ts")).checkPinsFigures(),
  growth: async () => (await import("./spine.ts")).growthFigures(),
  containment: async () => (await import("./containment.ts")).benchContainment(),
};
