import type { Actor } from "./nodes.ts";
import { isMachine, isOutsider } from "./people.ts";
import type { Eyes, Facts, Wanted } from "./reading.ts";
import { plainTitle, supersededBy, supersedes } from "./words.ts";

/** What happened in a thread, the same from GraphQL and from REST, oldest first. */
export interface Story {
  ref: string;
  repo: string;
  author: Actor | null;
  body: string;
  createdAt: string | undefined;
  comments: { at: string; by: Actor | null; insider: boolean; body: string }[];
  /** Are these all comments, or only the last ones? */
  allComments: boolean;
  reviews: { at: string; by: Actor | null }[];
  allReviews: boolean;
  lastCommit: { at: string; by: Actor | null } | undefined;
  events: StoryEvent[];
  allEvents: boolean;
  /** Pull requests that mention it, with their words. */
  mentions: { at: string; ref: string; repo: string; text: string; state: "open" | "merged" | "closed" }[];
  allMentions: boolean;
}

export type StoryEvent =
  | { event: "closed"; at: string; closer: string | undefined }
  | { event: "reopened"; at: string }
  | { event: "duplicate"; at: string; of: string }
  | { event: "not-duplicate"; at: string }
  | { event: "renamed"; at: string; from: string }
  | { event: "to-discussion"; at: string; to: string };

type Told = Pick<
  Facts,
  "closer" | "reopenedAt" | "previousTitle" | "supersededBy" | "duplicateOf" | "movedTo" | "lastActivity" | "replies"
>;

/** Facts that only the story tells. `open` lists what more of the story could still change. */
export function told(
  basic: Pick<Facts, "kind" | "state" | "title" | "merged">,
  story: Story,
  eyes: Eyes,
  wanted: Wanted["replies"],
): { facts: Told; covers: (keyof Told)[]; open: string[] } {
  const facts: Told = {};
  const open: string[] = [];
  const covers = new Set<keyof Told>(["closer", "reopenedAt", "duplicateOf", "movedTo", "supersededBy", "lastActivity", "replies"]);

  const last = story.events.findLast(({ event }) => event === "closed" || event === "reopened");
  if (basic.state === "closed" && basic.merged !== true) {
    if (last?.event === "closed") {
      if (last.closer !== undefined && last.closer !== story.ref) facts.closer = { ref: last.closer, at: last.at };
    } else if (!story.allEvents) {
      open.push("what closed it");
      covers.delete("closer");
    }
  }
  if (basic.state === "open" && last?.event === "reopened") facts.reopenedAt = last.at;

  const duplicate = story.events.findLast((one) => one.event === "not-duplicate" || (one.event === "duplicate" && one.of !== story.ref));
  if (duplicate?.event === "duplicate" && basic.state === "closed") facts.duplicateOf = duplicate.of;
  const moved = story.events.findLast(({ event }) => event === "to-discussion");
  if (moved?.event === "to-discussion") facts.movedTo = moved.to;

  const renames = story.events.filter((one) => one.event === "renamed").map(({ from }) => plainTitle(from));
  const previous = renames.findLast((title) => title !== "" && title !== basic.title);
  if (previous !== undefined) {
    facts.previousTitle = previous;
    covers.add("previousTitle");
  }

  if (basic.state === "closed" && basic.merged !== true && basic.kind !== "discussion") {
    const successor = successorOf(story);
    if (successor) facts.supersededBy = successor;
    else if (!story.allMentions || !story.allComments) {
      // It may have been said further back than was read; what was known to be said stays said.
      covers.delete("supersededBy");
      if (basic.kind === "pull-request") open.push("what superseded it");
    }
  }

  if (basic.kind === "pull-request" && basic.state === "open") {
    const activity = lastActivity(story, eyes);
    if (activity.certain) {
      if (activity.day !== undefined) facts.lastActivity = activity.day;
    } else {
      open.push("the last human activity");
      covers.delete("lastActivity");
    }
  }

  if (wanted.length > 0) {
    const answers = wanted.map((one) => answersOf(story, one));
    if (answers.some(({ certain }) => !certain)) open.push("the answers");
    if (answers.every(({ certain, replies }) => certain || replies.length > 0)) {
      facts.replies = answers.flatMap(({ replies }) => replies).sort((a, b) => (a.at < b.at ? -1 : 1));
    } else covers.delete("replies");
  }
  return { facts, covers: [...covers], open };
}

