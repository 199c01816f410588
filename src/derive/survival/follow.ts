import type { ChangedFile, Version } from "../../model/source.ts";
import { lossOf, removal } from "./loss.ts";
import type { Loss } from "./loss.ts";
import { linkEnd, outside } from "./paths.ts";
import { similarity } from "./similar.ts";
import type { History } from "./sites.ts";
import type { Sources } from "./sources.ts";

/** Files below this share of common lines are not taken for the renamed one; git's own limit. */
export const ALIKE = 0.5;
/** Candidates whose text is compared, the likeliest first. */
const CANDIDATES = 40;
const HOPS = 5;

/** A target's text at a commit, or why there is none. */
export type Found =
  | { state: "text"; path: string; blob: string; text: string; link?: string }
  | { state: "gone"; since: Loss | undefined }
  | { state: "renamed"; path: string; text: string; since: Loss; how: string; steps: Renaming[] }
  | { state: "unusable"; why: string }
  | { state: "unknown"; why: string };

export interface Renaming {
  from: string;
  to: string;
  commit: string;
}

/** Reads a target, through a symbolic link inside the repository, or where a rename took it. Undefined: a question is open. */
export function findTarget(sources: Sources, repo: string, commit: string, path: string): Found | undefined {
  const bad = outside(path);
  if (bad !== undefined) return { state: "unusable", why: `${path} is no target: ${bad}` };
  const answer = sources.file(repo, commit, path);
  if (answer === undefined) return undefined;
  switch (answer.state) {
    case "text":
      return { state: "text", path, blob: answer.blob, text: answer.text };
    case "absent":
      return whereWent(sources, repo, commit, path);
    case "binary":
      return { state: "unusable", why: `${path} is a binary file` };
    case "huge":
      return { state: "unknown", why: `${path} is too large to be read (${answer.bytes} bytes)` };
    case "folder":
      return { state: "unusable", why: `${path} is a folder` };
    case "failed":
      return { state: "unknown", why: answer.why };
    case "link": {
      const end = linkEnd(path, answer.to);
      if (end === undefined)
        return { state: "unusable", why: `${path} is a symbolic link that leads out of the repository (${answer.to})` };
      const behind = sources.file(repo, commit, end);
      if (behind === undefined) return undefined;
      if (behind.state !== "text") return { state: "unknown", why: `${path} is a symbolic link to ${end}, which is no text file` };
      return { state: "text", path: end, blob: behind.blob, text: behind.text, link: end };
    }
  }
}

function whereWent(sources: Sources, repo: string, commit: string, path: string): Found | undefined {
  const steps: Renaming[] = [];
  let at = path;
  let since: Loss | undefined;
  let how = "";
  for (let hop = 0; hop < HOPS; hop++) {
    const next = nextName(sources, repo, commit, at);
    if (next === undefined) return undefined;
    since ??= next.since;
    if (next.to === undefined) return { state: "gone", since };
    how ||= next.how;
    steps.push({ from: at, to: next.to, commit: next.since?.commit ?? "" });
    at = next.to;
    const there = sources.file(repo, commit, at);
    if (there === undefined) return undefined;
    if (there.state === "text" && since) return { state: "renamed", path: at, text: there.text, since, how, steps };
    if (there.state !== "absent") break;
  }
  return { state: "gone", since };
}

interface Hop {
  since: Loss | undefined;
  to: string | undefined;
  how: string;
}

/** Where the change that removed a file put its content: an added file with the same blob, else the one most alike. */
function nextName(sources: Sources, repo: string, commit: string, path: string): Hop | undefined {
  const history = sources.history(repo, commit, path);
  if (history === undefined) return undefined;
  const since = history.state === "seen" ? removal(history.versions) : undefined;
  const nowhere: Hop = { since, to: undefined, how: "" };
  if (!since) return nowhere;
  const change = sources.change(repo, since.commit);
  if (change === undefined) return undefined;
  if (change.state === "failed") return nowhere;
  const before = change.files.find((file) => file.path === path)?.before;
  if (before === null || before === undefined) return nowhere;
  const added = likeliest(change.files, path);
  const same = added.find((file) => file.after === before);
  if (same) return { since, to: same.path, how: "the same content" };
  const blobs = [before, ...added.map((file) => file.after ?? "")];
  sources.want(blobs.map((blob) => ({ ask: "blob", repo, blob })));
  const texts = blobs.map((blob) => sources.blob(repo, blob));
  if (texts.some((text) => text === undefined)) return undefined;
  const [old, ...candidates] = texts.map((text) => (text?.state === "text" ? text.text : undefined));
  if (old === undefined) return nowhere;
  const scored = candidates
    .map((text, index) => ({ path: added[index]?.path, score: text === undefined ? 0 : similarity(old, text) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best || best.score < ALIKE) return nowhere;
  return { since, to: best.path, how: `${Math.round(best.score * 100)} % of its lines` };
}

/** Files the change added, of the same kind, the same name first. */
function likeliest(files: readonly ChangedFile[], path: string): ChangedFile[] {
  const name = path.split("/").at(-1) ?? path;
  const kind = /\.[^.]+$/.exec(name)?.[0] ?? "";
  const rank = (file: ChangedFile) => (file.path.endsWith(`/${name}`) || file.path === name ? 0 : 1);
  return files
    .filter((file) => file.before === null && file.after !== null && file.path.endsWith(kind))
    .sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
    .slice(0, CANDIDATES);
}

/** A file's history up to a commit, continued under the names it had before. Undefined: a question is open. */
export function historyOf(sources: Sources, repo: string, commit: string, path: string, steps: readonly Renaming[] = []): History {
  let versions: Version[] = [];
  let whole = true;
  for (const { name, until } of names(path, steps)) {
    const history = sources.history(repo, commit, name);
    if (history === undefined) return undefined;
    if (history.state === "failed") return { failed: history.why };
    const start = until === undefined ? 0 : history.versions.findIndex((version) => version.commit === until) + 1;
    versions = [...versions, ...history.versions.slice(start)];
    whole = history.whole;
  }
  return { versions, whole };
}

/** The names of a file, the present one first, each with the change up to which the next one speaks. */
function names(path: string, steps: readonly Renaming[]): { name: string; until: string | undefined }[] {
  return [{ name: path, until: undefined }, ...[...steps].reverse().map(({ from, commit }) => ({ name: from, until: commit }))];
}

/** Changes of a file that one commit's history has and another's has not, newest first. */
export function changesSince(
  sources: Sources,
  repo: string,
  base: string,
  commit: string,
  path: string,
): Loss[] | { failed: string } | undefined {
  const [now, then] = [sources.history(repo, commit, path), sources.history(repo, base, path)];
  if (now === undefined || then === undefined) return undefined;
  if (now.state === "failed") return { failed: now.why };
  if (then.state === "failed") return { failed: then.why };
  const old = new Set(then.versions.map((version) => version.commit));
  return now.versions.filter((version) => !old.has(version.commit)).map(lossOf);
}
