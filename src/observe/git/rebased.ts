import { firstParents, parentsOf } from "./graph.ts";
import { readMessages } from "./log.ts";
import type { GitQuestions, Mirror } from "./types.ts";

/**
 * The commits a merge by rebase put on the branch, oldest first (field cases A10, B09): the line that ends in the merge commit
 * has the subjects of the pull request's own commits. Otherwise it was a squash or a merge, and one commit stands for all.
 */
export async function readRebased(mirror: Mirror, { rebased = [] }: GitQuestions): Promise<Record<string, string[]>> {
  const { graph } = mirror;
  const lines = rebased.flatMap(({ commit, subjects }) => {
    const tip = graph.at.get(commit);
    if (tip === undefined || subjects.length < 2 || parentsOf(graph, tip).length !== 1) return [];
    const shas = firstParents(graph, tip, subjects.length)
      .map((n) => graph.shas[n] ?? "")
      .toReversed();
    return shas.length === subjects.length ? [{ commit, subjects, shas }] : [];
  });
  const messages = await readMessages(mirror, { from: [...new Set(lines.flatMap(({ shas }) => shas))], only: true });
  const subjectOf = new Map(messages.map(({ sha, subject }) => [sha, subject]));
  return Object.fromEntries(
    lines
      .filter(({ shas, subjects }) => shas.every((sha, n) => subjectOf.get(sha) === subjects[n]))
      .map(({ commit, shas }) => [commit, shas]),
  );
}
