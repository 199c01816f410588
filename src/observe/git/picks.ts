import type { Message } from "./messages.ts";
import { pickedFrom, readSubject } from "./messages.ts";

export interface FoundPick {
  of: string;
  commit: string;
  evidence: string;
}

const BACKPORT =
  /^(?:this is (?:a|an) )?(?:automated )?(?:back-?port|cherry[- ]?pick)(?:s|ed|ing)?(?: of| from)?:?(?: pr| pull request)? (?:[\w.-]+\/[\w.-]+)?#(\d+)\b/gim;

/**
 * Commits beside the counted branches that carry a landed change as another commit (field case B07): the change is in a build
 * although its own commit is no ancestor. Told by the same subject with the same pull request number, by a line that says of which
 * pull request it is a backport, or by the trailer of `git cherry-pick -x`, also of a pick of a pick.
 *
 * A pick that is known is asked about like any change (was it taken back?). It stays the pick of the change on a counted branch
 * then, and no twin of other picks.
 *
 * @param beside commits of release branches, tags and pins that no counted branch has
 */
export function findPicks(changes: readonly Message[], beside: readonly Message[]): FoundPick[] {
  const own = new Set(changes.map(({ sha }) => sha));
  const aside = new Set(beside.map(({ sha }) => sha));
  const prefixes = new Map<string, string[]>();
  for (const sha of own) prefixes.set(sha.slice(0, 7), [...(prefixes.get(sha.slice(0, 7)) ?? []), sha]);
  const origin = new Map<string, string>();
  const end = (sha: string) => origin.get(sha) ?? sha;
  const picks: FoundPick[] = [];
  const note = (of: string, commit: string, evidence: string) => {
    if (own.has(commit) && aside.has(of)) return;
    if (picks.some((pick) => pick.of === of && pick.commit === commit)) return;
    picks.push({ of, commit, evidence });
    if (origin.has(commit)) return;
    origin.set(commit, of);
    if (!own.has(commit)) prefixes.set(commit.slice(0, 7), [...(prefixes.get(commit.slice(0, 7)) ?? []), commit]);
  };
  // Changes on a counted branch first: what looks like a pick of a pick is one of the change itself.
  for (const origins of [changes.filter(({ sha }) => !aside.has(sha)), changes.filter(({ sha }) => aside.has(sha))]) {
    const subjects = origins.map((change) => ({ sha: change.sha, ...readSubject(change.subject) }));
    const byPull = Map.groupBy(subjects, (change) => change.own);
    for (const { sha, subject, body } of beside) {
      const { text, numbers } = readSubject(subject);
      for (const number of numbers) {
        for (const change of byPull.get(number) ?? [])
          if (change.text === text) note(end(change.sha), sha, `same subject and pull request number (#${number})`);
      }
      for (const [line, number] of `${subject}\n${body}`.matchAll(BACKPORT)) {
        for (const change of byPull.get(Number(number)) ?? []) note(end(change.sha), sha, `says "${line}"`);
      }
    }
  }
  // By trailer until nothing new is found, because a pick may be of a pick, and the two can be listed in any order.
  const picked = beside.map(({ sha, body }) => ({ sha, from: pickedFrom(body) }));
  for (let before = -1; before < picks.length; ) {
    before = picks.length;
    for (const { sha, from } of picked) {
      for (const named of from) {
        const found = prefixes.get(named.slice(0, 7))?.filter((full) => full.startsWith(named)) ?? [];
        if (found.length !== 1 || found[0] === undefined) continue;
        note(end(found[0]), sha, `trailer "cherry picked from commit ${named.slice(0, 12)}"`);
      }
    }
  }
  return picks;
}
