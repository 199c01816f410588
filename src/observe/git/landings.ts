import type { Graph } from "./graph.ts";
import { instantOf } from "./graph.ts";
import type { Message } from "./messages.ts";
import { readSubject } from "./messages.ts";
import type { LandingEvidence, LandingRule } from "./types.ts";

/** What a message must contain to be worth reading for these pull requests, as extended regular expressions. */
export const landingLines = (pulls: readonly number[]): string[] =>
  // In slices, because one expression with thousands of numbers is slower than several.
  Array.from({ length: Math.ceil(pulls.length / 200) }, (_, slice) => {
    const numbers = pulls.slice(slice * 200, slice * 200 + 200).join("|");
    return `(#|/pull/)(${numbers})($|[^0-9])`;
  });

const TRAILER =
  /^(?:pull request resolved|pr-url|copybara_integrate_review|imported from github pr|github-pull-request)\s*[:=]?\s*https?:\/\/[^\s/]+\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)\b/i;
const MERGE = /^(?:merge pull request (?:'.*' \()?|merge (?:pr )?|auto merge of |rollup merge of )(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/i;
const CLOSES = /^closes?:? +(?:([\w.-]+\/[\w.-]+))?#(\d+)\b/i;

/**
 * Commits on a counted branch that carry the number of a pull request: the only proof of a landing where a bot or a maintainer
 * pushed the change and the host says "closed" (field cases A01, A02, A04, A05). The hashes of the pull request's own commits
 * are never looked for: a squash or a rebase changes them.
 *
 * @param messages commits of the branch, newest first; the oldest that fits is the landing, later ones are relands
 */
export function findLandings(
  graph: Graph,
  names: readonly string[],
  branch: string,
  pulls: readonly number[],
  messages: readonly Message[],
): LandingEvidence[] {
  const wanted = new Set(pulls);
  const found = new Map<number, LandingEvidence>();
  for (const message of messages.toReversed()) {
    const n = graph.at.get(message.sha);
    for (const { pull, rule, line } of n === undefined ? [] : claims(message, names)) {
      if (!wanted.has(pull) || found.has(pull) || n === undefined) continue;
      found.set(pull, { pull, commit: message.sha, on: branch, at: instantOf(graph, n), evidence: line, rule });
    }
  }
  return [...found.values()].sort((a, b) => a.pull - b.pull);
}

function claims({ subject, body }: Message, names: readonly string[]): { pull: number; rule: LandingRule; line: string }[] {
  const ours = (repo: string | undefined) => repo === undefined || names.some((name) => name.toLowerCase() === repo.toLowerCase());
  const mine = readSubject(subject).own ?? /^PR #(\d+): /.exec(subject)?.[1];
  if (mine !== undefined) return [{ pull: Number(mine), rule: "squash", line: subject }];
  const merge = MERGE.exec(subject);
  if (merge && ours(merge[1])) {
    // bors merges several at once: "Merge #12 #13".
    const others = /^merge((?: #\d+)+)$/i.exec(subject)?.[1]?.match(/\d+/g) ?? [merge[2]];
    return others.map((pull) => ({ pull: Number(pull), rule: "merge", line: subject }));
  }
  const lines = body.split("\n").map((line) => line.trim());
  const read = (form: RegExp, rule: LandingRule) =>
    lines.flatMap((line) => {
      const match = form.exec(line);
      return match && ours(match[1]) ? [{ pull: Number(match[2]), rule, line }] : [];
    });
  const trailers = read(TRAILER, "trailer");
  return trailers.length > 0 ? trailers : read(CLOSES, "closes");
}
