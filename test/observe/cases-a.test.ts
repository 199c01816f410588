import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { derive } from "../../src/derive/derive.ts";
import type { Observed } from "../../src/model/shapes/observed.ts";
import type { GitAnswers, LandingEvidence } from "../../src/observe/git/types.ts";
import type { AskHistory } from "../../src/observe/histories.ts";
import { createGit } from "../stand/git-repository.ts";
import { startGithub } from "../stand/github.ts";
import { mergePull } from "../stand/merging.ts";
import {
  addDiscussion,
  addEvent,
  addIssue,
  addPull,
  changeBase,
  close,
  comment,
  convertToDiscussion,
  crossReference,
  deleteThread,
  linkPull,
  markDuplicate,
  markMerged,
  rename,
  reopen,
  review,
  transfer,
} from "../stand/threads.ts";
import { addRepo, addToken, advanceTo, createWorld, fakeSha, refTo, renameRepo } from "../stand/world.ts";
import type { Repo, World } from "../stand/world.ts";
import { stackOf } from "../world.ts";
import { TOKEN, factOf, lookAt, lookOnce } from "./looking.ts";

function place(now = "2026-05-16T00:00:00Z"): { world: World; repo: Repo } {
  const world = createWorld(now);
  addToken(world, TOKEN);
  return { world, repo: addRepo(world, "u/r") };
}

/** The decision about a row that names these references. */
function decide(observed: Observed, refs: { ref: string; role: string; kind?: string }[], row: Record<string, unknown> = {}) {
  const { model } = stackOf({ items: { row: { refs, ...row } } });
  const decision = derive(model, observed).items.row;
  if (!decision) throw new Error("the row is there");
  return decision;
}
const fix = (ref: string) => [{ ref, role: "fix" }];
const bug = (ref: string) => [{ ref, role: "bug" }];

/** A history in which these pull requests were landed by commits of other names. */
function history(landings: LandingEvidence[]): AskHistory {
  return async ({ pulls }) => {
    const found = landings.filter(({ pull }) => pulls.includes(pull));
    const empty: GitAnswers = {
      tags: {},
      branches: {},
      resolved: {},
      commits: {},
      picks: [],
      reverts: [],
      containment: [],
      landings: found,
    };
    return { state: "seen", value: empty, source: "git history" };
  };
}
const landed = (pull: number, evidence: string, rule: LandingEvidence["rule"]): LandingEvidence => ({
  pull,
  commit: fakeSha(pull),
  on: "main",
  at: "2026-05-15T00:00:00Z",
  evidence,
  rule,
});

