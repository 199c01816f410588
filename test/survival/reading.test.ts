import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { buildSchema, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Question } from "../../src/model/source.ts";
import { keyOf } from "../../src/model/source.ts";
import { GithubFailure } from "../../src/observe/github/failure.ts";
import type { SourceCache } from "../../src/observe/github/sources.ts";
import { blobsQuery, filesQuery, historyQuery } from "../../src/observe/github/source-queries.ts";
import { githubSource } from "../../src/observe/github/sources.ts";
import { answerSources } from "../../src/observe/source.ts";
import { git, temporaryFolder } from "../git/repository.ts";
import { readerOf } from "./reading.ts";
import type { Written } from "./upstream.ts";
import { writeUpstream } from "./upstream.ts";

let folder = "";
let remove: () => Promise<void>;
let up: Written;
const hosted = () => join(folder, "hosted");

beforeAll(async () => {
  ({ folder, remove } = await temporaryFolder());
  up = await writeUpstream(join(folder, "hosted/u/r.git"), [
    { id: "one", subject: "Start (#1)", change: { "a.py": "a = 1\n", "b.py": "b = 1\n", "lib/c.py": "c = 1\n" } },
    { id: "two", subject: "Change a (#2)", change: { "a.py": "a = 2\n" } },
    { id: "fork", subject: "On a fork", change: { "a.py": "a = 'fork'\n" }, from: "one" },
    { id: "three", subject: "Change a and b (#3)", change: { "a.py": "a = 3\n", "b.py": null }, from: "two" },
  ]);
  // The fork's commit is there, and no branch has it.
  await git(up.dir, "update-ref", "-d", "refs/heads/step-fork");
});
afterAll(() => remove());

const file = (commit: string, path: string): Question => ({ ask: "file", repo: "u/r", commit: up.sha[commit] ?? commit, path });
async function ask(
  reader: (questions: readonly Question[]) => Promise<Map<string, Answer>>,
  questions: Question[],
): Promise<(Answer | undefined)[]> {
  const answers = await reader(questions);
  return questions.map((question) => answers.get(keyOf(question)));
}

describe("the git mirror", () => {
  it("reads files at commits, histories along the mainline, what a commit changed, folders and ancestry", async () => {
    const { reader } = readerOf(hosted(), join(folder, "cache-1"));
    const [a1, a3, gone, history, change, lib, yes, no] = await ask(reader, [
      file("one", "a.py"),
      file("three", "a.py"),
      file("three", "b.py"),
      { ask: "history", repo: "u/r", commit: up.sha.three ?? "", path: "a.py" },
      { ask: "change", repo: "u/r", commit: up.sha.three ?? "" },
      { ask: "folder", repo: "u/r", commit: up.sha.three ?? "", path: "lib/" },
      { ask: "contains", repo: "u/r", commit: up.sha.two ?? "", inside: up.sha.three ?? "" },
      { ask: "contains", repo: "u/r", commit: up.sha.three ?? "", inside: up.sha.two ?? "" },
    ]);
    expect(a1).toMatchObject({ state: "text", text: "a = 1\n" });
    expect(a3).toMatchObject({ state: "text", text: "a = 3\n" });
    expect(gone).toEqual({ state: "absent" });
    expect(history).toMatchObject({
      state: "seen",
      whole: true,
      versions: [{ subject: "Change a and b (#3)" }, { subject: "Change a (#2)" }, { subject: "Start (#1)" }],
    });
    expect(change).toMatchObject({ state: "seen", files: [{ path: "a.py" }, { path: "b.py", after: null }] });
    expect(lib).toMatchObject({ state: "seen", files: [{ path: "lib/c.py" }] });
    expect([yes, no]).toEqual([{ state: "yes" }, { state: "no" }]);
  });

  it("fetches a commit that no branch has", async () => {
    const { reader } = readerOf(hosted(), join(folder, "cache-1"));
    expect((await ask(reader, [file("fork", "a.py")]))[0]).toMatchObject({ state: "text", text: "a = 'fork'\n" });
  });

  it("a commit that nobody has is a failure, never an absent file", async () => {
    const { reader } = readerOf(hosted(), join(folder, "cache-1"));
    expect((await ask(reader, [file("d".repeat(40), "a.py"), file("one", "a.py")]))[0]).toMatchObject({
      state: "failed",
      why: expect.stringContaining("is not here"),
    });
  });

  it("a repository that nobody has is a failure with the reason", async () => {
    const { reader } = readerOf(hosted(), join(folder, "cache-1"));
    const question: Question = { ask: "file", repo: "u/none", commit: up.sha.one ?? "", path: "a.py" };
    expect((await ask(reader, [question]))[0]).toMatchObject({ state: "failed", why: expect.stringContaining("could not be cloned") });
  });

  it("offline: what was read is there, what was not fetched is said, and nothing is fetched behind our back", async () => {
    const cache = join(folder, "cache-2");
    const online = readerOf(hosted(), cache).reader;
    await ask(online, [file("one", "a.py")]);
    // With the host away, a git that fetches missing blobs by itself would hang or fail here.
    await rename(hosted(), `${hosted()}-away`);
    try {
      const { reader } = readerOf(hosted(), cache, {}, true);
      const [known, unread, absent, history] = await ask(reader, [
        file("one", "a.py"),
        file("one", "b.py"),
        file("three", "b.py"),
        { ask: "history", repo: "u/r", commit: up.sha.three ?? "", path: "b.py" },
      ]);
      expect(known).toMatchObject({ state: "text", text: "a = 1\n" });
      expect(unread).toMatchObject({ state: "failed", why: expect.stringContaining("not fetched yet (this run is offline)") });
      // Trees are here, so that a file is not there can be told without its content.
      expect(absent).toEqual({ state: "absent" });
      expect(history).toMatchObject({ state: "seen", versions: [{ blob: null }, { subject: "Start (#1)" }] });
    } finally {
      await rename(`${hosted()}-away`, hosted());
    }
  });

  it("offline with no mirror says so for every question", async () => {
    const { reader } = readerOf(hosted(), join(folder, "cache-3"), {}, true);
    for (const answer of await ask(reader, [file("one", "a.py"), { ask: "change", repo: "u/r", commit: up.sha.one ?? "" }])) {
      expect(answer).toMatchObject({ state: "failed", why: expect.stringContaining("never fetched to this machine") });
    }
  });
});

