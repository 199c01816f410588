import { mkdir, rename, rm, stat } from "node:fs/promises";
import lockfile from "proper-lockfile";
import { x } from "tinyexec";
import type { Git, MirrorHost } from "../src/observe/git/types.ts";

/** What a git hook or a wrapper may have set, and must not reach the git that works on a mirror. */
const FOREIGN = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
];

/**
 * What git is run with: never asking for a password, messages in English, nothing that a hook may have set.
 * @param headers HTTP headers by URL prefix, such as `{ "https://github.com/": "Authorization: Basic …" }`. They travel in the
 *   environment, not in the arguments, which every user of the machine can read.
 */
export function gitEnvironment(headers: Record<string, string> = {}): Record<string, string | undefined> {
  const config = Object.entries(headers).flatMap(([prefix, header], n) => [
    [`GIT_CONFIG_KEY_${n}`, `http.${prefix}.extraHeader`],
    [`GIT_CONFIG_VALUE_${n}`, header],
  ]);
  return {
    ...Object.fromEntries(FOREIGN.map((name) => [name, undefined])),
    ...(config.length > 0 ? { GIT_CONFIG_COUNT: String(config.length / 2), ...Object.fromEntries(config) } : {}),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_SSH_COMMAND: process.env.GIT_SSH_COMMAND ?? "ssh -oBatchMode=yes",
    GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
  };
}

/** Runs the git of this machine, never through a shell. See {@link gitEnvironment} for `headers`. */
export function gitRunner(headers: Record<string, string> = {}): Git {
  const env = gitEnvironment(headers);
  return async (args, { cwd, input, timeoutMs } = {}) => {
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const late = `git gave no answer within ${timeoutMs} ms`;
    try {
      const run = x("git", args, { throwOnError: false, signal, stdin: input ?? "", nodeOptions: { cwd, env } });
      // A helper of a killed git may hold the pipes open: what it would still write is not waited for.
      const stopped = new Promise<undefined>((resolve) => signal?.addEventListener("abort", () => resolve(undefined)));
      const output = await Promise.race([run, stopped]);
      return output && !signal?.aborted
        ? { code: run.exitCode ?? -1, stdout: output.stdout, stderr: output.stderr }
        : { code: -1, stdout: "", stderr: late };
    } catch (error) {
      const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
      const why = signal?.aborted ? late : error instanceof Error ? error.message : String(error);
      return { code: -1, stdout: "", stderr: missing ? "git is not installed, or not on the PATH" : why };
    }
  };
}

/**
 * The machine as mirrors use it.
 * @param cache absolute folder of the mirrors
 * @param waitMs how long to wait for another run that holds a mirror's lock
 */
export function mirrorHost(
  cache: string,
  { headers, say, waitMs = 600_000 }: { headers?: Record<string, string>; say?: (line: string) => void; waitMs?: number } = {},
): MirrorHost {
  return {
    git: gitRunner(headers),
    cache,
    say,
    lock: (folder) =>
      lockfile.lock(folder, {
        realpath: false,
        stale: 30_000,
        retries: { retries: Math.ceil(waitMs / 500), minTimeout: 100, maxTimeout: 500 },
        // The lock of a machine that slept may be taken over; the next git command then meets what it meets, and the run goes on.
        onCompromised: (error) => say?.(`The lock of ${folder} was lost: ${error.message}`),
      }),
    files: {
      exists: (path) =>
        stat(path).then(
          () => true,
          () => false,
        ),
      makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
      rename,
      remove: (path) => rm(path, { recursive: true, force: true }),
    },
  };
}