describe("closed is not unfixed", () => {
  it.each([
    [
      "A01 a merge bot closes the pull request and pushes the commit itself",
      landed(1, "Pull Request resolved: https://github.com/u/r/pull/1", "trailer"),
    ],
    [
      "A02 an import shows some pull requests merged and others closed",
      landed(1, "COPYBARA_INTEGRATE_REVIEW=https://github.com/u/r/pull/1", "trailer"),
    ],
    ["A04 maintainers push a squash under another sha", landed(1, "Pad the tile (#1)", "squash")],
  ])("%s", async (_, evidence) => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad the tile" });
    close(world, pull, { by: "pytorchmergebot" });
    const { observed } = await lookOnce(world, ["u/r#1"], { history: history([evidence]) });
    expect(factOf(observed, "u/r#1")).toMatchObject({
      state: "closed",
      merged: false,
      closer: { ref: `u/r@${fakeSha(1)}`, evidence: expect.stringContaining(evidence.evidence) },
    });
    expect(decide(observed, fix("u/r#1")).rule).toMatch(/^5/);
  });

  it("A01 without a landing commit it needs review, and nothing is claimed", async () => {
    const { world, repo } = place();
    close(world, addPull(world, repo, { title: "Pad the tile" }));
    const { observed } = await lookOnce(world, ["u/r#1"], { history: history([]) });
    expect(factOf(observed, "u/r#1")?.closer).toBeUndefined();
    expect(decide(observed, fix("u/r#1"))).toMatchObject({ status: "closed-unfixed", facets: ["no-fix-evidence"] });
  });

  it("A02 the commit that closed it is its landing", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad the tile" });
    repo.commits[fakeSha(90)] = { sha: fakeSha(90), parents: [], message: "Imported", date: "2026-05-15T00:00:00Z", author: null };
    close(world, pull, { closer: { commit: fakeSha(90), repo: repo.id } });
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")?.closer).toEqual({ ref: `u/r@${fakeSha(90)}`, at: "2026-05-16T00:00:00Z" });
    }
  });

  it("A02 a landing found in the history stays when the thread is read again", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad the tile" });
    close(world, pull);
    const first = await lookOnce(world, ["u/r#1"], { history: history([landed(1, "Pad the tile (#1)", "squash")]) });
    advanceTo(world, "2026-05-17T00:00:00Z");
    comment(world, pull, { body: "Thanks!" });
    const second = await lookOnce(world, ["u/r#1"], { known: first.observed, memory: first.memory });
    expect(second.changed).toEqual([]);
    expect(second.observed).toEqual(first.observed);
  });

  it("A05 bors closes it and marks the title", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad the tile" });
    rename(world, pull, "[Merged by Bors] - Pad the tile", { by: "bors[bot]" });
    close(world, pull, { by: "bors[bot]" });
    const { observed } = await lookOnce(world, ["u/r#1"], { history: history([landed(1, "Pad the tile (#1)", "squash")]) });
    expect(factOf(observed, "u/r#1")).toMatchObject({ title: "Pad the tile", closer: { ref: `u/r@${fakeSha(1)}` } });
    expect(factOf(observed, "u/r#1")?.previousTitle).toBeUndefined();
  });

  it("A09 the test merge of an unmerged pull request is no landing", async () => {
    const { world, repo } = place();
    close(world, addPull(world, repo, { title: "Pad the tile", mergeSha: fakeSha(9) }));
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")).toMatchObject({ merged: false });
      expect(factOf(observed, "u/r#1")?.mergeCommit).toBeUndefined();
    }
  });

  it('A20 a stale bot\'s "completed" is no fix', async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes", labels: ["stale"] });
    close(world, issue, { reason: "completed", by: "stale[bot]" });
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(decide(observed, bug("u/r#1"))).toMatchObject({ status: "closed-unfixed", facets: ["no-fix-evidence"] });
  });

  it("A23 no reason is not completed, and a reopened issue is open again", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    close(world, issue, { reason: null });
    const first = await lookOnce(world, ["u/r#1"]);
    expect(factOf(first.observed, "u/r#1")).toMatchObject({ state: "closed" });
    expect(factOf(first.observed, "u/r#1")?.stateReason).toBeUndefined();
    advanceTo(world, "2026-05-17T00:00:00Z");
    reopen(world, issue);
    const second = await lookOnce(world, ["u/r#1"], { known: first.observed, memory: first.memory });
    expect(factOf(second.observed, "u/r#1")).toMatchObject({ state: "open", reopenedAt: "2026-05-17T00:00:00Z" });
    expect(decide(second.observed, bug("u/r#1")).status).toBe("open-no-pr");
    expect(second.changed.map(({ field }) => field)).toEqual(expect.arrayContaining(["state", "closedAt", "reopenedAt"]));
  });
});

