import { gitRunner } from "./git-host.ts";

/** `owner/repo` of the GitHub remote a folder's repository was cloned from; undefined without one. */
export async function ownRepo(folder: string): Promise<string | undefined> {
  const url = await gitLine(folder, ["config", "--get", "remote.origin.url"]);
  return url === undefined ? undefined : repoOfRemote(url);
}

/** `git@github.com:o/r.git`, `https://github.com/o/r` and `ssh://git@github.com/o/r` all name `o/r`. */
export function repoOfRemote(url: string): string | undefined {
  return /github\.com(?::\d+)?[:/]+([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(url.trim())?.[1];
}

/** Day of the last commit of a file, YYYY-MM-DD; undefined when git does not know it. */
export async function lastCommitDay(folder: string, file: string): Promise<string | undefined> {
  const day = await gitLine(folder, ["log", "-1", "--format=%cs", "--", file]);
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
}

/** First line of what git prints; undefined when there is no git, no repository or no answer. */
async function gitLine(cwd: string, args: string[]): Promise<string | undefined> {
  const { code, stdout } = await gitRunner()(args, { cwd });
  const line = stdout.split("\n")[0]?.trim() ?? "";
  return code === 0 && line !== "" ? line : undefined;
}
