import { addIssue, addPull, close, comment, linkPull, markMerged } from "../stand/threads.ts";
import type { World } from "../stand/world.ts";
import { addRepo, addToken, advanceTo, createWorld } from "../stand/world.ts";
import { TOKEN } from "./looking.ts";

/**
 * An ordinary stack: half issues, half pull requests, some merged, some closed; one in twenty has a fix that the stack does not name.
 * @param count references, spread evenly
 */
export function plainWorld(count: number, repos: number): { world: World; refs: string[] } {
  const world = createWorld("2026-05-01T00:00:00Z");
  addToken(world, TOKEN);
  const refs: string[] = [];
  const made = Array.from({ length: repos }, (_, index) => addRepo(world, `org${index}/project`));
  for (let n = 0; n < count; n += 1) {
    const repo = made[n % repos];
    if (!repo) throw new Error("there are repositories");
    const number = Math.floor(n / repos) + 1;
    const title = `Thread ${number} of ${repo.owner}`;
    refs.push(`${repo.owner}/project#${number}`);
    if (n % 2 === 0) {
      const issue = addIssue(world, repo, { number, title });
      comment(world, issue, { author: "user", association: "NONE" });
      if (n % 20 === 0) linkPull(repo, addPull(world, repo, { number: 10_000 + number, title: `Fix ${number}` }), repo, issue);
      if (n % 6 === 0) close(world, issue);
    } else {
      const pull = addPull(world, repo, { number, title });
      if (n % 3 === 0) markMerged(world, repo, pull);
      if (n % 15 === 1) close(world, pull);
    }
  }
  advanceTo(world, "2026-05-10T00:00:00Z");
  return { world, refs };
}
