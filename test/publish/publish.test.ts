import { afterEach, describe, expect, it } from "vitest";
import { Refused } from "../../src/publish/pull-request/types.ts";
import { mergePull, moveRef } from "../stand/merging.ts";
import { addToken } from "../stand/world.ts";
import { close } from "../stand/threads.ts";
import type { Stage } from "./toy.ts";
import { BRANCH, FACTS, PAGE, checkout, days, filesAt, openPulls, pullsOf, render, run, snooze, stage } from "./toy.ts";

const open: Stage[] = [];
const on = async (options: Parameters<typeof stage>[0] = {}): Promise<Stage> => {
  const made = await stage(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Runs once more and gives the requests that wrote. */
async function writesOf(here: Stage, options?: Parameters<typeof run>[1]) {
  here.github.requests.clear();
  const outcome = await run(here, options);
  return { outcome, writes: here.github.requests.writes() };
}
const human = (here: Stage, branch: string, files: Record<string, string>, message = "By hand") => {
  const sha = here.git.commit({ message, branch, files });
  // As a push does: the pull request follows its branch.
  moveRef(here.world, here.repo, `refs/heads/${branch}`, sha);
  return sha;
};
function only(here: Stage) {
  const [pull, ...more] = openPulls(here);
  if (!pull || more.length > 0) throw new Error("not exactly one pull request is open");
  return pull;
}
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(Refused);
  return (error as Error).message;
};

describe("the rolling pull request", () => {
  it("D05 opens nothing, and makes no branch, when there is nothing to propose", async () => {
    const here = await on();
    const { outcome, writes } = await writesOf(here);
    expect(outcome.action).toBe("none");
    expect(writes).toEqual([]);
    expect(here.git.refs.get(`refs/heads/${BRANCH}`)).toBeUndefined();
  });

  it("proposes what is new as one commit on one branch, and writes nothing the second time", async () => {
    const here = await on();
    here.truth.a = "merged";
    const first = await run(here);
    expect(first.action).toBe("created");
    expect(openPulls(here)).toHaveLength(1);
    expect(filesAt(here.git, BRANCH).get(PAGE)).toContain("a=merged");
    here.world.clock += days(1);
    const { outcome, writes } = await writesOf(here);
    expect(outcome.action).toBe("none");
    expect(writes).toEqual([]);
  });

  it("waits for the batch with what is not urgent, and tells what blocks at once", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    here.world.clock += days(2);
    here.truth.a = "2";
    expect((await writesOf(here)).writes).toEqual([]);
    here.truth["blocks-x"] = "reverted";
    expect((await run(here)).action).toBe("updated");
    expect(filesAt(here.git, BRANCH).get(PAGE)).toContain("blocks-x=reverted");
    here.world.clock += days(2);
    here.truth.a = "3";
    expect((await writesOf(here)).writes, "what was urgent has been told; the rest waits again").toEqual([]);
    here.world.clock += days(5);
    expect((await run(here)).action).toBe("updated");
    expect(filesAt(here.git, BRANCH).get(PAGE)).toContain("a=3");
  });

  it("notices that a proposed change was undone", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    mergePull(here.world, here.repo, only(here));
    here.world.clock += days(8);
    here.truth.a = "2";
    await run(here);
    here.world.clock += days(8);
    here.truth.a = "1";
    await run(here);
    expect(filesAt(here.git, BRANCH).get(PAGE) ?? filesAt(here.git, "main").get(PAGE)).toContain("a=1");
  });

  it("D03 keeps people's commits, adds on top, and lets pages follow them at once", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    const theirs = human(here, BRANCH, { "data/row.txt": "a better row\n" });
    here.world.clock += days(1);
    here.truth.a = "2";
    const outcome = await run(here);
    expect(outcome.action).toBe("updated");
    expect(here.git.isAncestor(theirs, here.git.resolve(BRANCH) ?? "")).toBe(true);
    const files = filesAt(here.git, BRANCH);
    expect(files.get("data/row.txt")).toBe("a better row\n");
    expect(files.get(PAGE)).toBe(render(files));
    expect(files.get(PAGE), "news waits for the batch").toContain("a=1");
    expect(here.github.requests.writes().some(({ body }) => (body as { force?: boolean } | undefined)?.force === true)).toBe(false);
  });

  it("merges the base in when it moved, and never brings older content back", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    const stale = checkout(here);
    human(here, "main", { "data/row.txt": "a newer row\n", "data/second.txt": "another\n" });
    expect((await run(here, { local: stale })).action).toBe("updated");
    const files = filesAt(here.git, BRANCH);
    expect(files.get("data/row.txt")).toBe("a newer row\n");
    expect(files.get(PAGE)).toBe(render(files));
    expect(files.get(PAGE)).toContain("second.txt");
  });

  it("takes its own files anew when the base has other facts, instead of calling it a conflict", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    here.world.clock += days(1);
    here.truth.b = "1";
    const synced = checkout(here);
    synced.set(PAGE, render(synced));
    human(here, "main", { ...Object.fromEntries(synced), "data/row.txt": "changed with it\n" });
    here.world.clock += days(8);
    here.truth.c = "1";
    expect((await run(here)).action).toBe("updated");
    const files = filesAt(here.git, BRANCH);
    expect(files.get(PAGE)).toBe(render(files));
    for (const fact of ["a=1", "b=1", "c=1", "changed with it"]) expect(files.get(PAGE)).toContain(fact);
    expect(here.git.isAncestor(here.git.resolve("main") ?? "", here.git.resolve(BRANCH) ?? "")).toBe(true);
  });

  it("says a conflict once in the pull request and stops", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    human(here, BRANCH, { "data/row.txt": "mine\n" });
    human(here, "main", { "data/row.txt": "yours\n" });
    const tip = here.git.resolve(BRANCH);
    const outcome = await run(here);
    expect(outcome.action).toBe("conflict");
    expect(outcome.because).toContain("data/row.txt");
    expect(here.git.resolve(BRANCH)).toBe(tip);
    expect(openPulls(here)[0]?.comments).toHaveLength(1);
    expect((await writesOf(here)).writes).toEqual([]);
  });

  it("D17 leaves the same content closed, whatever day it is, and opens a new one for new content", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    close(here.world, only(here));
    here.world.clock += days(30);
    expect((await run(here)).action, "the branch is removed").toBe("cleaned");
    expect(here.git.resolve(BRANCH)).toBeUndefined();
    here.world.clock += days(30);
    expect((await writesOf(here)).writes).toEqual([]);
    here.truth.b = "1";
    expect((await run(here)).action).toBe("created");
    expect(pullsOf(here)).toHaveLength(2);
  });

  it("stays snoozed until something blocks", async () => {
    const here = await on();
    here.truth["blocks-a"] = "1";
    await run(here);
    const pull = only(here);
    snooze(here, pull);
    close(here.world, pull);
    here.world.clock += days(60);
    here.truth.b = "1";
    expect((await run(here)).action).toBe("cleaned");
    expect(openPulls(here)).toHaveLength(0);
    here.truth["blocks-c"] = "reverted";
    expect((await run(here)).action).toBe("created");
  });

  it("removes the branch after a merge, by squash too, but not with commits pushed since", async () => {
    const here = await on();
    for (const method of ["squash", "merge"] as const) {
      here.truth[method] = "1";
      await run(here);
      mergePull(here.world, here.repo, only(here), { method });
      expect((await run(here)).action).toBe("cleaned");
      here.world.clock += days(8);
    }
    here.truth.more = "1";
    await run(here);
    mergePull(here.world, here.repo, only(here));
    const late = human(here, BRANCH, { "data/row.txt": "pushed after the merge\n" });
    here.world.clock += days(8);
    expect((await run(here)).action).toBe("created");
    expect(here.git.isAncestor(late, here.git.resolve(BRANCH) ?? "")).toBe(true);
    expect(filesAt(here.git, BRANCH).get("data/row.txt")).toBe("pushed after the merge\n");
  });

  it("closes the pull request when the base holds everything, and that is no person's decision", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    human(here, "main", Object.fromEntries(filesAt(here.git, BRANCH)));
    expect((await run(here)).action).toBe("cleaned");
    expect(openPulls(here)).toHaveLength(0);
    here.truth.a = "2";
    here.world.clock += days(8);
    await run(here);
    expect(openPulls(here)).toHaveLength(1);
  });

  it("keeps boxes that a person ticked", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    const pull = only(here);
    pull.body = pull.body.replace("- [ ] a is 1", "- [x] a is 1");
    here.world.clock += days(8);
    here.truth.b = "1";
    await run(here);
    expect(pull.body).toContain("- [x] a is 1");
    expect(pull.body).toContain("- [ ] b is 1");
  });

  it("works in a folder of a larger repository and leaves everything else alone", async () => {
    const here = await on();
    const files = checkout(here);
    here.git.commit({
      message: "Move",
      files: Object.fromEntries(
        [...files].flatMap(
          ([path, text]) =>
            [
              [path, null],
              [`tracker/${path}`, text],
            ] as const,
        ),
      ),
    });
    here.git.commit({ message: "Another data folder", files: { "data/observed/other.json": "{}\n" } });
    const local = new Map(
      [...files].map(([path, text]) => [path, path === FACTS ? '{"a":{"value":"1","asOf":"2026-05-16T00:00:00Z"}}\n' : text]),
    );
    expect((await run(here, { local, more: { folder: "tracker/" } })).action).toBe("created");
    expect(filesAt(here.git, BRANCH).get(`tracker/${PAGE}`)).toContain("a=1");
    expect(filesAt(here.git, BRANCH).get("data/observed/other.json")).toBe("{}\n");
    expect((await writesOf(here, { local, more: { folder: "tracker/" } })).writes).toEqual([]);
  });

  it("stops before the first write when it is told to", async () => {
    const here = await on();
    here.truth.a = "1";
    const stop = () => {
      throw new Error("stopped");
    };
    await expect(run(here, { more: { beforeWriting: stop } })).rejects.toThrow("stopped");
    expect(here.github.requests.writes()).toEqual([]);
  });
});

