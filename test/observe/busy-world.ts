import {
  addDiscussion,
  addEvent,
  addIssue,
  addPull,
  close,
  comment,
  convertToDiscussion,
  crossReference,
  deleteThread,
  isLive,
  linkPull,
  markDuplicate,
  markMerged,
  rename,
  reopen,
  review,
  transfer,
} from "../stand/threads.ts";
import type { Issue, Pull, Thread as StandThread, ThreadRef } from "../stand/thread-types.ts";
import type { Repo, World } from "../stand/world.ts";
import { addRepo, addToken, advanceTo, createWorld, fakeSha, findRepo, fullName, refTo, repoById } from "../stand/world.ts";
import { TOKEN } from "./looking.ts";

/** Situations a thread can be in; a world holds each of them in every repository. */
const SITUATIONS = 20;
const START = "2026-05-01T00:00:00Z";

/** A world of `repos` x 20 threads, every one in another situation, and the threads they lead to. The same each time. */
export function busyWorld(repos: number): { world: World; refs: string[] } {
  const world = createWorld(START);
  addToken(world, TOKEN);
  const made = Array.from({ length: repos }, (_, index) => addRepo(world, `o${index}/n`));
  for (const repo of made) for (let n = 0; n < SITUATIONS; n += 1) situation(world, repo, n);
  made.forEach((repo, index) => {
    const issue = repo.threads[15] as Issue;
    const to = made[(index + 1) % made.length];
    if (to) transfer(world, repo, issue, to, { at: "2026-05-02T00:00:00Z" });
    deleteThread(repo, 20);
  });
  advanceTo(world, "2026-05-10T00:00:00Z");
  return { world, refs: made.flatMap((repo) => Array.from({ length: SITUATIONS }, (_, n) => `${fullName(repo)}#${n + 1}`)) };
}

function situation(world: World, repo: Repo, n: number): void {
  const number = n + 1;
  const title = `Pad the tile of kind ${number}`;
  const extra = (more: Partial<Pull>) => addPull(world, repo, { number: 100 + number, title: `Successor of ${number}`, ...more });
  const issue = (more: Partial<Issue> = {}) => addIssue(world, repo, { number, title, ...more });
  const pull = (more: Partial<Pull> = {}) => addPull(world, repo, { number, title, author: "dev", ...more });
  switch (n) {
    case 0:
      comment(world, issue(), { author: "user", association: "NONE" });
      return;
    case 1: {
      const bug = issue();
      const fix = extra({ body: `Fixes #${number}` });
      linkPull(repo, fix, repo, bug);
      crossReference(world, refTo(repo, fix), bug, { willClose: true });
      markMerged(world, repo, fix);
      return;
    }
    case 2:
      close(world, issue(), { reason: "not_planned" });
      return;
    case 3: {
      const bug = issue();
      const fix = extra({ body: `Closes #${number}` });
      linkPull(repo, fix, repo, bug);
      crossReference(world, refTo(repo, fix), bug, { willClose: true });
      return;
    }
    case 4:
      markMerged(world, repo, pull());
      return;
    case 5:
      review(world, pull(), { author: "reviewer" });
      return;
    case 6:
      pull({ draft: true });
      return;
    case 7:
      pull({ mergeable: "CONFLICTING" });
      return;
    case 8: {
      const old = pull();
      const next = extra({});
      markMerged(world, repo, next);
      comment(world, old, { author: "dev", association: "NONE", body: `Superseded by #${next.number}` });
      close(world, old);
      return;
    }
    case 9:
      close(world, pull());
      return;
    case 10: {
      const bug = issue();
      markDuplicate(world, bug, refTo(repo, addIssue(world, repo, { number: 100 + number, title: "The first report" })));
      close(world, bug, { reason: "duplicate" });
      return;
    }
    case 11: {
      const sha = fakeSha(repo.id * 1000 + number);
      repo.commits[sha] = { sha, parents: [], message: `Fix it, closes #${number}`, date: START, author: "dev" };
      close(world, issue(), { closer: { commit: sha, repo: repo.id } });
      return;
    }
    case 12:
    case 13:
      addDiscussion(world, repo, { number, title });
      return;
    case 15:
      markMerged(world, repo, pull({ base: "feature" }));
      return;
    case 16: {
      repo.nextNumber = 100 + number;
      convertToDiscussion(world, repo, issue());
      return;
    }
    case 17: {
      const busy = pull();
      comment(world, busy, { author: "reviewer", at: "2026-05-03T00:00:00Z" });
      for (let day = 4; day < 10; day += 1) comment(world, busy, { author: "ci[bot]", at: `2026-05-0${day}T00:00:00Z` });
      return;
    }
    case 18:
      rename(world, issue(), `${title}, renamed`);
      return;
    default:
      issue();
      return;
  }
}

