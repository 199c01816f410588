import { spawn } from "node:child_process";
import type { IncomingMessage } from "node:http";
import { basename, dirname } from "node:path";
import { type Caller, refusalToWrite, sightOf } from "./access.ts";
import type { Prepared } from "./respond.ts";
import { findRepo, fullName, type World } from "./world.ts";

const PATH = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** Is it a path of git's smart HTTP protocol (`/owner/name.git/info/refs` and so on)? */
export const isGitPath = (path: string): boolean => PATH.test(path);

/**
 * Answers one request of a git client with `git http-backend`. Partial clones and fetching any commit by sha are
 * allowed, as on GitHub; a hidden repository asks for a login, a renamed one redirects.
 */
export async function answerGit(
  world: World,
  caller: Caller,
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  protectedRefs: (name: string) => string[],
): Promise<Prepared> {
  const [, owner = "", name = "", service = ""] = PATH.exec(url.pathname) ?? [];
  const plain = (status: number, text: string, headers: Record<string, string> = {}): Prepared => ({
    status,
    headers: { "content-type": "text/plain", ...headers },
    body: Buffer.from(`${text}\n`),
  });
  const repo = findRepo(world, `${owner}/${name}`);
  const sight = sightOf(repo, caller);
  if (!repo || sight === "not-found") {
    return caller.grant
      ? plain(404, "Repository not found.")
      : plain(401, "Repository not found.", { "www-authenticate": 'Basic realm="GitHub"' });
  }
  if (sight === "blocked") return plain(403, "Access to this repository has been disabled by GitHub staff.");
  if (`${owner}/${name}`.toLowerCase() !== fullName(repo).toLowerCase()) {
    return plain(301, "Moved", { location: `/${fullName(repo)}.git/${service}${url.search}` });
  }
  if (repo.git === undefined) return plain(404, "Repository not found.");
  const pushes = service === "git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  const refusal = pushes ? refusalToWrite(repo, caller) : undefined;
  if (refusal) return plain(refusal.status === 404 ? 403 : refusal.status, refusal.message, { "www-authenticate": 'Basic realm="GitHub"' });
  return await backend(
    repo.git,
    {
      GIT_PROJECT_ROOT: dirname(repo.git),
      PATH_INFO: `/${basename(repo.git)}/${service}`,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method ?? "GET",
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"]?.toString() ?? "",
      GIT_PROTOCOL: request.headers["git-protocol"]?.toString() ?? "",
      REMOTE_USER: caller.grant?.login ?? "",
      STAND_PROTECTED: protectedRefs(fullName(repo)).join(" "),
      // Set here too, for bare repositories that a test made with git itself.
      GIT_CONFIG_COUNT: "3",
      GIT_CONFIG_KEY_0: "uploadpack.allowFilter",
      GIT_CONFIG_VALUE_0: "true",
      GIT_CONFIG_KEY_1: "uploadpack.allowAnySHA1InWant",
      GIT_CONFIG_VALUE_1: "true",
      GIT_CONFIG_KEY_2: "safe.directory",
      GIT_CONFIG_VALUE_2: "*",
    },
    body,
  );
}

function backend(cwd: string, env: Record<string, string>, body: Buffer): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["http-backend"], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdin.on("error", () => {}); // A backend that has read enough closes its end.
    child.on("error", reject);
    child.on("close", () => {
      const all = Buffer.concat(out);
      const split = all.indexOf("\r\n\r\n");
      if (split < 0) return reject(new Error(`git http-backend: ${Buffer.concat(errors)}`));
      const headers: Record<string, string> = {};
      for (const line of all.toString("latin1", 0, split).split("\r\n"))
        headers[line.slice(0, line.indexOf(":")).toLowerCase()] = line.slice(line.indexOf(":") + 1).trim();
      const status = Number(headers.status?.slice(0, 3) ?? 200);
      delete headers.status;
      resolve({ status, headers, body: all.subarray(split + 4) });
    });
    child.stdin.end(body);
  });
}
