import { type CommitFacts, commitOf, compare, history, refOf, resolveIn } from "../git-data.ts";
import { openGit } from "../git-repository.ts";
import { entryAt, isFolder, readTree, type TreeEntry } from "../git-trees.ts";
import { nodeId } from "../node-id.ts";
import { WEB } from "../rest/context.ts";
import { fullName, type Repo } from "../world.ts";
import { repositoryView } from "./repository-view.ts";
import { actor, connection, type Scene, type View } from "./view.ts";

/** Where GitHub cuts the text of a blob is not documented; the stand does it here. */
const TEXT_LIMIT = 512_000;

export function commitView(scene: Scene, repo: Repo, sha: string): View | null {
  const facts = commitOf(repo, sha);
  return facts ? factsView(scene, repo, facts) : null;
}

export function factsView(scene: Scene, repo: Repo, facts: CommitFacts): View {
  const [headline = "", ...rest] = facts.message.split("\n");
  const of = (sha: string): View | null => commitView(scene, repo, sha);
  const path = `/${fullName(repo)}/commit/${facts.sha}`;
  const person = ({ name, email, date }: CommitFacts["committer"]) => ({ __typename: "GitActor", name, email, date, user: null });
  // GitHub knows no account for a bot here: `GitActor.user` is a User.
  const account = actor(facts.author.login);
  return {
    __typename: "Commit",
    id: nodeId("Commit", repo.id, facts.sha),
    oid: facts.sha,
    abbreviatedOid: facts.sha.slice(0, 7),
    message: facts.message,
    messageHeadline: headline,
    messageBody: rest.join("\n").trim(),
    committedDate: facts.committer.date,
    authoredDate: facts.author.date,
    author: { ...person(facts.author), user: account?.__typename === "User" ? account : null },
    committer: person(facts.committer),
    parents: (args: Record<string, unknown>) => connection(facts.parents, args, of),
    history: (args: Record<string, unknown>) => connection(history(repo, facts.sha, 1000), args, of),
    tree: () => treeView(scene, repo, facts.tree),
    repository: () => repositoryView(scene, repo),
    url: WEB + path,
    commitUrl: WEB + path,
    resourcePath: path,
    commitResourcePath: path,
  };
}

function treeView(scene: Scene, repo: Repo, sha: string): View {
  const entries = (): unknown => {
    if (repo.git === undefined) return [];
    const kind = (entry: TreeEntry): string => (isFolder(entry) ? "tree" : entry.mode === "160000" ? "commit" : "blob");
    return readTree(openGit(repo.git).objects, sha).map((entry) => ({
      __typename: "TreeEntry",
      name: entry.name,
      oid: entry.sha,
      type: kind(entry),
      mode: Number.parseInt(entry.mode, 8),
      object: () => objectView(scene, repo, entry.sha),
    }));
  };
  return { __typename: "Tree", ...common(scene, repo, "Tree", sha), entries };
}

function common(scene: Scene, repo: Repo, kind: string, sha: string) {
  const path = `/${fullName(repo)}/commit/${sha}`;
  return {
    id: nodeId(kind, repo.id, sha),
    oid: sha,
    abbreviatedOid: sha.slice(0, 7),
    repository: () => repositoryView(scene, repo),
    commitUrl: WEB + path,
    commitResourcePath: path,
  };
}

/** Commit, Tree, Blob or Tag by its sha; null when the repository has none. */
export function objectView(scene: Scene, repo: Repo, sha: string): View | null {
  if (repo.git === undefined) return commitView(scene, repo, sha);
  const found = openGit(repo.git).objects.read(sha);
  if (!found) return null;
  if (found.type === "commit") return commitView(scene, repo, sha);
  if (found.type === "tree") return treeView(scene, repo, sha);
  if (found.type === "tag") {
    const [target = "", , name = ""] = found.data
      .toString("utf8")
      .split("\n")
      .map((line) => line.slice(line.indexOf(" ") + 1));
    return { __typename: "Tag", ...common(scene, repo, "Tag", sha), name, message: null, target: () => objectView(scene, repo, target) };
  }
  const binary = found.data.includes(0);
  return {
    __typename: "Blob",
    ...common(scene, repo, "Blob", sha),
    byteSize: found.data.length,
    isBinary: binary,
    isTruncated: found.data.length > TEXT_LIMIT,
    text: binary ? null : found.data.toString("utf8", 0, TEXT_LIMIT),
  };
}

/** `revision` or `revision:path`, as `object(expression:)` takes it. Null means absent or unreachable, as on GitHub. */
export function expressionView(scene: Scene, repo: Repo, expression: string): View | null {
  const colon = expression.indexOf(":");
  const revision = colon < 0 ? expression : expression.slice(0, colon);
  const sha = resolveIn(repo, revision);
  if (sha === undefined) return colon < 0 && /^[0-9a-f]{40}$/.test(expression) ? objectView(scene, repo, expression) : null;
  if (colon < 0) return commitView(scene, repo, sha);
  const commit = commitOf(repo, sha);
  if (!commit || repo.git === undefined) return null;
  const entry = entryAt(openGit(repo.git).objects, commit.tree, expression.slice(colon + 1));
  return entry ? objectView(scene, repo, entry.sha) : null;
}

/** A ref by its full name; null when there is none. */
export function refView(scene: Scene, repo: Repo, name: string): View | null {
  const target = refOf(repo, name);
  if (!target) return null;
  const prefix = /^refs\/[^/]+\//.exec(name)?.[0] ?? "refs/";
  return {
    __typename: "Ref",
    id: nodeId("Ref", repo.id, name),
    name: name.slice(prefix.length),
    prefix,
    target: () => objectView(scene, repo, target.tag ?? target.commit),
    repository: () => repositoryView(scene, repo),
    // This ref is the base; null when the comparison cannot be made.
    compare: ({ headRef }: Record<string, unknown>) => comparisonView(scene, repo, target.commit, String(headRef)),
  };
}

const STATUS = { ahead: "AHEAD", behind: "BEHIND", diverged: "DIVERGED", identical: "IDENTICAL" } as const;

function comparisonView(scene: Scene, repo: Repo, base: string, headName: string): View | null {
  const head = resolveIn(repo, headName);
  const result = head === undefined ? undefined : compare(repo, base, head);
  if (head === undefined || !result) return null;
  return {
    __typename: "Comparison",
    id: nodeId("Comparison", repo.id, base, head),
    status: STATUS[result.status],
    aheadBy: result.ahead,
    behindBy: result.behind,
    baseTarget: () => commitView(scene, repo, base),
    headTarget: () => commitView(scene, repo, head),
    commits: (args: Record<string, unknown>) => connection(result.commits, args, (sha) => commitView(scene, repo, sha)),
  };
}