describe("merged, and where", () => {
  it("A10 a rebase merge is all its commits, a squash is one", async () => {
    const { world } = place();
    const git = createGit(join(mkdtempSync(join(tmpdir(), "landfall-a10-")), "r.git"));
    const start = git.commit({ message: "Start", files: { "a.txt": "a\n" } });
    const repo = addRepo(world, "u/with-git", { git: git.dir });
    for (const branch of ["rebase", "squash"]) {
      git.refs.set(`refs/heads/${branch}`, start);
      for (const step of ["pad", "test"])
        git.commit({ message: `Add the ${step} to ${branch}`, branch, files: { [`${branch}-${step}.txt`]: "1\n" } });
    }
    git.commit({ message: "Meanwhile", files: { "b.txt": "b\n" } });
    const pulls = ["rebase", "squash"].map((head) => addPull(world, repo, { title: `Add the test to ${head}`, head }));
    const [rebase, squash] = pulls;
    if (!rebase || !squash) throw new Error("two pull requests");
    const last = mergePull(world, repo, rebase, { method: "rebase" });
    mergePull(world, repo, squash, { method: "squash" });
    const { observed, budget } = await lookOnce(
      world,
      [rebase, squash].map(({ number }) => `u/with-git#${number}`),
    );
    const first = git.readCommit(last)?.parents[0];
    expect(factOf(observed, `u/with-git#${rebase.number}`)).toMatchObject({ mergeCommit: last, rebasedCommits: [first, last] });
    expect(factOf(observed, `u/with-git#${squash.number}`)?.rebasedCommits).toBeUndefined();
    expect(budget.requests.graphql).toBe(2);
  });

  it("A12 A41 merged into another branch: not landed, and its issue is not without a fix", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    const pull = addPull(world, repo, { title: "Pad the tile", base: "feature/stack" });
    linkPull(repo, pull, repo, issue);
    markMerged(world, repo, pull);
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#2")).toMatchObject({ merged: true, base: "feature/stack" });
    expect(factOf(observed, "u/r#1")).toMatchObject({ state: "open", closedBy: ["u/r#2"] });
    for (const row of [fix("u/r#2"), bug("u/r#1")]) {
      expect(decide(observed, row)).toMatchObject({ status: "in-review", facets: expect.arrayContaining(["merged-elsewhere"]) });
    }
  });

  it("A14 the final base decides", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad the tile", base: "feature" });
    changeBase(world, pull, "main", { automatic: true });
    markMerged(world, repo, pull);
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")?.base).toBe("main");
    }
  });

  it("A15 merged by another one's merge is merged", async () => {
    const { world, repo } = place();
    const other = addPull(world, repo, { title: "Both" });
    const pull = addPull(world, repo, { title: "Pad the tile" });
    const sha = markMerged(world, repo, other);
    markMerged(world, repo, pull, { sha });
    const { observed } = await lookOnce(world, ["u/r#2"]);
    expect(factOf(observed, "u/r#2")).toMatchObject({ merged: true, mergeCommit: sha });
  });

  it("A42 a draft, a locked thread and one in the merge queue are open", async () => {
    const { world, repo } = place();
    addPull(world, repo, { title: "Pad", draft: true });
    const queued = addPull(world, repo, { title: "Pad", inMergeQueue: true, locked: true });
    addEvent(world, queued, { event: "added_to_merge_queue" });
    const { observed } = await lookOnce(world, ["u/r#1", "u/r#2"]);
    expect(factOf(observed, "u/r#1")).toMatchObject({ state: "open", draft: true });
    expect(factOf(observed, "u/r#2")).toMatchObject({ state: "open", merged: false });
    expect(decide(observed, fix("u/r#2")).status).toBe("in-review");
  });
});

