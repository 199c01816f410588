import type { Answer, OwnAnswer, Question } from "../model/source.ts";
import { keyOf } from "../model/source.ts";

/** One way to read source trees: a git mirror, or GitHub's API in batches. */
export interface SourceProvider {
  name: string;
  /** Answers questions about one repository. A question it cannot answer is left out, or answered as failed. */
  answer: (repo: string, questions: readonly Question[]) => Promise<Map<string, Answer>>;
}

/** A file of the stack itself. */
export type ReadOwn = (path: string) => Promise<OwnAnswer>;

/**
 * Answers questions to source trees: each provider gets what those before it could not answer, so a mirror that has no network
 * may still be helped out by the API, and the other way round. What nobody could answer is failed, with every reason.
 * @returns an answer for every question, by {@link keyOf}
 */
export async function answerSources(
  providers: readonly SourceProvider[],
  own: ReadOwn,
  questions: readonly Question[],
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const byRepo = new Map<string, Question[]>();
  for (const question of questions) {
    if (question.ask === "own") answers.set(keyOf(question), await own(question.path));
    else byRepo.set(question.repo, [...(byRepo.get(question.repo) ?? []), question]);
  }
  for (const [repo, all] of byRepo) {
    const reasons = new Map<string, string[]>();
    let open: readonly Question[] = all;
    for (const provider of providers) {
      if (open.length === 0) break;
      const found = await provider.answer(repo, open);
      for (const question of open) {
        const key = keyOf(question);
        const answer = found.get(key);
        if (answer && answer.state !== "failed") answers.set(key, answer);
        else if (answer) reasons.set(key, [...(reasons.get(key) ?? []), answer.why]);
      }
      open = open.filter((question) => !answers.has(keyOf(question)));
    }
    for (const question of open) {
      const why = reasons.get(keyOf(question))?.join("; ");
      answers.set(keyOf(question), { state: "failed", why: why ?? `the source of ${repo} is not here, and this run could not fetch it` });
    }
  }
  return answers;
}
