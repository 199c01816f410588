import { expect, it } from "vitest";
import { startGithub } from "../stand/github.ts";
import { comment, isLive } from "../stand/threads.ts";
import { advanceTo, findRepo } from "../stand/world.ts";
import { lookAt } from "./looking.ts";
import { plainWorld } from "./plain-world.ts";

/** References, repositories, GraphQL requests of a first run and of one that finds nothing new. */
it.each([
  [100, 10, 5, 1],
  [1000, 50, 55, 11],
])("%i references in %i repositories: at most %i requests at first, then %i, and none over REST", async (count, repos, atFirst, then) => {
  const { world, refs } = plainWorld(count, repos);
  const github = await startGithub(world);
  const first = await lookAt(github, refs);
  expect(first.failed).toEqual([]);
  expect(first.budget.requests.graphql).toBeLessThanOrEqual(atFirst);
  expect(first.budget.requests.rest).toBe(0);

  const second = await lookAt(github, refs, { known: first.observed, memory: first.memory });
  expect(second.budget.requests.graphql).toBeLessThanOrEqual(then);
  expect(second.budget.requests.rest).toBe(0);
  expect(second.changed).toEqual([]);
  expect(second.observed).toEqual(first.observed);

  // Three threads move: one request more.
  advanceTo(world, "2026-05-12T00:00:00Z");
  for (const ref of refs.slice(0, 3)) {
    const [name = "", number = ""] = ref.split("#");
    const thread = findRepo(world, name)?.threads[Number(number)];
    if (isLive(thread)) comment(world, thread, { author: "someone", association: "NONE" });
  }
  const third = await lookAt(github, refs, { known: second.observed, memory: second.memory });
  expect(third.budget.requests.graphql).toBeLessThanOrEqual(then + 1);
  // GitHub's documented price: points of an hour's 5,000.
  expect(github.requests.all.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeLessThan(count / 4);
  await github.close();
});

it("a fresh clone, without the memory of the last run, learns nothing new either", async () => {
  const { world, refs } = plainWorld(100, 10);
  const github = await startGithub(world);
  const first = await lookAt(github, refs);
  const second = await lookAt(github, refs, { known: first.observed });
  expect(second.observed).toEqual(first.observed);
  expect(second.budget.requests).toMatchObject({ graphql: 1, rest: 0 });
  await github.close();
});
