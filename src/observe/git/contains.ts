import type { Graph } from "./graph.ts";
import { ancestors, related } from "./graph.ts";
import { resolve } from "./resolve.ts";
import type { Containment, Question, Resolved } from "./types.ts";

/**
 * Answers any number of questions with one walk per distinct `inside`.
 * "No" needs a common ancestor: when history was rewritten, or two commits never had anything to do with each other, the
 * answer is unknown and says so (field case B04). A name that does not resolve is unknown too, never "no".
 */
export function containment(
  graph: Graph,
  questions: readonly Question[],
  explain: (name: string) => string | undefined = () => undefined,
): Containment[] {
  const answers = new Map<Question, Containment>();
  for (const [inside, group] of Map.groupBy(questions, (question) => question.inside)) {
    const target = resolve(graph, inside);
    const targetAt = target.state === "commit" ? graph.at.get(target.sha) : undefined;
    const marks = targetAt === undefined ? undefined : ancestors(graph, [targetAt]);
    const strangers = new Map<number, boolean>();
    for (const question of group) {
      const commit = resolve(graph, question.commit);
      const commitAt = commit.state === "commit" ? graph.at.get(commit.sha) : undefined;
      if (commit.state !== "commit" || target.state !== "commit" || commitAt === undefined || marks === undefined) {
        const why = [problem(question.commit, commit, explain), problem(inside, target, explain)].filter((text) => text !== undefined);
        answers.set(question, { ...question, answer: "unknown", why: why.join("; ") });
        continue;
      }
      const resolved = { commit: commit.sha, inside: target.sha };
      if (marks[commitAt] === 1) {
        answers.set(question, { ...question, answer: "yes", resolved });
        continue;
      }
      const kin = strangers.get(commitAt) ?? related(graph, commitAt, marks);
      strangers.set(commitAt, kin);
      answers.set(
        question,
        kin ? { ...question, answer: "no", resolved } : { ...question, answer: "unknown", why: unrelated(question), resolved },
      );
    }
  }
  return questions.flatMap((question) => answers.get(question) ?? []);
}

const unrelated = ({ commit, inside }: Question) =>
  `${commit} and ${inside} have no common ancestor: the history was rewritten, or they belong to different projects`;

function problem(name: string, found: Resolved, explain: (name: string) => string | undefined): string | undefined {
  return found.state === "commit" ? undefined : (explain(name) ?? found.why);
}