describe("where it went", () => {
  const moveAway = () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes", number: 7 });
    const other = addRepo(world, "u/other");
    const first = lookOnce(world, ["u/r#7"]);
    return { world, repo, issue, other, first };
  };

  it("A24 a transferred issue keeps its facts and says where it is", async () => {
    const { world, repo, issue, other, first } = moveAway();
    const { observed: known, memory } = await first;
    advanceTo(world, "2026-05-17T00:00:00Z");
    const moved = transfer(world, repo, issue, other);
    rename(world, moved, "Renamed there");
    const { observed, failed, budget } = await lookOnce(world, ["u/r#7"], { known, memory });
    expect(failed).toEqual([]);
    expect(factOf(observed, "u/r#7")).toMatchObject({ title: "It crashes", movedTo: "u/other#1" });
    expect(factOf(observed, "u/other#1")).toMatchObject({ title: "Renamed there", state: "open" });
    expect(decide(observed, bug("u/r#7"))).toMatchObject({ facets: expect.arrayContaining(["moved"]) });
    expect(budget.requests.rest).toBeLessThanOrEqual(2);
    const again = await lookOnce(world, ["u/r#7"], { known: observed });
    expect(again.observed).toEqual(observed);
    expect(again.budget.requests.rest).toBe(0);
  });

  it("A26 NOT_FOUND in GraphQL concludes nothing; REST is asked", async () => {
    const { world, repo, issue, other } = moveAway();
    addIssue(world, repo, { title: "Another", number: 8 });
    transfer(world, repo, issue, other);
    const { observed, failed } = await lookOnce(world, ["u/r#7", "u/r#8"]);
    expect(failed).toEqual([]);
    expect(factOf(observed, "u/r#7")?.movedTo).toBe("u/other#1");
    expect(factOf(observed, "u/r#8")?.title).toBe("Another");
  });

  it("A24 the same without a token", async () => {
    const { world, repo, issue, other } = moveAway();
    transfer(world, repo, issue, other);
    const { observed } = await lookOnce(world, ["u/r#7"], { token: null });
    expect(factOf(observed, "u/r#7")?.movedTo).toBe("u/other#1");
  });

  it("A27 410 is deleted, 404 is only unreachable, and both keep the last known facts", async () => {
    const { world, repo } = place();
    addIssue(world, repo, { title: "One" });
    addIssue(world, repo, { title: "Two" });
    const first = await lookOnce(world, ["u/r#1", "u/r#2"]);
    advanceTo(world, "2026-05-17T00:00:00Z");
    deleteThread(repo, 1);
    delete repo.threads[2];
    const second = await lookOnce(world, ["u/r#1", "u/r#2"], { known: first.observed });
    expect(factOf(second.observed, "u/r#1")).toMatchObject({
      title: "One",
      state: "open",
      gone: "deleted",
      stale: { since: "2026-05-17T00:00:00Z" },
    });
    expect(factOf(second.observed, "u/r#2")).toMatchObject({ title: "Two", state: "open", gone: "unreachable" });
    expect(second.failed).toEqual([{ ref: "u/r#2", why: expect.stringContaining("404") }]);
    const third = await lookOnce(world, ["u/r#1", "u/r#2"], { known: second.observed });
    expect(third.observed).toEqual(second.observed);
  });

  it("A29 an issue converted to a discussion moved there", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "How do I?" });
    convertToDiscussion(world, repo, issue);
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")).toMatchObject({ movedTo: "u/r#2" });
    expect(factOf(observed, "u/r#2")).toMatchObject({ kind: "discussion" });
    expect(decide(observed, bug("u/r#1")).status).not.toBe("closed-unfixed");
  });

  it("a discussion is found whether the row says so or not", async () => {
    const { world, repo } = place();
    addDiscussion(world, repo, { title: "Roadmap" });
    for (const kind of ["discussion", undefined] as const) {
      const { observed, failed, budget } = await lookOnce(world, [{ ref: "u/r#1", kind, replies: [] }]);
      expect(failed).toEqual([]);
      expect(factOf(observed, "u/r#1")).toMatchObject({ kind: "discussion", title: "Roadmap", state: "open" });
      expect(budget.requests).toMatchObject({ graphql: kind ? 1 : 2, rest: 0 });
    }
    const without = await lookOnce(world, [{ ref: "u/r#1", kind: "discussion", replies: [] }], { token: null });
    expect(without.failed).toEqual([{ ref: "u/r#1", why: expect.stringContaining("GITHUB_TOKEN") }]);
  });

  it("A30 a renamed repository is read under its old name, and a re-used name is a hard stop", async () => {
    const { world, repo } = place();
    addIssue(world, repo, { title: "It crashes" });
    const first = await lookOnce(world, ["u/r#1"]);
    renameRepo(world, repo, "u/renamed");
    advanceTo(world, "2026-05-17T00:00:00Z");
    for (const token of [TOKEN, null]) {
      const second = await lookOnce(world, ["u/r#1"], { known: first.observed, token });
      if (token) expect(second.observed.github["u/r"]?.repository).toMatchObject({ renamedTo: "u/renamed" });
      expect(second.failed).toEqual([]);
      expect(factOf(second.observed, "u/r#1")).toMatchObject({ title: "It crashes" });
    }
    const stranger = addRepo(world, "u/r");
    addIssue(world, stranger, { title: "Something else" });
    const third = await lookOnce(world, ["u/r#1"], { known: first.observed });
    expect(factOf(third.observed, "u/r#1")).toMatchObject({ title: "It crashes", nodeMismatch: true });
    expect(third.failed.map(({ ref }) => ref)).toEqual(["u/r", "u/r#1"]);
    expect(decide(third.observed, bug("u/r#1"))).toMatchObject({ status: "unknown", facets: ["kind-mismatch"] });
    const fourth = await lookOnce(world, ["u/r#1"], { known: third.observed });
    expect(fourth.observed).toEqual(third.observed);
  });

  it("A30 a pull request linked under the new name is kept under the old one", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    linkPull(repo, addPull(world, repo, { title: "Fix" }), repo, issue);
    renameRepo(world, repo, "u/renamed");
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")?.closedBy).toEqual(["u/r#2"]);
    expect(factOf(observed, "u/r#2")).toBeDefined();
    expect(Object.keys(observed.github)).toEqual(["u/r"]);
  });

  it("A32 a blocked repository is one message, keeps the last state, and the rest goes on", async () => {
    const { world, repo } = place();
    addIssue(world, repo, { title: "One" });
    addIssue(world, repo, { title: "Two" });
    const other = addRepo(world, "u/fine");
    addIssue(world, other, { title: "Fine" });
    const first = await lookOnce(world, ["u/r#1", "u/r#2", "u/fine#1"]);
    repo.blocked = { reason: "dmca", url: "https://github.com/github/dmca/1", at: "2026-05-16T00:00:00Z" };
    const second = await lookOnce(world, ["u/r#1", "u/r#2", "u/fine#1"], { known: first.observed });
    expect(new Set(second.failed.map(({ why }) => why))).toEqual(
      new Set(["u/r is blocked by GitHub (451, dmca): https://github.com/github/dmca/1"]),
    );
    expect(factOf(second.observed, "u/r#1")).toMatchObject({ title: "One", gone: "blocked" });
    expect(factOf(second.observed, "u/fine#1")?.stale).toBeUndefined();
  });

  it("A33 a private repository is unreachable, never deleted; an archived one stalls", async () => {
    const { world, repo } = place();
    addPull(world, repo, { title: "Pad the tile" });
    const first = await lookOnce(world, ["u/r#1"]);
    repo.private = true;
    const second = await lookOnce(world, ["u/r#1"], { known: first.observed });
    expect(factOf(second.observed, "u/r#1")).toMatchObject({ state: "open", gone: "unreachable" });
    expect(second.failed[0]?.why).toMatch(/u\/r answers 404: it is private/);
    repo.private = false;
    repo.archived = true;
    const third = await lookOnce(world, ["u/r#1"], { known: second.observed });
    expect(factOf(third.observed, "u/r#1")?.gone).toBeUndefined();
    expect(factOf(third.observed, "u/r#1")?.stale).toBeUndefined();
    expect(decide(third.observed, fix("u/r#1"))).toMatchObject({ status: "stalled" });
  });

  it("A34 the number is the other kind: the kind is corrected, nothing is deleted", async () => {
    const { world, repo } = place();
    addPull(world, repo, { title: "Pad the tile" });
    for (const token of [TOKEN, null]) {
      const { observed, failed } = await lookOnce(world, [{ ref: "u/r#1", kind: "issue", replies: [] }], { token });
      expect(failed).toEqual([]);
      expect(factOf(observed, "u/r#1")?.kind).toBe("pull-request");
      expect(decide(observed, [{ ref: "u/r#1", role: "bug", kind: "issue" }]).facets).toContain("kind-mismatch");
    }
  });

  it("a reference that does not exist is a sentence, not a fact", async () => {
    const { world } = place();
    const { observed, failed } = await lookOnce(world, ["u/r#404", "u/nowhere#1"]);
    expect(observed.github).toEqual({});
    expect(failed.map(({ ref, why }) => [ref, why])).toEqual([
      ["u/nowhere#1", expect.stringMatching(/^u\/nowhere answers 404/)],
      ["u/r#404", expect.stringMatching(/^u\/r#404 answers 404: it does not exist, or is private/)],
    ]);
  });
});

