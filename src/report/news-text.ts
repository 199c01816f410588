import { ATTENTION } from "../derive/attention.ts";
import type { Attention } from "../derive/attention.ts";
import { changesDecision } from "../derive/news.ts";
import { fileOf } from "../model/paths.ts";
import type { Transition } from "../model/shapes/observed.ts";
import { STATUSES } from "../model/vocabulary.ts";
import type { Status } from "../model/vocabulary.ts";
import { plain } from "./markdown/build.ts";
import type { News } from "./pull-request/body.ts";
import { freshAttention } from "./pull-request/body.ts";
import { symbolWords } from "./words.ts";

/** News as plain text, for channels without Markdown of their own: decisions first, then what moved, then what else is new. */
export interface NewsSection {
  title: string;
  lines: string[];
}

const LONGEST = 300;

export function newsText(news: News): NewsSection[] {
  const fresh = freshAttention(news);
  return [
    { title: "Decide", lines: fresh.filter(changesDecision).map(attentionLine) },
    { title: "Moved", lines: news.transitions.map((one) => transitionLine(news, one)) },
    { title: "Worth knowing", lines: fresh.filter((entry) => !changesDecision(entry)).map(attentionLine) },
    { title: "Could not be observed", lines: news.failed.map(({ ref, why }) => plain(`${ref}: ${why}`, LONGEST)) },
  ].filter(({ lines }) => lines.length > 0);
}

const attentionLine = ({ kind, about, text }: Attention): string =>
  plain(`${ATTENTION[kind]}: ${fileOf(about.kind, about.id)}. ${text}`, LONGEST);

function transitionLine({ after }: News, { item, from, to, because }: Transition): string {
  const name = (status: string | null) => (status !== null && status in STATUSES ? symbolWords(status as Status) : (status ?? "new"));
  return plain(`${after.world.model.item[item]?.title ?? item}: ${name(from)} → ${name(to)}. ${because}`, LONGEST);
}

/** Is there anything that a person would want to be told? What could not be observed alone is no news. */
export const hasNews = (news: News): boolean => news.transitions.length > 0 || freshAttention(news).length > 0;

const transitionName = ({ item, to }: Transition): string => `${item} ${to}`;
const attentionName = ({ kind, about, text }: Attention): string => `${kind} ${about.id} ${text}`;

/** A name for each piece of news, to remember what was told. */
export const newsNames = (news: News): string[] => [...news.transitions.map(transitionName), ...freshAttention(news).map(attentionName)];

/** The news without what was told before. */
export function withoutTold(news: News, told: ReadonlySet<string>): News {
  const transitions = news.transitions.filter((one) => !told.has(transitionName(one)));
  const attention = news.after.attention.filter((entry) => !told.has(attentionName(entry)));
  return { ...news, transitions, after: { ...news.after, attention } };
}
