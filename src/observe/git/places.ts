import type { VersionScheme } from "../../model/versions.ts";
import type { Graph, Marks } from "./graph.ts";
import { ancestors, branchTip, branchesOf, instantOf, numbersOf, published } from "./graph.ts";
import type { Message } from "./messages.ts";
import { firstTags } from "./tags.ts";
import type { DescribedCommit, GitQuestions } from "./types.ts";

const RELEASE_BRANCHES = ["release*", "stable*", "v[0-9]*", "[0-9]*"];

/** Where landing counts and where releases are made, as the repository has them. */
export interface Places {
  counted: { name: string; sha: string; marks: Marks }[];
  all: Marks;
  releases: { name: string; sha: string; marks: Marks }[];
}

export function placesOf(graph: Graph, questions: GitQuestions): Places {
  const place = (name: string) => {
    const sha = branchTip(graph, name);
    return sha === undefined ? [] : [{ name, sha, marks: ancestors(graph, numbersOf(graph, [sha])) }];
  };
  const patterns = (questions.releaseBranches ?? RELEASE_BRANCHES).map(asExpression);
  const counted = questions.branches.flatMap(place);
  const names = branchesOf(graph).filter((name) => !questions.branches.includes(name) && patterns.some((pattern) => pattern.test(name)));
  return {
    counted,
    all: ancestors(
      graph,
      numbersOf(
        graph,
        counted.map(({ sha }) => sha),
      ),
    ),
    releases: names.sort().flatMap(place),
  };
}

/** `*` stands for any text, `[0-9]` for a digit. */
const asExpression = (pattern: string) => new RegExp(`^${pattern.replace(/[.+^${}()|\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** Says of a commit which counted branches have it, and which tag and release were the first with it. */
export function describer(graph: Graph, places: Places, versions: VersionScheme): (message: Message) => DescribedCommit {
  const own = published(graph);
  const first = firstTags(graph, versions);
  return ({ sha, subject }) => {
    const n = graph.at.get(sha) ?? -1;
    const firstTag = first.any(sha);
    const firstRelease = first.release(sha);
    return {
      subject,
      committedAt: dateOf(graph, sha),
      on: places.counted.filter(({ marks }) => marks[n] === 1).map(({ name }) => name),
      notOn: places.counted.filter(({ marks }) => marks[n] !== 1).map(({ name }) => name),
      ...(own[n] === 1 ? {} : { loose: true }),
      ...(firstTag === undefined ? {} : { firstTag }),
      ...(firstRelease === undefined ? {} : { firstRelease }),
    };
  };
}

/** The release branch a pick is on, else the first tag with it, else the commit itself: a pin made from a branch that is gone. */
export function placeOf(graph: Graph, places: Places, sha: string, describe: (message: Message) => DescribedCommit): string {
  const n = graph.at.get(sha) ?? -1;
  const branch = places.releases.find(({ marks }) => marks[n] === 1)?.name;
  return branch ?? describe({ sha, subject: "", body: "" }).firstTag ?? `the build made from ${sha.slice(0, 10)}`;
}

export const dateOf = (graph: Graph, sha: string): string => instantOf(graph, graph.at.get(sha) ?? 0);