describe("what refers to it", () => {
  it("A36 a stranger's commit that closes it is no fix", async () => {
    const { world, repo } = place();
    const template = addRepo(world, "u/template");
    template.commits[fakeSha(5)] = { sha: fakeSha(5), parents: [], message: "fixes #1", date: "2026-05-15T00:00:00Z", author: null };
    const issue = addIssue(world, repo, { title: "It crashes" });
    close(world, issue, { closer: { commit: fakeSha(5), repo: template.id } });
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")?.closer?.ref).toBe(`u/template@${fakeSha(5)}`);
    expect(decide(observed, bug("u/r#1"))).toMatchObject({ status: "closed-unfixed", facets: ["no-fix-evidence"] });
  });

  it("A38 a mention is no fix, and neither is a pull request of our own", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    const mention = addPull(world, repo, { title: "Unrelated", body: "See #1" });
    crossReference(world, refTo(repo, mention), issue);
    const ours = addRepo(world, "we/stack");
    const bookkeeping = addPull(world, ours, { title: "Track it", body: "Fixes u/r#1" });
    linkPull(ours, bookkeeping, repo, issue);
    crossReference(world, refTo(ours, bookkeeping), issue, { willClose: true });
    const real = addPull(world, repo, { title: "Fix it", body: "Fixes #1" });
    linkPull(repo, real, repo, issue);
    crossReference(world, refTo(repo, real), issue, { willClose: true });
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")?.closedBy).toEqual(["u/r#3"]);
    }
  });

  it("a closed pull request leads to what superseded it, and on to its end", async () => {
    const { world, repo } = place();
    const [first, second, third] = ["One", "Two", "Three"].map((title) => addPull(world, repo, { title, author: "dev" }));
    if (!first || !second || !third) throw new Error("three pull requests");
    comment(world, first, { author: "dev", association: "NONE", body: "Superseded by #2" });
    comment(world, first, { author: "passer-by", association: "NONE", body: "superseded by #99" });
    close(world, first);
    third.body = "Supersedes #2";
    crossReference(world, refTo(repo, third), second);
    close(world, second);
    markMerged(world, repo, third);
    for (const token of [TOKEN, null]) {
      const { observed, failed } = await lookOnce(world, ["u/r#1"], { token });
      expect(failed).toEqual([]);
      expect(factOf(observed, "u/r#1")?.supersededBy).toEqual({ ref: "u/r#2", evidence: 'comment by dev, 2026-05-16: "Superseded by #2"' });
      expect(factOf(observed, "u/r#2")?.supersededBy).toEqual({ ref: "u/r#3", evidence: 'text of u/r#3: "Supersedes #2"' });
      expect(decide(observed, fix("u/r#1"))).toMatchObject({ rule: "5d", facets: expect.arrayContaining(["superseded"]) });
    }
  });

  it("what was said about a successor stays said, however much is said after it", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes", author: "user" });
    const pull = addPull(world, repo, { title: "Old", author: "dev" });
    addIssue(world, repo, { title: "The better report" });
    for (const thread of [issue, pull]) {
      comment(world, thread, { author: "member", body: "Superseded by #3" });
      close(world, thread);
    }
    const first = await lookOnce(world, ["u/r#1", "u/r#2"]);
    advanceTo(world, "2026-05-17T00:00:00Z");
    for (const thread of [issue, pull]) for (let n = 0; n < 8; n += 1) comment(world, thread, { author: "user", body: "+1" });
    const second = await lookOnce(world, ["u/r#1", "u/r#2"], { known: first.observed, memory: first.memory });
    for (const ref of ["u/r#1", "u/r#2"]) expect(factOf(second.observed, ref)?.supersededBy?.ref).toBe("u/r#3");
    expect(second.observed).toEqual(first.observed);
    // Read for the first time, a pull request is worth a wide look; an issue is not.
    const afresh = await lookOnce(world, ["u/r#1", "u/r#2"]);
    expect(factOf(afresh.observed, "u/r#2")?.supersededBy?.ref).toBe("u/r#3");
  });

  it("a duplicate leads to the one that is kept, which does not point at itself", async () => {
    const { world, repo } = place();
    const issue = addIssue(world, repo, { title: "It crashes" });
    const canonical = addIssue(world, repo, { title: "It crashes on load" });
    markDuplicate(world, issue, refTo(repo, canonical));
    markDuplicate(world, canonical, refTo(repo, canonical));
    close(world, issue, { reason: "duplicate" });
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")).toMatchObject({ stateReason: "duplicate", duplicateOf: "u/r#2" });
    expect(factOf(observed, "u/r#2")?.duplicateOf).toBeUndefined();
  });
});

