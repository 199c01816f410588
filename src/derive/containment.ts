import type { Observed } from "../model/shapes/observed.ts";
import type { ContainsAnswer, Question } from "../model/source.ts";
import type { World } from "./facts.ts";

type Asked = Extract<Question, { ask: "contains" }>;

/** A world that notes which pairs of commits were looked up in vain: what a git history could answer. */
export function listening(world: World): { world: World; asked: () => Asked[] } {
  const missed = new Map<string, Asked>();
  const contains: World["facts"]["contains"] = (repo, commit, inside) => {
    const answer = world.facts.contains(repo, commit, inside);
    const full = /^[0-9a-f]{40}$/;
    if (answer === undefined && full.test(commit) && full.test(inside)) {
      missed.set(`${commit} ${inside}`, { ask: "contains", repo: world.facts.canonical(repo), commit, inside });
    }
    return answer;
  };
  return { world: { ...world, facts: { ...world.facts, contains } }, asked: () => [...missed.values()] };
}

/** The observed facts with what a history said of pairs of commits; an ancestry never changes. */
export function withAncestry(observed: Observed, answers: readonly { question: Asked; answer: ContainsAnswer | undefined }[]): Observed {
  const containment = structuredClone(observed.containment);
  for (const { question, answer } of answers) {
    if (answer?.state !== "yes" && answer?.state !== "no") continue;
    const repo = containment[question.repo] ?? {};
    containment[question.repo] = { ...repo, [question.commit]: { ...repo[question.commit], [question.inside]: answer.state } };
  }
  return { ...observed, containment };
}