describe("two runs at once", () => {
  it("D02 the loser of the race for the branch notices; one pull request is open", async () => {
    const here = await on();
    here.truth.a = "1";
    const outcomes = await Promise.all([run(here), run(here)]);
    expect(outcomes.filter(({ action }) => action === "created")).toHaveLength(1);
    expect(openPulls(here)).toHaveLength(1);
  });

  it("D02 a person's push between reading and writing wins; the next run adds on top", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    here.world.clock += days(8);
    here.truth.b = "1";
    let theirs = "";
    here.github.setFaults(({ method, path }) => {
      if (theirs === "" && method === "POST" && path.endsWith("/git/commits"))
        theirs = human(here, BRANCH, { "data/row.txt": "in between\n" });
      return undefined;
    });
    expect((await run(here)).action).toBe("lost");
    here.github.setFaults(undefined);
    expect((await run(here)).action).toBe("updated");
    expect(here.git.isAncestor(theirs, here.git.resolve(BRANCH) ?? "")).toBe(true);
    expect(filesAt(here.git, BRANCH).get(PAGE)).toContain("in between");
  });

  it("does not delete a branch that another run made anew meanwhile", async () => {
    const here = await on();
    here.truth.a = "1";
    await run(here);
    mergePull(here.world, here.repo, only(here));
    here.world.clock += days(8);
    here.truth.b = "1";
    let taken = "";
    here.github.setFaults(({ kind }) => {
      if (kind === "graphql" && taken === "") taken = human(here, BRANCH, { "data/row.txt": "by another run\n" });
      return undefined;
    });
    expect((await run(here)).action).toBe("lost");
    expect(here.git.resolve(BRANCH)).toBe(taken);
  });
});