/**
 * What a closed, unmerged thread was replaced by: its author or a maintainer says so, the last statement counting,
 * else a pull request says that it supersedes this one.
 */
function successorOf(story: Story): Facts["supersededBy"] {
  const own = [
    { at: story.createdAt ?? "", by: story.author, body: story.body, where: "its own text" },
    ...story.comments
      .filter((comment) => comment.insider || sameAccount(comment.by, story.author))
      .map((comment) => ({ ...comment, where: `comment by ${comment.by?.login ?? "a deleted account"}, ${comment.at.slice(0, 10)}` })),
  ];
  for (const { body, where } of own.reverse()) {
    const said = supersededBy(body, story.repo);
    if (said && said.ref !== story.ref) return { ref: said.ref, evidence: `${where}: "${said.words}"` };
  }
  const claims = story.mentions.flatMap((mention) =>
    supersedes(mention.text, mention.repo)
      .filter(({ ref }) => ref === story.ref && mention.ref !== story.ref)
      .map(({ words }) => ({ ...mention, words })),
  );
  const claim = claims.findLast(({ state }) => state !== "closed") ?? claims.at(-1);
  return claim && { ref: claim.ref, evidence: `text of ${claim.ref}: "${claim.words}"` };
}

const sameAccount = (a: Actor | null, b: Actor | null) => a?.login !== undefined && a.login === b?.login;

/**
 * The day of the last human comment, review or commit by somebody outside the stack; opening it counts as the first.
 * Uncertain when older comments that were not read could be later than anything that was.
 */
function lastActivity(story: Story, eyes: Eyes): { day: string | undefined; certain: boolean } {
  const counts = (by: Actor | null) => isOutsider(by, eyes.own);
  const days = [
    story.createdAt,
    ...story.comments.filter(({ by }) => counts(by)).map(({ at }) => at),
    ...story.reviews.filter(({ by }) => counts(by)).map(({ at }) => at),
    ...(story.lastCommit && counts(story.lastCommit.by) ? [story.lastCommit.at] : []),
  ].filter((at) => at !== undefined);
  const latest = days.sort().at(-1);
  const reaches = (all: boolean, read: readonly { at: string }[]) => all || (latest !== undefined && latest >= (read[0]?.at ?? ""));
  return { day: latest?.slice(0, 10), certain: reaches(story.allComments, story.comments) && reaches(story.allReviews, story.reviews) };
}

const DAY = 86_400_000;

/**
 * The first answers of an account from a day on. The day is meant in the stack's zone, which may be a day off UTC, so answers close to
 * it are all kept. Certain when everything since that day was read.
 */
function answersOf(story: Story, wanted: Wanted["replies"][number]): { replies: { by: string; at: string }[]; certain: boolean } {
  const since = Date.parse(`${wanted.since}T00:00:00Z`);
  const said = [...story.comments, ...story.reviews]
    .filter(({ by, at }) => !isMachine(by) && by?.login?.toLowerCase() === wanted.by.toLowerCase() && Date.parse(at) >= since - DAY)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const enough = said.findIndex(({ at }) => Date.parse(at) >= since + 2 * DAY);
  const covered = (all: boolean, read: readonly { at: string }[]) => all || Date.parse(read[0]?.at ?? "") < since - DAY;
  return {
    replies: said.slice(0, enough < 0 ? said.length : enough + 1).map(({ by, at }) => ({ by: by?.login ?? wanted.by, at })),
    certain: covered(story.allComments, story.comments) && covered(story.allReviews, story.reviews),
  };
}
