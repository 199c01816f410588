import type { Command } from "commander";

/** Commands for work on this project itself; the installed package does not have them. */
export const OWN_COMMANDS = {
  test: async () => (await import("./test.ts")).command(),
  bench: async () => (await import("./bench.ts")).command(),
  "start:demo": async () => (await import("./demo.ts")).command(),
} satisfies Record<string, () => Promise<Command>>;