describe("activity and noise", () => {
  it("A07 approval is not landing: approved and quiet is stalled", async () => {
    const { world, repo } = place("2026-04-01T00:00:00Z");
    const pull = addPull(world, repo, { title: "Backport" });
    review(world, pull, { at: "2026-04-02T10:00:00Z" });
    advanceTo(world, "2026-05-16T00:00:00Z");
    const { observed } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")).toMatchObject({ review: "approved", lastActivity: "2026-04-02" });
    expect(decide({ ...observed, asOf: "2026-05-16T00:00:00Z" }, fix("u/r#1"))).toMatchObject({
      status: "stalled",
      because: expect.stringContaining("quiet for 44 days"),
    });
  });

  it("A39 UNKNOWN mergeability is never stored, and never makes a difference", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad", mergeable: "CONFLICTING" });
    const first = await lookOnce(world, ["u/r#1"]);
    expect(factOf(first.observed, "u/r#1")?.conflicting).toBe(true);
    pull.mergeable = "UNKNOWN";
    advanceTo(world, "2026-05-17T00:00:00Z");
    for (const token of [TOKEN, null]) {
      const second = await lookOnce(world, ["u/r#1"], { known: first.observed, token });
      expect(factOf(second.observed, "u/r#1")).toEqual(factOf(first.observed, "u/r#1"));
    }
    pull.mergeable = "MERGEABLE";
    const third = await lookOnce(world, ["u/r#1"], { known: first.observed, memory: first.memory });
    expect(factOf(third.observed, "u/r#1")?.conflicting).toBeUndefined();
  });

  it("A39 a conflict that the base branch brought is seen although the thread did not move", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad" });
    const first = await lookOnce(world, ["u/r#1"]);
    pull.mergeable = "CONFLICTING";
    const second = await lookOnce(world, ["u/r#1"], { known: first.observed, memory: first.memory });
    expect(factOf(second.observed, "u/r#1")?.conflicting).toBe(true);
  });

  it("A44 bots, labels, cross references and we ourselves do not reset the clock", async () => {
    const { world, repo } = place("2026-03-01T00:00:00Z");
    const pull = addPull(world, repo, { title: "Pad" });
    comment(world, pull, { author: "reviewer", at: "2026-03-05T23:59:00Z" });
    comment(world, pull, { author: "codecov[bot]", association: "NONE", at: "2026-04-01T00:00:00Z" });
    comment(world, pull, { author: "k8s-ci-robot", at: "2026-04-02T00:00:00Z" });
    comment(world, pull, { author: "We", at: "2026-04-03T00:00:00Z" });
    addEvent(world, pull, { event: "labeled", label: "bug" }, { at: "2026-04-04T00:00:00Z" });
    advanceTo(world, "2026-05-01T00:00:00Z");
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")?.lastActivity).toBe("2026-03-05");
    }
  });

  it("A44 a run of bot comments does not hide the person before them", async () => {
    const { world, repo } = place("2026-03-01T00:00:00Z");
    const pull = addPull(world, repo, { title: "Pad" });
    comment(world, pull, { author: "reviewer", at: "2026-03-20T00:00:00Z" });
    for (let day = 10; day < 30; day += 1) comment(world, pull, { author: "ci[bot]", at: `2026-04-${day}T00:00:00Z` });
    advanceTo(world, "2026-05-01T00:00:00Z");
    const { observed, budget } = await lookOnce(world, ["u/r#1"]);
    expect(factOf(observed, "u/r#1")?.lastActivity).toBe("2026-03-20");
    expect(budget.requests).toMatchObject({ graphql: 2, rest: 0 });
  });

  it("A44 a bot's comment changes no file", async () => {
    const { world, repo } = place();
    const pull = addPull(world, repo, { title: "Pad" });
    const first = await lookOnce(world, ["u/r#1"]);
    advanceTo(world, "2026-05-17T00:00:00Z");
    comment(world, pull, { author: "ci[bot]" });
    const second = await lookOnce(world, ["u/r#1"], { known: first.observed, memory: first.memory });
    expect(second.budget.requests.graphql).toBe(2);
    expect(second.observed).toEqual(first.observed);
    const third = await lookOnce(world, ["u/r#1"], { known: second.observed, memory: second.memory });
    expect(third.budget.requests.graphql).toBe(1);
  });

  it("an account has one name, whichever way it is read", async () => {
    const { world, repo } = place();
    addPull(world, repo, { title: "Bump it", author: "dependabot[bot]" });
    for (const token of [TOKEN, null]) {
      const { observed } = await lookOnce(world, ["u/r#1"], { token });
      expect(factOf(observed, "u/r#1")?.author).toBe("dependabot[bot]");
    }
  });

  it("A45 two rows may cite one thread, which is asked for once", async () => {
    const { world, repo } = place();
    addIssue(world, repo, { title: "It crashes" });
    const github = await startGithub(world);
    const { seen } = await lookAt(github, ["u/r#1"]);
    expect(seen).toBe(1);
    await github.close();
  });

  it("an answer that a condition waits for is found, kept as it is, and its absence is known too", async () => {
    const { world, repo } = place("2026-05-01T00:00:00Z");
    const issue = addIssue(world, repo, { title: "It crashes" });
    const named = { ref: "u/r#1", kind: undefined, replies: [{ by: "Maintainer", since: "2026-05-05" }] };
    comment(world, issue, { author: "maintainer", at: "2026-05-02T00:00:00Z" });
    advanceTo(world, "2026-05-10T00:00:00Z");
    const first = await lookOnce(world, [named]);
    expect(factOf(first.observed, "u/r#1")?.replies).toEqual([]);
    for (let day = 11; day < 29; day += 1)
      comment(world, issue, { author: day === 12 ? "maintainer" : "other", at: `2026-05-${day}T00:00:00Z` });
    advanceTo(world, "2026-05-30T00:00:00Z");
    const second = await lookOnce(world, [named], { known: first.observed, memory: first.memory });
    expect(factOf(second.observed, "u/r#1")?.replies).toEqual([{ by: "maintainer", at: "2026-05-12T00:00:00Z" }]);
    comment(world, issue, { author: "maintainer", at: "2026-05-30T00:00:00Z" });
    advanceTo(world, "2026-06-01T00:00:00Z");
    const third = await lookOnce(world, [named], { known: second.observed, memory: second.memory });
    expect(third.observed).toEqual(second.observed);
  });
});