describe("refusals", () => {
  const told = async (
    options: Parameters<typeof on>[0],
    change: (here: Stage) => void = () => {},
    more: Parameters<typeof run>[1] = {},
  ) => {
    const here = await on(options);
    here.truth.a = "1";
    change(here);
    const message = await refusal(run(here, more));
    expect(message.split("\n")).toHaveLength(1);
    return message;
  };

  it("C18 explains that Actions may not open pull requests, names the page to open it by hand, and leaves the branch for the next run", async () => {
    const here = await on({ repo: { actionsMayOpenPulls: false } });
    addToken(here.world, "actions", { login: "github-actions[bot]", kind: "actions", write: true });
    here.truth.a = "1";
    const message = await refusal(run(here, { token: "actions" }));
    expect(message).toMatch(/Settings → Actions/);
    expect(message).toContain("/we/stack/compare/landfall%2Fupstream?expand=1");
    expect(here.git.resolve(BRANCH)).toBeDefined();
    here.world.clock += days(1);
    here.repo.actionsMayOpenPulls = true;
    expect((await run(here, { token: "actions" })).action).toBe("created");
  });

  it("C06 carries on after a limit on creating content: the branch stands, the next run opens the pull request", async () => {
    const here = await on();
    here.truth.a = "1";
    const message = "You have exceeded a secondary rate limit and have been temporarily blocked from content creation.";
    here.github.setFaults(({ method, path }) =>
      method === "POST" && path.endsWith("/pulls") ? { kind: "error", status: 403, body: { message } } : undefined,
    );
    expect(await refusal(run(here))).toMatch(/slower pace.*next run carries on/);
    here.github.setFaults(undefined);
    here.github.requests.clear();
    expect((await run(here)).action).toBe("created");
    expect(here.github.requests.writes().map(({ path }) => path)).toEqual(["/repos/we/stack/pulls"]);
  });

  it("C06 notices that the pull request was opened although the answer was lost", async () => {
    const here = await on();
    here.truth.a = "1";
    here.github.setFaults(({ method, path }) =>
      method === "POST" && path.endsWith("/pulls") ? { kind: "unicorn", status: 502, executed: true } : undefined,
    );
    expect(await refusal(run(here))).toMatch(/502/);
    here.github.setFaults(undefined);
    expect((await writesOf(here)).writes).toEqual([]);
    expect(openPulls(here)).toHaveLength(1);
  });

  it("D13 names the rule that protects the bot's branch, and writes nowhere else", async () => {
    const here = await on();
    here.repo.protections[BRANCH] = { rule: "signatures", status: 422 };
    addToken(here.world, "pat", { login: "person", kind: "classic", write: true });
    here.truth.a = "1";
    const tip = here.git.resolve("main");
    expect(await refusal(run(here, { token: "pat" }))).toMatch(/verified signatures.*ruleset/);
    expect(here.git.resolve("main")).toBe(tip);
  });

  it("D13 an App's commits are signed, so that rule lets them pass", async () => {
    const here = await on();
    here.repo.protections[BRANCH] = { rule: "signatures", status: 422 };
    here.truth.a = "1";
    expect((await run(here)).action).toBe("created");
  });

  it("D14 starts from the present base, so that no workflow file is new on the branch", async () => {
    const here = await on();
    const stale = checkout(here);
    here.git.commit({ message: "A workflow", files: { ".github/workflows/ci.yml": "on: push\n" } });
    here.truth.a = "1";
    addToken(here.world, "pat", { login: "person", kind: "fine-grained", write: true });
    expect(
      (await run(here, { token: "pat", local: new Map([...stale, [FACTS, '{"a":{"value":"1","asOf":"2026-05-16T00:00:00Z"}}\n']]) }))
        .action,
    ).toBe("created");
    const touched = here.github.requests.writes().flatMap(({ body }) => {
      const { tree } = (body ?? {}) as { tree?: { path: string }[] | string };
      return Array.isArray(tree) ? tree : [];
    });
    expect(touched.length).toBeGreaterThan(0);
    expect(touched.filter(({ path }) => path.startsWith(".github/"))).toEqual([]);
  });

  it("says what a token that may only read lacks", async () => {
    for (const kind of ["fine-grained", "app", "classic"] as const) {
      expect(await told({}, ({ world }) => void addToken(world, "reader", { kind }), { token: "reader" })).toMatch(
        /may not write to we\/stack.*contents: write/,
      );
    }
  });

  it("says that a token is not valid, that a repository is archived, missing, or without its base", async () => {
    expect(await told({}, () => {}, { token: "wrong" })).toMatch(/not valid for we\/stack/);
    expect(await told({ repo: { archived: true } })).toMatch(/archived/);
    expect(await told({}, () => {}, { more: { base: "release" } })).toMatch(/no branch release/);
    expect(
      await told({}, ({ world }) => {
        delete world.repos["we/stack"];
      }),
    ).toMatch(/does not exist, or the token may not see it/);
  });

  it("a protected base is no obstacle, because nothing is pushed there", async () => {
    const here = await on();
    here.repo.protections.main = { rule: "pull-request", status: 422, approvals: 1 };
    here.truth.a = "1";
    expect((await run(here)).action).toBe("created");
  });
});
