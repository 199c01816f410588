import { parseRef, shortRef } from "../model/ref.ts";
import type { Item } from "../model/shapes/item.ts";
import type { Thread } from "../model/shapes/observed.ts";
import type { Facet } from "../model/vocabulary.ts";
import { carries, carriesCode, localWords } from "./carry.ts";
import type { World } from "./facts.ts";
import type { Landing } from "./landing.ts";
import { landingOf, mergedWhereItCounts } from "./landing.ts";
import { day, daysBetween } from "./proof.ts";
import { list, upper } from "./sentence.ts";
import type { Deciding, Decision, Done } from "./status.ts";

/**
 * Rows 6 to 8 of the table: nothing landed, or what landed was reverted.
 * A fix is open, the problem is open, or everything is closed.
 */
export function decideOpen(world: World, item: Item, deciding: Deciding[], reverted: Landing[], facets: Set<Facet>, done: Done): Decision {
  const pulls = fixPulls(world, deciding);
  const open = pulls.filter(({ thread }) => thread.state === "open");
  const elsewhere = pulls.filter(({ thread }) => thread.merged === true);
  if (open.length > 0 || elsewhere.length > 0) {
    if (elsewhere.length > 0) facets.add("merged-elsewhere");
    const judged = open.map((pull) => ({ ...pull, why: stalledBecause(world, pull.ref, pull.thread) }));
    const moving = judged.find(({ why }) => why === undefined);
    if (moving || open.length === 0) {
      if (moving && moving.thread.lastActivity === undefined) facets.add("activity-unknown");
      const merged = elsewhere[0];
      return done(
        "6",
        "in-review",
        moving
          ? `${shortRef(moving.ref)} is open${moving.thread.review === "approved" ? " and approved" : ""}${moving.thread.lastActivity ? `, last active ${moving.thread.lastActivity}` : ""}.`
          : `${shortRef(merged?.ref ?? "")} was merged into ${merged?.thread.base}, where landing does not count.`,
      );
    }
    return done("6", "stalled", `${upper(list(judged.map(({ ref, why }) => `${shortRef(ref)} is open but ${why}`)))}.`);
  }
  const openRef = deciding.find(({ thread }) => thread?.state === "open");
  if (openRef) {
    if (carriesCode(item) && !item.pursued)
      return done("7", "local-workaround", `${shortRef(openRef.end)} is open and not pursued upstream, and ${localWords(item)}.`);
    return done("7", "open-no-pr", `${shortRef(openRef.end)} is open, and no fix for it is open as far as is known.`);
  }
  return decideClosed(world, item, deciding, reverted, facets, done);
}

function decideClosed(world: World, item: Item, deciding: Deciding[], reverted: Landing[], facets: Set<Facet>, done: Done): Decision {
  const closed = deciding.filter(({ end, thread }) => thread !== undefined && landingOf(world, end) === undefined);
  if (closed.length === 0 && reverted.length === 0) {
    const unseen = deciding.filter(({ end, thread }) => thread === undefined && landingOf(world, end) === undefined);
    return done("4", "unknown", `${list(unseen.map(({ end }) => shortRef(end)))} ${unseen.length > 1 ? "were" : "was"} never observed.`);
  }
  const what = list([...reverted.map(({ evidence }) => `${evidence.fact}, later reverted`), ...closed.map(closedWords)]);
  if (item.local === "retired") return done("8", "resolved", `${upper(what)}, and ${localWords(item)}.`);
  const left = reverted.length > 0 ? "nothing has taken its place" : "no landing is known";
  if (carries(item)) return done("8", "local-workaround", `${upper(what)}, ${left}, and ${localWords(item)}.`);
  if (!closed.some(({ thread }) => thread?.stateReason === "not-planned")) facets.add("no-fix-evidence");
  return done("8", "closed-unfixed", `${upper(what)}, and ${left}.`);
}

const closedWords = ({ end, thread }: Deciding): string =>
  `${shortRef(end)} was closed${thread?.closedAt ? ` ${day(thread.closedAt)}` : ""}${thread?.kind === "pull-request" ? " unmerged" : ""}${thread?.stateReason ? ` as ${thread.stateReason}` : ""}`;

interface Pull {
  ref: string;
  thread: Thread;
}

/** Pull requests that would fix the row: deciding ones, and those that close a deciding issue. */
function fixPulls(world: World, deciding: Deciding[]): Pull[] {
  return deciding.flatMap(({ end, thread }) => {
    if (!thread) return [];
    if (thread.kind === "pull-request") return relevant(world, end, thread) ? [{ ref: end, thread }] : [];
    return (thread.closedBy ?? []).flatMap((ref) => {
      const pull = world.facts.thread(ref);
      return pull && relevant(world, ref, pull) ? [{ ref, thread: pull }] : [];
    });
  });
}

function relevant(world: World, ref: string, thread: Thread): boolean {
  const parsed = parseRef(ref);
  return (
    thread.state === "open" || (thread.merged === true && parsed?.type === "thread" && !mergedWhereItCounts(world, parsed.repo, thread))
  );
}

/** Why an open pull request does not move, or undefined. Approval alone is not movement (A07); a date that is not known is not quiet. */
function stalledBecause(world: World, ref: string, thread: Thread): string | undefined {
  const parsed = parseRef(ref);
  if (parsed?.type === "thread" && world.facts.archived(parsed.repo)) return "its repository is archived";
  if (thread.draft === true) return "a draft";
  if (thread.conflicting === true) return "conflicts with its base";
  if (thread.review === "changes-requested") return "changes are requested";
  const quiet = thread.lastActivity === undefined ? 0 : daysBetween(thread.lastActivity, world.asOf);
  return quiet > world.model.tracker.thresholds.stalled_after_days ? `quiet for ${quiet} days` : undefined;
}
