import { Octokit } from "@octokit/rest";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Github } from "../../test/stand/github.ts";
import { startGithub } from "../../test/stand/github.ts";
import { addIssue, close } from "../../test/stand/threads.ts";
import type { Issue } from "../../test/stand/thread-types.ts";
import type { Repo, World } from "../../test/stand/world.ts";
import { addRepo, addToken, createWorld } from "../../test/stand/world.ts";
import { keepTrackingIssue } from "./tracking-issue.ts";

let world: World;
let repo: Repo;
let github: Github;
beforeEach(async () => {
  world = createWorld();
  addToken(world, "token", { write: true });
  repo = addRepo(world, "we/stack");
  repo.labels.landfall = { id: 1, name: "landfall", color: "ededed", description: "What waits upstream" };
  addIssue(world, repo, { title: "Somebody else's, with the label", labels: ["landfall"] });
  github = await startGithub(world);
});
afterEach(() => github.close());

const keep = (body: string) =>
  keepTrackingIssue(new Octokit({ auth: "token", baseUrl: github.url }), {
    owner: "we",
    repo: "stack",
    label: "landfall",
    title: "State",
    body,
  });
const issues = () => Object.values(repo.threads).filter((thread): thread is Issue => thread.kind === "issue");

it("opens one issue, updates it in place, and writes nothing when it says the same", async () => {
  expect((await keep("one")).action).toBe("created");
  github.requests.clear();
  expect((await keep("one")).action).toBe("none");
  expect(github.requests.writes()).toEqual([]);
  expect((await keep("two")).action).toBe("updated");
  expect(issues()).toHaveLength(2);
  expect(issues()[0]?.body).toBe("");
  expect(issues()[1]?.body).toContain("two");
});

it("leaves an issue that a person closed as it is, and opens no other", async () => {
  await keep("one");
  const [, mine] = issues();
  if (!mine) throw new Error("it was opened");
  close(world, mine);
  github.requests.clear();
  expect((await keep("two")).action).toBe("none");
  expect(github.requests.writes()).toEqual([]);
});
