import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { priceOf } from "./graphql/cost.ts";
import { githubSchema } from "./graphql/execute.ts";
import { clientOf, graphql, smallWorld, started, tidyUp } from "./self-test.ts";
import * as threads from "./threads.ts";
import { addRelease, addRepo, addToken, refTo, renameRepo } from "./world.ts";
import { parse } from "graphql";
import { startGithub } from "./github.ts";
import { mergePull } from "./merging.ts";

tidyUp();

/** Where the requirements beside the checkout are present, the query that the tier-2 reading was designed with. */
const DETAIL = new URL("../../../shared/github-detail-query.graphql", import.meta.url);

describe("threads", () => {
  it("answers a batch of aliases, each failing by itself", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo, { title: "Bug" });
    const moved = threads.addIssue(world, repo);
    threads.transfer(world, repo, moved, addRepo(world, "o/other"));
    const discussion = threads.addDiscussion(world, repo, { title: "Talk" });
    const github = await started(world);
    const { status, body } = await graphql(
      github,
      `{ r: repository(owner: "o", name: "n") {
           a: issueOrPullRequest(number: ${issue.number}) { __typename ... on Issue { title issueState: state } }
           b: issueOrPullRequest(number: ${moved.number}) { __typename }
           c: issueOrPullRequest(number: 999) { __typename }
           d: discussion(number: ${discussion.number}) { title closed stateReason }
           e: issueOrPullRequest(number: ${discussion.number}) { __typename }
         }
         gone: repository(owner: "o", name: "gone") { id } }`,
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({
      r: {
        a: { __typename: "Issue", title: "Bug", issueState: "OPEN" },
        b: null,
        c: null,
        d: { title: "Talk", closed: false, stateReason: null },
        e: null,
      },
      gone: null,
    });
    expect(body.errors.map((error: { type: string; path: string[] }) => [error.type, error.path.join(".")])).toEqual([
      ["NOT_FOUND", "r.b"],
      ["NOT_FOUND", "r.c"],
      ["NOT_FOUND", "r.e"],
      ["NOT_FOUND", "gone"],
    ]);
    expect(body.errors[1].message).toBe("Could not resolve to an issue or pull request with the number of 999.");
  });

  it("shows how a pull request closed an issue, from both sides", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    const pull = threads.addPull(world, repo, { head: "topic", title: "Fix" });
    threads.linkPull(repo, pull, repo, issue);
    threads.crossReference(world, refTo(repo, pull), issue, { willClose: true });
    const sha = mergePull(world, repo, pull, { method: "squash" });
    const { body } = await graphql(
      await started(world),
      `{ repository(owner: "o", name: "n") {
           issue(number: ${issue.number}) {
             stateReason
             all: closedByPullRequestsReferences(first: 5, includeClosedPrs: true) { totalCount nodes { number state } }
             open: closedByPullRequestsReferences(first: 5) { totalCount }
             timelineItems(last: 5, itemTypes: [CLOSED_EVENT, CROSS_REFERENCED_EVENT]) { filteredCount nodes { __typename
               ... on ClosedEvent { closer { __typename ... on PullRequest { number } } }
               ... on CrossReferencedEvent { willCloseTarget source { ... on PullRequest { title } } } } } }
           pullRequest(number: ${pull.number}) {
             state merged mergeCommit { oid parents { totalCount } } closingIssuesReferences(first: 5) { nodes { number } }
             timelineItems(last: 5, itemTypes: [MERGED_EVENT]) { nodes { ... on MergedEvent { mergeRefName commit { oid } } } } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.repository.issue).toEqual({
      stateReason: "COMPLETED",
      all: { totalCount: 1, nodes: [{ number: pull.number, state: "MERGED" }] },
      open: { totalCount: 0 },
      timelineItems: {
        filteredCount: 2,
        nodes: [
          { __typename: "CrossReferencedEvent", willCloseTarget: true, source: { title: "Fix" } },
          { __typename: "ClosedEvent", closer: { __typename: "PullRequest", number: pull.number } },
        ],
      },
    });
    expect(body.data.repository.pullRequest).toEqual({
      state: "MERGED",
      merged: true,
      mergeCommit: { oid: sha, parents: { totalCount: 1 } },
      closingIssuesReferences: { nodes: [{ number: issue.number }] },
      timelineItems: { nodes: [{ mergeRefName: "main", commit: { oid: sha } }] },
    });
  });

  it("hides the reason `duplicate` unless it is asked for", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    threads.close(world, issue, { reason: "duplicate" });
    const { body } = await graphql(
      await started(world),
      `{ repository(owner: "o", name: "n") { issue(number: ${issue.number}) { old: stateReason new: stateReason(enableDuplicate: true) } } }`,
    );
    expect(body.data.repository.issue).toEqual({ old: "NOT_PLANNED", new: "DUPLICATE" });
  });

  it("pages connections both ways", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo);
    for (let n = 0; n < 5; n++) threads.comment(world, issue, { body: `c${n}` });
    const github = await started(world);
    const page = async (args: string) =>
      (
        await graphql(
          github,
          `{ repository(owner: "o", name: "n") { issue(number: 1) { comments(${args}) { totalCount nodes { body } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } } } }`,
        )
      ).body.data.repository.issue.comments;
    const bodies = (answer: { nodes: { body: string }[] }): string[] => answer.nodes.map((node) => node.body);
    const first = await page("first: 2");
    expect([bodies(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([["c0", "c1"], 5, true]);
    const next = await page(`first: 9, after: "${first.pageInfo.endCursor}"`);
    expect([bodies(next), next.pageInfo.hasNextPage]).toEqual([["c2", "c3", "c4"], false]);
    const last = await page("last: 2");
    expect([bodies(last), last.pageInfo.hasPreviousPage]).toEqual([["c3", "c4"], true]);
    expect(bodies(await page(`last: 9, before: "${last.pageInfo.startCursor}"`))).toEqual(["c0", "c1", "c2"]);
  });

  it("finds objects by node id", async () => {
    const { world, repo } = smallWorld();
    const issue = threads.addIssue(world, repo, { title: "Bug" });
    const github = await started(world);
    const id = (await clientOf(github)("GET", `/repos/o/n/issues/${issue.number}`)).body.node_id;
    const { body } = await graphql(github, "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Issue { title } } }", {
      ids: [id, "I_kwDOnothing"],
    });
    expect(body.data.nodes).toEqual([{ __typename: "Issue", title: "Bug" }, null]);
    expect(body.errors).toMatchObject([{ type: "NOT_FOUND", path: ["nodes", 1] }]);
  });

  it("leaves out references from repositories that the token cannot read", async () => {
    const { world, repo } = smallWorld();
    const hidden = addRepo(world, "secret/place", { private: true });
    addToken(world, "insider", { sees: ["secret/place"] });
    const issue = threads.addIssue(world, repo);
    threads.crossReference(world, refTo(hidden, threads.addPull(world, hidden)), issue);
    const github = await started(world);
    const query = `{ repository(owner: "o", name: "n") { issue(number: 1) { timelineItems(first: 5) { totalCount } } } }`;
    const count = async (token?: string) => (await graphql(github, query, {}, token)).body.data.repository.issue.timelineItems.totalCount;
    expect([await count(), await count("insider")]).toEqual([0, 1]);
  });
});

describe("git", () => {
  it("answers files at commits, refs, and comparisons that start at the ref", async () => {
    const { world, repo, first, second } = smallWorld();
    addRelease(world, repo, "v1");
    const { body } = await graphql(
      await started(world),
      `{ repository(owner: "o", name: "n") {
           file: object(expression: "v1:a.txt") { ... on Blob { text byteSize isBinary isTruncated } }
           none: object(expression: "v1:zzz") { id }
           commit: object(expression: "${second}") { ... on Commit { messageHeadline parents(first: 1) { nodes { oid } } } }
           tag: ref(qualifiedName: "refs/tags/v1") { name target { __typename ... on Tag { target { oid } } }
             up: compare(headRef: "main") { status aheadBy } same: compare(headRef: "${first}") { status } }
           main: ref(qualifiedName: "refs/heads/main") { back: compare(headRef: "${first}") { status behindBy } side: compare(headRef: "topic") { status } }
           refs(refPrefix: "refs/heads/", first: 5) { totalCount nodes { name } }
           latestRelease { tagName tagCommit { oid } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.repository).toEqual({
      file: { text: "one\n", byteSize: 4, isBinary: false, isTruncated: false },
      none: null,
      commit: { messageHeadline: "Second", parents: { nodes: [{ oid: first }] } },
      tag: {
        name: "v1",
        target: { __typename: "Tag", target: { oid: first } },
        up: { status: "AHEAD", aheadBy: 1 },
        same: { status: "IDENTICAL" },
      },
      main: { back: { status: "BEHIND", behindBy: 1 }, side: { status: "AHEAD" } },
      refs: { totalCount: 2, nodes: [{ name: "main" }, { name: "topic" }] },
      latestRelease: { tagName: "v1", tagCommit: { oid: first } },
    });
  });
});

describe("the protocol", () => {
  it("follows renames unless told not to", async () => {
    const { world, repo } = smallWorld();
    renameRepo(world, repo, "new/name");
    const { body } = await graphql(
      await started(world),
      `{ a: repository(owner: "o", name: "n") { nameWithOwner } b: repository(owner: "o", name: "n", followRenames: false) { id } }`,
    );
    expect([body.data.a, body.data.b]).toEqual([{ nameWithOwner: "new/name" }, null]);
  });

  it("needs a token, and says FORBIDDEN where the organization has not approved it", async () => {
    const { world, repo } = smallWorld();
    repo.sso = { organization: "o" };
    const github = await started(world);
    expect((await clientOf(github, null)("POST", github.graphqlUrl, { query: "{ viewer { login } }" })).status).toBe(401);
    const { body } = await graphql(github, `{ repository(owner: "o", name: "n") { id } }`);
    expect([body.data.repository, body.errors[0].type]).toEqual([null, "FORBIDDEN"]);
  });

  it("answers a field the schema does not have with errors and no data", async () => {
    const { world } = smallWorld();
    const { status, body } = await graphql(await started(world), '{ repository(owner: "o", name: "n") { supersedes } }');
    expect([status, body.data, body.errors[0].message]).toEqual([200, undefined, expect.stringContaining("supersedes")]);
  });

  it("answers 500 to a field that the schema has and the stand does not", async () => {
    const { world } = smallWorld();
    const github = await startGithub(world);
    expect((await graphql(github, `{ repository(owner: "o", name: "n") { homepageUrl } }`)).status).toBe(500);
    await expect(github.close()).rejects.toThrow("Repository.homepageUrl");
  });

  it("takes points from the hour's budget, and refuses in a 200 when it is spent", async () => {
    const { world } = smallWorld();
    const github = await started(world, { limits: { graphql: 2 } });
    const ask = () => graphql(github, "{ rateLimit { cost remaining nodeCount } }");
    expect((await ask()).body.data.rateLimit).toEqual({ cost: 1, remaining: 1, nodeCount: 0 });
    await ask();
    const refused = await ask();
    expect([refused.status, refused.body.errors[0].type, refused.headers.get("x-ratelimit-remaining")]).toEqual([200, "RATE_LIMIT", "0"]);
  });

  it("prices a dry run without charging for it", async () => {
    const { world } = smallWorld();
    const github = await started(world);
    const query = `{ rateLimit(dryRun: true) { cost nodeCount remaining } r: repository(owner: "o", name: "n") { releases(first: 100) { nodes { releaseAssets(first: 100) { nodes { name } } } } } }`;
    const { body } = await graphql(github, query);
    // 1 request for the releases, 100 for their assets; 100 + 100 * 100 nodes.
    expect(body.data).toEqual({ rateLimit: { cost: 1, nodeCount: 10_100, remaining: 5000 }, r: null });
  });

  it("refuses pages without bounds, above 100, and more than 500,000 nodes", () => {
    const errors = (query: string): string[] => priceOf(githubSchema(), parse(query), {}).errors.map((error) => error.type);
    const inRepo = (fields: string): string => `{ repository(owner: "o", name: "n") { ${fields} } }`;
    expect(errors(inRepo("releases { nodes { id } }"))).toEqual(["MISSING_PAGINATION_BOUNDARIES"]);
    expect(errors(inRepo("releases { totalCount }"))).toEqual([]);
    expect(errors(inRepo("releases(first: 101) { nodes { id } }"))).toEqual(["EXCESSIVE_PAGINATION"]);
    const deep =
      "pullRequests(first: 100) { nodes { comments(first: 100) { nodes { id } } commits(first: 100) { nodes { commit { parents(first: 100) { nodes { oid } } } } } } }";
    expect(errors(inRepo(deep))).toEqual(["MAX_NODE_LIMIT_EXCEEDED"]);
  });
});

describe.skipIf(!existsSync(DETAIL))("the designed detail query", () => {
  it("answers every field of it for every kind of event", async () => {
    const { world, repo, second } = smallWorld();
    const other = addRepo(world, "o/other");
    const issue = threads.addIssue(world, repo);
    const pull = threads.addPull(world, repo, { head: "topic" });
    threads.linkPull(repo, pull, repo, issue);
    const twin = threads.addIssue(world, other);
    for (const target of [issue, pull] as const) {
      threads.comment(world, target);
      threads.rename(world, target, "New title");
      threads.markDuplicate(world, target, refTo(other, twin));
      threads.addEvent(world, target, { event: "unmarked_as_duplicate", canonical: refTo(other, twin) });
      threads.addEvent(world, target, { event: "connected", subject: refTo(repo, pull) });
      threads.addEvent(world, target, { event: "disconnected", subject: refTo(repo, pull) });
      threads.crossReference(world, refTo(repo, pull), target);
      threads.addEvent(world, target, { event: "referenced", sha: second, repo: repo.id, direct: true });
    }
    threads.close(world, issue, { closer: { commit: second, repo: repo.id } });
    threads.reopen(world, issue);
    threads.changeBase(world, pull, "main", { automatic: true });
    threads.review(world, pull, { state: "CHANGES_REQUESTED" });
    threads.addEvent(world, pull, { event: "convert_to_draft" });
    threads.addEvent(world, pull, { event: "ready_for_review" });
    mergePull(world, repo, pull);
    const moved = threads.transfer(world, other, twin, repo);
    const turned = threads.addIssue(world, repo);
    threads.convertToDiscussion(world, repo, turned);
    const wanted = [issue, pull, moved, turned].map(({ number }) => `i${number}: issueOrPullRequest(number: ${number}) { ...I ...P }`);
    const query = readFileSync(DETAIL, "utf8")
      .replace('owner: "o0"', 'owner: "o"')
      .replace("i0: issueOrPullRequest(number: 1) { ...I ...P }", wanted.join("\n"));
    const { status, body } = await graphql(await started(world), query);
    expect([status, body.errors]).toEqual([200, undefined]);
    const seen = new Set(
      Object.values(body.data.r0)
        .flatMap((thread) => (thread as { events?: { nodes: { __typename: string }[] } } | null)?.events?.nodes ?? [])
        .map((event) => event.__typename),
    );
    expect([...seen].sort()).toEqual([
      "AutomaticBaseChangeSucceededEvent",
      "ClosedEvent",
      "ConnectedEvent",
      "ConvertToDraftEvent",
      "ConvertedToDiscussionEvent",
      "DisconnectedEvent",
      "MarkedAsDuplicateEvent",
      "MergedEvent",
      "ReadyForReviewEvent",
      "RenamedTitleEvent",
      "ReopenedEvent",
      "TransferredEvent",
      "UnmarkedAsDuplicateEvent",
    ]);
  });
});
