import { isCostly } from "./client.ts";
import type { GraphqlAnswer } from "./client.ts";
import { GithubFailure } from "./failure.ts";
import type { RepositoryNode, ThreadNode } from "./nodes.ts";
import type { Query } from "./queries.ts";

/** What an answer says about one thread: exactly one of the four, and the repository where it answered. */
export interface Answer {
  node?: ThreadNode;
  repository?: RepositoryNode;
  missing?: "thread" | "repository";
  refused?: string;
  again?: string;
}

/**
 * Sorts a partial answer out by the path of each error (C09): `null` with NOT_FOUND is missing, `null` with a refusal is refused,
 * and `null` for any other reason, or an error anywhere below, says nothing about the thread.
 */
export function answersOf({ places }: Query, { data, errors }: GraphqlAnswer): Map<string, Answer> {
  const at = (...path: string[]) => errors.filter((error) => path.every((part, index) => String(error.path?.[index]) === part));
  const general = errors.find((error) => (error.path?.length ?? 0) === 0);
  if (general)
    throw new GithubFailure(isCostly(general) ? "cost" : "broken", `GitHub's answer has an error: ${general.message ?? general.type}`);
  const answers = new Map<string, Answer>();
  for (const { ref, path } of places.values()) {
    const [repoAlias, alias] = path;
    const repository = data[repoAlias] as (RepositoryNode & Record<string, unknown>) | null | undefined;
    const about = [...at(repoAlias).filter((error) => error.path?.length === 1), ...at(repoAlias, alias)];
    const node = repository?.[alias] as ThreadNode | null | undefined;
    const first = about[0];
    const refused = about.find((error) => error.type === "FORBIDDEN" || error.extensions?.saml_failure === true);
    if (refused) answers.set(ref, { refused: `GitHub refuses it: ${refused.message ?? "no reason given"}` });
    else if (node && about.length === 0) answers.set(ref, { node, repository: repository ?? {} });
    else if (first?.type === "NOT_FOUND" && !repository) answers.set(ref, { missing: "repository" });
    else if (first?.type === "NOT_FOUND" && !node) answers.set(ref, { missing: "thread", repository: repository ?? {} });
    else answers.set(ref, { again: first?.message ?? first?.type ?? "GitHub answered null without a reason" });
  }
  return answers;
}
