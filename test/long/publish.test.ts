import { it } from "vitest";
import { expectAllMet, liveThrough } from "../publish/model.ts";

it("keeps its promises in 500 random lives", async () => {
  expectAllMet(await liveThrough(1001, 500));
}, 1_800_000);
