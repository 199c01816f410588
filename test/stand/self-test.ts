import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { createGit, type Git } from "./git-repository.ts";
import { type Github, type GithubOptions, startGithub } from "./github.ts";
import { addRepo, addToken, createWorld, type Repo, type World } from "./world.ts";

/** What the stand's own tests share: one world with one repository, a plain client, and tidying up. */

export const TOKEN = "tester-token";
/** JSON of an answer; tests pick from it without types. */
// biome-ignore lint/suspicious/noExplicitAny: the answers are whatever the stand sends, and the tests look into them.
export type Loose = any;
export type Answer = { status: number; body: Loose; headers: Headers };
export type Client = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

const folders: string[] = [];
const open: Github[] = [];

/** Call once in a test file: closes stands after each test (which fails when one was wrong), removes folders at the end. */
export function tidyUp(): void {
  afterEach(async () => {
    for (const github of open.splice(0)) await github.close();
  });
  afterAll(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stand-"));
  folders.push(folder);
  return folder;
}

export async function started(world: World, options?: GithubOptions): Promise<Github> {
  const github = await startGithub(world, options);
  open.push(github);
  return github;
}

/** A repository `o/n` with two commits on main, an annotated tag v1 on the first, and a branch `topic` one commit ahead. */
export function smallWorld(): { world: World; repo: Repo; git: Git; first: string; second: string; topic: string } {
  const world = createWorld();
  addToken(world, TOKEN, { write: true, scopes: ["repo"] });
  const git = createGit(join(temporaryFolder(), "n.git"));
  const first = git.commit({ message: "First", files: { "a.txt": "one\n", "docs/b.txt": "b\n" } });
  git.tag("v1", first, "Version 1");
  const second = git.commit({ message: "Second", files: { "a.txt": "two\n" } });
  git.branch("topic", second);
  const topic = git.commit({ branch: "topic", message: "Topic", files: { "topic.txt": "t\n" } });
  return { world, repo: addRepo(world, "o/n", { git: git.dir }), git, first, second, topic };
}

/** A client that follows no redirect. @param token null for none */
export const clientOf =
  (github: Github, token: string | null = TOKEN): Client =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(path.startsWith("http") ? path : github.url + path, {
      method,
      redirect: "manual",
      headers: { ...(token === null ? {} : { authorization: `token ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") && text !== "";
    return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
  };

export async function graphql(github: Github, query: string, variables: Record<string, unknown> = {}, token = TOKEN): Promise<Answer> {
  return await clientOf(github, token)("POST", github.graphqlUrl, { query, variables });
}
