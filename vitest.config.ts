import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/long/**"],
    // Many tests wait for git, a browser or a server of their own, so a second worker pays even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Bounds against hanging, not speed: speed is held by the benchmark.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    coverage: { provider: "v8", include: ["src/**/*.ts"], exclude: ["src/**/*.test.ts"], reporter: ["text-summary", "json-summary"] },
  },
});
