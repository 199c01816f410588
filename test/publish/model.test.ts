import { it } from "vitest";
import { expectAllMet, liveThrough } from "./model.ts";

it("keeps its promises in 50 random lives, with every operation and outcome met at least 50 times", async () => {
  expectAllMet(await liveThrough(1, 50));
}, 180_000);
