import { askGit } from "./git/ask.ts";
import { compareCommits } from "./git/compare.ts";
import { openMirror } from "./git/mirror.ts";
import type { Containment, Mirror, MirrorHost } from "./git/types.ts";
import { cloneUrl } from "./git/url.ts";
import type { AskHistory, HistoryAnswers } from "./histories.ts";
import type { Look } from "./look.ts";
import type { Request } from "./net.ts";

export interface GitOptions {
  host: MirrorHost;
  /** Where `owner/name` is cloned from. */
  base: string;
  offline: boolean;
  /** Called before the network is used; false when the run has nothing left to spend. */
  spend: () => boolean;
}

const FULL = /^[0-9a-f]{40}$/;

/**
 * Containment without git, one request a pair; tags, reverts and twins on release branches are not looked for.
 * @param request to the GitHub of the upstreams
 */
export function comparedHistories(request: Request): AskHistory {
  return async ({ repo, open, url }): Promise<Look<HistoryAnswers>> => {
    if (url !== undefined)
      return { state: "failed", why: `The history of ${repo} cannot be read without git: it is not on GitHub. Install git.` };
    const containment: Containment[] = [];
    for (const { commit, inside } of open) {
      const look = await compareCommits(request, repo, { commit, inside });
      const answer =
        look.state === "seen"
          ? look.value
          : { commit, inside, answer: "unknown" as const, why: look.state === "unchanged" ? undefined : look.why };
      containment.push({ ...answer, ...(FULL.test(commit) && FULL.test(inside) ? { resolved: { commit, inside } } : {}) });
    }
    const nothing = { tags: {}, branches: {}, resolved: {}, commits: {}, picks: [], reverts: [], landings: [] };
    return { state: "seen", source: `GitHub's comparisons in ${repo}`, value: { ...nothing, containment, partial: true } };
  };
}

/** The mirror of one repository, with these commits if the upstream has them at all. */
export type MirrorOf = (repo: string, url: string | undefined, commits: readonly string[]) => Promise<Look<Mirror>>;

/** Mirrors on this machine. Each is brought up to date once a run, and again when a commit is wanted that it lacks. */
export function mirrorsOf({ host, base, offline, spend }: GitOptions): MirrorOf {
  const mirrors = new Map<string, Mirror>();
  // A host that did not answer is not waited for again and again within a run.
  const failures = new Map<string, Look<Mirror>>();
  return async (repo, address, commits) => {
    const url = address ?? cloneUrl(repo, base);
    const failure = failures.get(url);
    if (failure) return failure;
    const known = mirrors.get(url);
    if (known && (known.stale !== undefined || commits.every((sha) => known.graph.at.has(sha) || known.missing[sha] !== undefined))) {
      return { state: "seen", value: known, source: `git history of ${known.url}` };
    }
    if (!offline && !spend()) return { state: "failed", why: `${repo}: the requests this run was allowed are used up` };
    const look = await openMirror(host, url, { offline, commits: [...new Set(commits)] });
    if (look.state === "seen") mirrors.set(url, look.value);
    else failures.set(url, look);
    return look;
  };
}

/** Histories read from mirrors. */
export function gitHistories(mirrorOf: MirrorOf): AskHistory {
  return async (asked): Promise<Look<HistoryAnswers>> => {
    const commits = [...asked.targets, ...asked.landings, ...asked.commits].filter((name) => FULL.test(name));
    const mirror = await mirrorOf(asked.repo, asked.url, commits);
    if (mirror.state !== "seen") return mirror;
    const { names, branches, versions, targets, tags, pulls } = asked;
    const answers = await askGit(mirror.value, {
      names,
      branches,
      versions,
      commits: [...new Set([...asked.commits, ...asked.landings])],
      targets: [...new Set([...targets, ...tags.filter((tag) => mirror.value.graph.refs.has(`refs/tags/${tag}`))])],
      pulls,
    });
    if (answers.state !== "seen") return answers;
    const { stale } = mirror.value;
    return { ...answers, value: { ...answers.value, ...(stale === undefined ? {} : { stale }) } };
  };
}
