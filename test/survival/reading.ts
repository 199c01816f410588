import type { Answer, OwnAnswer, Question } from "../../src/model/source.ts";
import { gitSource } from "../../src/observe/git/source.ts";
import { answerSources } from "../../src/observe/source.ts";
import type { World } from "../../src/derive/facts.ts";
import type { PatchJudgement } from "../../src/derive/survival/judgement.ts";
import { nothingKnown } from "../../src/derive/survival/sources.ts";
import { sha256 } from "../../scripts/hash.ts";
import { sourceHost, surveyed } from "../../scripts/sources.ts";
import type { ShortStack } from "../world.ts";
import { worldFrom } from "../world.ts";

/** Reads repositories below a folder as if they were on a host, and the stack's own files from a record. */
export function readerOf(hosted: string, cache: string, own: Record<string, string> = {}, offline = false) {
  const requests: Question[] = [];
  const git = gitSource({ ...sourceHost(cache, `file://${hosted}`), say: undefined }, { offline });
  const read = async (path: string): Promise<OwnAnswer> => {
    const text = own[path];
    return text === undefined ? { state: "absent" } : { state: "text", text };
  };
  const reader = async (questions: readonly Question[]): Promise<Map<string, Answer>> => {
    requests.push(...questions);
    return answerSources([git], read, questions);
  };
  return { reader, requests };
}

/** A stack with one upstream `u/r`, one patch and pins by name and commit. */
export function stackWith(patch: Record<string, unknown>, pins: Record<string, string>, more: ShortStack = {}): World {
  return worldFrom({
    pins: Object.fromEntries(Object.entries(pins).map(([id, commit]) => [id, { commit, artifact: `oci:example.org/up:${id}` }])),
    patches: { it: { delivery: "sidecar", ...patch } },
    ...more,
  });
}

/** Judges the patch `it` at every given commit. */
export async function judgeAt(
  world: World,
  reader: (questions: readonly Question[]) => Promise<Map<string, Answer>>,
  commits: readonly string[],
  repo = "u/r",
): Promise<PatchJudgement[]> {
  const cases = commits.map((commit) => ({ patch: "it", place: { repo, commit, pins: [] } }));
  return (await surveyed(world, reader, cases, nothingKnown(sha256))).judgements;
}
