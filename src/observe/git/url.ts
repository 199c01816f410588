/** Clone URLs: recognised, shown without credentials, and turned into folder names. */

const URL_FORM = /^(?:(?:https?|ssh|git|file):\/\/\S+|\/\S+|[\w.-]+@[\w.-]+:\S+)$/;

/** A repository on GitHub by `owner/name`, or a URL as it is. */
export const cloneUrl = (repository: string, base = "https://github.com"): string =>
  /^[\w.-]+\/[\w.-]+$/.test(repository) ? `${base}/${repository}.git` : repository;

/** Refuses `ext::` and everything else that makes git run commands or read options. */
export const isGitUrl = (url: string): boolean => URL_FORM.test(url);

/** The folder of a repository on this machine, or undefined. */
export const localPath = (url: string): string | undefined => (url.startsWith("/") ? url : /^file:\/\/(\/.*)$/.exec(url)?.[1]);

export const withoutCredentials = (text: string): string => text.replace(/(https?:\/\/)[^/\s@]*@/g, "$1");

/** The telling line of what git said, without credentials, short enough for a row. */
export function scrub(stderr: string, url: string): string {
  const lines = stderr
    .replaceAll(url, withoutCredentials(url))
    .split("\n")
    .map((line) => withoutCredentials(line).trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const telling = lines.filter((line) => /^(fatal|error|remote):/.test(line));
  return ((telling.length > 0 ? telling.slice(0, 2).join("; ") : lines.at(-1)) ?? "").slice(0, 300);
}

/** First 16 hex digits of the text's SHA-256. */
export async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A readable name and a digest, so that two URLs never share a folder and no name is too long for a file system. */
export async function folderOf(url: string): Promise<string> {
  const readable = url
    .replace(/^[a-z]+:\/\//, "")
    .replace(/\.git$/, "")
    .replace(/[^A-Za-z0-9.-]+/g, "+")
    .slice(-60);
  return `${readable}.${await digestOf(url)}`;
}
