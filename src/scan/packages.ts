import type { PinUse } from "./found.ts";

type Named = Pick<PinUse, "kind" | "name" | "value">;

/** Python's normal form of a package name (PEP 503). */
export const pypiName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

const EXACT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*===?\s*([A-Za-z0-9.!+_-]+)\s*(?:[;,#\s].*)?$/;
const GIT = /(?:^|\s|@\s*)git\+(?:https?|ssh):\/\/(?:[^@/\s]+@)?([\w.-]+)\/([\w.-]+\/[\w.-]+?)(?:\.git)?@([\w./+-]+?)(?:#.*)?$/;

/** `name==1.2`, `name[extra]==1.2; marker`, `name @ git+https://github.com/o/r@sha`. A range or a wildcard pins nothing. */
export function pythonRequirement(text: string): Named | undefined {
  const git = GIT.exec(text);
  if (git) return { kind: git[1] === "huggingface.co" ? "hf" : "git", name: git[2] ?? "", value: git[3] ?? "" };
  const exact = EXACT.exec(text);
  if (!exact || /[*]/.test(text)) return undefined;
  return { kind: "pypi", name: pypiName(exact[1] ?? ""), value: exact[2] ?? "" };
}

const NPM = /^((?:@[a-z0-9._~-]+\/)?[a-z0-9._~-]+)@(\d+\.\d+\.\d+[\w.+-]*)$/i;

/** `name@1.2.3`, `@scope/name@1.2.3`. */
export function npmRequirement(text: string): Named | undefined {
  const match = NPM.exec(text);
  return match ? { kind: "npm", name: match[1] ?? "", value: match[2] ?? "" } : undefined;
}

/** `https://github.com/owner/name.git`, `git@github.com:owner/name`: the repository and where it lives. */
export function repositoryOf(url: string): { kind: "git" | "hf"; name: string } | undefined {
  const match =
    /(?:^|[/@.])(github\.com|gitlab\.com|huggingface\.co|hf\.co)[:/](?:datasets\/|spaces\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url);
  if (!match) return undefined;
  return { kind: /^h/.test(match[1] ?? "") ? "hf" : "git", name: match[2] ?? "" };
}

/** A commit, or a tag that names a version or a build; a branch pins nothing. */
export const isRevision = (text: string): boolean =>
  /^[0-9a-f]{7,40}$/.test(text) || /^v?\d+(\.\d+)+[\w.+-]*$/.test(text) || /^b\d{3,}$/.test(text);
