import { addEvent, isLive } from "./threads.ts";
import type { ThreadRef } from "./thread-types.ts";
import { findRepo, type Repo, type World } from "./world.ts";

/**
 * What a text written through the API makes others see: a backlink in the thread it names, mail for a person it
 * mentions, an issue closed on merge. GitHub reads bare refs, `#n` and full URLs; `redirect.github.com` is none (D08).
 */

const URLS = /https?:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+)\/(?:issues|pull|discussions)\/(\d+)/gi;
const BARE = /(?<![\w/.#@-])([\w-]+\/[\w.-]+)?(?:#|\bGH-)(\d+)\b/g;
const MENTION = /(?<![\w/`.@-])@([a-z\d](?:[a-z\d-]*[a-z\d])?(?:\/[\w-]+)?)/gi;
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:https?:\/\/\S+|(?:[\w.-]+\/[\w.-]+)?#\d+)/gi;

/** Text outside code: neither GitHub's references nor its mentions live in code spans and fences. */
const prose = (markdown: string): string => markdown.replace(/```.*?```/gs, " ").replace(/(`+)(?!`).*?(?<!`)\1(?!`)/gs, " ");

/** Records the noise of a text. @param from the thread that holds it; undefined for a commit message. */
export function noteNoise(world: World, repo: Repo, text: string, where: string, from?: ThreadRef): void {
  const commit = from === undefined;
  const body = commit ? text : prose(text);
  const targets = [
    ...body.matchAll(URLS),
    ...body
      .replace(URLS, " ")
      .replace(/https?:\/\/\S+/g, " ")
      .matchAll(BARE),
  ];
  for (const [, name = `${repo.owner}/${repo.name}`, number = ""] of targets) {
    const home = findRepo(world, name);
    const thread = home?.threads[Number(number)];
    if (home && from && home.id === from.repo && Number(number) === from.number) continue;
    world.noise.push({ kind: "cross-reference", target: `${name}#${number}`, where });
    if (from && home && isLive(thread)) addEvent(world, thread, { event: "cross-referenced", source: from, willClose: false });
  }
  for (const [, login = ""] of body.matchAll(MENTION)) world.noise.push({ kind: "mention", target: `@${login}`, where });
  for (const [match] of body.matchAll(CLOSING)) world.noise.push({ kind: "closing-keyword", target: match, where });
}