describe("GitHub's API in batches", () => {
  const schema = buildSchema(readFileSync(new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8"), {
    assumeValidSDL: true,
  });
  const sha = "a".repeat(40);

  it.each([
    [
      "files",
      filesQuery("o/r", [
        { commit: sha, path: 'odd "name".py' },
        { commit: "b".repeat(40), path: "x.py" },
      ]),
    ],
    ["blobs", blobsQuery("o/r", [sha, "b".repeat(40)])],
    ["history", historyQuery("o/r", { commit: sha, path: "x.py" }, undefined)],
    ["history, next page", historyQuery("o/r", { commit: sha, path: "x.py" }, "cursor")],
  ])("the query for %s is valid on GitHub's own schema", (_, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  });

  const memory = (): SourceCache & { kept: Map<string, string> } => {
    const kept = new Map<string, string>();
    return { kept, get: async (key) => kept.get(key), set: async (key, text) => void kept.set(key, text) };
  };
  const blob = (oid: string, text: string | null, more: object = {}) => ({
    mode: 33188,
    type: "blob",
    object: { oid, byteSize: 5, isBinary: false, isTruncated: false, text, ...more },
  });
  const question = (path: string, commit = sha): Question => ({ ask: "file", repo: "o/r", commit, path });

  it("tells a file that is not there from a commit that is not there", async () => {
    const client = {
      graphql: async () => ({
        data: { repository: { k0: { __typename: "Commit", f0: blob("1", "x\n"), f1: null }, k1: null } },
        errors: [],
      }),
    };
    const asked = [question("x.py"), question("y.py"), question("x.py", "b".repeat(40))];
    const answers = await githubSource(client, memory()).answer("o/r", asked);
    expect(asked.map((one) => answers.get(keyOf(one)))).toEqual([
      { state: "text", blob: "1", text: "x\n" },
      { state: "absent" },
      { state: "failed", why: "GitHub has no commit bbbbbbbbbb in o/r" },
    ]);
  });

  it("a text that was cut, a binary, a link and a folder are no text", async () => {
    const files = {
      f0: blob("1", "x", { isTruncated: true }),
      f1: blob("2", null, { isBinary: true }),
      f2: { ...blob("3", "../y"), mode: 40960 },
      f3: { mode: 16384, type: "tree", object: {} },
    };
    const client = { graphql: async () => ({ data: { repository: { k0: { __typename: "Commit", ...files } } }, errors: [] }) };
    const asked = ["a", "b", "c", "d"].map((path) => question(path));
    const answers = await githubSource(client, memory()).answer("o/r", asked);
    expect(asked.map((one) => answers.get(keyOf(one))?.state)).toEqual(["huge", "binary", "link", "folder"]);
  });

  it("asks for less when GitHub says it was too much, and keeps what it got for offline runs", async () => {
    const sizes: number[] = [];
    const client = {
      graphql: async (query: string) => {
        const names = [...query.matchAll(/(f\d+): file\(path: "(\w+)"\)/g)];
        sizes.push(names.length);
        if (names.length > 2) throw new GithubFailure("cost", "too much");
        return {
          data: {
            repository: {
              k0: {
                __typename: "Commit",
                ...Object.fromEntries(names.map(([, alias = "", path = ""]) => [alias, blob(`id-${path}`, `${path}\n`)])),
              },
            },
          },
          errors: [],
        };
      },
    };
    const cache = memory();
    const asked = ["a", "b", "c", "d", "e"].map((path) => question(path));
    const first = await githubSource(client, cache).answer("o/r", asked);
    expect(asked.map((one) => first.get(keyOf(one)))).toEqual(
      asked.map((one) => ({ state: "text", blob: `id-${"path" in one ? one.path : ""}`, text: `${"path" in one ? one.path : ""}\n` })),
    );
    expect(sizes).toEqual([5, 3, 2, 1, 2]);

    const offline = await githubSource(undefined, cache).answer("o/r", [...asked, question("never")]);
    expect(offline.size).toBe(5);
    expect(offline.get(keyOf(asked[0] ?? question("a")))).toEqual(first.get(keyOf(asked[0] ?? question("a"))));
  });

  it("a history of several pages; a page that is missing spoils it", async () => {
    const node = (oid: string, own: string | null) => ({
      oid,
      committedDate: "2026-01-01T00:00:00Z",
      messageHeadline: `Change (#${oid})`,
      file: own === null ? null : { mode: 33188, object: { oid: own } },
    });
    const page = (nodes: unknown[], endCursor: string | null) => ({
      data: { repository: { k: { history: { nodes, pageInfo: { hasNextPage: endCursor !== null, endCursor } } } } },
      errors: [],
    });
    const asked: Question = { ask: "history", repo: "o/r", commit: sha, path: "x.py" };
    const client = {
      graphql: async (query: string) =>
        query.includes("after:") ? page([node("1", "b1")], null) : page([node("3", null), node("2", "b2")], "next"),
    };
    expect((await githubSource(client, memory()).answer("o/r", [asked])).get(keyOf(asked))).toMatchObject({
      state: "seen",
      whole: true,
      versions: [
        { commit: "3", blob: null },
        { commit: "2", blob: "b2" },
        { commit: "1", blob: "b1" },
      ],
    });
    const broken = { graphql: async () => page([node("3", "b3"), null], null) };
    expect((await githubSource(broken, memory()).answer("o/r", [asked])).get(keyOf(asked))?.state).toBe("failed");
  });

  it("helps out where the mirror cannot, and the reasons of both are told when neither can", async () => {
    const client = { graphql: async () => ({ data: { repository: { k0: { __typename: "Commit", f0: blob("1", "x\n") } } }, errors: [] }) };
    const failing = {
      name: "git",
      answer: async (_: string, some: readonly Question[]) =>
        new Map(some.map((one) => [keyOf(one), { state: "failed" as const, why: "git is not installed" }])),
    };
    const own = async () => ({ state: "absent" as const });
    const helped = await answerSources([failing, githubSource(client, memory())], own, [question("x.py")]);
    expect(helped.get(keyOf(question("x.py")))).toMatchObject({ state: "text" });
    const down = { graphql: () => Promise.reject(new GithubFailure("limit", "the hourly limit is used up")) };
    const neither = await answerSources([failing, githubSource(down, memory())], own, [question("x.py")]);
    expect(neither.get(keyOf(question("x.py")))).toEqual({
      state: "failed",
      why: "git is not installed; GitHub: the hourly limit is used up",
    });
  });
});
