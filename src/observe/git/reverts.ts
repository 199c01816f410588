import type { Graph, Marks } from "./graph.ts";
import { ancestors, instantOf } from "./graph.ts";
import type { Mention, Message, Subject } from "./messages.ts";
import { readSubject, relandOf, revertOf } from "./messages.ts";

export interface FoundRevert {
  commit: string;
  /** The commit it takes back: a change, or a reland of one. */
  of: string;
  at: string;
  evidence: string;
  relandedBy?: string;
}

interface Known extends Message {
  n: number;
  parsed: Subject;
  /** A revert's own entry; undefined for a change. */
  takesBack?: FoundRevert;
}

/** Lines that a message of a revert or a reland has, as extended regular expressions: what is worth reading. */
export const REVERT_LINES = [
  String.raw`^(\[revert\]|reverts?[ :!("])`,
  "^this reverts ",
  String.raw`^(this )?\[?re-?(land|appl|commit|do[] ])`,
];

/**
 * The reverts of some changes, and what brought each back: the net state along history, oldest first (field case A18).
 * A revert of a revert, "Reland X", "Reapply X" and the same subject a second time bring a change back. A mention counts only
 * when what it names is an ancestor of the commit that makes it: a hash within a squashed message that never was on the branch
 * takes nothing back.
 *
 * @param changes landed commits and their cherry-picks on release branches
 * @param candidates commits whose messages may tell of a revert or a reland, in any order
 * @param counted the commits of the branches where landing counts
 */
export function findReverts(
  graph: Graph,
  names: readonly string[],
  changes: readonly Message[],
  candidates: readonly Message[],
  counted: Marks,
): FoundRevert[] {
  // What is brought back on a release branch alone is still missing where the revert is.
  const bringBack = (revert: FoundRevert, message: Known, how: string) => {
    const elsewhere = counted[graph.at.get(revert.commit) ?? -1] === 1 && counted[message.n] !== 1;
    if (revert.relandedBy !== undefined || elsewhere) return;
    revert.relandedBy = message.sha;
    revert.evidence += `; brought back by "${message.subject}", which ${how}`;
    if (!known.some((one) => one.sha === message.sha && one.takesBack === undefined)) known.push(message);
  };
  const known: Known[] = changes.flatMap((change) => knownAs(graph, change) ?? []);
  const reverts: FoundRevert[] = [];
  // With those among the changes: a revert that is known is asked about itself (is it in the pin?), and stays what it is.
  const later = candidates.flatMap((message) => knownAs(graph, message) ?? []).sort((a, b) => b.n - a.n);
  for (const message of new Map(later.map((one) => [one.sha, one])).values()) {
    const back = revertOf(message, names);
    if (back) {
      for (const { target, how } of meant(graph, known, message, back)) {
        if (target.takesBack) bringBack(target.takesBack, message, how);
        else takeBack(graph, target, message, how, known, reverts);
      }
      continue;
    }
    const again = relandOf(message, names);
    const named = again ? meant(graph, known, message, again) : [];
    for (const { target, how } of named) {
      const revert = target.takesBack ?? standing(graph, reverts, target.sha, message);
      if (revert) bringBack(revert, message, how);
    }
    if (named.length === 0) {
      const same = known.filter((one) => one.takesBack === undefined && sameChange(one, message));
      const revert = same.map((one) => standing(graph, reverts, one.sha, message)).find((found) => found !== undefined);
      if (revert) bringBack(revert, message, "has the subject of the reverted change");
    }
  }
  return reverts;
}

function knownAs(graph: Graph, message: Message): Known | undefined {
  const n = graph.at.get(message.sha);
  return n === undefined ? undefined : { ...message, n, parsed: readSubject(message.subject) };
}

/** A revert that names a change which was already reverted and brought back means the reland, the only one still standing. */
function takeBack(graph: Graph, target: Known, message: Known, how: string, known: Known[], reverts: FoundRevert[]): void {
  let of = target.sha;
  const past = ancestors(graph, [message.n]);
  for (;;) {
    const reland = reverts.find((revert) => revert.of === of && revert.relandedBy !== undefined)?.relandedBy;
    if (reland === undefined || past[graph.at.get(reland) ?? -1] !== 1) break;
    of = reland;
  }
  const revert: FoundRevert = { commit: message.sha, of, at: instantOf(graph, message.n), evidence: `"${message.subject}" ${how}` };
  reverts.push(revert);
  const asChange = known.findIndex((one) => one.sha === message.sha && one.takesBack === undefined);
  known.splice(asChange === -1 ? known.length : asChange, asChange === -1 ? 0 : 1, { ...message, takesBack: revert });
}

/** The revert of a change that still stands where `message` was written. */
function standing(graph: Graph, reverts: readonly FoundRevert[], of: string, message: Known): FoundRevert | undefined {
  const past = ancestors(graph, [message.n]);
  return reverts.find((revert) => revert.of === of && revert.relandedBy === undefined && past[graph.at.get(revert.commit) ?? -1] === 1);
}

/** What a message names among the known commits before it. By hash if it names one, else by number, else by subject; the newest. */
function meant(graph: Graph, known: readonly Known[], message: Known, mention: Mention): { target: Known; how: string }[] {
  const named = known.filter((one) => one.n > message.n && names(one, mention) !== undefined);
  if (named.length === 0) return [];
  const past = ancestors(graph, [message.n]);
  const before = named.filter((one) => past[one.n] === 1).sort((a, b) => a.n - b.n);
  const each = <T>(values: readonly T[], fits: (one: Known, value: T) => boolean) =>
    values.flatMap((value) => before.find((one) => fits(one, value)) ?? []);
  const byHash = each(mention.shas, (one, sha) => one.sha.startsWith(sha));
  // A hash of another commit of the branch says that the other one is meant, whatever the subject looks like.
  const other = mention.shas.some((sha) => past[graph.at.get(sha) ?? -1] === 1);
  if (byHash.length > 0 || other) return byHash.map((target) => ({ target, how: `names commit ${target.sha.slice(0, 10)}` }));
  const byNumber = each(mention.pulls, isNumbered);
  if (byNumber.length > 0) return byNumber.map((target) => ({ target, how: `names #${mention.pulls.join(", #")}` }));
  const target = before.find((one) => names(one, mention) === "subject");
  return target ? [{ target, how: "quotes its subject" }] : [];
}

/** A subject alone must be long enough to be nobody else's. */
const TELLING = 30;

/** The same subject again: with the same pull request (as merge bots land it), or telling enough by itself. */
function sameChange(one: Known, other: Known): boolean {
  if (one.sha === other.sha || one.parsed.text !== other.parsed.text) return false;
  return one.parsed.text.length >= TELLING || one.parsed.numbers.some((number) => other.parsed.numbers.includes(number));
}

const isNumbered = (one: Known, pull: number): boolean =>
  one.parsed.own === pull || (one.takesBack === undefined && one.parsed.numbers.includes(pull));

function names(one: Known, mention: Mention): "hash" | "number" | "subject" | undefined {
  if (mention.shas.some((sha) => one.sha.startsWith(sha))) return "hash";
  if (mention.pulls.some((pull) => isNumbered(one, pull))) return "number";
  const { text } = mention;
  if (text === undefined) return undefined;
  if (mention.cut) return text.length >= TELLING && one.subject.startsWith(text) ? "subject" : undefined;
  return one.parsed.text === text ? "subject" : undefined;
}
