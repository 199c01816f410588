import type { Net } from "../../src/observe/net.ts";

/** The network of a test: the real fetch, a clock that stands, and no waiting. */
export const net = (options: Partial<Net> = {}): Net => ({
  fetch: (url, init) => fetch(url, init),
  now: () => new Date("2026-05-16T00:00:00Z"),
  timeoutMs: 5000,
  ...options,
});
