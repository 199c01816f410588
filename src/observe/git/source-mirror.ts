import { cloneUrl, folderOf, isGitUrl, scrub, withoutCredentials } from "./url.ts";

export interface BytesResult {
  /** Exit code of git; -1 when it could not be started, was killed or ran out of time (the reason is in stderr). */
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

/** What a mirror of source trees needs of the machine. Made in `scripts/`. */
export interface SourceHost {
  /** Runs git with an argument array, never through a shell. Output as bytes, because files are. */
  git: (args: readonly string[], options?: { input?: string; timeoutMs?: number }) => Promise<BytesResult>;
  /** Absolute folder that holds one mirror per repository; may be deleted at any time. */
  cache: string;
  /** Where `owner/name` is cloned from; default `https://github.com`. */
  base?: string | undefined;
  lock: (folder: string) => Promise<() => Promise<void>>;
  files: {
    exists: (path: string) => Promise<boolean>;
    makeFolder: (path: string) => Promise<void>;
    rename: (from: string, to: string) => Promise<void>;
    remove: (path: string) => Promise<void>;
    write: (path: string, text: string) => Promise<void>;
  };
  /** Progress, one line; never a credential. */
  say?: ((line: string) => void) | undefined;
}

/** A mirror with all trees and only those blobs that were asked for. */
export interface SourceMirror {
  /** Reads what is on this machine; never the network. */
  read: (args: readonly string[], input?: string) => Promise<BytesResult>;
  /** Fetches commits with their history and trees. Undefined when they came, else why not. */
  fetchCommits: (commits: readonly string[]) => Promise<string | undefined>;
  /** Fetches blobs, all in one request. Undefined when they came, else why not. */
  fetchBlobs: (blobs: readonly string[]) => Promise<string | undefined>;
}

const MINUTE = 60_000;
const REFSPECS = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
const KEPT = "refs/landfall/";
/** Beside the mirror's own objects, without its promise to fetch what is missing. */
const READER = "reader.git";

/**
 * Opens the mirror of a repository's sources, cloning it when there is none. `--filter=blob:none` brings commits and trees, so
 * that a file's history needs no request; blobs are fetched in batches. (`tree:0` would turn one `log -- path` into a request
 * a commit.) The git of a partial clone fetches a missing blob by itself, one by one and without asking; so reading goes through
 * an empty repository that only borrows the mirror's objects, where a missing blob is just missing.
 * @returns the mirror, or why there is none
 */
export async function openSourceMirror(host: SourceHost, repo: string, offline: boolean): Promise<SourceMirror | string> {
  const url = cloneUrl(repo, host.base);
  const shown = withoutCredentials(url);
  if (!isGitUrl(url)) return `${shown} is no git URL`;
  const dir = `${host.cache}/${await folderOf(shown)}`;
  if (await host.files.exists(`${dir}/${READER}`)) return mirrorIn(host, dir, url, offline);
  if (offline) return `the source of ${repo} was never fetched to this machine, and this run is offline`;
  await host.files.makeFolder(host.cache);
  const release = await host.lock(dir);
  try {
    if (!(await host.files.exists(`${dir}/${READER}`))) {
      const problem = await clone(host, dir, url, shown);
      if (problem !== undefined) return problem;
    }
  } finally {
    await release();
  }
  return mirrorIn(host, dir, url, offline);
}

/** Into a folder beside, moved into place when complete: a run killed at any instant leaves no half mirror. */
async function clone(host: SourceHost, dir: string, url: string, shown: string): Promise<string | undefined> {
  const fresh = `${dir}.new`;
  await host.files.remove(fresh);
  await host.files.remove(dir);
  host.say?.(`Cloning ${shown} without its files`);
  const made = await host.git(["clone", "--bare", "--filter=blob:none", "--no-local", "--template=", "--quiet", "--", url, fresh], {
    timeoutMs: 30 * MINUTE,
  });
  if (made.code !== 0) return `${shown} could not be cloned: ${reason(made, url)}`;
  await host.git([`--git-dir=${fresh}`, "config", "--unset-all", "remote.origin.url"], {});
  await host.git([`--git-dir=${fresh}`, "commit-graph", "write", "--reachable"], { timeoutMs: 10 * MINUTE });
  const reader = await host.git(["init", "--bare", "--template=", "--quiet", `${fresh}/${READER}`], {});
  if (reader.code !== 0) return `${shown}: ${reason(reader, url)}`;
  await host.files.makeFolder(`${fresh}/${READER}/objects/info`);
  await host.files.write(`${fresh}/${READER}/objects/info/alternates`, "../../objects\n");
  await host.files.rename(fresh, dir);
  return undefined;
}

function mirrorIn(host: SourceHost, dir: string, url: string, offline: boolean): SourceMirror {
  const read: SourceMirror["read"] = (args, input) =>
    host.git([`--git-dir=${dir}/${READER}`, "--literal-pathspecs", ...args], {
      ...(input === undefined ? {} : { input }),
      timeoutMs: 5 * MINUTE,
    });
  const fetch = async (args: readonly string[], input?: string): Promise<string | undefined> => {
    if (offline) return "this run is offline";
    const release = await host.lock(dir);
    try {
      const done = await host.git(
        [
          `--git-dir=${dir}`,
          ...["-c", `remote.origin.url=${url}`, "-c", "gc.auto=0", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"],
          ...["fetch", "--no-tags", "--no-write-fetch-head", "--quiet", "--filter=blob:none", ...args],
        ],
        { ...(input === undefined ? {} : { input }), timeoutMs: 20 * MINUTE },
      );
      return done.code === 0 ? undefined : reason(done, url);
    } finally {
      await release();
    }
  };
  return {
    read,
    fetchCommits: async (commits) => {
      host.say?.(`Fetching ${commits.length === 1 ? "a commit" : `${commits.length} commits`} of ${withoutCredentials(url)}`);
      await fetch(["origin", ...REFSPECS]);
      const missing = await lacking({ read }, commits);
      if (missing.length === 0) return undefined;
      return fetch(["origin", ...missing.map((commit) => `+${commit}:${KEPT}${commit}`)]);
    },
    fetchBlobs: (blobs) => {
      host.say?.(`Fetching ${blobs.length === 1 ? "a file" : `${blobs.length} files`} of ${withoutCredentials(url)}`);
      return fetch(["--stdin", "origin"], `${blobs.join("\n")}\n`);
    },
  };
}

/** Those of some objects that are not on this machine. */
export async function lacking(mirror: Pick<SourceMirror, "read">, objects: readonly string[]): Promise<string[]> {
  if (objects.length === 0) return [];
  const { stdout } = await mirror.read(["cat-file", "--batch-check"], `${objects.join("\n")}\n`);
  const found = new Set<string>();
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
    const [name = "", kind] = line.split(" ");
    if (kind !== undefined && kind !== "missing" && kind !== "ambiguous") found.add(name);
  }
  return objects.filter((object) => !found.has(object));
}

const reason = (result: BytesResult, url: string) => scrub(result.stderr, url) || `git ended with exit code ${result.code}`;
