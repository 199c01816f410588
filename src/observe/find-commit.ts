import { resolve } from "./git/resolve.ts";
import type { MirrorOf } from "./git-histories.ts";
import type { Look } from "./look.ts";

export interface FoundCommit {
  sha: string;
  by: "hash" | "tag" | "branch";
}

/** The commit that a hash, a short hash or a tag means in a project; `repos` are the names it has and had. */
export type FindCommit = (repos: readonly string[], name: string) => Promise<Look<FoundCommit>>;

/** Looks in mirrors. Gone: the repository was read and has no such commit or tag; an ambiguous hash is as good as none. */
export function commitFinder(mirrorOf: MirrorOf): FindCommit {
  return async (repos, name) => {
    const [repo] = repos;
    if (repo === undefined) return { state: "failed", why: `no repository is known in which ${name} could be looked up` };
    const look = await mirrorOf(repo, undefined, /^[0-9a-f]{40}$/.test(name) ? [name] : []);
    if (look.state !== "seen") return look;
    const found = resolve(look.value.graph, name);
    if (found.state === "commit") return { state: "seen", value: { sha: found.sha, by: found.by }, source: look.source };
    if (found.state === "absent" && look.value.stale !== undefined) return { state: "failed", why: `${repo}: ${look.value.stale}` };
    return { state: "gone", what: "commit", why: `${repo}: ${found.why}`, source: look.source };
  };
}
