import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VALID, folderWith, removeFolders } from "../stack-folder.ts";
import type { Git } from "../stand/git-repository.ts";
import { createGit } from "../stand/git-repository.ts";
import type { Github } from "../stand/github.ts";
import { startGithub } from "../stand/github.ts";
import { addIssue } from "../stand/threads.ts";
import type { Pull } from "../stand/thread-types.ts";
import type { Repo, World } from "../stand/world.ts";
import { addRepo, addToken, createWorld, nowOf } from "../stand/world.ts";

/** A stack in a repository on an enterprise GitHub, whose upstream is on another one, as `sync --pr` meets them. */

const home = fileURLToPath(new URL("../../", import.meta.url));
export const OWN_TOKEN = "ghp_own0000000000000000000000000000000000";
export const UPSTREAM_TOKEN = "ghp_upstream00000000000000000000000000000";
export const BRANCH = "landfall/upstream";

export interface Scene {
  scratch: string;
  upstream: { world: World; repo: Repo; github: Github };
  own: { world: World; repo: Repo; github: Github; git: Git };
  /** A branch as a fresh checkout; its folder. */
  checkout: (revision?: string) => string;
  filesAt: (revision: string) => Map<string, string>;
  pulls: () => Pull[];
  /** Starts a command as a workflow does. */
  start: (args: string[], env?: Record<string, string | undefined>) => Started;
  close: () => Promise<void>;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}
export interface Started {
  child: ChildProcess;
  said: Ran;
  /** Ends when the process does; a token in its output is an error. */
  done: Promise<Ran>;
}

export async function twoGithubs(): Promise<Scene> {
  const scratch = mkdtempSync(join(tmpdir(), "two-githubs-"));
  const upstreamWorld = createWorld("2026-05-16T00:00:00Z");
  addToken(upstreamWorld, UPSTREAM_TOKEN, { login: "reader" });
  const history = createGit(join(scratch, "up.git"));
  history.commit({ message: "Start", files: { "README.md": "up\n" } });
  const repo = addRepo(upstreamWorld, "u/r", { git: history.dir });
  addIssue(upstreamWorld, repo, { number: 1, title: "Pad the tile" });
  const upstream = { world: upstreamWorld, repo, github: await startGithub(upstreamWorld) };

  const world = createWorld("2026-05-16T00:00:00Z");
  addToken(world, OWN_TOKEN, { login: "landfall[bot]", kind: "app", write: true });
  const git = createGit(join(scratch, "stack.git"));
  const { "data/pins/p.yaml": _pin, ...stackFiles } = VALID;
  git.commit({
    message: "Start",
    files: {
      ...stackFiles,
      // No artifacts: nothing but the two GitHubs is asked.
      "data/upstreams/up.yaml": "title: Up\nrepo: u/r\n",
      "README.md": "A stack\n",
      "data/observed/github/u/r.json": `${JSON.stringify({ repository: { name: "u/r", source: "a test", asOf: null }, threads: {} }, undefined, 2)}\n`,
    },
  });
  const own = { world, repo: addRepo(world, "we/stack", { git: git.dir }), git, github: await startGithub(world, { enterprise: true }) };
  const filesAt = (revision: string) => new Map(git.files(revision).map((path) => [path, git.file(revision, path) ?? ""]));

  const envOf = (more: Record<string, string | undefined>): Record<string, string> => {
    const env: Record<string, string | undefined> = {
      PATH: process.env.PATH,
      HOME: scratch,
      NO_COLOR: "1",
      LANDFALL_SET_UP: "1",
      LANDFALL_NOW: nowOf(world),
      LANDFALL_GITHUB_URL: upstream.github.url,
      LANDFALL_GIT_URL: upstream.github.gitUrl,
      LANDFALL_GITHUB_TOKEN: UPSTREAM_TOKEN,
      LANDFALL_TOKEN: OWN_TOKEN,
      GITHUB_API_URL: own.github.url,
      GITHUB_REPOSITORY: "we/stack",
      ...more,
    };
    return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  };

  return {
    scratch,
    upstream,
    own,
    filesAt,
    checkout: (revision = "main") =>
      folderWith({ ...Object.fromEntries(Object.keys(VALID).map((path) => [path, null])), ...Object.fromEntries(filesAt(revision)) }),
    pulls: () => Object.values(own.repo.threads).filter((thread): thread is Pull => thread.kind === "pull"),
    start: (args, env = {}) => {
      const child = spawn(process.execPath, [join(home, "scripts/run.mjs"), ...args], { env: envOf(env) });
      const said: Ran = { code: null, stdout: "", stderr: "" };
      child.stdout.on("data", (chunk: Buffer) => {
        said.stdout += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        said.stderr += chunk.toString();
      });
      const done = new Promise<Ran>((resolve, reject) => {
        child.on("close", (code) => {
          said.code = code;
          const shown = [OWN_TOKEN, UPSTREAM_TOKEN].filter((token) => (said.stdout + said.stderr).includes(token));
          if (shown.length > 0) reject(new Error(`a token shows in the output of ${args.join(" ")}`));
          else resolve(said);
        });
      });
      return { child, said, done };
    },
    close: async () => {
      await upstream.github.close();
      await own.github.close();
      removeFolders();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