/** A week later: every repository has news. */
export function aWeekLater(before: World): World {
  const world = structuredClone(before);
  advanceTo(world, "2026-05-17T00:00:00Z");
  const at = "2026-05-15T00:00:00Z";
  for (const repo of Object.values(world.repos)) {
    const thread = <T extends StandThread>(number: number) => repo.threads[number] as T;
    close(world, thread<Issue>(1), { at, reason: "completed", by: "stale[bot]" });
    reopen(world, thread<Issue>(3), { at });
    markMerged(world, repo, thread<Pull>(104), { at });
    review(world, thread<Pull>(6), { author: "other", state: "CHANGES_REQUESTED", at });
    addEvent(world, thread<Pull>(7), { event: "ready_for_review" }, { at });
    thread<Pull>(7).draft = false;
    thread<Pull>(8).mergeable = "MERGEABLE";
    reopen(world, thread<Pull>(10), { at });
    comment(world, thread<Pull>(18), { author: "reviewer", at });
    rename(world, thread<Issue>(19), "Something shorter about the tile", { at });
  }
  return world;
}

/** What is true of a thread in a world: read from the world's own data, by other code than the observer's. */
export interface Truth {
  kind?: string;
  title?: string;
  state?: string;
  stateReason?: string | undefined;
  merged?: boolean | undefined;
  mergeCommit?: string | undefined;
  base?: string | undefined;
  draft?: boolean | undefined;
  conflicting?: boolean | undefined;
  review?: string | undefined;
  closedAt?: string | undefined;
  closer?: string | undefined;
  closedBy?: string[] | undefined;
  supersededBy?: string | undefined;
  duplicateOf?: string | undefined;
  movedTo?: string | undefined;
  lastActivity?: string | undefined;
}

export function truthOf(world: World, ref: string): Truth | "deleted" | undefined {
  const [name = "", number = ""] = ref.split("#");
  const repo = findRepo(world, name);
  const thread = repo?.threads[Number(number)];
  if (!repo || !thread) return undefined;
  if (thread.kind === "deleted") return "deleted";
  if (thread.kind === "moved") return { movedTo: nameOf(world, thread.to) };
  if (!isLive(thread)) return undefined;
  const open = thread.state === "open";
  const closed = thread.events.findLast(({ event }) => event === "closed");
  const by = closed?.event === "closed" ? closed.closer : undefined;
  const converted = thread.events.find(({ event }) => event === "converted_to_discussion");
  const shared = { title: thread.title, state: thread.state, closedAt: open ? undefined : (thread.closedAt ?? undefined) };
  if (thread.kind === "discussion") return { kind: "discussion", ...shared };
  const merged = thread.kind === "pull" && thread.mergedAt !== null;
  const said = thread.comments.map(({ body }) => /^Superseded by #(\d+)$/.exec(body)?.[1]).find((found) => found !== undefined);
  const common: Truth = {
    ...shared,
    closer: open || merged || !by ? undefined : "commit" in by ? `${name}@${by.commit}` : nameOf(world, by.pull),
    supersededBy: open || merged || said === undefined ? undefined : `${name}#${said}`,
    movedTo: converted?.event === "converted_to_discussion" ? nameOf(world, converted.discussion) : undefined,
  };
  if (thread.kind === "issue") {
    const duplicate = thread.events.findLast(({ event }) => event === "marked_as_duplicate");
    const reasons: Record<string, string> = { completed: "completed", not_planned: "not-planned", duplicate: "duplicate" };
    return {
      ...common,
      kind: "issue",
      stateReason: open ? undefined : reasons[thread.stateReason ?? ""],
      closedBy: thread.closedByPulls.length > 0 ? thread.closedByPulls.map((one) => nameOf(world, one)) : undefined,
      duplicateOf: !open && duplicate?.event === "marked_as_duplicate" ? nameOf(world, duplicate.canonical) : undefined,
    };
  }
  const human = [...thread.comments, ...thread.reviews].filter(({ author }) => !author?.endsWith("[bot]")).map(({ at }) => at);
  return {
    ...common,
    kind: "pull-request",
    merged,
    mergeCommit: merged ? (thread.mergeSha ?? undefined) : undefined,
    base: thread.base,
    draft: open && thread.draft ? true : undefined,
    conflicting: open && thread.mergeable === "CONFLICTING" ? true : undefined,
    review: open ? thread.reviewDecision?.toLowerCase().replaceAll("_", "-") : undefined,
    lastActivity: open ? [thread.createdAt, thread.lastCommitAt, ...human].sort().at(-1)?.slice(0, 10) : undefined,
  };
}

function nameOf(world: World, ref: ThreadRef): string {
  const repo = repoById(world, ref.repo);
  return `${repo ? fullName(repo) : "?"}#${ref.number}`;
}
