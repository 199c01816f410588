import { describe, expect, it } from "vitest";
import { mirrorHost } from "../../scripts/git-host.ts";
import { containment } from "../../src/observe/git/contains.ts";
import { openMirror } from "../../src/observe/git/mirror.ts";
import type { Fault } from "../stand/faults.ts";
import { smallWorld, started, temporaryFolder, tidyUp } from "../stand/self-test.ts";
import { renameRepo } from "../stand/world.ts";

tidyUp();
const FAULTS: Record<string, Fault> = {
  "an overloaded server": { kind: "unicorn", status: 502 },
  "a limit": { kind: "limit", status: 429, retryAfter: 60 },
  "a refusal": { kind: "error", status: 403, body: { message: "no" } },
  "a broken connection": { kind: "reset" },
  "a server that hangs": { kind: "stall" },
  "a server that hangs in the middle": { kind: "stall", headers: true },
  "half an answer": { kind: "truncated", how: "clean" },
  "a connection that breaks in the middle": { kind: "truncated", how: "cut" },
};
const host = () => ({ ...mirrorHost(temporaryFolder()), stallMs: 1000 });

describe("a mirror over HTTP", () => {
  it("is cloned, kept up to date, follows a renamed repository, and fetches a commit that no branch has", async () => {
    const { world, repo, git, first, second } = smallWorld();
    const github = await started(world);
    const here = host();
    const url = `${github.gitUrl}/o/n.git`;
    expect(await openMirror(here, url)).toMatchObject({ state: "seen", value: { stale: undefined } });
    const third = git.commit({ message: "Third", files: { "a.txt": "three\n" } });
    const loose = git.commit({ branch: null, message: "On no branch", parents: [second] });
    renameRepo(world, repo, "new/name");
    const look = await openMirror(here, url, { commits: [loose] });
    if (look.state !== "seen") throw new Error(look.state);
    const answers = containment(
      look.value.graph,
      [first, third, loose].map((commit) => ({ commit, inside: "main" })),
    );
    expect(answers.map(({ answer }) => answer)).toEqual(["yes", "yes", "no"]);
  });

  it("of a repository that is private or not there fails, without asking anybody for a password", async () => {
    const { world } = smallWorld();
    const github = await started(world);
    expect(await openMirror(host(), `${github.gitUrl}/o/nothing.git`)).toMatchObject({
      state: "failed",
      why: expect.stringContaining("could not be cloned"),
    });
  });

  it.each(Object.entries(FAULTS))("meets %s at any request: it fails or serves what it had, and is right afterwards", async (_, fault) => {
    const { world, git, second } = smallWorld();
    const github = await started(world);
    const here = host();
    const url = `${github.gitUrl}/o/n.git`;
    const spoil = (nth: number) => {
      const start = github.requests.all.length;
      github.setFaults((request) => (request.kind === "git" && request.index === start + nth ? fault : undefined));
    };
    const tip = (look: Awaited<ReturnType<typeof openMirror>>) =>
      look.state === "seen" ? look.value.graph.refs.get("refs/heads/main") : undefined;

    // Each stall costs seconds of waiting; one clone and two updates meet it where data flows.
    const slow = fault.kind === "stall";
    for (const nth of slow ? [1] : [0, 1, 2]) {
      spoil(nth);
      const look = await openMirror({ ...here, cache: temporaryFolder() }, url);
      // Either the spoiled request was needed, or there was none: a clone that succeeds is whole.
      if (look.state === "seen") expect([tip(look), look.value.graph.shas.length]).toEqual([second, 3]);
      else expect(look).toMatchObject({ state: "failed", why: expect.stringContaining("could not be cloned") });
    }
    github.setFaults(undefined);
    await openMirror(here, url);
    let before = second;
    for (const nth of slow ? [0, 2] : [0, 1, 2, 3]) {
      const next = git.commit({ message: `Change ${nth}`, files: { "a.txt": `${nth}\n` } });
      spoil(nth);
      const look = await openMirror(here, url);
      expect(look.state).toBe("seen");
      if (look.state === "seen")
        expect([tip(look), look.value.stale === undefined]).toEqual(look.value.stale === undefined ? [next, true] : [before, false]);
      github.setFaults(undefined);
      const after = await openMirror(here, url);
      expect(after).toMatchObject({ state: "seen", value: { stale: undefined } });
      expect(tip(after)).toBe(next);
      before = next;
    }
    expect(github.faults.count()).toBeGreaterThanOrEqual(slow ? 2 : 4);
  });
});
