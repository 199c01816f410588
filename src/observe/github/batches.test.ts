import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inBatches, newStop } from "./batches.ts";
import type { Batching, Part } from "./batches.ts";
import { GithubFailure } from "./failure.ts";

type Ask = Batching<number, string>["ask"];

async function run(count: number, size: number, ask: Ask, more: Partial<Batching<number, string>> = {}) {
  const sizes: number[] = [];
  const things = Array.from({ length: count }, (_, index) => index);
  const answers = await inBatches<number, string>(things, {
    size,
    together: 1,
    ask: async (batch) => {
      sizes.push(batch.length);
      return ask(batch);
    },
    alone: async (one) => `alone ${one}`,
    unasked: (one, why) => `unasked ${one}: ${why}`,
    stop: newStop(),
    ...more,
  });
  return { answers, sizes };
}

const fine: Ask = async (batch) => batch.map((one) => ({ answer: `ok ${one}` }));

describe("asking in batches", () => {
  it("makes batches of equal length", async () => {
    const { answers, sizes } = await run(101, 100, fine);
    expect(sizes).toEqual([51, 50]);
    expect(answers.every((answer, index) => answer === `ok ${index}`)).toBe(true);
  });

  it("C09 one bad alias never loses the rest", async () => {
    const { answers, sizes } = await run(100, 100, async (batch) =>
      batch.map((one): Part<string> => (one === 42 ? { again: "null" } : { answer: `ok ${one}` })),
    );
    expect(answers.filter((answer) => answer.startsWith("ok"))).toHaveLength(99);
    expect(answers[42]).toBe("alone 42");
    expect(sizes).toEqual([100, 1]);
  });

  it("C12 halves a batch that is too much down to one, then asks in another way", async () => {
    const { answers } = await run(25, 25, async (batch) => {
      if (batch.includes(7)) throw new GithubFailure("cost", "RESOURCE_LIMITS_EXCEEDED");
      return fine(batch);
    });
    expect(answers.filter((answer) => answer.startsWith("ok"))).toHaveLength(24);
    expect(answers[7]).toBe("alone 7");
  });

  it("C13 after a time-out later batches are smaller too", async () => {
    let first = true;
    const { sizes } = await run(200, 100, async (batch) => {
      if (first) {
        first = false;
        throw new GithubFailure("cost", "GitHub answered 502");
      }
      return fine(batch);
    });
    expect(sizes).toEqual([100, 50, 50, 50, 50]);
  });

  it("C01 a used-up limit ends the questions, and what was fetched stays", async () => {
    let asked = 0;
    const { answers, sizes } = await run(300, 100, async (batch) => {
      asked += 1;
      if (asked === 2) throw new GithubFailure("limit", "used up");
      return fine(batch);
    });
    expect(sizes).toHaveLength(2);
    expect(answers.filter((answer) => answer.startsWith("ok"))).toHaveLength(100);
    expect(answers.filter((answer) => answer.endsWith(": used up"))).toHaveLength(200);
  });

  it("an outage is not asked a thousand times", async () => {
    const { sizes, answers } = await run(10_000, 100, async () => {
      throw new GithubFailure("broken", "no answer");
    });
    expect(sizes.length).toBeLessThan(20);
    expect(answers.every((answer) => /keeps failing|alone/.test(answer))).toBe(true);
  });

  it("property: whatever fails, every element is answered once, and by a batch unless it is bad itself", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 40 }),
        fc.uniqueArray(fc.nat(119), { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (count, size, bad, together) => {
          const { answers } = await run(
            count,
            size,
            async (batch) => {
              if (batch.some((one) => bad.includes(one) && one % 2 === 0)) throw new GithubFailure("cost", "502");
              return batch.map((one): Part<string> => (bad.includes(one) ? { again: "short" } : { answer: `ok ${one}` }));
            },
            { together },
          );
          expect(answers).toEqual(Array.from({ length: count }, (_, one) => (bad.includes(one) ? `alone ${one}` : `ok ${one}`)));
        },
      ),
      { numRuns: 200 },
    );
  });
});
