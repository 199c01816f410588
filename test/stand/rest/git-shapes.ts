import { type CommitFacts, commitOf } from "../git-data.ts";
import { nodeId } from "../node-id.ts";
import { fullName, type Repo } from "../world.ts";
import { WEB } from "./context.ts";
import { userOrNull } from "./shapes.ts";

/** Commits, refs, tags and branches -> REST objects. */

const person = ({ name, email, date }: { name: string; email: string; date: string }) => ({ name, email, date });
export const verification = (repo: Repo, sha: string) => {
  const verified = repo.verified.includes(sha);
  return { verified, reason: verified ? "valid" : "unsigned", signature: null, payload: null, verified_at: null };
};

/** The commit of the commits endpoints; `git/commits` has the flat shape of `gitCommit`. */
export function commit(api: string, repo: Repo, facts: CommitFacts) {
  const url = `${api}/repos/${fullName(repo)}`;
  const git = gitCommit(api, repo, facts);
  return {
    sha: facts.sha,
    node_id: git.node_id,
    commit: {
      author: git.author,
      committer: git.committer,
      message: facts.message,
      tree: git.tree,
      url: git.url,
      comment_count: 0,
      verification: git.verification,
    },
    url: `${url}/commits/${facts.sha}`,
    html_url: git.html_url,
    comments_url: `${url}/commits/${facts.sha}/comments`,
    author: userOrNull(api, facts.author.login),
    committer: null,
    parents: facts.parents.map((sha) => ({ sha, url: `${url}/commits/${sha}`, html_url: `${WEB}/${fullName(repo)}/commit/${sha}` })),
  };
}

export function gitCommit(api: string, repo: Repo, facts: CommitFacts) {
  const url = `${api}/repos/${fullName(repo)}`;
  const web = `${WEB}/${fullName(repo)}/commit`;
  return {
    sha: facts.sha,
    node_id: nodeId("Commit", repo.id, facts.sha),
    url: `${url}/git/commits/${facts.sha}`,
    html_url: `${web}/${facts.sha}`,
    author: person(facts.author),
    committer: person(facts.committer),
    tree: { sha: facts.tree, url: `${url}/git/trees/${facts.tree}` },
    message: facts.message,
    parents: facts.parents.map((sha) => ({ sha, url: `${url}/git/commits/${sha}`, html_url: `${web}/${sha}` })),
    verification: verification(repo, facts.sha),
  };
}

export function gitRef(api: string, repo: Repo, name: string, target: { commit: string; tag?: string }) {
  const url = `${api}/repos/${fullName(repo)}/git`;
  const [type, sha] = target.tag === undefined ? ["commit", target.commit] : ["tag", target.tag];
  return { ref: name, node_id: nodeId("Ref", repo.id, name), url: `${url}/${name}`, object: { sha, type, url: `${url}/${type}s/${sha}` } };
}

export function tag(api: string, repo: Repo, name: string, sha: string) {
  const url = `${api}/repos/${fullName(repo)}`;
  return {
    name,
    zipball_url: `${url}/zipball/refs/tags/${encodeURIComponent(name)}`,
    tarball_url: `${url}/tarball/refs/tags/${encodeURIComponent(name)}`,
    commit: { sha, url: `${url}/commits/${sha}` },
    node_id: nodeId("Ref", repo.id, `refs/tags/${name}`),
  };
}

export function branch(api: string, repo: Repo, name: string, sha: string) {
  const url = `${api}/repos/${fullName(repo)}/branches/${encodeURIComponent(name)}`;
  const facts = commitOf(repo, sha);
  if (!facts) throw new Error(`${name} points at ${sha}, which ${fullName(repo)} does not have`);
  const guarded = repo.protections[name] !== undefined;
  return {
    name,
    commit: commit(api, repo, facts),
    _links: { self: url, html: `${WEB}/${fullName(repo)}/tree/${name}` },
    protected: guarded,
    protection: { enabled: guarded },
    protection_url: `${url}/protection`,
  };
}
