import type { GitFile, Observed } from "../model/shapes/observed.ts";
import type { Change } from "./change.ts";
import { changesBetween, same } from "./change.ts";

/** Every field of every fact that is not what it was, with where the new value was read. */
export function changesOf(before: Observed, after: Observed): Change[] {
  return [
    ...threadChanges(before, after),
    ...historyChanges(before, after),
    ...containmentChanges(before, after),
    ...artifactChanges(before, after),
  ];
}

function between(ref: string, was: object | undefined, is: object, proof: string): Change[] {
  return same(was, is) ? [] : changesBetween(ref, was, is, proof);
}

function threadChanges(before: Observed, after: Observed): Change[] {
  return Object.entries(after.github).flatMap(([repo, file]) => {
    const known = before.github[repo];
    const threads = Object.entries(file.threads).flatMap(([number, thread]) =>
      between(`${repo}#${number}`, known?.threads[number], thread, thread.url ? `${thread.source}, ${thread.url}` : thread.source),
    );
    return [...between(repo, known?.repository, file.repository, file.repository.source), ...threads];
  });
}

function historyChanges(before: Observed, after: Observed): Change[] {
  return Object.entries(after.git).flatMap(([repo, file]) => {
    const known = before.git[repo];
    return [
      ...Object.entries(file.tags).flatMap(([tag, fact]) => between(`${repo}@${tag}`, known?.tags[tag], fact, fact.source)),
      ...Object.entries(file.commits).flatMap(([sha, fact]) => between(`${repo}@${sha}`, known?.commits[sha], fact, fact.source)),
      ...listChanges(repo, "reverts", known?.reverts ?? [], file.reverts),
      ...listChanges(repo, "picks", known?.picks ?? [], file.picks),
    ];
  });
}

type Found = GitFile["reverts"][number] | GitFile["picks"][number];

function listChanges(repo: string, field: "reverts" | "picks", was: readonly Found[], is: readonly Found[]): Change[] {
  if (same(was, is)) return [];
  const lacks = (list: readonly Found[], one: Found) => !list.some((other) => same(one, other));
  const change = (one: Found, from: Found | null, to: Found | null, proof: string): Change => ({
    ref: `${repo}@${one.of}`,
    field,
    from,
    to,
    proof,
  });
  return [
    ...is.filter((one) => lacks(was, one)).map((one) => change(one, null, one, one.evidence)),
    ...was.filter((one) => lacks(is, one)).map((one) => change(one, one, null, "the history does not show it any more")),
  ];
}

function containmentChanges(before: Observed, after: Observed): Change[] {
  return Object.entries(after.containment).flatMap(([repo, commits]) =>
    Object.entries(commits).flatMap(([commit, places]) => {
      const known = before.containment[repo]?.[commit];
      return Object.entries(places)
        .filter(([inside, answer]) => known?.[inside] !== answer)
        .map(
          ([inside, answer]): Change => ({
            ref: `${repo}@${commit}`,
            field: `in ${inside}`,
            from: known?.[inside] ?? null,
            to: answer,
            proof: `git history of ${repo}`,
          }),
        );
    }),
  );
}

const artifactChanges = (before: Observed, after: Observed): Change[] =>
  Object.entries(after.registry).flatMap(([key, entry]) => between(key, before.registry[key], entry, entry.source));
